"""jobs/quickstart with programs that are built: trains, measures, exports, and says that it is done."""

import unittest

from rankfile import *

QUICKSTART = SOURCE / "jobs" / "quickstart"


class Quickstart(RunCase):
    def quickstart(self, *options, code=0):
        """What it prints; with a code of failure what it prints as errors."""
        done = subprocess.run([QUICKSTART, "--bin", BIN, "--run", self.run_folder, "--config", SMOKE, "--ranks", "2",
                               *options], capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment())
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr if code else done.stdout

    def test_from_nothing_to_an_export_and_again(self):
        text = self.quickstart("--iterations", "2")
        for words in ("== done", "moving first", "against mcts:1000", "against random", "2 iterations are finished"):
            self.assertIn(words, text)
        self.assertEqual(self.words_of(text, "play"),
                         [f"{BIN}/rf-play", "--run", str(self.run_folder), "--first"])
        self.assertTrue((self.run_folder / "export" / "network.pt").exists())
        # Nothing is left to do: the same summary, from the same matches.
        files = sorted((self.run_folder / "report").iterdir())
        self.assertEqual([path.name for path in files],
                         ["000002-against-mcts-1000.txt", "000002-against-random.txt"])
        # A result that was cut off is played again, a whole one is not.
        whole = files[1].read_text()
        for cut in (len(whole) - 1, whole.rindex("}"), whole.index("{") + 1):
            self.assertFalse(self.is_complete(whole[:cut]))
        self.assertFalse(self.is_complete(whole[:whole.index("}") + 1] + "\n"))
        self.assertTrue(self.is_complete(whole))
        files[1].write_text(whole[:-20])
        self.quickstart("--iterations", "2")
        self.assertIn("games", json.loads(files[1].read_text().splitlines()[-1]))
        times = [path.stat().st_mtime_ns for path in files]
        again = self.quickstart("--iterations", "2")
        self.assertEqual([path.stat().st_mtime_ns for path in files], times)
        summary = text[text.index("== done"):].splitlines()
        self.assertEqual([line for line in again.splitlines() if "against" in line and line not in text], [])
        self.assertEqual(len(again[again.index("== done"):].splitlines()), len(summary))

    def words_of(self, text, label):
        """The words of a command of the summary, as a shell reads them."""
        line = next(line for line in text.splitlines() if line.startswith(label + " "))
        printing = "printf '%s\\0' " + line.removeprefix(label)
        words = subprocess.run(["bash", "-c", printing], capture_output=True, text=True)
        return words.stdout.split("\0")[:-1]

    def is_complete(self, text):
        """The script's own function."""
        function = re.search(r"^is_complete\(\).*?^}$", QUICKSTART.read_text(), re.M | re.S).group(0)
        path = self.run_folder / "cut.txt"
        path.write_text(text)
        call_it = function + '\nis_complete "$1"'
        return subprocess.run(["bash", "-uc", call_it, "bash", path]).returncode == 0

    def test_the_command_that_goes_on_works(self):
        text = self.quickstart("--iterations", "1", "--set", "run.progress_seconds=7.5")
        words = self.words_of(text, "go on")
        self.assertEqual(words, [str(QUICKSTART), "--bin", str(BIN), "--run", str(self.run_folder),
                                 "--config", str(SMOKE), "--ranks", "2", "--set", "run.progress_seconds=7.5",
                                 "--iterations", "2"])
        done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_SECONDS, env=environment())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("2 iterations are finished", done.stdout)
        # What ended before training began costs nothing.
        used = self.run_folder / "logs" / "quickstart.seconds"
        used.write_text("5\n")
        self.quickstart("--seconds", "50", "--set", "search.simulations=none", code=78)
        self.assertEqual(used.read_text(), "5\n")
        # A result that does not come out whole, as on a full disk, is not kept.
        cut = self.run_folder / "bin" / "rf-gate"
        cut.parent.mkdir()
        cut.write_text("#!/bin/sh\nprintf '{\"games\":20,\"wi'\n")
        cut.chmod(0o755)
        for path in (self.run_folder / "report").iterdir():
            path.unlink()
        done = subprocess.run([QUICKSTART, "--bin", cut.parent, "--run", self.run_folder, "--config", SMOKE,
                               "--ranks", "1", "--seconds", "5"], capture_output=True, text=True, env=environment())
        self.assertEqual(done.returncode, 73, done.stdout + done.stderr)
        self.assertIn("cannot write the result of the match against mcts:1000", done.stderr)
        self.assertEqual(list((self.run_folder / "report").iterdir()), [])
        # A budget without a number begins anew; a run without its champion is named.
        used.write_text("many\n")
        (self.run_folder / "champion.json").rename(self.run_folder / "kept.json")
        text = self.quickstart("--seconds", "5", "--iterations", "2", code=66)
        self.assertIn("quickstart.seconds holds no number of seconds: the budget counts from 0", text)
        used.write_text("5\n")
        text = self.quickstart("--seconds", "5", code=66)
        self.assertEqual(text, f"quickstart: error: {self.run_folder} lacks its champion.json: restore it, or begin "
                               "another run\n")

    def test_the_budget_is_the_runs(self):
        self.quickstart("--seconds", "3")
        text = self.quickstart("--seconds", "3")
        self.assertRegex(text, r"training has had its \d+ s already")
        self.assertIn("training of", self.quickstart("--seconds", "30", "--iterations", "1"))

    def test_an_interrupt_reaches_the_stage(self):
        job = subprocess.Popen([QUICKSTART, "--bin", BIN, "--run", self.run_folder, "--config", SMOKE, "--ranks", "2",
                                "--set", "selfplay.games_per_iteration=1000000", "--set", "run.progress_seconds=0.1"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(),
                               start_new_session=True)
        self.addCleanup(job.stdout.close)
        for line in job.stdout:
            if re.match(r"generate 1: [\d ]+ of", line):
                break
        os.killpg(job.pid, signal.SIGINT)
        text = job.communicate(timeout=LIMIT_SECONDS)[0]
        self.assertEqual(job.returncode, 75, text)
        self.assertIn("quickstart: interrupted; the same command goes on", text)
        self.assertFalse((self.run_folder / "lock.json").exists())
        self.assertGreater(len(shards(self.run_folder)), 0)

    def test_failures_and_wrong_use(self):
        self.quickstart("--set", "search.simulations=none", "--iterations", "1", code=78)
        self.assertFalse(self.run_folder.exists())
        # No run, so nothing of the budget is used up.
        (self.run_folder / "logs").mkdir(parents=True)
        used = self.run_folder / "logs" / "quickstart.seconds"
        used.write_text("9\n")
        self.quickstart("--set", "search.simulations=none", "--seconds", "5", code=78)
        self.assertEqual(used.read_text(), "9\n")
        self.assertEqual(self.quickstart("--run", "x", code=64), "quickstart: error: --run is given twice\n")
        self.quickstart("--fast", code=64)
        self.quickstart("--seconds", "0", code=64)
        done = subprocess.run([QUICKSTART, "--bin", BIN, "--config", "nowhere.yaml"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (66, "quickstart: error: cannot read the config nowhere.yaml\n"))


if __name__ == "__main__":
    unittest.main()
