"""A stage that gets SIGTERM, SIGINT or SIGUSR1 stops within two seconds with exit code 75, and goes on later."""

import time
import unittest

from rankfile import *

STOP_SECONDS = 2


class Signals(RunCase):
    def interrupt(self, job, number, which, ready):
        """Sends the signal once `ready`; all ranks must end in time, and the job with 75."""
        wait_until(lambda: ready() or job.process.poll() is not None)
        self.assertIsNone(job.process.poll(), f"it ended too early\n{job.text()}")
        ids = job.rank_ids()
        start = time.monotonic()
        job.send(number, which)
        wait_until(lambda: not any(is_stage(pid) for pid in ids), pause=0.002)
        seconds = time.monotonic() - start
        self.assertEqual(job.wait(), 75, job.text())
        self.assertLess(seconds, STOP_SECONDS, job.text())
        name = "a stop from another rank" if which == 1 else number.name
        self.assertIn(f"interrupted by {name}: ", job.text())
        self.assertEqual(leftovers(self.run_folder), [])

    def test_generate(self):
        # One shard an hour: what is sealed was sealed because of the signal.
        # Several seconds of play on a fast and idle machine, so that each signal finds it at work.
        self.sets = ("selfplay.evaluator=hash", "search.simulations=8000", "selfplay.games_per_iteration=300",
                     "selfplay.games_in_parallel=2", "selfplay.seal_seconds=3600", "run.progress_seconds=0.1")
        before = 0
        for number, which in ((signal.SIGTERM, None), (signal.SIGUSR1, 1), (signal.SIGINT, 0)):
            job = self.job("generate", ranks=2)
            self.interrupt(job, number, which, lambda: max(map(int, re.findall(r"(\d+) of 300 games", job.text())), default=0) > before)
            games = len(read_games(shards(self.run_folder)))
            print(f"{number.name}: {games} games are sealed")
            self.assertGreater(games, before)
            self.assertFalse(has_manifest(self.run_folder, "generate"))
            before = games
        self.expect(0, "generate", ranks=2, says=f"{before} games are sealed already")
        self.expect(0, "generate", run=self.folder / "whole")
        self.assertEqual(read_games(shards(self.run_folder)), read_games(shards(self.folder / "whole")))

    def test_train(self):
        self.sets = ("selfplay.evaluator=hash", "train.checkpoint_seconds=3600", "train.reuse=600",
                     "run.progress_seconds=0.1")
        self.expect(0, "generate")
        whole = self.copy_run("whole")
        self.expect(0, "train", run=whole)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            job = self.job("train")
            self.interrupt(job, number, None, lambda: "policy loss" in job.text())
            self.assertTrue((iteration_folder(self.run_folder) / "candidate" / "checkpoint.h5").exists())
            self.assertFalse(has_manifest(self.run_folder, "train"))
        self.expect(0, "train", says="going on from the checkpoint at batch")
        self.assertEqual(manifest(self.run_folder, "train")["network_digest"],
                         manifest(whole, "train")["network_digest"])

    def test_train_over_ranks(self):
        self.sets = ("selfplay.evaluator=hash", "train.checkpoint_seconds=3600", "train.reuse=600",
                     "train.ghost_batch=8", "run.progress_seconds=0.1")
        self.expect(0, "generate")
        whole = self.copy_run("whole")
        self.expect(0, "train", run=whole, ranks=2)
        for number, which in ((signal.SIGTERM, 1), (signal.SIGUSR1, None), (signal.SIGINT, 0)):
            job = self.job("train", ranks=2)
            self.interrupt(job, number, which, lambda: "policy loss" in job.text())
            self.assertTrue((iteration_folder(self.run_folder) / "candidate" / "checkpoint.h5").exists())
            self.assertFalse(has_manifest(self.run_folder, "train"))
        self.expect(0, "train", ranks=2, says="going on from the checkpoint at batch")
        self.assertEqual(manifest(self.run_folder, "train")["network_digest"],
                         manifest(whole, "train")["network_digest"])

    def test_gate(self):
        self.sets = ("selfplay.evaluator=hash", "gate.games=120", "gate.simulations=4000", "gate.games_in_parallel=2",
                     "gate.opening_plies=2")
        self.expect(0, "generate")
        self.expect(0, "train")
        whole = self.copy_run("whole")
        self.expect(0, "gate", run=whole)
        journal = iteration_folder(self.run_folder) / "matches"

        def games():
            return sum(path.read_text().count('"game"') for path in journal.glob("*.jsonl"))

        for number, which in ((signal.SIGUSR1, None), (signal.SIGTERM, 1), (signal.SIGINT, 0)):
            before = games()
            job = self.job("gate", ranks=2)
            self.interrupt(job, number, which, lambda: games() > before)
            self.assertFalse(has_manifest(self.run_folder, "gate"))
            self.assertEqual(champion(self.run_folder)["iteration"], 0)
        self.expect(0, "gate", ranks=2, says="games are there already")
        for name in ("match", "promoted", "reason"):
            self.assertEqual(manifest(self.run_folder, "gate")[name], manifest(whole, "gate")[name])

    def test_a_signal_to_the_launcher(self):
        # mpirun passes SIGTERM on and waits a little; whatever its exit code, nothing is lost but time.
        self.sets = ("selfplay.evaluator=hash", "search.simulations=8000", "selfplay.games_per_iteration=300",
                     "selfplay.seal_seconds=0.1")
        job = self.job("generate", ranks=2)
        wait_until(lambda: shards(self.run_folder) or job.process.poll() is not None)
        ids = job.rank_ids()
        job.process.send_signal(signal.SIGTERM)
        self.assertNotEqual(job.wait(seconds=10), 0)
        wait_until(lambda: not any(is_stage(pid) for pid in ids), seconds=10)
        self.assertIn("interrupted by SIGTERM: ", job.text())
        self.assertFalse(has_manifest(self.run_folder, "generate"))
        self.expect(0, "generate", ranks=2)
        self.assertEqual(sorted(read_games(shards(self.run_folder))), list(range(300)))
        self.assertEqual(leftovers(self.run_folder), [])


if __name__ == "__main__":
    unittest.main()
