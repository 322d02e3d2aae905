"""rf-gate --accuracy: the share of right moves in files of positions, against an independent count."""

import random
import signal
import unittest

from rankfile import *

DATA = SOURCE / "tests" / "data" / "dots_and_boxes" / "positions.jsonl"


class Accuracy(Refusals):
    def setUp(self):
        super().setUp()
        self.sets = ("game.name=dots_and_boxes", "game.rows=2", "game.cols=2", "selfplay.games_per_iteration=4")
        self.expect(0, "generate")
        lines = [json.loads(line) for line in DATA.read_text().splitlines()]
        self.positions = [line for line in lines if (line["rows"], line["cols"]) == (2, 2) and len(line["edges"]) < 12]
        self.file = self.write("all.jsonl", self.positions)

    def write(self, name, lines):
        path = self.folder / name
        path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
        return path

    def measure(self, *files, options=(), ranks=0, code=0):
        words = [word for file in files for word in ("--accuracy", file)]
        done = self.expect(code, "gate", *words, "--json", *options, ranks=ranks)
        return json.loads(done.stdout.splitlines()[-1]), done.stdout

    def test_shares_intervals_and_ranks(self):
        halves = [self.write("a.jsonl", self.positions[:10]), self.write("b.jsonl", self.positions[10:])]
        result, table = self.measure(self.file, *halves)
        self.assertEqual(result["simulations"], 16)
        whole, *parts = result["files"]
        self.assertEqual([file["positions"] for file in result["files"]],
                         [len(self.positions), 10, len(self.positions) - 10])
        for measure in ("policy", "search", "policy_best", "search_best"):
            self.assertEqual(sum(part[measure]["right"] for part in parts), whole[measure]["right"])
            for file in result["files"]:
                share, (low, high) = file[measure]["share"], file[measure]["interval_95"]
                self.assertEqual(share, file[measure]["right"] / file[measure]["judged"])
                self.assertTrue(0 <= low <= share <= high <= 1)
                n, z = file[measure]["judged"], 1.959964
                for bound in (low, high):  # where the score test just rejects (Wilson 1927)
                    self.assertAlmostEqual((share - bound) ** 2, z * z * bound * (1 - bound) / n)
        for way in ("policy", "search"):  # a best move keeps the outcome
            self.assertLessEqual(whole[way + "_best"]["right"], whole[way]["right"])
        for name in (self.file.name, "a.jsonl", "b.jsonl", "positions", "search best"):
            self.assertIn(name, table)
        # The same on more ranks and in another order of the lines.
        shuffled = list(self.positions)
        random.Random(1).shuffle(shuffled)
        mixed = self.write("mixed.jsonl", [{"rows": 1, "cols": 3}, *self.positions, {"rows": 3, "cols": 3}])
        result, table = self.measure(mixed)  # a file for several boards
        self.assertEqual(result["files"][0], {**whole, "file": str(mixed), "other": 2})
        self.assertIn("2 positions of other boards are left out", table)
        for ranks, file in ((3, self.file), (0, self.write("shuffled.jsonl", shuffled))):
            other = self.measure(file, ranks=ranks)[0]["files"][0]
            self.assertEqual({**other, "file": 0}, {**whole, "file": 0})

    def test_much_search_finds_the_best_moves(self):
        late = self.write("late.jsonl", [line for line in self.positions if len(line["edges"]) >= 7])
        result, _ = self.measure(late, options=("--simulations", 1500))
        self.assertEqual(result["files"][0]["search"]["share"], 1)

    def test_labels_of_the_line_go_before_the_solver(self):
        # The list says what is right: with all legal moves in it every choice is right.
        position = {"moves": "0 1", "rows": 2, "cols": 2}
        result, _ = self.measure(self.write("x.jsonl", [{**position, "best": list(range(2, 12))}]))
        self.assertEqual(result["files"][0]["policy_best"]["share"], 1)
        self.assertEqual(result["files"][0]["search_best"]["share"], 1)
        choice = [self.measure(self.write("x.jsonl", [{**position, "best": [edge]}]))[0]["files"][0]["policy_best"]["right"]
                  for edge in range(2, 12)]
        self.assertEqual(sum(choice), 1)  # the network alone chooses one of them
        scores = [None, None] + [-3] * 10
        scores[2 + choice.index(1)] = 1
        result, _ = self.measure(self.write("x.jsonl", [{**position, "scores": scores}]))
        self.assertEqual(result["files"][0]["policy"]["share"], 1)
        scores[2 + (choice.index(1) + 1) % 10] = 2  # as good: only win, draw and loss count
        result, _ = self.measure(self.write("x.jsonl", [{**position, "scores": scores}]))
        self.assertEqual(result["files"][0]["policy"]["right"], 1)
        scores[2 + choice.index(1)] = 0
        result, _ = self.measure(self.write("x.jsonl", [{**position, "scores": scores}]))
        self.assertEqual(result["files"][0]["policy"]["right"], 0)

    def test_finished_games_are_left_out_and_plain_lines_solved(self):
        result, table = self.measure(self.write("x.txt", ["0 1 2", "# comment", "", " ".join(map(str, range(12)))]))
        self.assertEqual((result["files"][0]["positions"], result["files"][0]["finished"]), (1, 1))
        self.assertEqual(result["files"][0]["policy"]["judged"], 1)
        self.assertIn("1 finished games are left out", table)

    def test_refusals(self):
        for code, line, says in ((65, "0 0", "x.txt:1: "), (65, '{"rows": 3}', "the run plays"), (65, "{", "x.txt:1: "),
                                 (65, '{"moves": [0], "best": [0]}', "x.txt:1: best holds what is no legal move"),
                                 (65, '{"moves": [0], "scores": [1, 2]}', "2 values for 12 actions"),
                                 (65, '{"scores": [null,1,1,1,1,1,1,1,1,1,1,1]}', "action 0")):
            self.refused(code, "gate", says, "--accuracy", self.write("x.txt", [line]))
        for options in (("--accuracy", self.file, "--versus", "random"), ("--accuracy", self.file, "--games", 4),
                        ("--accuracy", self.file, "--seed", 4), ("--accuracy",)):
            self.refused(64, "gate", "error: ", *options)
        self.refused(66, "gate", "nowhere.txt", "--accuracy", "nowhere.txt")

    def test_it_can_be_stopped(self):
        many = self.write("many.jsonl", self.positions * 400)
        job = self.job("gate", "--accuracy", many, "--simulations", 2000, ranks=2)
        wait_until(lambda: "accuracy: " in job.text())
        job.send(signal.SIGTERM)
        self.assertEqual(job.wait(20), 75)
        self.assertIn("interrupted", job.text())


class Columns(Refusals):
    """Lines of moves, score and a value for each column."""

    def test_values_of_the_line_are_those_of_the_solver(self):
        self.expect(0, "generate", sets=("game.name=connect_four", "selfplay.games_per_iteration=2"))
        lines = (SOURCE / "tests" / "data" / "connect_four" / "Test_L3_R1").read_text().splitlines()
        whole, short, bare = self.folder / "whole", self.folder / "short", self.folder / "bare"
        whole.write_text("\n".join(lines))
        short.write_text("\n".join(lines[:60]))
        bare.write_text("\n".join(line.rpartition(" ")[0] for line in lines[:60]))
        words = [word for file in (whole, short, bare) for word in ("--accuracy", file)]
        done = self.expect(0, "gate", *words, "--json", "--simulations", 200)
        whole, short, bare = json.loads(done.stdout.splitlines()[-1])["files"]
        self.assertEqual((whole["positions"], whole["unknown"], whole["policy_best"]), (500, 0, None))
        for measure in ("policy", "search"):
            self.assertEqual(short[measure], bare[measure])  # values of the line, values of the solver
        self.assertGreater(whole["search"]["share"], 0.9)  # few moves are left in these
        self.assertGreater(whole["search"]["share"], whole["policy"]["share"])
        self.refused(65, "gate", "says that it is", "--accuracy", self.write("6 0 +++++.+"))
        self.refused(65, "gate", "6 values for 7 actions", "--accuracy", self.write("6 0 ++++++"))

    def write(self, line):
        path = self.folder / "x.txt"
        path.write_text(line + "\n")
        return path


if __name__ == "__main__":
    unittest.main()
