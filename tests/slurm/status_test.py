"""jobs/status on a cluster: a stage that runs, jobs that wait, a chain that stopped."""

import json
import unittest

import batch
import rankfile


class Status(batch.SlurmCase):
    def status(self, *options):
        words = [str(batch.JOBS / "status"), "--run", str(self.run_folder), "--bin", str(rankfile.BIN), *options]
        return self.jobs_command(words, 0)[0]

    def test_from_held_to_stopped(self):
        # More games than any machine plays before it is told to stop.
        endless = batch.SLOW[:1] + ("selfplay.games_per_iteration=100000", "run.progress_seconds=0.2") + batch.SLOW[2:]
        self.submit("--iterations", "2", "--sbatch", "generate=--hold", sets=endless)
        first = self.submitted()[("generate", 1)]
        # The scheduler gives a job its reason when it first looks at it.
        rankfile.wait_until(lambda: "held: scontrol release" in self.status() and
                            "the scheduler has not looked at it yet" not in self.status(), pause=0.3)
        told = self.status()
        self.assertIn("runs       nothing", told)
        self.assertRegex(told, rf"waits      generate of iteration 1, job {first}_\[1-10%1\]: held: ")
        self.assertRegex(told, r"waits      train of iteration 1, job .*: comes after the stage before it")
        self.assertIn("and 4 more, the last is export", told)
        self.cluster.ask("scontrol", "release", first)
        rankfile.wait_until(lambda: any(row["progress"] for row in json.loads(self.status("--json"))["running"]), pause=0.3)
        facts = json.loads(self.status("--json"))
        row, = facts["running"]
        self.assertEqual((row["stage"], row["iteration"], row["job"], row["state"]),
                         ("generate", 1, f"{first}_1", "RUNNING"))
        self.assertRegex(row["nodes"], r"^n\d$")
        self.assertRegex(row["since"], r"^20\d\d-\d\d-\d\dT")
        self.assertRegex(row["time_left"], r"^\d+:\d\d$")
        self.assertEqual(row["progress"]["log"], "logs/generate-000001.log")
        self.assertEqual((facts["scheduler"], facts["submission"]["iterations"]), (None, 2))
        told = self.status()
        self.assertIn(f"runs       generate of iteration 1, job {first}_1, on {row['nodes']}, since ", told)
        self.assertIn("of 100 000 games", told)
        self.assertIn("spare tasks, for when", told)
        self.cluster.ask("scancel", first)
        self.wait_for_queue()
        told = self.status()
        self.assertIn("stopped    the last chain: the jobs before train of iteration 1 are over", told)
        self.assertIn("runs       nothing", told)
        self.assertNotIn("waits      ", told)


if __name__ == "__main__":
    unittest.main()
