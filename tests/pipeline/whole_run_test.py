"""Whole runs: iterations follow from each other, manifests chain by digest, counts add up."""

import unittest

from rankfile import *


def network_digest(path):
    with h5py.File(path, "r") as network:
        return network.attrs["digest"]


class WholeRun(RunCase):
    def iterate(self, iteration, ranks, **first):
        self.expect(0, "generate", ranks=ranks, **first)
        self.expect(0, "train")
        self.expect(0, "gate", ranks=ranks)
        for stage in ("generate", "train", "gate"):
            self.assertEqual(manifest(self.run_folder, stage, iteration)["iteration"], iteration)

    def check_iteration(self, iteration, before):
        """`before`: champion.json before the iteration."""
        run = self.run_folder
        generate, train, gate = (manifest(run, stage, iteration) for stage in ("generate", "train", "gate"))
        self.assertEqual(generate["network"]["digest"], before["digest"])
        self.assertEqual({output["file"] for output in generate["outputs"]},
                         {str(path.relative_to(run)) for path in shards(run, iteration)})
        for output in generate["outputs"]:
            with h5py.File(run / output["file"], "r") as shard:
                self.assertEqual(shard.attrs["digest"], output["digest"])
                self.assertEqual(shard.attrs["iteration"], iteration)
        wanted = [output for i in range(iteration, 0, -1) for output in manifest(run, "generate", i)["outputs"]]
        self.assertEqual(train["inputs"], wanted)
        self.assertEqual(train["new_unique_rows"], generate["unique_rows"])
        self.assertEqual(train["window"]["unique_rows"],
                         sum(manifest(run, "generate", i)["unique_rows"] for i in range(1, iteration + 1)))
        candidate = iteration_folder(run, iteration) / "candidate" / "network.h5"
        self.assertEqual(train["network_digest"], network_digest(candidate))
        self.assertEqual(gate["candidate"]["digest"], train["network_digest"])
        self.assertEqual(gate["champion"]["digest"], before["digest"])
        self.assertEqual(generate["games"], generate["first_wins"] + generate["second_wins"] + generate["draws"])
        self.assertEqual(generate["unique_rows"], generate["plies"])
        self.assertEqual(generate["rows"], sum(len(training_rows([path])) for path in shards(run, iteration)))

    def test_three_iterations_on_two_ranks(self):
        before = None
        for iteration in (1, 2, 3):
            self.iterate(iteration, ranks=2)
            generate = manifest(self.run_folder, "generate", iteration)
            before = before or {"digest": network_digest(self.run_folder / "networks" / "000000.h5")}
            self.check_iteration(iteration, before)
            self.assertEqual((generate["games"], generate["ranks"]), (16, 2))
            before = champion(self.run_folder)
            self.assertEqual(before["iteration"], iteration)  # smoke.yaml promotes always
            promoted = self.run_folder / "networks" / f"{iteration:06}.h5"
            self.assertEqual(before["digest"], manifest(self.run_folder, "train", iteration)["network_digest"])
            self.assertEqual(network_digest(promoted), before["digest"])
            if iteration > 1:
                start = manifest(self.run_folder, "train", iteration)["start"]
                self.assertEqual(start["digest"],
                                 manifest(self.run_folder, "train", iteration - 1)["network_digest"])
        self.assertIn("yardstick", manifest(self.run_folder, "gate", 2))
        self.assertEqual(leftovers(self.run_folder), [])
        steps = [manifest(self.run_folder, "train", i)["steps"] for i in (1, 2, 3)]
        batches = [manifest(self.run_folder, "train", i)["batches"] for i in (1, 2, 3)]
        self.assertEqual(steps, [sum(batches[:i]) for i in (1, 2, 3)])
        numbers = [event["id"] for event in events(self.run_folder)]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))))
        keys = [event["key"] for event in events(self.run_folder)]
        self.assertEqual(len(keys), len(set(keys)))
        for stage in ("generate", "gate"):
            self.assertEqual([key for key in keys if key.startswith(stage)], [f"{stage} {i}" for i in (1, 2, 3)])

    def test_a_finished_stage_says_so_and_changes_nothing(self):
        for stage, following in (("generate", "train"), ("train", "gate"), ("gate", "generate")):
            self.expect(0, stage)
            before = contents(self.run_folder)
            self.expect(0, stage, says=f"next is rf-{following}")
            self.assertEqual(contents(self.run_folder), before)

    def test_a_board_that_is_not_square(self):
        sets = ("game.name=gomoku", "game.width=5", "game.height=8", "game.line=4", "selfplay.games_per_iteration=4")
        self.iterate(1, ranks=2, sets=sets)
        self.check_iteration(1, {"digest": network_digest(self.run_folder / "networks" / "000000.h5")})
        with h5py.File(shards(self.run_folder)[0], "r") as shard:
            self.assertEqual(list(shard.attrs["shape"]), [2, 8, 5])
            self.assertEqual(shard.attrs["game_id"], "gomoku width=5 height=8 line=4 rule=freestyle planes=own2")

    def test_one_game_and_more_ranks_than_games(self):
        self.iterate(1, ranks=4, sets=("selfplay.games_per_iteration=1", "gate.games=2"))
        self.assertEqual(manifest(self.run_folder, "generate")["games"], 1)
        self.assertEqual(len(shards(self.run_folder)), 1)
        self.check_iteration(1, {"digest": network_digest(self.run_folder / "networks" / "000000.h5")})

    def test_one_rank_with_and_without_launcher(self):
        self.iterate(1, ranks=0)
        self.iterate(2, ranks=1)
        self.check_iteration(2, {"digest": manifest(self.run_folder, "train", 1)["network_digest"]})

    def test_a_rejected_candidate_is_a_result(self):
        self.iterate(1, ranks=0, sets=("gate.mode=gated", "gate.threshold=1"))
        gate = manifest(self.run_folder, "gate")
        self.assertEqual((gate["promoted"], champion(self.run_folder)["iteration"]), (False, 0))
        self.assertIn("points", gate["reason"])
        self.assertFalse((self.run_folder / "networks" / "000001.h5").exists())
        self.iterate(2, ranks=0)
        self.assertEqual(manifest(self.run_folder, "generate", 2)["network"]["iteration"], 0)
        # Training goes on from the last candidate all the same (train.start_from last).
        self.assertEqual(manifest(self.run_folder, "train", 2)["start"]["digest"],
                         manifest(self.run_folder, "train", 1)["network_digest"])


if __name__ == "__main__":
    unittest.main()
