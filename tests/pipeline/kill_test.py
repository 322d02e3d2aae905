"""A stage that is killed with SIGKILL goes on where it was, and ends as if nothing had happened."""

import random
import time
import unittest

from rankfile import *

SEED = 20260131  # of the moments of the kills; the moments are printed


def count_shards(run):
    return len(shards(run))


def count_journal(run):
    return sum(path.read_text().count("\n") for path in (iteration_folder(run) / "matches").glob("*.jsonl"))


class Kill(RunCase):
    def kill_twice(self, stage, progress, run, **more):
        """Kills the stage at any moment, then at a random moment after it has made progress."""
        moments = random.Random(f"{SEED} {stage}")
        for late in (False, True):
            before, delay = progress(run), moments.uniform(0, 0.3 if late else 0.8)
            job = self.job(stage, run=run, **more)
            if late:
                wait_until(lambda: progress(run) > before or job.process.poll() is not None)
            time.sleep(delay)
            self.assertIsNone(job.process.poll(), f"it ended before it could be killed\n{job.text()}")
            owned = (run / "lock.json").exists()
            job.kill_all()
            print(f"{stage}: killed {delay:.3f} s after {'progress' if late else 'the start'}, "
                  f"{progress(run)} there")
            self.assertFalse(has_manifest(run, stage))
            if owned and late:
                self.assertTrue((run / "lock.json").exists())
        return self.expect(0, stage, says="took over the lock of a process that has died", run=run, **more)


class KillGenerate(Kill):
    SETS = ("selfplay.evaluator=hash", "search.simulations=8000", "selfplay.games_per_iteration=200",
            "selfplay.games_in_parallel=2", "selfplay.seal_seconds=0.1")

    def test_each_game_is_there_once(self):
        self.sets = self.SETS
        self.kill_twice("generate", count_shards, self.run_folder, ranks=2)
        games = read_games(shards(self.run_folder))
        self.assertEqual(sorted(games), list(range(200)))
        self.assertEqual(manifest(self.run_folder, "generate")["games"], 200)
        self.assertEqual(leftovers(self.run_folder), [])
        self.expect(0, "generate", run=self.folder / "whole")
        self.assertEqual(games, read_games(shards(self.folder / "whole")))

    def test_sealed_games_are_kept_as_they_are(self):
        self.sets = self.SETS
        job = self.job("generate", ranks=2)
        wait_until(lambda: len(shards(self.run_folder)) >= 3)
        job.kill_all()
        sealed = {path: file_digest(path) for path in shards(self.run_folder)}
        self.expect(0, "generate", ranks=2)
        self.assertEqual(sealed, {path: file_digest(path) for path in sealed})

    def test_one_killed_rank_ends_the_job(self):
        self.sets = self.SETS
        for which in (0, 1):
            job = self.job("generate", ranks=2)
            before = count_shards(self.run_folder)
            wait_until(lambda: count_shards(self.run_folder) > before)
            job.send(signal.SIGKILL, which)
            self.assertNotEqual(job.wait(seconds=10), 0)
            wait_until(lambda: not job.rank_ids())
            self.assertFalse(has_manifest(self.run_folder, "generate"))
        self.expect(0, "generate", ranks=2)
        self.assertEqual(sorted(read_games(shards(self.run_folder))), list(range(200)))


class KillTrain(Kill):
    def test_the_network_is_bit_equal(self):
        self.sets = ("selfplay.evaluator=hash", "train.checkpoint_seconds=0.05", "train.reuse=400", "train.threads=1")
        self.expect(0, "generate")
        whole = self.copy_run("whole")
        self.expect(0, "train", run=whole)
        wanted = manifest(whole, "train")
        writes = [0, None]

        def checkpoints(run):
            try:
                state = (iteration_folder(run) / "candidate" / "checkpoint.h5").stat()
            except OSError:
                return writes[0]
            if writes[1] != state.st_ino:
                writes[:] = writes[0] + 1, state.st_ino
            return writes[0]

        self.kill_twice("train", checkpoints, self.run_folder)
        got = manifest(self.run_folder, "train")
        self.assertGreater(got["resumed_at_batch"], 0)
        self.assertEqual(got["network_digest"], wanted["network_digest"])
        self.assertEqual((got["batches"], got["steps"]), (wanted["batches"], wanted["steps"]))
        self.assertEqual(len(got["curve"]), len(wanted["curve"]))
        for a, b in zip(got["curve"], wanted["curve"]):
            for name in a:
                self.assertAlmostEqual(a[name], b[name], delta=1e-5 * max(1, abs(b[name])), msg=name)
        candidate = {path.name for path in (iteration_folder(self.run_folder) / "candidate").iterdir()}
        self.assertEqual(candidate, {"network.h5", "training.h5"})
        self.assertEqual(leftovers(self.run_folder), [])
        trained = [event["key"] for event in events(self.run_folder) if event["event"] == "train"]
        self.assertEqual(trained, [event["key"] for event in events(whole) if event["event"] == "train"])


    def test_one_killed_rank_ends_the_job(self):
        self.sets = ("selfplay.evaluator=hash", "train.checkpoint_seconds=0.05", "train.reuse=500", "train.threads=1",
                     "train.ghost_batch=8")
        self.expect(0, "generate")
        whole = self.copy_run("whole")
        self.expect(0, "train", run=whole, ranks=2)
        checkpoint = iteration_folder(self.run_folder) / "candidate" / "checkpoint.h5"

        def written():
            return checkpoint.stat().st_ino if checkpoint.exists() else 0

        for which in (0, 1):
            before = written()
            job = self.job("train", ranks=2)
            wait_until(lambda: written() != before or job.process.poll() is not None)
            job.send(signal.SIGKILL, which)
            self.assertNotEqual(job.wait(seconds=10), 0, job.text())
            wait_until(lambda: not job.rank_ids())
            self.assertFalse(has_manifest(self.run_folder, "train"), job.text())
        self.expect(0, "train", ranks=2)
        got = manifest(self.run_folder, "train")
        self.assertGreater(got["resumed_at_batch"], 0)
        self.assertEqual(got["network_digest"], manifest(whole, "train")["network_digest"])
        self.assertEqual(leftovers(self.run_folder), [])


class KillGate(Kill):
    def test_the_result_is_the_same(self):
        self.sets = ("selfplay.evaluator=hash", "gate.games=60", "gate.simulations=100000", "gate.games_in_parallel=2",
                     "gate.opening_plies=2", "gate.yardstick_every=1", "gate.yardstick_games=6")
        self.expect(0, "generate")
        self.expect(0, "train")
        whole = self.copy_run("whole")
        self.expect(0, "gate", run=whole)
        self.kill_twice("gate", count_journal, self.run_folder, ranks=2)
        wanted, got = manifest(whole, "gate"), manifest(self.run_folder, "gate")
        for name in ("match", "yardstick", "promoted", "reason", "candidate", "champion", "outputs"):
            self.assertEqual(got[name], wanted[name], name)
        self.assertEqual(champion(self.run_folder)["digest"], champion(whole)["digest"])
        self.assertEqual(leftovers(self.run_folder), [])


if __name__ == "__main__":
    unittest.main()
