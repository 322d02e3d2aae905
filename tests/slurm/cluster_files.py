"""The files of a Slurm cluster in a folder: its configuration, its key, and the site for jobs/submit."""

import os
import random
import socket
import subprocess

NODES, CPUS = 4, 4  # declared; the cores of the machine are shared

SLURM_CONF = """\
ClusterName=rf
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket{credentials}
SlurmctldPort={port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
# PMIx names its folder by job and step: nodes that share it collide.
TmpFS={folder}/tmp.%n
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SwitchType=switch/none
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
EnforcePartLimits=ALL
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1,bf_continue
PriorityType=priority/basic
ReturnToService=2
# Patient, since the machine may be busy with other things.
SlurmdTimeout={slurmd_timeout}
BatchStartTimeout=120
MessageTimeout=60
KillWait=15
MinJobAge=300
{nodes}
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=10 State=UP PriorityTier=1
PartitionName=urgent Nodes=ALL MaxTime=INFINITE DefaultTime=10 State=UP PriorityTier=2 PreemptMode=OFF
"""

# What a job needs on this cluster: its nodes share one /dev/shm, where Open MPI's vader would mix up their ranks.
SITE = """\
# The cluster in {folder}: jobs/submit --site {folder}/site.env
generate=--nodes=1 --ntasks-per-node=2
train=--ntasks=1
gate=--ntasks=2
export=--ntasks=1
launch=srun --mpi=pmix --kill-on-bad-exit=1
setup=export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
setup=export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
setup=export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
"""


def free_ports(count):
    """The first of so many free ports in a row, below those that the system hands out."""
    for _ in range(200):
        first = random.randrange(12000, 30000)
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
    raise RuntimeError("no free ports")


def write_files(folder, slurmd_timeout=120, cred_expire=None):
    """slurmd_timeout: seconds until a node that does not answer is down. cred_expire: seconds that a launch may take,
    and that a requeued job waits; Slurm's default is 120."""
    port = free_ports(NODES + 1)
    host = socket.gethostname().split(".")[0]
    nodes = []
    for i in range(1, NODES + 1):
        for name in (f"spool.n{i}", f"tmp.n{i}"):
            (folder / name).mkdir(exist_ok=True)
        nodes.append(f"NodeName=n{i} NodeHostname={host} NodeAddr=127.0.0.1 Port={port + i} CPUs={CPUS} "
                     "RealMemory=1000 State=UNKNOWN")
    (folder / "state").mkdir(exist_ok=True)
    (folder / "key").mkdir(mode=0o700, exist_ok=True)
    key = folder / "key" / "munge.key"
    if not key.exists():
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
    user = subprocess.check_output(["id", "-un"], text=True).strip()
    (folder / "slurm.conf").write_text(SLURM_CONF.format(folder=folder, port=port, host=host, user=user,
                                                         nodes="\n".join(nodes), slurmd_timeout=slurmd_timeout,
                                                         credentials=f",cred_expire={cred_expire}" if cred_expire else ""))
    # The tree fence of Slurm 22.05 lets ranks out of MPI_Init too early now and then; the ring does not.
    (folder / "mpi.conf").write_text("PMIxCollFence=ring\n")
    (folder / "site.env").write_text(SITE.format(folder=folder))
