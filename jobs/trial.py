"""What jobs/doctor has done on a node, inside a job or here: files, ranks, a tiny run, a timed piece of self-play.

Prints nothing but what the stages print; the findings are in FOLDER/trial.json, rewritten after each part, so that
those of a trial that dies half-way are there too. Python 3.6 with its standard library.
"""

import argparse
import errno
import fcntl
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import chain  # noqa: E402

WRITE_MIB = 64
RATE = re.compile(r"generate 2: .*?([0-9][0-9 ]*) simulations/s a rank")
# Enough rows for a few batches whatever the game, in seconds.
TINY = ("selfplay.evaluator=uniform", "search.simulations=4", "selfplay.games_per_iteration=32", "gate.mode=always",
        "gate.every=1000", "train.min_unique_rows=1", "run.progress_seconds=2")
ENDLESS = ("selfplay.evaluator=network", "selfplay.games_per_iteration=100000", "run.progress_seconds=2")


def describe_rank():
    """One line of JSON of the rank that this process is, for the launcher's standard output."""
    def first(*names):
        return next((os.environ[name] for name in names if os.environ.get(name)), None)

    code, out, _ = chain.call(["nvidia-smi", "-L"])
    print("rank " + json.dumps({
        "host": socket.gethostname(), "rank": first("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"),
        "cores": len(os.sched_getaffinity(0)), "visible": first("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"),
        "devices": len(out.splitlines()) if code == 0 else 0}), flush=True)


def try_files(folder):
    """{property: seconds or an error's text} of the file system."""
    path = os.path.join(folder, "file")

    def exclusive():
        os.close(os.open(path + ".lock", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            os.open(path + ".lock", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            return
        raise OSError(errno.EIO, "a file was created twice")

    def write():
        block = os.urandom(1 << 20)
        with open(path + ".part", "wb") as file:
            for _ in range(WRITE_MIB):
                file.write(block)
            file.flush()
            os.fsync(file.fileno())

    def read():
        with open(path, "rb") as file:
            while file.read(1 << 20):
                pass

    def lock():
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)

    found = {}
    for name, action in (("create exclusively", exclusive), ("write", write),
                         ("rename", lambda: os.rename(path + ".part", path)), ("read", read), ("lock", lock)):
        begin = time.monotonic()
        try:
            action()
            found[name] = time.monotonic() - begin
        except OSError as error:
            found[name] = str(error)
    free = os.statvfs(folder)
    found["free_bytes"] = free.f_bavail * free.f_frsize
    for suffix in ("", ".part", ".lock"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    return found


class Trial:
    def __init__(self, given):
        self.given = given
        self.run = os.path.join(given.folder, "run")
        self.rank = [] if not given.launch else [os.path.join(given.scripts, "rank")]
        self.found = {"host": socket.gethostname(), "stages": {}}

    def note(self, **more):
        self.found.update(more)
        chain.write_file(os.path.join(self.given.folder, "trial.json"), json.dumps(self.found, indent=1) + "\n")

    def call(self, name, words, seconds=None):
        """Runs it under the launcher; so many seconds after it told its first rate it is told to stop. Returns whether
        it did what it should, and what it said."""
        command = shlex.split(self.given.launch) + self.rank + words
        print("doctor: " + " ".join(command), flush=True)
        begin = time.monotonic()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 start_new_session=True)
        os.set_blocking(child.stdout.fileno(), False)
        text, told, first = b"", 0.0, None
        while child.poll() is None:
            time.sleep(0.05)
            text += child.stdout.read() or b""
            now = time.monotonic()
            if seconds and first is None and RATE.search(text.decode("utf-8", "replace")):
                first = now
            if first is not None and now - first > seconds and now - told > 2:
                child.send_signal(signal.SIGUSR1)
                told = now
            if now - begin > self.given.patience:
                os.killpg(child.pid, signal.SIGKILL)
                text += "\nkilled after {:.0f} s\n".format(now - begin).encode()
        text = (text + (child.stdout.read() or b"")).decode("utf-8", "replace")
        print(text, end="", flush=True)
        code = child.returncode if child.returncode >= 0 else 128 - child.returncode
        good = code == 0 or bool(told)
        self.found["stages"][name] = {"code": code, "seconds": time.monotonic() - begin, "good": good,
                                      "tail": "" if good else text[-1500:]}
        self.note()
        return good, text

    def stage(self, name, stage, sets, seconds=None):
        words = [os.path.join(self.given.programs, "rf-" + stage), "--run", self.run, "--config", self.given.config]
        trial = {setting.split("=")[0] for setting in sets}  # stands in for what was asked; a key may be set once
        for setting in [own for own in self.given.set if own.split("=")[0] not in trial] + list(sets):
            words += ["--set", setting]
        return self.call(name, words, seconds)

    def facts(self, stage, iteration=1):
        return chain.read_json(os.path.join(self.run, "iterations", "{:06}".format(iteration), stage + ".json"))

    def go(self):
        self.note(files=try_files(self.given.folder))
        good, text = self.call("ranks", [sys.executable, os.path.abspath(__file__), "--rank"])
        self.note(ranks=[json.loads(line[5:]) for line in text.splitlines() if line.startswith("rank {")])
        if not good or not self.stage("rf-generate", "generate", TINY)[0]:
            return
        played = self.facts("generate")
        shards = os.path.join(self.run, "iterations", "000001", "shards")
        size = sum(os.path.getsize(os.path.join(shards, name)) for name in os.listdir(shards))
        self.note(mpi_ranks=played["ranks"], games=played["games"], unique_rows=played["unique_rows"], shard_bytes=size)
        launch, self.given.launch, rank, self.rank = self.given.launch, self.given.launch_one, self.rank, []
        if not self.stage("rf-train", "train", TINY)[0]:
            return
        trained = self.facts("train")
        self.note(train_seconds=trained["seconds"]["wall"], train_batches=trained["batches"],
                  network_bytes=os.path.getsize(os.path.join(self.run, "iterations/000001/candidate/network.h5")),
                  training_bytes=os.path.getsize(os.path.join(self.run, "iterations/000001/candidate/training.h5")))
        self.given.launch, self.rank = launch, rank
        if not self.stage("rf-gate", "gate", TINY)[0]:
            return
        good, text = self.stage("timed self-play", "generate", ENDLESS, seconds=self.given.seconds)
        rates = [int(rate.replace(" ", "")) for rate in RATE.findall(text)]
        self.note(rate=sorted(rates)[len(rates) // 2] if rates else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rank", action="store_true")
    for name in ("folder", "programs", "scripts", "config"):
        parser.add_argument("--" + name)
    parser.add_argument("--launch", default="")
    parser.add_argument("--launch-one", default="")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--patience", type=float, default=300)
    given = parser.parse_args()
    if given.rank:
        describe_rank()
    else:
        Trial(given).go()
    return 0


if __name__ == "__main__":
    sys.exit(main())
