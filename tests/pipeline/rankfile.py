"""What the pipeline tests share: starting stages, ending them, reading what they left.

RF_BIN names the folder of the executables, RF_MPIEXEC mpirun.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import h5py

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SMOKE = SOURCE / "configs" / "smoke.yaml"
BIN = pathlib.Path(os.environ.get("RF_BIN", SOURCE / "build" / "audit" / "bin"))
MPIEXEC = os.environ.get("RF_MPIEXEC", "mpirun")
LIMIT_SECONDS = 120  # for one call of a stage; a hang is an error, not a slow test

# More ranks than cores, not bound, yielding when they wait; the PRTE lines are Open MPI 5.
MPI_SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "self,vader",
    "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
LAUNCHER = re.compile("^(OMPI_(COMM|UNIVERSE)|PMI|SLURM|PRTE_LAUNCHED)")


def environment(**extra):
    kept = {name: value for name, value in os.environ.items() if not LAUNCHER.match(name)}
    return {**kept, **MPI_SETTINGS, **extra}


def command(stage, run, *options, ranks=0, config=None, sets=()):
    """ranks 0: without a launcher."""
    words = [MPIEXEC, "-n", str(ranks)] if ranks else []
    words += [str(BIN / f"rf-{stage}"), "--run", str(run)]
    if config:
        words += ["--config", str(config)]
    for setting in sets:
        words += ["--set", setting]
    return words + [str(option) for option in options]


def call(stage, run, *options, **more):
    """Runs a stage to its end; returncode, stdout, stderr."""
    how = {name: more.pop(name) for name in ("env", "preexec_fn", "cwd") if name in more}
    how.setdefault("env", environment())
    return subprocess.run(command(stage, run, *options, **more), capture_output=True, text=True,
                          timeout=LIMIT_SECONDS, **how)


class Job:
    """A stage that is running, with all its ranks."""

    def __init__(self, stage, run, *options, **more):
        self.ranks = more.get("ranks", 0)
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command(stage, run, *options, **more), env=environment(), stderr=self.log,
                                        stdout=self.log, start_new_session=True)

    def text(self):
        self.log.seek(0)
        return self.log.read()

    def rank_ids(self):
        """Process ids of the ranks that run, in the order of their start."""
        if not self.ranks:
            return [self.process.pid] if self.process.poll() is None else []
        try:
            children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        except OSError:
            return []
        return sorted(int(child) for child in children.split() if is_stage(int(child)))

    def wait_for_ranks(self):
        wait_until(lambda: len(self.rank_ids()) == max(1, self.ranks) or self.process.poll() is not None)
        return self.rank_ids()

    def send(self, number, which=None):
        """Sends a signal to all ranks, or to one."""
        ids = self.rank_ids()
        for pid in ids if which is None else [ids[which]]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def kill_all(self):
        """Everything at once with SIGKILL, the launcher first, as when a node is lost."""
        ids = self.rank_ids()
        for pid in [self.process.pid, *ids]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        wait_until(lambda: not any(is_stage(pid) for pid in ids))

    def wait(self, seconds=LIMIT_SECONDS):
        return self.process.wait(timeout=seconds)

    def close(self):
        if self.process.poll() is None:
            self.kill_all()
        self.log.close()


def is_stage(pid):
    try:
        if pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        return pathlib.Path(f"/proc/{pid}/comm").read_text().startswith("rf-")
    except OSError:
        return False


def wait_until(condition, seconds=60, pause=0.005):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s in vain")
        time.sleep(pause)


def iteration_folder(run, iteration=1):
    return run / "iterations" / f"{iteration:06}"


def shards(run, iteration=1):
    return sorted((iteration_folder(run, iteration) / "shards").glob("*.h5"))


def manifest(run, stage, iteration=1):
    return json.loads((iteration_folder(run, iteration) / f"{stage}.json").read_text())


def has_manifest(run, stage, iteration=1):
    return (iteration_folder(run, iteration) / f"{stage}.json").exists()


def champion(run):
    return json.loads((run / "champion.json").read_text())


def events(run):
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def leftovers(run):
    return sorted(str(path.relative_to(run)) for path in run.rglob("*") if path.suffix == ".part") + \
        [name for name in ("lock.json",) if (run / name).exists()]


def contents(folder):
    return {str(path.relative_to(folder)): file_digest(path) for path in sorted(folder.rglob("*")) if path.is_file()}


def file_digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_games(paths):
    """{index: (moves, visits)}; a game that is there twice is an error. visits: ((action, count), ...) a ply."""
    games = {}
    for path in paths:
        with h5py.File(path, "r") as shard:
            index, moves = shard["games/index"][:], shard["games/moves"][:]
            starts, offsets = shard["games/moves_offset"][:], shard["games/policy_offset"][:]
            action, visits = shard["games/policy_action"][:], shard["games/policy_visits"][:]
        for g, number in enumerate(index.tolist()):
            if number in games:
                raise AssertionError(f"game {number} is there twice: {path}")
            plies = range(starts[g], starts[g + 1])
            counts = tuple(tuple(zip(action[offsets[p]:offsets[p + 1]].tolist(),
                                     visits[offsets[p]:offsets[p + 1]].tolist())) for p in plies)
            games[number] = (tuple(moves[plies.start:plies.stop].tolist()), counts)
    return games


def games_digest(games):
    return hashlib.sha256(repr(sorted(games.items())).encode()).hexdigest()[:16]


def training_rows(paths):
    """All rows as one sorted table: game, ply, symmetry, packed planes, policy, outcome."""
    table = []
    for path in paths:
        with h5py.File(path, "r") as shard:
            rows = {name: shard["rows/" + name][:] for name in shard["rows"]}
        for i in range(len(rows["game"])):
            entries = slice(*rows["policy_offset"][i:i + 2])
            table.append((int(rows["game"][i]), int(rows["ply"][i]), int(rows["symmetry"][i]),
                          rows["planes_bits"][i].tobytes(), rows["planes_scalar"][i].tobytes(),
                          rows["policy_action"][entries].tobytes(), rows["policy_visits"][entries].tobytes(),
                          float(rows["outcome"][i])))
    return sorted(table)


class RunCase(unittest.TestCase):
    """A test with a folder of its own, whose name is not a simple one."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rf Größe 7x9 #1 "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.run_folder = self.folder / "run"
        self.sets = ()

    def job(self, stage, *options, **more):
        more.setdefault("run", self.run_folder)
        if stage == "generate":
            more.setdefault("config", SMOKE)
            more.setdefault("sets", self.sets)
        job = Job(stage, more.pop("run"), *options, **more)
        self.addCleanup(job.close)
        return job

    def result(self, stage, *options, **more):
        more.setdefault("run", self.run_folder)
        if stage == "generate":
            more.setdefault("config", SMOKE)
            more.setdefault("sets", self.sets)
        return call(stage, more.pop("run"), *options, **more)

    def expect(self, code, stage, *options, says=(), **more):
        """Calls a stage and checks exit code and words of its messages."""
        done = self.result(stage, *options, **more)
        self.assertEqual(done.returncode, code, f"rf-{stage} {options}\n{done.stdout}{done.stderr}")
        for words in (says,) if isinstance(says, str) else says:
            self.assertIn(words, done.stderr)
        return done

    def copy_run(self, name):
        copy = self.folder / name
        shutil.copytree(self.run_folder, copy)
        return copy


class Refusals(RunCase):
    def refused(self, code, stage, says, *options, **more):
        """Refused as told, and the run is as before."""
        run = more.get("run", self.run_folder)
        before = contents(run)
        self.expect(code, stage, *options, says=says, **more)
        self.assertEqual(contents(run), before)

    def make_run(self, name="run", stages=("generate",), sets=("selfplay.evaluator=hash",)):
        run = self.folder / name
        for stage in stages:
            self.expect(0, stage, run=run, **({"sets": sets} if stage == "generate" else {}))
        return run
