"""jobs/doctor on a cluster: the trial is a job, and what sbatch would refuse is told before anything is submitted."""

import unittest

import batch
import rankfile


class Doctor(batch.SlurmCase):
    def doctor(self, code, *options, site=None):
        words = [str(batch.JOBS / "doctor"), "--run", str(self.run_folder), "--site", str(site or self.cluster.site),
                 "--config", str(rankfile.SMOKE), "--iterations", "4", "--bin", str(rankfile.BIN), "--seconds", "4"]
        told = "".join(self.jobs_command(words + list(options), code))
        self.assertEqual(self.queue(), [])
        self.assertEqual([path.name for path in self.folder.glob("*.doctor.*")], [])
        return told

    def test_all_is_well(self):
        told = self.doctor(0, "--nodes", "3")
        for pattern in ("ok    scheduler    answers", "ok    site         train: could start at", "ok    rank 1 ",
                        "self-play .* on 6 ranks", "doctor: all is well"):
            self.assertRegex(told, pattern)
        self.assertFalse(self.run_folder.exists())

    def test_a_site_that_the_scheduler_refuses(self):
        told = self.doctor(78, "--sbatch", "train=--partition=nowhere")
        self.assertRegex(told, "BAD   site         sbatch would refuse train: .*[Ii]nvalid partition")

    def test_ranks_that_do_not_find_each_other(self):
        site = self.folder / "none.env"
        site.write_text(self.cluster.site.read_text().replace("--mpi=pmix", "--mpi=none"))
        told = self.doctor(70, site=site)
        self.assertIn("BAD   trial        rf-generate ended with exit code", told)

    def test_a_queue_that_does_not_start_the_job(self):
        blocker = self.cluster.ask("sbatch", "--parsable", "--output=/dev/null", "--exclusive", "--nodes=4", "--wrap=sleep 1000")
        rankfile.wait_until(lambda: self.cluster.ask("squeue", "-h", "-j", blocker, "-o", "%T") == "RUNNING")
        words = [str(batch.JOBS / "doctor"), "--run", str(self.run_folder), "--site", str(self.cluster.site), "--config",
                 str(rankfile.SMOKE), "--iterations", "4", "--bin", str(rankfile.BIN), "--patience", "2"]
        told = self.jobs_command(words, 75)[1]
        self.assertIn("did not start within 2 s (Resources)", told)
        self.assertEqual(self.queue(), [blocker])

    def test_without_a_scheduler(self):
        kept = self.cluster.env
        self.cluster.env = {**kept, "PATH": "/nowhere"}
        try:
            words = ["/usr/bin/python3", str(batch.JOBS / "doctor"), "--run", str(self.run_folder), "--site", str(self.cluster.site),
                     "--config", str(rankfile.SMOKE), "--iterations", "1", "--bin", str(rankfile.BIN)]
            self.assertIn("no sbatch in PATH", self.jobs_command(words, 66)[0])
        finally:
            self.cluster.env = kept


if __name__ == "__main__":
    unittest.main()
