"""The frozen config takes amendments: from their iteration on, named in manifests, beside a stage that runs."""

import subprocess
import unittest

from rankfile import *


class Amend(Refusals):
    def amend(self, *options):
        return self.expect(0, "status", *options, says="made amendment")

    def status(self):
        return json.loads(self.expect(0, "status", "--json").stdout)

    def iterate(self, **more):
        return [self.expect(0, stage, **more) for stage in ("generate", "train", "gate")]

    def rates(self, iteration):
        return {point["learning_rate"] for point in manifest(self.run_folder, "train", iteration)["curve"]}

    def test_from_an_iteration_on(self):
        self.expect(0, "generate")
        shown = self.amend("--amend", "train.learning_rate=5e-4", "--amend", "gate.games=6", "--from", 2).stdout
        self.assertIn("amended    1, from iteration 2: gate.games=6 train.learning_rate=0.0005\n", shown)
        for stage in ("train", "gate"):
            self.assertNotIn("amendment", self.expect(0, stage).stderr)
        before = self.rates(1)
        self.assertNotIn(0.0005, before)
        facts = self.status()
        self.assertEqual([(a["number"], a["from"], a["keys"]) for a in facts["amendments"]],
                         [(1, 2, {"gate.games": "6", "train.learning_rate": "0.0005"})])
        # The config file with which the run was made does not stand over an amendment.
        for stage, done in zip(("generate", "train", "gate"), self.iterate(config=SMOKE)):
            self.assertIn("amendment 1, from iteration 2: gate.games=6, train.learning_rate=0.0005", done.stderr)
            sealed = manifest(self.run_folder, stage, 2)
            self.assertEqual(sealed["amendments"], [1])
            self.assertEqual(sealed["config_digest"], facts["effective_config_digest"])
            self.assertNotIn("config_changes", sealed)
            self.assertNotIn("amendments", manifest(self.run_folder, stage, 1))
            self.assertNotEqual(manifest(self.run_folder, stage, 1)["config_digest"], sealed["config_digest"])
        self.assertEqual(self.rates(2), {0.0005})
        self.assertEqual(manifest(self.run_folder, "gate", 2)["match"]["games_played"], 6)
        # A call's own setting does.
        self.amend("--amend", "train.learning_rate=0.25", "--from", 3)
        self.expect(0, "generate")
        said = self.expect(0, "train", sets=("train.learning_rate=0.125",)).stderr
        self.assertIn("train.learning_rate is 0.125 for this call (the run has 0.25)", said)
        self.assertEqual(self.rates(3), {0.125})
        sealed = manifest(self.run_folder, "train", 3)
        self.assertEqual((sealed["amendments"], sealed["config_changes"]), ([1, 2], {"train.learning_rate": "0.125"}))
        self.expect(0, "gate")
        self.assertEqual(self.status()["gaps"], [])

    def test_refused(self):
        self.make_run(stages=("generate",))
        refused = lambda code, says, *options: self.refused(code, "status", says, *options)
        (self.run_folder / "amendments.lock").touch()  # stays when a call is refused
        refused(64, "--amend lacks --from N", "--amend", "train.reuse=2")
        refused(64, "--from goes with --amend", "--from", 2)
        refused(64, ("too early", "iterations/000001/generate.json is sealed", "--from 2 or later"),
                "--amend", "train.reuse=2", "--from", 1)
        refused(78, "did you mean train.reuse?", "--amend", "train.ruese=2", "--from", 2)
        refused(78, "train.reuse: 0 is out of range", "--amend", "train.reuse=0", "--from", 2)
        for key in ("game.name=gomoku", "network.blocks=7", "run.seed=3"):
            refused(78, "is fixed for the life of a run", "--amend", key, "--from", 2)
        self.amend("--amend", "train.reuse=2", "--from", 2)
        (self.run_folder / "amendments.json").write_text("{}")
        for stage in ("train", "status"):
            self.expect(65, stage, *(() if stage == "train" else ("--amend", "train.reuse=3", "--from", 2)))
        self.assertIn("amendments.json is damaged", self.result("status").stdout)

    def test_beside_a_stage_that_runs_and_beside_each_other(self):
        job = self.job("generate", sets=("search.simulations=800", "selfplay.games_per_iteration=100000",
                                         "selfplay.seal_seconds=0.2"))
        wait_until(lambda: shards(self.run_folder))
        calls = [subprocess.Popen(command("status", self.run_folder, "--amend", f"train.batch_size={64 + i}", "--from", 1),
                                  env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                 for i in range(6)]
        for call in calls:
            self.assertIn("a stage that runs goes on without it: generate, process", call.communicate()[1])
            self.assertEqual(call.returncode, 0)
        made = self.status()["amendments"]
        self.assertEqual([a["number"] for a in made], list(range(1, 7)))
        self.assertEqual({a["keys"]["train.batch_size"] for a in made}, {str(64 + i) for i in range(6)})
        self.amend("--amend", "selfplay.games_per_iteration=100001", "--from", 1)
        job.send(signal.SIGTERM)
        self.assertEqual(job.wait(), 75, job.text())
        self.assertNotIn("amendment", job.text())
        # Its next call knows them all.
        job = self.job("generate", sets=(), config=None)
        wait_until(lambda: "100001 games" in job.text())
        for number in range(1, 8):
            self.assertIn(f"amendment {number}, from iteration 1: ", job.text())
        self.assertEqual(leftovers(self.run_folder), ["lock.json"])


if __name__ == "__main__":
    unittest.main()
