"""jobs/quickstart with programs that are built: trains, measures, exports, and says that it is done."""

import unittest

from rankfile import *

QUICKSTART = SOURCE / "jobs" / "quickstart"


class Quickstart(RunCase):
    def quickstart(self, *options, code=0):
        done = subprocess.run([QUICKSTART, "--bin", BIN, "--run", self.run_folder, "--config", SMOKE, "--ranks", "2",
                               *options], capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment())
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_from_nothing_to_an_export_and_again(self):
        text = self.quickstart("--iterations", "2")
        for words in ("== done", "moving first", "against mcts:1000", "against random", "2 iterations are finished",
                      f"{BIN}/rf-play --run '{self.run_folder}' --first"):
            self.assertIn(words, text)
        self.assertTrue((self.run_folder / "export" / "network.pt").exists())
        # Nothing is left to do: the same summary, from the same matches.
        files = sorted((self.run_folder / "report").iterdir())
        self.assertEqual([path.name for path in files],
                         ["000002-against-mcts-1000.txt", "000002-against-random.txt"])
        times = [path.stat().st_mtime_ns for path in files]
        again = self.quickstart("--iterations", "2")
        self.assertEqual([path.stat().st_mtime_ns for path in files], times)
        summary = text[text.index("== done"):].splitlines()
        self.assertEqual([line for line in again.splitlines() if "against" in line and line not in text], [])
        self.assertEqual(len(again[again.index("== done"):].splitlines()), len(summary))

    def test_the_budget_is_the_runs(self):
        self.quickstart("--seconds", "3")
        text = self.quickstart("--seconds", "3")
        self.assertRegex(text, r"training has had its \d+ s already")
        self.assertIn("training of", self.quickstart("--seconds", "30", "--iterations", "1"))

    def test_an_interrupt_reaches_the_stage(self):
        job = subprocess.Popen([QUICKSTART, "--bin", BIN, "--run", self.run_folder, "--config", SMOKE, "--ranks", "2",
                                "--set", "selfplay.games_per_iteration=20000", "--set", "run.progress_seconds=0.1"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(),
                               start_new_session=True)
        self.addCleanup(job.stdout.close)
        for line in job.stdout:
            if re.match(r"generate 1: \d+ of", line):
                break
        os.killpg(job.pid, signal.SIGINT)
        text = job.communicate(timeout=LIMIT_SECONDS)[0]
        self.assertEqual(job.returncode, 75, text)
        self.assertIn("quickstart: interrupted; the same command goes on", text)
        self.assertFalse((self.run_folder / "lock.json").exists())
        self.assertGreater(len(shards(self.run_folder)), 0)

    def test_failures_and_wrong_use(self):
        self.quickstart("--set", "search.simulations=none", "--iterations", "1", code=78)
        self.quickstart("--fast", code=64)
        self.quickstart("--seconds", "0", code=64)
        self.quickstart("--config", "nowhere.yaml", code=66)


if __name__ == "__main__":
    unittest.main()
