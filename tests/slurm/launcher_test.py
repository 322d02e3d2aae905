"""Sites start ranks in different ways: mpirun works as srun does, and a srun that does not fit is refused."""

import pathlib
import shutil
import tempfile
import unittest

import batch
import rankfile


class Launcher(batch.SlurmCase):
    def site(self, *more, **changes):
        """The cluster's site with other values of some keys and more lines."""
        lines = [line for line in self.cluster.site.read_text().splitlines() if line.split("=")[0] not in changes]
        path = self.folder / "site.env"
        path.write_text("\n".join([*lines, *(f"{key}={value}" for key, value in changes.items()), *more]) + "\n")
        return path

    def games_alone(self, sets):
        """Those of the same config without a cluster."""
        alone = self.folder / "alone"
        self.expect(0, "generate", run=alone, sets=sets)
        return rankfile.read_games(rankfile.shards(alone))

    def test_mpirun_over_two_nodes_with_a_scratch(self):
        exact = ("selfplay.evaluator=hash", "selfplay.seal_seconds=0.1")
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="rf-scratch ", dir="/dev/shm"))
        self.addCleanup(shutil.rmtree, scratch)
        site = self.site(f"setup=export RF_TEST_DISK='{scratch}'", launch="mpirun", scratch="$RF_TEST_DISK/disk of $USER")
        self.submit("--iterations", "1", "--nodes", "2", sets=exact, site=site)
        self.wait_for_queue()
        self.assert_finished(1, 16)
        self.assertEqual(rankfile.manifest(self.run_folder, "generate")["ranks"], 4, self.logs())
        self.assertEqual(rankfile.read_games(rankfile.shards(self.run_folder)), self.games_alone(exact))
        (disk,) = scratch.iterdir()
        self.assertTrue(disk.name.startswith("disk of "))
        self.assertEqual(list(disk.iterdir()), [])

    def test_mpirun_seals_when_the_job_is_told_to_stop(self):
        self.submit("--iterations", "1", sets=batch.SLOW, site=self.site(launch="mpirun"))
        self.wait_for_shard()
        self.cluster.ask("scancel", "--signal=USR1", "--batch", self.submitted()[("generate", 1)] + "_1")
        self.wait_for_queue()
        self.assert_finished(1, 300)
        self.assertIn("interrupted by SIGUSR1: finished games are sealed", self.log("generate", 1))

    def test_ranks_that_do_not_find_each_other_are_refused(self):
        # Open MPI 4 refuses by itself when it sees that srun started it; other libraries run as worlds of one.
        blind = self.programs_with("rf-generate", "#!/bin/sh\nunset SLURM_NODELIST\nexec real \"$@\"\n")
        site = self.site(launch="srun --mpi=none --kill-on-bad-exit=1")
        self.submit("--iterations", "1", site=site, programs=blind)
        self.wait_for_queue()
        log = self.log("generate", 1)
        self.assertIn("the launcher announced 2 ranks, MPI sees 1 (SLURM_", log)
        self.assertIn("srun --mpi=list", log)
        stopped = (self.run_folder / "jobs/000001/stopped").read_text()
        # Of 64 and the signal that ends the other rank srun tells the higher one; then it is tried three times.
        self.assertRegex(stopped, "generate of iteration 1 .* exit code (64|143)")
        self.assertEqual(rankfile.shards(self.run_folder), [])

    def test_an_mpi_that_refuses_by_itself_stops_the_chain(self):
        self.submit("--iterations", "1", site=self.site(launch="srun --mpi=none --kill-on-bad-exit=1"))
        self.wait_for_queue()
        self.assertIn("generate of iteration 1 failed 3 times", (self.run_folder / "jobs/000001/stopped").read_text())
        self.assertEqual(rankfile.shards(self.run_folder), [])


if __name__ == "__main__":
    unittest.main()
