"""A Slurm cluster in a folder: munge, a controller and a few nodes on this machine, for tests and for trying things out.

All files are in the folder, the ports are free ones, nothing below /etc is read or written. Needs the packages munge,
slurmctld, slurmd and slurm-client; works as any user. Where it is permitted each node has a host name of its own. All
daemons are children of one keeper process that stops them, and what their jobs left, when it is told to, or when the
process that started it ends in any way.
"""

import ctypes
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from cluster_files import NODES, write_files

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo", "scontrol")
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # prctl(2)
CLONE_NEWUTS = 0x04000000  # unshare(2): a host name of one's own

def missing_programs():
    return [name for name in PROGRAMS if not shutil.which(name, path=PATH)]


def environment(folder):
    """For commands that speak to the cluster in `folder`; what an outer job set is not passed on."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("SLURM", "SBATCH", "SRUN", "SQUEUE", "PMI", "OMPI", "RF_SITE"))}
    return {**kept, "SLURM_CONF": f"{folder}/slurm.conf", "PATH": PATH}


class Keeper:
    """The process that owns the daemons."""

    def __init__(self, folder):
        self.folder = folder
        self.env = environment(folder)
        self.daemons = []
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)  # job steps too become ours when their parent ends

    def daemon(self, *command, host=None):
        def die_with_parent():
            libc = ctypes.CDLL(None)
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            if host and libc.unshare(CLONE_NEWUTS) == 0:
                socket.sethostname(host)

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
            self.start_node(f"n{i}")
        self.wait("slurm", lambda: self.ask("sinfo", "-h", "-p", "main", "-N", "-t", "idle", "-o", "%N").count("n") == NODES)

    def start_node(self, node):
        self.daemon("slurmd", "-D", "-f", f"{self.folder}/slurm.conf", "-N", node, host=node)

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
    """The keeper's life. `alone`: until SIGTERM; else also until its standard input ends, where each line names a node
    whose slurmd is to be started again."""
    def end(*_):
        raise SystemExit(0)

    keeper = Keeper(folder)
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    (folder / "keeper.pid").write_text(str(os.getpid()))
    try:
        keeper.start()
        os.write(1, b"ready\n")
        os.close(1)
        while True:
            if select.select([] if alone else [0], [], [], 0.5)[0]:
                nodes = os.read(0, 1000).decode().split()
                if not nodes:
                    break
                for node in nodes:
                    keeper.start_node(node)
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
    """Of one test program: started by the constructor, ends with close() or with the program. `settings` are those of
    write_files()."""

    def __init__(self, **settings):
        missing = missing_programs()
        if missing:
            raise RuntimeError(f"no {', '.join(missing)} here: jobs/setup slurm installs what jobs/packages.txt lists")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rf-slurm-"))
        self.folder.chmod(0o755)  # munge wants to be reached by all users
        write_files(self.folder, **settings)
        self.keeper = start_keeper(self.folder, subprocess.PIPE)
        self.env = environment(self.folder)
        self.site = self.folder / "site.env"
        self.hosts = {f"n{i}": host_of(self.slurmd(f"n{i}")) for i in range(1, NODES + 1)}

    def close(self):
        self.keeper.stdin.close()
        self.keeper.wait(timeout=60)

    def ask(self, *command):
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=60)
        return done.stdout.strip()

    def has_separate_hosts(self):
        return len(set(self.hosts.values())) == NODES

    def slurmd(self, node):
        """Its process id; 0 when there is none."""
        words = [f"{self.folder}/slurm.conf", "-N", node]
        return next((pid for pid, command in commands() if command[-3:] == words), 0)

    def processes(self, node):
        """Process ids of all that runs on a node; needs separate hosts."""
        return [pid for pid, _ in commands() if host_of(pid) == self.hosts[node]]

    def restart(self, node):
        self.keeper.stdin.write(node.encode() + b"\n")
        self.keeper.stdin.flush()
        end = time.monotonic() + 60
        while "idle" not in self.ask("sinfo", "-h", "-p", "main", "-n", node, "-t", "idle", "-o", "%T"):
            if time.monotonic() > end:
                raise RuntimeError(f"{node} does not come back: " + self.ask("scontrol", "show", "node", node))
            time.sleep(0.1)


def commands():
    """(process id, words of its command line) of all processes."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1]
        except OSError:
            continue
        if words:
            yield int(path.parent.name), words


def host_of(pid):
    """What processes of one host name share, "" when it cannot be seen."""
    try:
        return os.readlink(f"/proc/{pid}/ns/uts")
    except OSError:
        return ""


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
            print(f"no {', '.join(missing_programs())} here: jobs/setup slurm installs them")
            return 66
        if pid_file.exists():
            print(f"there is one already: tests/slurm/cluster stop {folder}")
            return 75
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        write_files(folder)
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
