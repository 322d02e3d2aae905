"""What the commands for a cluster share: the run as rf-status sees it, the queue, the record of what was submitted.
Python 3.6 with its standard library, since it runs where a cluster's jobs run."""

import hashlib
import json
import os
import re
import subprocess

STAGES = ("generate", "train", "gate")
EXPORT = "export"
LAUNCHER_VARIABLES = re.compile("^(SLURM_(?!CONF)|PMI|OMPI_(COMM|UNIVERSE)|PRTE_)")


class Problem(Exception):
    """What ends a command: an exit code (lib/base/error.h) and a sentence."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def call(command, env=None, cwd=None):
    """(exit code, standard output, standard error); 127 when there is no such program."""
    try:
        done = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=env, cwd=cwd)
    except OSError as error:
        return 127, "", "{}: {}\n".format(command[0], error.strerror)
    out, err = done.communicate()
    return done.returncode, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape")


def plain_environment():
    """Without what a job or a launcher around this command has set."""
    return {name: value for name, value in os.environ.items() if not LAUNCHER_VARIABLES.match(name)}


def read_json(path):
    """None when there is no such file."""
    try:
        with open(path, "rb") as file:
            return json.loads(file.read().decode("utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise Problem(65, "{} is damaged: {}".format(path, error))


def write_file(path, text):
    """The whole file or the old one, also after a power cut."""
    part = path + ".part"
    with open(part, "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        file.flush()
        os.fsync(file.fileno())
    os.rename(part, path)


def job_suffix(run):
    """Ends the name of every job of this run, so that the queue alone tells them from all others."""
    return "." + hashlib.sha256(os.fsencode(os.path.realpath(run))).hexdigest()[:8]


class Run:
    """A run directory as rf-status describes it."""

    def __init__(self, path, programs):
        self.path = path
        self.programs = programs
        self.suffix = job_suffix(path)

    def describe(self, options=()):
        """What rf-status --json says."""
        words = [os.path.join(self.programs, "rf-status"), "--run", self.path, "--json"] + list(options)
        code, out, err = call(words)
        try:
            return json.loads(out)
        except ValueError:
            raise Problem(code or 70, err.strip() or "rf-status says nothing")

    def facts(self, options=()):
        """The same of a run whose next step is clear."""
        facts = self.describe(options)
        if facts["next"] is None:
            raise Problem(65, "; ".join(facts["damaged"]))
        return facts

    def is_done(self, facts, stage, iteration):
        if stage == EXPORT:
            card = read_json(os.path.join(self.path, "export", "model_card.json")) or {}
            champion = facts["champion"]
            return champion is not None and card.get("network_digest") == champion["digest"]
        return place(facts["next"]["stage"], facts["next"]["iteration"]) > place(stage, iteration)

    def owner_in_the_way(self, facts):
        """The text of a lock's owner that works on the run; "" when nobody does. A lock whose batch job is over is
        broken: should that job live on unseen, it has lost its token and seals nothing more."""
        lock = facts["lock"]
        if lock is None or facts["state"] == "crashed":  # the stage takes over from a process that it sees to be dead
            return ""
        own = os.environ.get("SLURM_JOB_ID")
        if facts["state"] == "unknown" and lock["job"] and (lock["job"] == own or job_is_over(lock["job"])):
            code, _, err = call([os.path.join(self.programs, "rf-status"), "--run", self.path, "--break-lock"])
            if code == 0:
                return ""
            return err.strip()
        return lock["text"]

    # ---- what was submitted

    def record_path(self):
        return os.path.join(self.path, "jobs.json")

    def submissions(self):
        return (read_json(self.record_path()) or {"submissions": []})["submissions"]

    def write_submissions(self, submissions):
        write_file(self.record_path(), json.dumps({"format": 1, "submissions": submissions}, indent=1) + "\n")

    def live_jobs(self):
        """The jobs of this run in the queue, in its order: [{id, state, where, reason, nodes, used, left, start, name}]."""
        code, out, err = squeue("--me", "--format=%i|%T|%R|%r|%N|%M|%L|%S|%j")
        if code != 0:
            raise Problem(75, "cannot ask for the queue: " + err.strip())
        keys = ("id", "state", "where", "reason", "nodes", "used", "left", "start", "name")
        rows = [dict(zip(keys, line.split("|", len(keys) - 1))) for line in out.splitlines()]
        return [row for row in rows if row.get("name", "").endswith(self.suffix)]


def find_programs(folder, run, submissions, names):
    """Where the programs are: `folder` if it is given, else what was built here, else those of the last submission."""
    build = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build")
    places = [os.path.abspath(folder)] if folder else [os.path.join(build, kind, "bin") for kind in ("release", "audit")]
    if not folder and submissions:
        places.append(os.path.join(run, submissions[-1]["bin"]))
    for found in places:
        if all(os.access(os.path.join(found, name), os.X_OK) for name in names):
            return found
    raise Problem(66, "no {} in {}: jobs/quickstart builds it, or say --bin DIR".format(" ".join(names), " or ".join(places)))


def place(stage, iteration):
    """Where a step stands in a run."""
    return (iteration, STAGES.index(stage))


def squeue(*options):
    """As call(), whatever the user's own settings for squeue are."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SQUEUE_", "SLURM_TIME_FORMAT"))}
    return call(["squeue", "--noheader"] + list(options), env=env)


def job_is_over(job):
    """Whether a job neither runs nor ends any more. False when the scheduler cannot be asked."""
    code, out, err = squeue("--jobs=" + job, "--format=%A %T")
    if code != 0:
        return "Invalid job id" in err
    return not any(line.split()[0] == job and line.split()[1] != "PENDING" for line in out.splitlines())


def cancel(jobs):
    """Takes jobs out of the queue: ids as squeue shows them; of an array all tasks."""
    ids = sorted({re.sub(r"_.*", "", job) for job in jobs}, key=int)
    if not ids:
        return
    code, _, err = call(["scancel"] + ids)
    if code != 0:
        raise Problem(75, "scancel: " + err.strip())
