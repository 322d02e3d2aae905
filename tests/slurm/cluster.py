"""A Slurm cluster in a folder: munge, a controller and a few nodes on this machine, for tests and for trying things out.

All files are in the folder, the ports are free ones, nothing below /etc is read or written. Needs the packages munge,
slurmctld, slurmd and slurm-client; works as any user. All daemons are children of one keeper process that stops them,
and what their jobs left, when it is told to, or when the process that started it ends in any way.
"""

import ctypes
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

NODES, CPUS = 4, 4  # declared; the cores of the machine are shared
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo", "scontrol")
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # prctl(2)

SLURM_CONF = """\
ClusterName=rf
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
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
SlurmdTimeout=120
BatchStartTimeout=120
MessageTimeout=60
KillWait=15
MinJobAge=300
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=10 State=UP
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


def missing_programs():
    return [name for name in PROGRAMS if not shutil.which(name, path=PATH)]


def environment(folder):
    """For commands that speak to the cluster in `folder`; what an outer job set is not passed on."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("SLURM", "SBATCH", "SRUN", "SQUEUE", "PMI", "OMPI", "RF_SITE"))}
    return {**kept, "SLURM_CONF": f"{folder}/slurm.conf", "PATH": PATH}


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


def write_files(folder):
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
                                                         nodes="\n".join(nodes)))
    # The tree fence of Slurm 22.05 lets ranks out of MPI_Init too early now and then; the ring does not.
    (folder / "mpi.conf").write_text("PMIxCollFence=ring\n")
    (folder / "site.env").write_text(SITE.format(folder=folder))


class Keeper:
    """The process that owns the daemons."""

    def __init__(self, folder):
        self.folder = folder
        self.env = environment(folder)
        self.daemons = []
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)  # job steps too become ours when their parent ends

    def daemon(self, *command):
        def die_with_parent():
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

        with open(self.folder / f"{command[0]}.out", "a") as out:
            self.daemons.append(subprocess.Popen(command, env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                                 preexec_fn=die_with_parent, start_new_session=True))

    def start(self):
        folder = self.folder
        self.daemon("munged", "--foreground", f"--key-file={folder}/key/munge.key", f"--socket={folder}/munge.socket",
                    f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log",
                    f"--seed-file={folder}/key/munged.seed", "--num-threads=2")
        self.wait("munged", lambda: (folder / "munge.socket").exists())
        self.daemon("slurmctld", "-D", "-i", "-f", f"{folder}/slurm.conf")
        for i in range(1, NODES + 1):
            self.daemon("slurmd", "-D", "-f", f"{folder}/slurm.conf", "-N", f"n{i}")
        self.wait("slurm", lambda: self.ask("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").count("n") == NODES)

    def ask(self, *command):
        try:
            return subprocess.run(command, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=10).stdout
        except subprocess.TimeoutExpired:
            return ""

    def wait(self, what, condition):
        end = time.monotonic() + 60
        while not condition():
            gone = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if gone or time.monotonic() > end:
                logs = "\n".join(f"{log.name}: {log.read_text(errors='replace')[-800:]}"
                                 for log in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")))
                raise RuntimeError(f"{what} did not start{', ended: ' + gone[0] if gone else ''}\n{logs}")
            time.sleep(0.1)

    def stop(self):
        if len(self.daemons) > 1 and self.daemons[1].poll() is None:
            self.ask("scancel", "--me")
            end = time.monotonic() + 8
            while time.monotonic() < end and self.ask("squeue", "-h"):
                time.sleep(0.2)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        end = time.monotonic() + 10
        while time.monotonic() < end and any(daemon.poll() is None for daemon in self.daemons):
            time.sleep(0.05)
        for _ in range(50):
            left = descendants(os.getpid())
            if not left:
                return
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            reap()
            time.sleep(0.02)


def reap():
    """Orphans of the daemons; also a daemon, whose Popen then takes it for ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def descendants(ancestor):
    """Process ids, zombies not counted."""
    parents = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(path.parent.name)] = (int(fields[1]), fields[0])
    found, front = [], {ancestor}
    while front:
        front = {pid for pid, (parent, _) in parents.items() if parent in front}
        found += [pid for pid in front if parents[pid][1] != "Z"]
    return found


def keep(folder, alone):
    """The keeper's life. `alone`: until SIGTERM; else also until its standard input ends."""
    def end(*_):
        raise SystemExit(0)

    keeper = Keeper(folder)
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    (folder / "keeper.pid").write_text(str(os.getpid()))
    try:
        write_files(folder)
        keeper.start()
        os.write(1, b"ready\n")
        os.close(1)
        while alone or not select.select([sys.stdin], [], [], 0)[0]:
            time.sleep(0.5)
            reap()
    except RuntimeError as error:
        os.write(1, str(error).encode())
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        keeper.stop()
        (folder / "keeper.pid").unlink()
        if not alone:
            shutil.rmtree(folder, ignore_errors=True)


class Cluster:
    """Of one test program: started by the constructor, ends with close() or with the program."""

    def __init__(self):
        missing = missing_programs()
        if missing:
            raise RuntimeError(f"no {', '.join(missing)} here: jobs/setup test installs what jobs/packages.txt lists")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rf-slurm-"))
        self.folder.chmod(0o755)  # munge wants to be reached by all users
        self.keeper = start_keeper(self.folder, subprocess.PIPE)
        self.env = environment(self.folder)
        self.site = self.folder / "site.env"

    def close(self):
        self.keeper.stdin.close()
        self.keeper.wait(timeout=60)

    def ask(self, *command):
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=60)
        return done.stdout.strip()


def start_keeper(folder, stdin):
    words = [sys.executable, os.path.abspath(__file__), "keep", str(folder)] + ([] if stdin == subprocess.PIPE else ["alone"])
    keeper = subprocess.Popen(words, stdin=stdin, stdout=subprocess.PIPE, start_new_session=True)
    said = keeper.stdout.read().decode()
    keeper.stdout.close()
    if said != "ready\n":
        raise RuntimeError(f"the Slurm cluster in {folder} did not start: {said}")
    return keeper


def main():
    usage = "usage: tests/slurm/cluster start|stop DIR"
    if len(sys.argv) < 3:
        print(usage)
        return 64
    what, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    pid_file = folder / "keeper.pid"
    if what == "keep":
        keep(folder, alone=len(sys.argv) > 3)
    elif what == "start":
        if missing_programs():
            print(f"no {', '.join(missing_programs())} here: jobs/setup test installs them")
            return 66
        if pid_file.exists():
            print(f"there is one already: tests/slurm/cluster stop {folder}")
            return 75
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        start_keeper(folder, subprocess.DEVNULL)
        print(f"export SLURM_CONF={folder}/slurm.conf RF_SITE={folder}/site.env")
    elif what == "stop":
        if not pid_file.exists():
            print(f"no cluster runs in {folder}")
            return 66
        os.kill(int(pid_file.read_text()), signal.SIGTERM)
        while pid_file.exists():
            time.sleep(0.05)
    else:
        print(usage)
        return 64
    return 0


if __name__ == "__main__":
    sys.exit(main())
