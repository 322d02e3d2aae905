"""The games of a run do not depend on how many ranks play them, nor on how many are played at once."""

import unittest

from rankfile import *


class Invariance(RunCase):
    def games(self, name, ranks, parallel, *more, evaluator="hash"):
        run = self.folder / name
        sets = (f"selfplay.evaluator={evaluator}", f"selfplay.games_in_parallel={parallel}", "search.simulations=40",
                "selfplay.games_per_iteration=32", *more)
        self.expect(0, "generate", run=run, ranks=ranks, sets=sets)
        self.assertEqual(leftovers(run), [])
        games = read_games(shards(run))
        print(f"{name}: {len(games)} games, digest {games_digest(games)}, {len(shards(run))} shards")
        self.assertEqual(sorted(games), list(range(32)))
        return games, run

    def test_ranks_and_parallel_games(self):
        one, first_run = self.games("1 rank, 4 at once", 0, 4)
        rows = training_rows(shards(first_run))
        for ranks, parallel in ((0, 1), (0, 32), (2, 4), (4, 4), (4, 32)):
            games, run = self.games(f"{max(1, ranks)} ranks, {parallel} at once", ranks, parallel)
            self.assertEqual(games, one)
            self.assertEqual(training_rows(shards(run)), rows)

    def test_shards_of_any_size_hold_the_same(self):
        one, _ = self.games("whole", 0, 8)
        cut, run = self.games("cut", 0, 8, "selfplay.shard_rows=100")
        self.assertGreater(len(shards(run)), 3)
        self.assertEqual(cut, one)

    def test_games_differ_from_each_other_and_from_those_of_other_iterations_and_seeds(self):
        first, run = self.games("first", 2, 8)
        lists = {moves for moves, _ in first.values()}
        self.assertGreater(len(lists), 28)  # 32 games, each with noise and temperature of its own
        for stage in ("train", "gate"):
            self.expect(0, stage, run=run)
        self.expect(0, "generate", run=run, config=None, sets=())
        second = read_games(shards(run, 2))
        other, _ = self.games("other seed", 0, 8, "run.seed=2")
        for games in (second, other):
            same = sum(games[index] == first[index] for index in first)
            self.assertEqual(same, 0)

    def test_a_network_plays_the_same_games_on_any_number_of_ranks(self):
        one = {}
        for precision in ("f32", "auto"):
            for ranks, parallel in ((0, 8), (0, 8), (0, 3), (3, 5)):
                name = f"{precision}, {ranks} ranks, {parallel} at once"
                while (self.folder / name).exists():
                    name += " again"
                games, run = self.games(name, ranks, parallel, f"inference.precision={precision}", evaluator="network")
                inference = manifest(run, "generate", 1)["inference"]
                self.assertEqual(inference["backend"], "onednn")
                self.assertIn(inference["precision"], ("f32", "bf16") if precision == "auto" else ("f32",))
                one.setdefault(precision, games)
                self.assertEqual(games, one[precision])


if __name__ == "__main__":
    unittest.main()
