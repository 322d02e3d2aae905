"""What can happen to a job, each as a function of a case (matrix.py) and a stream of random numbers. It strikes, and
returns what it has to be told to undo (or nothing). A fault that leaves the run unusable is undone when the queue is
empty; what the scheduler lost is given back then."""

import os
import signal
import subprocess
import time

import rankfile


def sigterm(case, _):
    case.cluster.ask("scancel", "--signal=TERM", "--full", case.task())


def scancel(case, _):
    case.cluster.ask("scancel", case.task())


def scancel_kill(case, _):
    case.cluster.ask("scancel", "--signal=KILL", case.task())


def time_limit(case, _):
    """The limit is in whole minutes and looked at twice a minute: until then the stage is held where it is."""
    held = case.send(signal.SIGSTOP)
    case.cluster.ask("scontrol", "update", "JobId=" + case.task(), "TimeLimit=1")
    rankfile.wait_until(lambda: "SIGUSR1: " in case.stage_log() or not case.queue(), 120, pause=0.1)
    case.send(signal.SIGCONT, held)


def requeue(case, _):
    """The jobs are submitted with --no-requeue; an administrator can change that."""
    task = case.task()
    case.cluster.ask("scontrol", "update", "JobId=" + task, "Requeue=1")
    case.cluster.ask("scontrol", "requeue", task)


def preempted(case, _):
    node = case.node()
    case.cluster.ask("sbatch", "--partition=urgent", "--nodelist=" + node, "--nodes=1", "--ntasks-per-node=4",
                     "--output=/dev/null", "--wrap=sleep 1")


def rank_killed(case, stream):
    rankfile.wait_until(lambda: case.ranks() or case.is_sealed() or not case.queue(), pause=0.02)
    for pid in case.ranks()[-stream.choice((1, 2)):][:1]:
        case.kill([pid], signal.SIGKILL)


def slurmd_killed(case, _):
    """The job lives on, unseen."""
    node = case.node()
    case.kill([case.cluster.slurmd(node)], signal.SIGKILL)
    return lambda: case.cluster.restart(node)


def slurmd_killed_and_second_copy(case, stream):
    """The job lives on, and goes on in the middle of its second copy."""
    node, tries = case.node(), case.tries()
    held = case.send(signal.SIGSTOP)
    case.kill([case.cluster.slurmd(node)], signal.SIGKILL)
    rankfile.wait_until(lambda: case.tries() > tries or not case.queue(), 120, pause=0.05)
    time.sleep(stream.uniform(0, case.seconds))
    case.send(signal.SIGCONT, held)
    return lambda: case.cluster.restart(node)


def node_killed(case, _):
    node = case.node()
    for _ in range(3):  # what was being forked
        case.kill(case.cluster.processes(node), signal.SIGKILL)
    return lambda: case.cluster.restart(node)


def read_only(case, _):
    """Until the queue is empty. While a file is open for writing the kernel refuses, so: again."""
    def remount(how):
        return subprocess.run(["mount", "-o", f"remount,{how}", str(case.disk)], capture_output=True).returncode == 0

    rankfile.wait_until(lambda: remount("ro"), 30, pause=0.001)
    return lambda: rankfile.wait_until(lambda: remount("rw"), 30)


def full(case, _):
    """Until the queue is empty."""
    filler = case.disk / "filler"
    with open(filler, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            pass
        try:
            while True:
                file.write(bytes(512))
        except OSError:
            pass
    return filler.unlink


class Fault:
    def __init__(self, name, strike, disk=False, logs=False, hosts=False):
        self.name = name
        self.strike = strike
        self.disk = disk  # the run is on a file system of its own
        self.logs = logs  # and its logs on another one: they are open while a job runs
        self.hosts = hosts  # nodes have host names of their own

    def why_not(self, cluster):
        """Why it cannot be made here, "" when it can."""
        if self.disk and not may_mount():
            return "no file system may be mounted here"
        if self.hosts and not cluster.has_separate_hosts():
            return "no host names may be set here"
        return ""


def may_mount():
    return os.geteuid() == 0 and subprocess.run(
        ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0


FAULTS = (
    Fault("SIGTERM to the job", sigterm),
    Fault("`scancel` of the task", scancel),
    Fault("`scancel --signal=KILL`", scancel_kill),
    Fault("time limit", time_limit),
    Fault("`scontrol requeue`", requeue),
    Fault("preempted", preempted),
    Fault("one rank killed", rank_killed),
    Fault("slurmd killed, the job lives on", slurmd_killed, hosts=True),
    Fault("the same, and comes back beside its second copy", slurmd_killed_and_second_copy, hosts=True),
    Fault("node lost, all on it killed", node_killed, hosts=True),
    Fault("run read-only until the queue is empty", read_only, disk=True, logs=True),
    Fault("disk full until the queue is empty", full, disk=True),
)
