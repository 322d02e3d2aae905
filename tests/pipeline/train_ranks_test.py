"""Training over ranks learns what one rank learns at the same global batch, and what happens to one happens to all."""

import math
import unittest

from rankfile import *

BATCHES = 36  # fewer than 40: the curve has a point for each
LOSS_TOLERANCE = 2e-5  # of a loss in nats, after up to 36 steps; 5e-7 was seen
WEIGHT_TOLERANCE = 1e-4  # distance of all weights, relative to their length; 6e-8 was seen


def weights(run, iteration=1):
    with h5py.File(iteration_folder(run, iteration) / "candidate" / "network.h5", "r") as file:
        found = []
        file.visititems(lambda name, item: found.append((name, item[()].ravel().astype(float).tolist()))
                        if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" else None)
    return dict(found)


def distance(a, b):
    """Of two sets of weights, running statistics included, relative to the length of the second."""
    squares = sum((x - y) ** 2 for name in b for x, y in zip(a[name], b[name]))
    return math.sqrt(squares / sum(y * y for values in b.values() for y in values))


class TrainRanks(RunCase):
    SETS = ("selfplay.evaluator=hash", "train.ghost_batch=8", "train.batch_size=32")

    def setUp(self):
        super().setUp()
        self.sets = self.SETS

    def trained(self, name, ranks, *sets, iteration=1, code=0, says=()):
        """A copy of the run, trained on so many ranks."""
        run = self.copy_run(name)
        self.expect(code, "train", run=run, ranks=ranks, sets=sets, says=says)
        if code == 0:
            self.assertEqual(manifest(run, "train", iteration)["ranks"], max(1, ranks))
            self.assertEqual(leftovers(run), [])
        return run

    def so_many_batches(self, batches):
        rows = manifest(self.run_folder, "generate")["unique_rows"]
        return f"train.reuse={(batches - 0.5) * 32 / rows}"

    def assert_alike(self, run, one, loss=LOSS_TOLERANCE, iteration=1):
        got, wanted = manifest(run, "train", iteration), manifest(one, "train", iteration)
        for name in ("batches", "steps", "new_unique_rows", "window", "inputs", "rate_multiplier"):
            self.assertEqual(got[name], wanted[name], name)
        self.assertEqual(len(got["curve"]), len(wanted["curve"]))
        largest = 0
        for a, b in zip(got["curve"], wanted["curve"]):
            self.assertEqual(a["batches"], b["batches"])
            for name in ("policy_loss", "value_loss", "target_entropy", "entropy", "kl"):
                largest = max(largest, abs(a[name] - b[name]))
            self.assertAlmostEqual(a["gradient_norm"], b["gradient_norm"], delta=1e-3 * b["gradient_norm"])
            self.assertAlmostEqual(a["learning_rate"], b["learning_rate"], delta=1e-6 * b["learning_rate"])
            self.assertAlmostEqual(a["top1"], b["top1"], delta=2 / 32)  # near ties
        apart = distance(weights(run, iteration), weights(one, iteration))
        print(f"{run.name}: losses within {largest:.1e}, weights within {apart:.1e}")
        self.assertLess(largest, loss)
        self.assertLess(apart, WEIGHT_TOLERANCE)

    def test_the_curve_is_that_of_one_rank(self):
        self.expect(0, "generate")
        reuse = self.so_many_batches(BATCHES)
        one = self.trained("1 rank", 0, reuse)
        self.assertEqual(len(manifest(one, "train")["curve"]), BATCHES)
        for ranks in (2, 3, 4):
            run = self.trained(f"{ranks} ranks", ranks, reuse)
            self.assert_alike(run, one)
            self.assertEqual([event["key"] for event in events(run)], [event["key"] for event in events(one)])
            self.assertEqual({path.name for path in (iteration_folder(run) / "candidate").iterdir()},
                             {"network.h5", "training.h5"})
        # The tolerance tells groups of 8 from the whole batch.
        whole = manifest(self.trained("whole", 0, reuse, "train.ghost_batch=0"), "train")["curve"]
        apart = max(abs(a["policy_loss"] - b["policy_loss"])
                    for a, b in zip(whole, manifest(one, "train")["curve"]))
        self.assertGreater(apart, 20 * LOSS_TOLERANCE)

    def test_with_every_kind_of_step(self):
        self.expect(0, "generate")
        sets = (self.so_many_batches(BATCHES), "train.schedule=kl_adaptive", "train.epochs_per_batch=3",
                "train.clip_norm=0.5", "train.optimizer=sgd")
        self.assert_alike(self.trained("2 ranks", 2, *sets), self.trained("1 rank", 0, *sets))

    def test_without_batch_norm_no_groups_are_needed(self):
        self.sets = ("selfplay.evaluator=hash", "train.batch_size=32", "network.batch_norm=false")
        self.expect(0, "generate")
        reuse = self.so_many_batches(BATCHES)
        self.assert_alike(self.trained("3 ranks", 3, reuse), self.trained("1 rank", 0, reuse))

    def test_a_checkpoint_goes_on_with_another_number_of_ranks(self):
        # Plain descent in small steps: rounding does not grow over the thousands of batches that a signal needs.
        self.sets += ("train.optimizer=sgd", "train.momentum=0", "train.learning_rate=0.0005", "train.reuse=600",
                      "train.checkpoint_seconds=3600", "run.progress_seconds=0.1")
        self.expect(0, "generate")
        one = self.trained("1 rank", 0)
        for begun, ended in ((2, 0), (0, 2)):
            run = self.copy_run(f"{begun} then {ended} ranks")
            job = self.job("train", run=run, ranks=begun)
            wait_until(lambda: "policy loss" in job.text() or job.process.poll() is not None)
            job.send(signal.SIGTERM, 0)
            self.assertEqual(job.wait(), 75, job.text())
            self.expect(0, "train", run=run, ranks=ended, says="going on from the checkpoint at batch")
            resumed = manifest(run, "train")["resumed_at_batch"]
            self.assertTrue(0 < resumed < manifest(run, "train")["batches"], resumed)
            self.assert_alike(run, one, loss=1e-3)

    def test_damaged_shards_are_the_same_for_all(self):
        self.sets += ("selfplay.shard_rows=200",)
        self.expect(0, "generate")
        shard = shards(self.run_folder)[1]
        data = bytearray(shard.read_bytes())
        data[len(data) // 2] ^= 16
        shard.write_bytes(data)
        before = contents(self.run_folder)
        self.expect(65, "train", ranks=2, says=str(shard))
        self.assertEqual(contents(self.run_folder), before)
        one, two = (self.trained(f"{ranks} ranks", ranks, "replay.damaged_shards=skip", says="a shard is left out")
                    for ranks in (0, 2))
        self.assert_alike(two, one)
        told = self.expect(0, "train", run=self.copy_run("again"), ranks=2, sets=("replay.damaged_shards=skip",)).stderr
        self.assertEqual(told.count("a shard is left out"), 1, told)
        self.assertNotIn("[rank", told)

    def test_an_iteration_without_a_new_row(self):
        self.expect(0, "generate")
        for stage in ("train", "gate", "generate"):
            self.expect(0, stage, config=None, sets=())
        for shard in shards(self.run_folder, 2):
            shard.write_bytes(b"")
        one, two = (self.trained(f"{ranks} ranks", ranks, "replay.damaged_shards=skip", iteration=2) for ranks in (0, 2))
        self.assertEqual(manifest(two, "train", 2)["new_unique_rows"], 0)
        self.assertEqual(manifest(two, "train", 2)["batches"], 1)
        self.assert_alike(two, one, iteration=2)

    def test_divergence_ends_all_ranks(self):
        self.expect(0, "generate")
        sets = (self.so_many_batches(400), "train.optimizer=sgd", "train.learning_rate=10", "train.momentum=0.9999",
                "train.checkpoint_seconds=0.05", "train.weight_decay=1")
        run = self.trained("diverged", 2, *sets, code=65, says="training diverged at step ")
        self.assertFalse(has_manifest(run, "train"))
        self.assertFalse((iteration_folder(run) / "candidate" / "checkpoint.h5").exists())
        self.assertEqual(leftovers(run), [])
        self.expect(0, "train", run=run, ranks=2)


if __name__ == "__main__":
    unittest.main()
