"""jobs/doctor on this machine: a trial with two ranks, what a run will cost, and what it says when something is broken."""

import stat
import unittest

from rankfile import *


class Doctor(RunCase):
    def doctor(self, code, *options, config=SMOKE, programs=BIN, run=None):
        words = [str(SOURCE / "jobs/doctor"), "--here", "--run", str(run or self.run_folder), "--bin", str(programs),
                 "--seconds", "5"]
        words += ["--config", str(config)] if config else []
        done = subprocess.run(words + list(options), env=environment(), capture_output=True, text=True,
                              timeout=LIMIT_SECONDS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual([path.name for path in self.folder.glob("*.doctor.*")], [], "the trial is taken away")
        return done.stdout, done.stderr

    def test_all_is_well(self):
        told = self.doctor(0, "--iterations", "7", "--set", "selfplay.games_per_iteration=5000")[0]
        for pattern in (r"ok    files        written and on disk \d+ MiB/s", r"ok    rank 0       on \S+, \d+ cores, no GPU",
                        r"ok    rank 1 ", r"ok    trial        rf-train in ", r"ok    rate         [0-9,]+ simulations/s a rank",
                        r"ok    cost         7 iterations to do; each: self-play .* on 2 ranks",
                        r"(ok  |warn)  space        \S+ \S+ in about \d+ files", r"doctor: all is well\n$"):
            self.assertRegex(told, "(?m)" + pattern)
        self.assertFalse(self.run_folder.exists())

    def test_a_run_that_is_there_tells_its_own_games(self):
        self.expect(0, "generate")
        self.expect(0, "train")
        self.expect(0, "gate")
        before = contents(self.run_folder)
        told = self.doctor(0, "--iterations", "3", config=None)[0]
        self.assertIn("(the run's last)", told)
        self.assertIn("2 iterations to do", told)
        self.assertEqual(contents(self.run_folder), before)

    def test_what_is_broken_is_named(self):
        self.assertIn("jobs/doctor --help", self.doctor(64, "--iterations", "none")[1])
        self.assertIn("are positive", self.doctor(64, "--iterations", "0")[1])
        self.assertIn("is not a run", self.doctor(66, "--iterations", "1", config=None)[1])
        self.assertIn("has no rf-generate", self.doctor(66, "--iterations", "1", programs="/no/where")[1])
        self.assertIn("search.simulations", self.doctor(78, "--iterations", "1", "--set", "search.simulations=none")[0])
        fails = self.folder / "programs"
        shutil.copytree(BIN, fails)
        (fails / "rf-train").write_text("#!/bin/sh\necho no such device\nexit 3\n")
        (fails / "rf-train").chmod(stat.S_IRWXU)
        told = self.doctor(70, "--iterations", "1", programs=fails)[0]
        self.assertRegex(told, "BAD   trial        rf-train ended with exit code 3:\n +no such device")
        self.assertIn("doctor: see BAD above", told)


if __name__ == "__main__":
    unittest.main()
