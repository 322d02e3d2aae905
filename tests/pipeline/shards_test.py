"""Shards, read with h5py alone, hold what a replay of their games by independent rules gives."""

import unittest

import numpy as np

from rankfile import *


class Board:
    """Tic-tac-toe and Gomoku from their rules, with none of the project's code."""

    def __init__(self, height, width, line):
        self.stones = np.full((height, width), -1)
        self.line, self.ply, self.reason = line, 0, None

    def planes(self, classic):
        me, height, width = self.ply % 2, *self.stones.shape
        list_of_planes = [self.stones == me, self.stones == 1 - me]
        if classic:
            last = np.zeros((height, width), bool)
            if self.ply:
                last.flat[self.last] = True
            list_of_planes += [last, np.full((height, width), me == 0)]
        return np.array(list_of_planes, np.float32)

    def play(self, action):
        row, column = divmod(action, self.stones.shape[1])
        assert self.reason is None and self.stones[row, column] == -1
        player = self.stones[row, column] = self.ply % 2
        self.last, self.ply = action, self.ply + 1
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                r, c = row + sign * dr, column + sign * dc
                while 0 <= r < self.stones.shape[0] and 0 <= c < self.stones.shape[1] and self.stones[r, c] == player:
                    length, r, c = length + 1, r + sign * dr, c + sign * dc
            if length >= self.line:
                self.reason, self.winner = "line", player
        if self.reason is None and (self.stones >= 0).all():
            self.reason, self.winner = "full board", None


def images_of(array):
    """All images of [..., H, W] under the turns and mirrors that keep H and W."""
    square = array.shape[-1] == array.shape[-2]
    turns = [np.rot90(array, k, (-2, -1)) for k in (range(4) if square else (0, 2))]
    return turns + [image[..., ::-1] for image in turns]


class Shards(RunCase):
    def unpack(self, shard):
        kinds, scalars = shard.attrs["plane_kinds"], shard["rows/planes_scalar"][:]
        (C, H, W), rows = shard.attrs["shape"], int(shard.attrs["num_rows"])
        bits = np.unpackbits(shard["rows/planes_bits"][:], axis=1)[:, :int((kinds == 0).sum()) * H * W]
        planes = np.zeros((rows, C, H, W), np.float32)
        planes[:, kinds == 0] = bits.reshape(rows, -1, H, W)
        planes[:, kinds == 1] = scalars[:, :, None, None]
        return planes

    def check_shard(self, path, line, classic):
        with h5py.File(path, "r") as shard:
            planes = self.unpack(shard)
            rows = {name: shard[f"rows/{name}"][:] for name in shard["rows"]}
            games = {name: shard[f"games/{name}"][:] for name in shard["games"] if name != "end_reason"}
            reasons = shard["games/end_reason"].asstr()[:]
            _, H, W = shard.attrs["shape"]
            self.assertEqual(shard.attrs["num_unique_rows"], rows["unique"].sum())
            self.assertEqual(rows["unique"].sum(), games["plies"].sum())
        policy = np.zeros((len(planes), H * W))
        for i in range(len(planes)):
            first, last = rows["policy_offset"][i:i + 2]
            self.assertTrue((np.diff(rows["policy_action"][first:last]) > 0).all())
            policy[i, rows["policy_action"][first:last]] = rows["policy_visits"][first:last]
        np.testing.assert_array_less(0, policy.sum(1))
        row = 0
        for g in range(len(games["index"])):
            board = Board(H, W, line)
            first, last = games["moves_offset"][g:g + 2]
            for p in range(first, last):
                ply, group = p - first, []
                while row < len(planes) and (rows["game"][row], rows["ply"][row]) == (games["index"][g], ply):
                    group.append(row)
                    row += 1
                self.assertEqual(rows["symmetry"][group[0]], 0)
                self.assertEqual(rows["unique"][group].tolist(), [1] + [0] * (len(group) - 1))
                np.testing.assert_array_equal(planes[group[0]], board.planes(classic))
                action, visits = (games[name][slice(*games["policy_offset"][p:p + 2])]
                                  for name in ("policy_action", "policy_visits"))
                played = np.zeros(H * W)
                played[action] = visits
                np.testing.assert_array_equal(policy[group[0]], played)
                self.assertTrue((policy[group[0]][(board.stones >= 0).ravel()] == 0).all())
                # The group is all different images, each once.
                joint = np.concatenate([planes[group], policy[group].reshape(-1, 1, H, W)], axis=1)
                wanted = {image.tobytes() for image in images_of(joint[0])}
                self.assertEqual({image.tobytes() for image in joint}, wanted)
                self.assertEqual(len(group), len(wanted))
                sign = 1 if ply % 2 == 0 else -1
                self.assertTrue((rows["to_move"][group] == ply % 2).all())
                self.assertTrue((rows["outcome"][group] == sign * games["outcome_first"][g]).all())
                self.assertTrue((np.abs(rows["root_value"][group]) <= 1).all())
                self.assertGreater(played[games["moves"][p]], 0)  # what is played was searched
                board.play(int(games["moves"][p]))
            self.assertEqual(board.reason, reasons[g])
            z = 0 if board.winner is None else 1 if board.winner == 0 else -1
            self.assertEqual(games["outcome_first"][g], z)
        self.assertEqual(row, len(planes))
        return row

    def check_game(self, line, classic, *sets):
        self.expect(0, "generate", ranks=2, sets=sets)
        self.assertEqual(len(shards(self.run_folder)), 2)
        rows = sum(self.check_shard(path, line, classic) for path in shards(self.run_folder))
        self.assertEqual(rows, manifest(self.run_folder, "generate")["rows"])

    def test_tic_tac_toe(self):
        self.check_game(3, False)

    def test_gomoku_square_with_scalar_plane(self):
        self.check_game(4, True, "game.name=gomoku", "game.width=6", "game.height=6", "game.line=4",
                        "game.planes=classic4", "selfplay.games_per_iteration=6")

    def test_gomoku_not_square(self):
        self.check_game(3, False, "game.name=gomoku", "game.width=7", "game.height=4", "game.line=3",
                        "selfplay.games_per_iteration=8", "selfplay.evaluator=rollout")


if __name__ == "__main__":
    unittest.main()
