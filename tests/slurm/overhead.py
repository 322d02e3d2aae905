"""What the pipeline adds to the work of its stages on Slurm: overhead.py [ITERATIONS]

Submits a chain on a cluster of its own. The overhead of a job is its time from the start of jobs/step to its end, less
the wall time that the stage's manifest reports: start of Python, launcher, MPI and libraries, looks at the run, locks,
manifests. What the scheduler waits is not in it. An export has no manifest and is not counted.
"""

import re
import statistics
import sys
import time
import unittest

import batch
import rankfile

TOOK = re.compile(r"^step: this job took ([0-9.]+) s, ([0-9.]+) s of it in the launcher$", re.M)


def overheads(run, iterations):
    """{stage: [seconds of each iteration]}, of a chain in which no job failed."""
    seconds = {}
    for iteration in range(1, iterations + 1):
        for stage in ("generate", "train", "gate"):
            log = (run / "logs" / f"{stage}-{iteration:06}.log").read_text(errors="replace")
            took = float(TOOK.search(log).group(1))
            seconds.setdefault(stage, []).append(took - rankfile.manifest(run, stage, iteration)["seconds"]["wall"])
    return seconds


def report(run, iterations, submit_seconds):
    lines = []
    for stage, seconds in overheads(run, iterations).items():
        lines.append(f"overhead of {stage}: {statistics.mean(seconds):.1f} s a job, at most {max(seconds):.1f} s")
    return "\n".join(lines + [f"jobs/submit: {submit_seconds:.1f} s for {3 * iterations + 1} jobs"])


class Overhead(batch.SlurmCase):
    iterations = 3

    def test_of_a_chain(self):
        began = time.monotonic()
        self.submit("--iterations", str(self.iterations))
        submitted = time.monotonic() - began
        self.wait_for_queue()
        print(report(self.run_folder, self.iterations, submitted))


if __name__ == "__main__":
    Overhead.iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    unittest.main(argv=sys.argv[:1])
