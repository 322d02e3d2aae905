"""A scheduler that loses sight of a node may start a job again while the first copy lives on. The copy that has lost
the lock seals and appends nothing more, on whichever rank, and ends with 75."""

import unittest

from rankfile import *


class TwoCopies(RunCase):
    def take_over(self, stage, progress, ranks, **more):
        """The first copy stops in the middle, a second one does the stage, the first one goes on."""
        before = progress()
        first = self.job(stage, ranks=ranks, **more)
        wait_until(lambda: progress() > before or first.process.poll() is not None)
        self.assertIsNone(first.process.poll(), f"it ended before a second copy began\n{first.text()}")
        first.send(signal.SIGSTOP)
        sealed = contents(iteration_folder(self.run_folder))
        (self.run_folder / "lock.json").unlink()  # what --break-lock does where the first copy cannot be seen
        self.expect(0, stage, ranks=ranks)
        after = contents(self.run_folder)
        for name, digest in sealed.items():
            if name.endswith(".h5") and "candidate" not in name:
                self.assertEqual(after["iterations/000001/" + name], digest, name)
        first.send(signal.SIGCONT)
        self.assertEqual(first.wait(), 75, first.text())
        self.assertIn("this process has lost the lock of", first.text())
        self.assertEqual(contents(self.run_folder), after)
        self.assertEqual(leftovers(self.run_folder), [])

    def test_each_stage(self):
        self.sets = ("selfplay.evaluator=hash", "search.simulations=4000", "selfplay.games_per_iteration=300",
                     "selfplay.games_in_parallel=4", "selfplay.seal_seconds=0.1", "train.checkpoint_seconds=0.05",
                     "train.reuse=60", "gate.games=60", "gate.simulations=200", "gate.opening_plies=2")
        run = self.run_folder
        folder = iteration_folder(run)
        self.take_over("generate", lambda: len(shards(run)), 2)
        self.assertEqual(sorted(read_games(shards(run))), list(range(300)))
        self.take_over("train", lambda: (folder / "candidate" / "checkpoint.h5").exists(), 0)
        self.take_over("gate", lambda: sum(path.stat().st_size for path in folder.glob("matches/*.jsonl")), 2)
        self.assertEqual(manifest(run, "gate")["match"]["games_played"], 60)
        keys = [event["key"] for event in events(run)]
        self.assertEqual(len(keys), len(set(keys)))

    def test_an_export_of_an_older_champion(self):
        self.sets = ("selfplay.evaluator=hash",)
        for stage in ("generate", "train", "gate"):
            self.expect(0, stage)
        export = self.job("export")
        wait_until(lambda: (self.run_folder / "export").exists() or export.process.poll() is not None)
        export.send(signal.SIGSTOP)
        self.assertFalse((self.run_folder / "export" / "model_card.json").exists())
        champion_file = self.run_folder / "champion.json"
        text = champion_file.read_text()
        champion_file.write_text(text.replace(champion(self.run_folder)["digest"], "0" * 64))
        export.send(signal.SIGCONT)
        self.assertEqual(export.wait(), 75, export.text())
        self.assertIn("another network has become the champion meanwhile", export.text())
        self.assertFalse((self.run_folder / "export" / "model_card.json").exists())
        champion_file.write_text(text)
        self.expect(0, "export")
        self.assertEqual(leftovers(self.run_folder), [])


if __name__ == "__main__":
    unittest.main()
