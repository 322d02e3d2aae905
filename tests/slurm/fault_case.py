"""One fault in one stage of a run on a cluster: made, struck, and compared with a run that nothing happened to."""

import json
import os
import pathlib
import random
import shutil
import signal
import stat
import subprocess
import tempfile
import time

import batch
import cluster
import rankfile

# What makes the stage that is struck last some seconds; the others stay short.
LONG = {
    "generate": ("search.simulations=2500", "selfplay.games_per_iteration=300", "selfplay.games_in_parallel=4",
                 "selfplay.seal_seconds=0.1"),
    "train": ("train.reuse=80", "train.checkpoint_seconds=0.2", "train.threads=1"),
    "gate": ("gate.games=200", "gate.simulations=400", "gate.games_in_parallel=4", "gate.opening_plies=2"),
    "export": (),
}
STAGES = tuple(LONG)
EXPORT_SECONDS = 2  # it is made to wait so long before it begins
DISK = "size=160m"
LIMIT_SECONDS = 300


class Missed(Exception):
    """The job of the stage had ended before the fault."""


class Whole:
    """A run without a fault, as it was before each stage, and what each stage made of it."""

    def __init__(self, folder):
        self.folder, self.seconds, self.results = folder, {}, {}
        run = folder / "run"
        self.call("gate", run, 66, config=rankfile.SMOKE, sets=("selfplay.evaluator=hash",))  # makes it
        for stage in STAGES:
            shutil.copytree(run, self.before(stage))
            began = time.monotonic()
            self.call(stage, run, 0, sets=LONG[stage], ranks=2 if stage in ("generate", "gate") else 0)
            self.seconds[stage] = time.monotonic() - began
            self.results[stage] = result(run, stage)
        self.seconds["export"] += EXPORT_SECONDS
        self.programs = self.slow_export(folder / "programs")

    def before(self, stage):
        return self.folder / stage

    def call(self, stage, run, code, **more):
        done = rankfile.call(stage, run, **more)
        if done.returncode != code:
            raise RuntimeError(f"rf-{stage} ended with {done.returncode}: {done.stderr}")

    def slow_export(self, folder):
        folder.mkdir()
        for program in batch.PROGRAMS:
            shutil.copy(rankfile.BIN / program, folder)
        script = folder / "rf-export"
        script.unlink()
        script.write_text(f"#!/bin/sh\nsleep {EXPORT_SECONDS}\nexec '{rankfile.BIN}/rf-export' \"$@\"\n")
        script.chmod(stat.S_IRWXU)
        return folder


def result(run, stage):
    """What a stage must have made whatever happened to it: nothing lost, nothing twice."""
    if stage == "export":
        card = json.loads((run / "export/model_card.json").read_text())
        return {name: card[name] for name in ("network_digest", "iteration")}
    facts = rankfile.manifest(run, stage)
    if stage == "generate":
        games = rankfile.read_games(rankfile.shards(run))  # fails when a game is there twice
        return {"games": sorted(games), "digest": rankfile.games_digest(games), "counted": facts["games"],
                "rows": facts["rows"]}
    if stage == "train":
        return {name: facts[name] for name in ("batches", "steps", "network_digest")}
    return {"games": facts["match"]["games_played"], "points": facts["match"]["points"], "promoted": facts["promoted"]}


class FaultCase(batch.SlurmCase):
    """Used outside of a test runner: many of them run at once, each on the cluster of its worker."""

    def __init__(self, its_cluster, whole, fault, stage, seed):
        super().__init__("addCleanup")  # any method will do
        self.cluster, self.whole, self.fault, self.stage = its_cluster, whole, fault, stage
        self.stream = random.Random(seed)
        self.seconds = whole.seconds[stage]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rf-fault-"))
        self.disk = self.folder / "disk"
        self.run_folder = self.disk / "run"

    def strike(self):
        """("by itself" or "after one submit", seconds from the fault to the end); None when the stage had ended
        before the moment of the fault."""
        try:
            self.make_run()
            self.submit_all()
            rankfile.wait_until(lambda: self.tries() or not self.queue(), LIMIT_SECONDS, pause=0.02)
            time.sleep(self.stream.uniform(0, self.seconds))
            kept = self.sealed()
            if self.is_sealed():
                return None
            began = time.monotonic()
            undo = self.fault.strike(self, self.stream)
            self.wait_for_queue(LIMIT_SECONDS)
            finished = self.is_finished()
            seconds = time.monotonic() - began
            if undo:
                undo()
            if not finished:
                began = time.monotonic()
                self.submit_all()
                self.wait_for_queue(LIMIT_SECONDS)
                seconds += time.monotonic() - began
            self.check(kept)
            return "by itself" if finished else "after one submit", seconds
        except Missed:
            return None
        finally:
            self.clean()

    # ---- the run

    def make_run(self):
        self.disk.mkdir()
        if self.fault.disk:
            self.mount(self.disk)
        shutil.copytree(self.whole.before(self.stage), self.run_folder)
        (self.run_folder / "logs").mkdir(exist_ok=True)
        if self.fault.logs:
            self.mount(self.run_folder / "logs")

    def mount(self, folder):
        subprocess.run(["mount", "-t", "tmpfs", "-o", DISK, "tmpfs", str(folder)], check=True)

    def submit_all(self):
        self.submit("--iterations", "1", config=None, sets=LONG[self.stage],
                    programs=self.whole.programs if self.stage == "export" else rankfile.BIN)

    def sealed(self):
        return {path: rankfile.file_digest(path) for path in rankfile.shards(self.run_folder)}

    def is_sealed(self):
        if self.stage == "export":
            return (self.run_folder / "export/model_card.json").exists()
        return rankfile.has_manifest(self.run_folder, self.stage)

    def is_finished(self):
        return (self.run_folder / "export/model_card.json").exists() and rankfile.has_manifest(self.run_folder, "gate")

    def check(self, kept):
        rankfile.wait_until(lambda: not self.ranks(), 60)  # a first copy that was lost sight of
        self.assertEqual(result(self.run_folder, self.stage), self.whole.results[self.stage], self.logs())
        self.assert_finished(1, len(self.whole.results["generate"]["games"]))
        self.assertEqual({path: rankfile.file_digest(path) for path in kept}, kept)
        keys = [event["key"] for event in rankfile.events(self.run_folder)]
        self.assertEqual(len(keys), len(set(keys)))

    # ---- its jobs

    def task(self):
        """The task of the stage that runs: "123_1"."""
        array = self.submitted()[(self.stage, 1)]
        running = self.cluster.ask("squeue", "-h", "-j", array, "-t", "running", "-o", "%i").split()
        if not running:
            raise Missed()
        return running[0]

    def node(self):
        return self.cluster.ask("squeue", "-h", "-j", self.task(), "-o", "%N")

    def tries(self):
        """How many times a job has begun the stage."""
        total = 0
        for path in self.run_folder.glob("jobs/*/tries.jsonl"):
            lines = path.read_text().splitlines(keepends=True)
            total += sum(json.loads(line)["point"][0] == self.stage for line in lines if line.endswith("\n"))
        return total

    def stage_log(self):
        return self.log(self.stage, 1)

    def ranks(self):
        """Process ids of all ranks of the stage, in the order of their start."""
        run = str(self.run_folder)
        return sorted(pid for pid, words in cluster.commands() if run in words and comm(pid) == "rf-" + self.stage)

    def send(self, number, pids=None):
        pids = self.ranks() if pids is None else pids
        self.kill(pids, number)
        return pids

    def kill(self, pids, number):
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def clean(self):
        self.empty_queue()
        for node in self.cluster.hosts:
            if not self.cluster.slurmd(node):
                self.cluster.restart(node)
        self.kill(self.ranks(), signal.SIGKILL)
        for folder in (self.run_folder / "logs", self.disk):
            subprocess.run(["umount", "-l", str(folder)], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def comm(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
