"""rf-status tells new, running, crashed, stopped and finished apart, and names what is damaged or missing."""

import socket
import unittest

from rankfile import *

# More games than any machine plays before it is told to stop.
SLOW = ("run.progress_seconds=0.1", "search.simulations=800", "selfplay.games_per_iteration=100000",
        "selfplay.seal_seconds=0.2")


class Status(RunCase):
    def status(self, code=0, *options, **more):
        done = self.result("status", "--json", *options, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def screen(self, code=0, **more):
        done = self.result("status", **more)
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
        return done.stdout

    def make_run(self, iterations=1):
        for _ in range(iterations):
            for stage in ("generate", "train", "gate"):
                self.expect(0, stage)

    def write_lock(self, **changes):
        """A lock as a process leaves it that was killed."""
        lock = {"host": socket.gethostname(), "boot": "another start", "pid_namespace": "", "pid": 1,
                "process_start": 1, "job": "", "stage": "train", "since": "2026-01-31T12:00:00Z",
                "since_unix": 1769860800, "token": "0" * 32, **changes}
        (self.run_folder / "lock.json").write_text(json.dumps(lock))

    def repeat_iteration(self, number):
        """Iteration 1 once more, as another one."""
        shutil.copytree(iteration_folder(self.run_folder), iteration_folder(self.run_folder, number))
        for path in iteration_folder(self.run_folder, number).glob("*.json"):
            path.write_text(json.dumps({**json.loads(path.read_text()), "iteration": number}))

    def test_what_is_no_run(self):
        for path in (self.folder, self.folder / "nowhere"):
            done = self.expect(66, "status", run=path)
            self.assertEqual(done.stdout, "")
        self.expect(64, "status", "--break", says="unknown option --break")

    def test_from_new_to_finished(self):
        # A stage that fails after the run was made leaves one in which nothing was done.
        self.expect(66, "train", "--config", str(SMOKE))
        facts = self.status()
        self.assertEqual((facts["state"], facts["iterations"], facts["games"]), ("new", [], 0))
        self.assertEqual((facts["next"]["command"], facts["next"]["iteration"]), ("rf-generate", 1))
        self.assertIn("new: nothing was done yet", self.screen())
        expected = {"generate": ("stopped", "rf-train", 1), "train": ("stopped", "rf-gate", 1),
                    "gate": ("finished", "rf-generate", 2)}
        for stage, (state, command, iteration) in expected.items():
            self.expect(0, stage)
            facts = self.status()
            self.assertEqual((facts["state"], facts["next"]["command"], facts["next"]["iteration"]),
                             (state, command, iteration))
            self.assertEqual((facts["damaged"], facts["gaps"], facts["lock"]), ([], [], None))
            self.assertIn(f"{command} of iteration {iteration}\n", self.screen())
        played, curve = manifest(self.run_folder, "generate"), manifest(self.run_folder, "train")["curve"]
        row = facts["iterations"][0]
        for name in ("games", "mean_plies", "first_wins", "second_wins", "draws", "unique_rows"):
            self.assertEqual(row[name], played[name])
        self.assertEqual((row["policy_loss"], row["first_policy_loss"]),
                         (curve[-1]["policy_loss"], curve[0]["policy_loss"]))
        self.assertEqual((row["promoted"], facts["champion"]["iteration"], facts["finished_iterations"]),
                         (True, 1, 1))
        self.assertEqual(facts["events"]["count"], len(events(self.run_folder)))

    def test_while_it_runs_when_it_was_killed_and_when_it_was_told_to_stop(self):
        job = self.job("generate", sets=SLOW)
        wait_until(lambda: shards(self.run_folder))
        facts = self.status()
        self.assertEqual((facts["state"], facts["lock"]["stage"]), ("running", "generate"))
        self.assertEqual(facts["lock"]["pid"], job.process.pid)
        self.assertGreater(facts["next"]["sealed_games"], 0)
        self.assertIn("running: generate, process", self.screen())
        self.expect(75, "status", "--break-lock", says="stop it first")
        job.kill_all()
        self.assertEqual(self.status()["state"], "crashed")
        self.assertIn("that process is gone", self.screen())

        job = self.job("generate", sets=(), config=None)
        wait_until(lambda: self.status()["state"] == "running")
        job.send(signal.SIGTERM)
        self.assertEqual(job.wait(), 75)
        facts = self.status()
        self.assertEqual((facts["state"], facts["lock"]), ("stopped", None))
        self.assertEqual(facts["next"]["sealed_games"], len(read_games(shards(self.run_folder))))
        self.assertIn(f"; {facts['next']['sealed_games']} of 100 000 games are sealed\n", self.screen())

    def test_a_lock_of_another_host_is_broken_only_on_demand(self):
        self.make_run()
        self.write_lock(host="elsewhere")
        self.assertEqual(self.status()["state"], "unknown")
        self.assertIn("--break-lock", self.screen())
        self.expect(75, "generate")
        done = self.expect(0, "status", "--break-lock", says="removed the lock of train, process 1 on elsewhere")
        self.assertIn("finished: ", done.stdout)
        self.expect(0, "status", "--break-lock", says="nobody held the lock")
        (self.run_folder / "lock.json").write_text("{")
        self.assertEqual(len(self.status(65)["damaged"]), 1)
        self.expect(0, "status", "--break-lock", says="removed a damaged lock")

    def test_damaged_files_are_named_and_the_rest_is_shown(self):
        self.make_run(2)
        path = iteration_folder(self.run_folder) / "train.json"
        path.write_bytes(path.read_bytes()[:100])
        facts = self.status(65)
        self.assertEqual(len(facts["damaged"]), 1, facts["damaged"])
        self.assertIn("iterations/000001/train.json", facts["damaged"][0])
        rows = facts["iterations"]
        self.assertEqual((rows[0]["policy_loss"], rows[0]["games"]), (None, 16))
        self.assertIsNotNone(rows[1]["policy_loss"])
        self.assertIn("iterations/000001/train.json", self.screen(65))
        (self.run_folder / "champion.json").write_text("[]")
        facts = self.status(65)
        self.assertEqual((facts["champion"], len(facts["damaged"])), (None, 2))

    def test_a_damaged_shard_of_the_open_iteration(self):
        self.expect(0, "generate", ranks=2)
        (iteration_folder(self.run_folder) / "generate.json").unlink()
        whole = self.status()["next"]
        self.assertEqual((whole["sealed_games"], whole["sealed_shards"]), (16, len(shards(self.run_folder))))
        path = shards(self.run_folder)[0]
        path.write_bytes(path.read_bytes()[:1000])
        facts = self.status(65)
        self.assertIn(path.name, facts["damaged"][0])

    def test_gaps_and_warnings(self):
        self.make_run(2)
        self.assertEqual([self.status()[kind] for kind in ("gaps", "warnings")], [[], []])
        for path in shards(self.run_folder):
            path.unlink()
        self.assertEqual(self.status()["gaps"], ["iteration 1: its shards are gone"])
        with open(self.run_folder / "metrics.jsonl", "a") as file:
            file.write('{"id": 99, "torn')
        self.assertIn("metrics.jsonl: 1 line is torn", self.status()["warnings"][-1])

        def change(stage, edit):
            path = iteration_folder(self.run_folder, 2) / f"{stage}.json"
            facts = json.loads(path.read_text())
            edit(facts)
            path.write_text(json.dumps(facts))

        change("generate", lambda facts: facts.update(draws=16, policy_entropy=0.01))
        change("train", lambda facts: facts["curve"][-1].update(value_loss=None))
        change("gate", lambda facts: facts["match"].update(duplicates=3))
        warnings = "\n".join(self.status()["warnings"])
        for words in ("every game of self-play was drawn", "policy entropy 0.010", "a loss is not a number",
                      "3 of 4 games of the match were copies"):
            self.assertIn(words, warnings)
        self.assertIn("warnings\n  iteration 2: a loss is not a number", self.screen())

    def test_ten_matches_without_a_promotion(self):
        self.expect(0, "generate", sets=("gate.mode=gated", "gate.threshold=1"))
        self.expect(0, "train")
        self.expect(0, "gate")
        self.assertEqual(manifest(self.run_folder, "gate")["promoted"], False)
        for number in range(2, 12):
            self.repeat_iteration(number)
            warned = "no candidate was promoted in the last" in "\n".join(self.status()["warnings"])
            self.assertEqual(warned, number >= 10, number)
        self.assertIn("rejected", self.screen())
        self.assertNotIn("--json has all", self.screen())

        # Of a long run the table has the first iteration and the last ones.
        for number in range(12, 18):
            self.repeat_iteration(number)
        shown = [int(number) for number in re.findall(r"^ *(\d+)  +16 ", self.screen(), re.M)]
        self.assertEqual(shown, [1, *range(4, 18)])
        self.assertIn("--json has all", self.screen())
        self.assertEqual(len(self.status()["iterations"]), 17)


if __name__ == "__main__":
    unittest.main()
