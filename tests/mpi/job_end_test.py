"""However a rank fails, the whole job ends soon, with an exit code that says why and a readable error.

job_end_test.py MPIEXEC FAILING_RANK
"""

import os
import re
import signal
import subprocess
import sys
import time
import unittest

MPIEXEC, PROGRAM = sys.argv[1:3]
LIMIT_SECONDS = 20  # a hanging job would wait for two minutes or for ever

LAUNCHER_VARIABLE = re.compile("^(OMPI_(COMM|UNIVERSE)|PMI|SLURM|PRTE_LAUNCHED)")


def clean_environment(**extra):
    """This environment as if no launcher had started this test."""
    kept = {name: value for name, value in os.environ.items() if not LAUNCHER_VARIABLE.match(name)}
    return {**kept, **extra}


def run_job(ranks, *arguments):
    return subprocess.run([MPIEXEC, "-n", str(ranks), PROGRAM, *map(str, arguments)], env=clean_environment(),
                          capture_output=True, text=True, timeout=LIMIT_SECONDS)


class JobEnd(unittest.TestCase):
    def test_an_error_on_one_rank_ends_all(self):
        for mode in ("throw", "catching"):
            for ranks, culprit in ((1, 0), (2, 0), (2, 1), (4, 3)):
                with self.subTest(mode=mode, ranks=ranks, culprit=culprit):
                    job = run_job(ranks, mode, culprit)
                    self.assertEqual(job.returncode, 73, job.stderr)
                    self.assertIn("error: cannot write the shard (no space left)", job.stderr)

    def test_an_error_in_the_middle_of_dealing_ends_all(self):
        for culprit in (0, 2):
            with self.subTest(culprit=culprit):
                job = run_job(3, "dealing", culprit)
                self.assertEqual(job.returncode, 65, job.stderr)
                self.assertIn("a damaged network", job.stderr)

    def test_an_exception_of_a_library_is_an_internal_error(self):
        job = run_job(2, "foreign", 1)
        self.assertEqual(job.returncode, 70, job.stderr)
        self.assertIn("error: thrown by a library", job.stderr)

    def test_a_killed_rank_ends_all(self):
        for culprit in (0, 1):
            with self.subTest(culprit=culprit):
                job = subprocess.Popen([MPIEXEC, "-n", "2", PROGRAM, "wait", str(culprit)],
                                       env=clean_environment(), stdout=subprocess.PIPE, text=True,
                                       stderr=subprocess.DEVNULL)
                try:
                    pid = int(job.stdout.readline().split()[1])
                    start = time.monotonic()
                    os.kill(pid, signal.SIGKILL)
                    self.assertNotEqual(job.wait(timeout=LIMIT_SECONDS), 0)
                    self.assertLess(time.monotonic() - start, LIMIT_SECONDS)
                finally:
                    job.kill()
                    job.stdout.close()

    def test_the_exit_code_of_all_ranks_is_the_jobs(self):
        self.assertEqual(run_job(2, "interrupted").returncode, 75)

    def test_a_plain_start_makes_no_mpi_call(self):
        plain = subprocess.run([PROGRAM, "size"], capture_output=True, text=True, timeout=LIMIT_SECONDS,
                               env=clean_environment())
        self.assertEqual((plain.returncode, plain.stdout), (0, "0 of 1, MPI untouched\n"), plain.stderr)
        self.assertEqual(run_job(1, "size").stdout, "0 of 1, MPI initialised\n")
        failed = subprocess.run([PROGRAM, "throw"], capture_output=True, text=True, timeout=LIMIT_SECONDS,
                                env=clean_environment())
        self.assertEqual(failed.returncode, 73)
        self.assertEqual(failed.stderr, "error: cannot write the shard (no space left)\n")

    def test_a_launcher_of_another_mpi_is_refused(self):
        # What a mismatched srun does: it announces 4 tasks, and MPI comes up alone.
        single = subprocess.run([PROGRAM, "size"], capture_output=True, text=True, timeout=LIMIT_SECONDS,
                                env=clean_environment(PMI_RANK="0", PMI_SIZE="4"))
        self.assertEqual(single.returncode, 64, single.stderr)
        self.assertIn("announced 4 ranks, MPI sees 1 (PMI_SIZE=4;", single.stderr)
        slurm = subprocess.run([PROGRAM, "size"], capture_output=True, text=True, timeout=LIMIT_SECONDS,
                               env=clean_environment(SLURM_STEP_ID="0", SLURM_NTASKS="4"))
        self.assertEqual(slurm.returncode, 64, slurm.stderr)
        self.assertIn("SLURM_NTASKS=4", slurm.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
