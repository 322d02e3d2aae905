"""jobs/submit on a cluster without faults: whole runs, on two nodes, two at once, refused, dry, taken back."""

import os
import pathlib
import shlex
import subprocess
import time
import unittest

import batch
import rankfile


class Chain(batch.SlurmCase):
    def test_three_iterations_as_on_one_machine(self):
        exact = ("selfplay.evaluator=hash",)  # a network's last digit depends on how positions are batched
        began = time.monotonic()
        table = self.submit("--iterations", "3", sets=exact)[0]
        jobs = self.submitted()
        self.assertEqual(list(jobs), [(stage, i) for i in (1, 2, 3) for stage in ("generate", "train", "gate")] +
                         [("export", 3)])
        for (stage, iteration), job in jobs.items():
            self.assertRegex(table, rf"(?m)^ *{job}  {stage} +{iteration}$")
        self.wait_for_queue()
        print(f"three iterations and export: {time.monotonic() - began:.1f} s")
        self.assert_finished(3, 16)
        alone = self.folder / "alone"
        subprocess.run([str(batch.JOBS / "local"), "--run", str(alone), "--config", str(rankfile.SMOKE), "--bin",
                        str(rankfile.BIN), "--iterations", "3", "--ranks", "2", "--export", "--set", *exact], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for iteration in (1, 2, 3):
            here, there = (rankfile.manifest(run, "generate", iteration) for run in (self.run_folder, alone))
            self.assertEqual(here["games"], there["games"])
            self.assertEqual(here["ranks"], 2)
            self.assertEqual(rankfile.read_games(rankfile.shards(self.run_folder, iteration)),
                             rankfile.read_games(rankfile.shards(alone, iteration)))
        self.assertEqual(self.submit("--iterations", "3")[0], "submit: 3 iterations are finished and exported\n")
        self.submit("--iterations", "4", config=None, programs=None)  # the frozen programs and the run's config
        self.assertEqual(list(self.submitted()), [("generate", 4), ("train", 4), ("gate", 4), ("export", 4)])
        self.wait_for_queue()
        self.assert_finished(4, 16)

    def test_an_amendment_reaches_jobs_that_wait(self):
        # The setting with which the run is made, said again later, does not stand over an amendment; another one does.
        made_with = ("train.learning_rate=2e-3",)
        rates = lambda i: {point["learning_rate"] for point in rankfile.manifest(self.run_folder, "train", i)["curve"]}
        self.submit("--iterations", "2", "--sbatch", "generate=--hold", sets=made_with)
        self.expect(0, "status", "--amend", "train.learning_rate=5e-4", "--from", "2", says="made amendment 1")
        for iteration in (1, 2):
            self.cluster.ask("scontrol", "release", self.submitted()[("generate", iteration)])
        self.wait_for_queue()
        self.assert_finished(2, 16)
        self.assertEqual([rates(1), rates(2)], [{0.002}, {0.0005}])
        self.assertEqual(rankfile.manifest(self.run_folder, "train", 2)["amendments"], [1])
        self.assertIn("amendment 1, from iteration 2: train.learning_rate=0.0005", self.log("train", 2))
        self.submit("--iterations", "3", sets=made_with)
        self.wait_for_queue()
        plan = self.submit("--iterations", "4", "--dry-run", sets=("train.learning_rate=1e-4", "train.reuse=4"))[0]
        self.assertEqual(plan.count("--set"), 3)
        self.assertIn(f"--run {shlex.quote(str(self.run_folder))} --set train.learning_rate=0.0001\n", plan)
        self.submit("--iterations", "4", sets=("train.learning_rate=1e-4",))
        self.wait_for_queue()
        self.assert_finished(4, 16)
        self.assertEqual([rates(3), rates(4)], [{0.0005}, {0.0001}])

    def test_two_nodes(self):
        self.submit("--iterations", "1", "--nodes", "2", "--sbatch", "train=--nodes=2 --ntasks=2 --ntasks-per-node=1",
                    sets=("train.ghost_batch=16",))
        self.wait_for_queue()
        self.assert_finished(1, 16)
        self.assertEqual(rankfile.manifest(self.run_folder, "generate")["ranks"], 4)
        self.assertEqual(rankfile.manifest(self.run_folder, "train")["ranks"], 2)
        self.assertRegex(self.log("generate", 1), r"task 1, nodes n\[\d-\d\]")

    def test_two_runs_side_by_side_and_one_is_taken_back(self):
        other, third = self.folder / "other", self.folder / "third"
        self.submit("--iterations", "2")
        self.submit("--iterations", "2", run=other, sets=("run.seed=2",))
        self.submit("--iterations", "1", run=third, sets=("search.simulations=1000000",))
        live = self.submitted(third)
        refusal = self.submit("--iterations", "1", run=third, code=75)[1]
        for job in live.values():
            self.assertIn(f"  {job}_", refusal)
        self.assertIn("jobs/cancel --run", refusal)
        taken = self.cancel(run=third)
        for job in live.values():
            self.assertIn(f"cancelled {job}_", taken)
        for run in (self.run_folder, other):
            self.assertNotIn("cancelled {}_".format(self.submitted(run)[("export", 2)]), taken)
        self.wait_for_queue()
        for run in (self.run_folder, other):
            self.assert_finished(2, 16, run=run)
        self.assertFalse(rankfile.has_manifest(third, "generate"))
        self.assertEqual(self.cancel(run=third), "cancel: no job of this run is in the queue\n")

    def test_a_dry_run_changes_nothing(self):
        plan = self.submit("--iterations", "2", "--nodes", "3", "--dry-run")[0]
        self.assertFalse(self.run_folder.exists())
        self.assertEqual(self.queue(), [])
        self.assertEqual(plan.count("=$(sbatch --parsable"), 7)
        self.assertIn("#SBATCH --nodes=1 --ntasks-per-node=2 --nodes=3\n", plan)
        self.assertIn("--dependency=afterany:$job6", plan)
        self.submit("--iterations", "1")
        self.wait_for_queue()
        before = rankfile.contents(self.run_folder)
        plan = self.submit("--iterations", "2", "--dry-run", config=None)[0]
        self.assertEqual(plan.count("=$(sbatch --parsable"), 4)
        self.assertEqual(rankfile.contents(self.run_folder), before)
        self.assertEqual(self.queue(), [])

    def test_the_commands_of_a_dry_run_are_those_that_are_submitted(self):
        plan = self.submit("--iterations", "1", "--dry-run")[0]
        self.submit("--iterations", "1")
        self.cancel()
        scripts = plan.split("# ---- ")[1:]
        self.assertEqual(len(scripts), 4)
        for script in scripts:
            path, text = script.split("\n", 1)
            self.assertEqual(text.split("\n\njob1=")[0].rstrip("\n"), pathlib.Path(path).read_text().rstrip("\n"))
        self.wait_for_queue()

    def test_wrong_use(self):
        for options, more, code, says in (
            (("--iterations", "0"), {}, 64, "at least 1"),
            (("--iterations", "1", "--fast"), {}, 64, "jobs/submit --help"),
            (("--iterations", "1"), {"config": None}, 66, "is not a run"),
            (("--iterations", "1"), {"config": "/no/where"}, 66, "cannot read the config"),
            (("--iterations", "1"), {"site": "nowhere"}, 66, "no site nowhere"),
            (("--iterations", "1"), {"programs": "/no/where"}, 66, "has no rf-generate"),
            (("--iterations", "1"), {"sets": ("search.simulations=none",)}, 78, "search.simulations"),
            (("--iterations", "1", "--sbatch", "play=--nodes=2"), {}, 64, "not STAGE=OPTIONS"),
            (("--iterations", "1"), {"run": self.folder / "a%b"}, 64, "Slurm reads in its own way"),
        ):
            with self.subTest(options=options, more=more):
                self.assertIn(says, self.submit(*options, code=code, **more)[1])
        self.assertFalse(self.run_folder.exists())
        self.submit("--iterations", "1")
        self.cancel()
        self.wait_for_queue()
        self.assertIn("run.seed is 1 in", self.submit("--iterations", "1", code=78, sets=("run.seed=2",))[1])

    def test_a_queue_that_cannot_be_asked(self):
        self.cluster.env, kept = {**self.cluster.env, "SLURM_CONF": os.devnull}, self.cluster.env
        try:
            self.assertIn("cannot ask for the queue", self.submit("--iterations", "1", code=75)[1])
        finally:
            self.cluster.env = kept
        self.assertFalse(self.run_folder.exists())


if __name__ == "__main__":
    unittest.main()
