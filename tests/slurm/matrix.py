"""Faults in stages: whatever happens to a job, at any moment, the run ends as if nothing had happened.

  matrix.py            one fault in each stage
  matrix.py --full     every fault in every stage, three times each at random moments; prints the table of jobs/README.md
Options: --only WORDS (faults whose names have them), --stage STAGE, --times N, --seed N, --workers N
"""

import argparse
import pathlib
import queue
import sys
import tempfile
import threading
import time
import traceback

from cluster import Cluster
from fault_case import STAGES, FaultCase, Whole
from faults import FAULTS

# One a stage, of different kinds.
EVERY_DAY = {"generate": "`scontrol requeue`", "train": "`scancel` of the task", "gate": "SIGTERM to the job",
             "export": "one rank killed"}
MOMENTS = 8  # tries of finding the stage at work


class Matrix:
    def __init__(self, cases, seed):
        self.seed = seed
        self.todo = queue.Queue()
        for case in cases:
            self.todo.put(case)
        self.rows = {}  # (fault, stage): [(how, seconds)]
        self.left_out = {}  # fault: why
        self.failures = []
        self.lock = threading.Lock()

    def run(self, workers):
        with tempfile.TemporaryDirectory(prefix="rf-whole-") as folder:
            whole = Whole(pathlib.Path(folder))
            print("seconds of the stages: " + ", ".join(f"{s} {t:.1f}" for s, t in whole.seconds.items()), flush=True)
            threads = [threading.Thread(target=self.work, args=(whole,)) for _ in range(workers)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    def work(self, whole):
        cluster = Cluster(slurmd_timeout=10, cred_expire=20)
        try:
            while True:
                self.do(cluster, whole, *self.todo.get_nowait())
        except queue.Empty:
            pass
        finally:
            cluster.close()

    def do(self, cluster, whole, fault, stage, turn):
        why = fault.why_not(cluster)
        if why:
            with self.lock:
                self.left_out[fault.name] = why
            return
        what = f"{fault.name} in {stage}, turn {turn}"
        try:
            for moment in range(MOMENTS):
                struck = FaultCase(cluster, whole, fault, stage, f"{self.seed} {what} {moment}").strike()
                if struck:
                    break
            else:
                raise AssertionError("the stage always ended before the moment of the fault")
            with self.lock:
                self.rows.setdefault((fault.name, stage), []).append(struck)
                print(f"{what}: went on {struck[0]}, {struck[1]:.1f} s", flush=True)
        except Exception:
            with self.lock:
                self.failures.append(what)
                print(f"{what}: FAILED\n{traceback.format_exc()}", flush=True)

    def table(self):
        lines = ["| fault | " + " | ".join(STAGES) + " |", "| --- |" + " --- |" * len(STAGES)]
        for fault in FAULTS:
            cells = [self.cell(self.rows.get((fault.name, stage), [])) for stage in STAGES]
            if any(cells):
                lines.append(f"| {fault.name} | " + " | ".join(cells) + " |")
        lines += [f"not made: {name} ({why})" for name, why in self.left_out.items()]
        return "\n".join(lines)

    def cell(self, struck):
        """"itself 8-12 s": how the chain went on, and the seconds from the fault to the end of the chain."""
        parts = []
        for how, word in (("by itself", "itself"), ("after one submit", "submit")):
            seconds = sorted(s for h, s in struck if h == how)
            if seconds:
                least, most = round(seconds[0]), round(seconds[-1])
                parts.append(f"{word} {least if least == most else f'{least}-{most}'} s")
        return ", ".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--stage", choices=STAGES)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    cases = [(fault, stage, turn) for turn in range(1, given.times + 1) for fault in FAULTS for stage in STAGES
             if given.only in fault.name and given.stage in (None, stage)]
    if not given.full:
        cases = [case for case in cases if EVERY_DAY[case[1]] == case[0].name and case[2] == 1]
    began = time.monotonic()
    matrix = Matrix(cases, given.seed)
    matrix.run(given.workers or (3 if given.full else 1))
    print(matrix.table())
    print(f"{len(cases)} cases, seed {given.seed}, {(time.monotonic() - began) / 60:.1f} minutes; failed: "
          f"{'; '.join(matrix.failures) or 'none'}")
    return 1 if matrix.failures else 0


if __name__ == "__main__":
    sys.exit(main())
