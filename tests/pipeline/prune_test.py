"""jobs/prune takes away what no training needs: training goes on the same, also when it was killed on the way."""

import subprocess
import unittest

from rankfile import *

PRUNE = SOURCE / "jobs" / "prune"
# A window of two iterations; self-play and match that do not depend on batches.
SMALL = ("selfplay.evaluator=hash", "selfplay.games_per_iteration=4", "replay.window_iterations=2", "gate.games=2",
         "gate.yardstick_every=0", "train.reuse=1")


class Prune(Refusals):
    """Each test begins with five finished iterations of one and the same run."""

    @classmethod
    def setUpClass(cls):
        base = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, base, ignore_errors=True)
        cls.five = base / "run"
        for stage in ("generate", "train", "gate") * 5:
            done = call(stage, cls.five, config=SMOKE, sets=SMALL)
            if done.returncode != 0:
                raise RuntimeError(done.stderr)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.five, self.run_folder)

    def prune(self, *options, run=None, code=0):
        words = [str(PRUNE), "--run", str(run or self.run_folder), "--bin", str(BIN), *options]
        done = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=LIMIT_SECONDS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def iterate(self, count=1, sets=(), run=None):
        for _ in range(count):
            for stage in ("generate", "train", "gate"):
                self.expect(0, stage, sets=sets, config=None, run=run or self.run_folder)

    def amend(self, setting, start):
        self.expect(0, "status", "--amend", setting, "--from", start, says="made amendment")

    def healthy(self, run=None):
        facts = json.loads(self.expect(0, "status", "--json", run=run or self.run_folder).stdout)
        self.assertEqual([facts[kind] for kind in ("damaged", "gaps", "warnings")], [[], [], []])
        return facts

    def have(self, pattern, run=None):
        """Numbers of the iterations that have such files."""
        folder = (run or self.run_folder) / "iterations"
        return sorted({int(path.relative_to(folder).parts[0]) for path in folder.glob("*/" + pattern)})

    def trained_alike(self, iteration, other):
        """The next iteration of the run and of its copy: the same rows, so the same curve and network."""
        facts = []
        for run in (self.run_folder, other):
            self.iterate(run=run)
            sealed = manifest(run, "train", iteration)
            window = {key: sealed["window"][key] for key in ("games", "rows", "unique_rows", "distinct_positions")}
            facts.append((sealed["curve"], window, sealed["network_digest"], sealed["batches"]))
        self.assertEqual(*facts)

    def test_what_goes_and_that_training_is_the_same(self):
        whole = self.copy_run("whole")
        before = contents(self.run_folder)
        table = self.prune("--dry-run")
        self.assertEqual(contents(self.run_folder), before)
        # Iteration 6 is next to be trained, from shards of 5 and 6; one more stays.
        self.assertIn("stays      shards from iteration 4 on: next to be trained is iteration 6, from at most 2 iterations",
                      table)
        shown = {line.split()[0]: line for line in table.splitlines() if line and not line.startswith(" ")}
        gone = {"shards": "000[1-3]/shards/*.h5", "candidate": "000[1-3]/candidate/*.h5", "matches": "000[1-3]/matches/*"}
        for kind, pattern in gone.items():
            files = list((self.run_folder / "iterations").glob("00" + pattern))
            size = sum(path.stat().st_size for path in files)
            self.assertRegex(shown[kind], rf"^{kind} +1 to 3 +{len(files)} +" + f"{size:,}".replace(",", " ") + "$")
        self.assertEqual(self.prune(), table + "removed\n")
        self.assertEqual(self.have("shards/*.h5"), [4, 5])
        self.assertEqual(self.have("candidate/*.h5"), [4, 5])
        self.assertEqual(self.have("matches/*.jsonl"), [4, 5])
        for number in range(6):
            self.assertTrue((self.run_folder / "networks" / f"{number:06}.h5").exists())
        kept = {path: digest for path, digest in before.items() if not re.search("00000[1-3]/(shards|candidate|matches)/", path)}
        now = {path: digest for path, digest in contents(self.run_folder).items() if not path.endswith("pruned.json")}
        self.assertEqual(now, kept)
        facts = self.healthy()
        self.assertEqual(facts["pruned"]["shards"]["iterations"], 3)
        self.assertIn("pruned     ", self.result("status").stdout)
        self.assertIn("goes       nothing", self.prune())
        self.trained_alike(6, whole)
        self.healthy()

    def test_the_limit_of_rows_counts_too(self):
        rows = [manifest(self.run_folder, "generate", i)["unique_rows"] for i in range(1, 6)]
        # The rows of iteration 5 and some of 4.
        self.amend("replay.window_iterations=20", 6)
        self.amend(f"replay.max_unique_rows={rows[4] + rows[3] // 2}", 6)
        whole = self.copy_run("whole")
        self.prune()
        self.assertEqual(self.have("shards/*.h5"), [3, 4, 5])
        self.trained_alike(6, whole)
        self.healthy()

    def test_a_window_that_an_amendment_makes_larger_later(self):
        self.amend("replay.window_iterations=5", 7)  # iteration 7 reads from 3 on
        self.prune()
        self.assertEqual(self.have("shards/*.h5"), [2, 3, 4, 5])
        self.assertEqual(self.have("candidate/*.h5"), [4, 5])

    def test_a_window_that_is_enlarged_when_it_is_too_late(self):
        self.prune()
        self.amend("replay.window_iterations=5", 6)
        self.expect(0, "generate", sets=(), config=None)
        self.expect(0, "train", says="warning: the shards of iterations 2 to 3 were pruned; the window goes on without them")
        self.healthy()

    def test_the_champion_and_the_open_iteration_stay(self):
        rejects = ("gate.mode=gated", "gate.every=1000")
        self.iterate(3, sets=rejects)
        self.expect(0, "generate", sets=())
        self.expect(0, "train")
        self.assertEqual(champion(self.run_folder)["iteration"], 5)
        opened = contents(iteration_folder(self.run_folder, 9))
        self.prune()
        self.assertEqual(contents(iteration_folder(self.run_folder, 9)), opened)
        self.assertEqual(self.have("candidate/*.h5"), [5, 7, 8, 9])
        self.expect(0, "gate", sets=rejects)
        self.expect(0, "generate", sets=())
        self.expect(0, "train", sets=("train.start_from=champion",), says="starting from the champion of iteration 5")
        self.healthy()

    def test_killed_on_the_way(self):
        games = iteration_folder(self.run_folder) / "matches"
        for number in range(30000):  # so that it takes a while
            (games / f"more-{number:05}.jsonl").touch()
        job = subprocess.Popen([str(BIN / "rf-status"), "--run", str(self.run_folder), "--prune"], stdout=subprocess.DEVNULL)
        wait_until(lambda: len(list(games.iterdir())) < 29000, pause=0)
        job.kill()
        job.wait()
        self.assertTrue(games.exists() and (self.run_folder / "lock.json").exists())
        self.assertEqual(json.loads(self.result("status", "--json").stdout)["state"], "crashed")
        # Whatever the config says by now.
        self.amend("replay.window_iterations=20", 6)
        self.prune()
        self.assertFalse(games.exists())
        self.assertEqual(leftovers(self.run_folder), [])
        self.healthy()
        self.iterate()
        self.healthy()

    def test_refused(self):
        job = self.job("generate", sets=("search.simulations=1000000",), config=None)
        wait_until(lambda: (self.run_folder / "lock.json").exists())
        self.assertIn("is in use (generate, process", self.prune(code=75))
        self.assertIn("stays      shards from iteration", self.prune("--dry-run"))
        job.kill_all()
        (self.run_folder / "champion.json").unlink()
        self.assertIn("champion.json is not there", self.prune(code=66))
        self.assertIn("there is no run at", self.prune(run=self.folder / "nowhere", code=66))
        self.assertIn("--help", self.prune("--everything", code=64))
        self.expect(64, "status", "--dry-run", says="--dry-run goes with --prune")


if __name__ == "__main__":
    unittest.main()
