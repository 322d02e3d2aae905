"""rf-play's commands without a run: perft, moves, show, judge, convert; what they print and what they refuse."""

import itertools
import json
import subprocess
import tempfile
import unittest

from rankfile import *

DATA = SOURCE / "tests" / "data"


def tool(*words, typed=None, code=0):
    """Standard output; the exit code must be `code`, and a failure must say why."""
    done = subprocess.run([BIN / "rf-play", *map(str, words)], input=typed, capture_output=True, text=True,
                          timeout=LIMIT_SECONDS, env=environment())
    if done.returncode != code:
        raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    if code and not done.stderr.startswith("error: "):
        raise AssertionError(f"{words}: says {done.stderr}")
    return done.stdout


def judged(game, lines, *options, code=0):
    """The answers to these lines: texts, or objects that become JSON."""
    typed = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    return [json.loads(line) for line in tool("judge", "--game", game, *options, "-", typed=typed, code=code).splitlines()]


def board_lines(moves):
    """Cells of Tic-tac-toe after these moves, and the player who has a line, if any."""
    board = ["."] * 9
    for ply, cell in enumerate(moves):
        board["abc".index(cell[0]) + 3 * "123".index(cell[1])] = "XO"[ply % 2]
    for a, b, c in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board, board[a]
    return board, None


class Positions(unittest.TestCase):
    def test_perft(self):
        for depth, count in ((0, 1), (5, 15120), (9, 127872)):
            out = tool("perft", "--game", "tic_tac_toe", "--depth", depth)
            self.assertEqual(out, f"{count}\n")
        self.assertEqual(tool("perft", "--game", "tic_tac_toe", "--depth", 10), "0\n")
        out = tool("perft", "--game", "tic_tac_toe", "--moves", "b2", "--depth", 3, "--divide").split("\n")
        self.assertEqual([line.split() for line in out[:8]], [[c + r, "42"] for c in "abc" for r in "123" if c + r != "b2"])
        self.assertEqual(out[8:], ["336", ""])
        self.assertEqual(tool("perft", "--game", "gomoku", "--set", "game.width=4", "--set=game.height=7",
                              "--set", "game.line=4", "--depth", 3), f"{28 * 27 * 26}\n")

    def test_moves(self):
        out = tool("moves", "--game", "tic_tac_toe", "--moves", "b2, a1")
        self.assertEqual(out.split("\n"), ["a2", "a3", "b1", "b3", "c1", "c2", "c3", ""])
        done = subprocess.run([BIN / "rf-play", "moves", "--game", "tic_tac_toe", "--moves", "a1 b1 a2 b2 a3"],
                              capture_output=True, text=True, env=environment())
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("the game is over (line)", done.stderr)
        self.assertEqual(len(tool("moves", "--game=gomoku", "--set=game.width=5", "--set=game.height=8").split()), 40)

    def test_show(self):
        out = tool("show", "--game", "tic_tac_toe", "--moves", "a1 b1 a2 b2 a3", "--planes")
        for words in ("X O .", "to move: O (player 1), ply 5", "legal moves: 0", "over: line, X wins",
                      "plane 1: stones of the other player\n  1 0 0\n  1 0 0\n  1 0 0\n"):
            self.assertIn(words, out)
        self.assertIn("over: no", tool("show", "--game", "gomoku", "--moves", "h8 a1"))

    def test_without_a_network_a_run_or_a_writable_folder(self):
        began = time.monotonic()
        done = subprocess.run([BIN / "rf-play", "moves", "--game", "tic_tac_toe"], cwd="/proc", capture_output=True,
                              env=environment())
        self.assertEqual(done.returncode, 0)
        self.assertLess(time.monotonic() - began, 10)

    def test_help(self):
        top = tool("--help")
        for name in ("perft", "moves", "show", "judge", "convert"):
            self.assertIn("rf-play " + name, top)
            text = tool(name, "--help")
            self.assertTrue(text.startswith("rf-play " + name))
            self.assertIn("Examples:", text)

    def test_refusals(self):
        for code, words in ((64, "shwo"), (64, "show"), (64, "show --game chess"), (64, "perft --game tic_tac_toe"),
                            (64, "perft --game tic_tac_toe --depth -1"), (64, "moves --game tic_tac_toe extra"),
                            (64, "show --game tic_tac_toe --position abc"), (65, "show --game tic_tac_toe --moves a1,a1"),
                            (65, "show --game tic_tac_toe --moves zz"), (78, "show --game gomoku --set game.width=99"),
                            (78, "show --game gomoku --set game.wdth=9"), (78, "show --game gomoku --set run.seed=9"),
                            (78, "show --game gomoku --set game.name=tic_tac_toe"), (64, "judge --game gomoku"),
                            (66, "judge --game gomoku nowhere.jsonl"), (66, "judge --game gomoku /"),
                            (64, "convert --game gomoku --from moves x"), (66, "convert --game gomoku --from moves --to actions x"),
                            (64, "convert --game gomoku --from mvoes --to actions /dev/null"),
                            (64, "convert --from moves --to actions /dev/null")):
            self.assertEqual(tool(*words.split(), code=code), "")


class Judge(unittest.TestCase):
    def test_every_game_of_tic_tac_toe_to_five_plies(self):
        cells = [c + r for c in "abc" for r in "123"]
        games = [moves for n in range(6) for moves in itertools.permutations(cells, n)]
        answers = judged("tic_tac_toe", [{"moves": list(moves)} for moves in games])
        self.assertEqual(len(answers), len(games))
        for number, (moves, answer) in enumerate(zip(games, answers), 1):
            board, winner = board_lines(moves)
            self.assertEqual(answer["index"], number)
            self.assertEqual((answer["to_move"], answer["ply"]), (len(moves) % 2, len(moves)))
            self.assertEqual(answer["colour"], "XO"[len(moves) % 2])
            self.assertEqual(answer["terminal"], winner is not None)
            self.assertEqual(answer["outcome"], None if winner is None else -1)
            self.assertEqual(answer["winner"], None if winner is None else "XO".index(winner))
            self.assertEqual(answer["result"], {None: "*", "X": "1-0", "O": "0-1"}[winner])
            self.assertEqual(answer["reason"], winner and "line")
            free = [k for k in range(9) if board[k] == "."] if winner is None else []
            self.assertEqual(answer["legal_actions"], free)
            self.assertEqual(answer["legal"], sorted("abc"[k % 3] + "123"[k // 3] for k in free))

    def test_all_forms_of_a_line_mean_the_same(self):
        forms = ["b2 a1 c3", "b2a1c3", " b2,a1,c3\r", {"moves": "b2 a1 c3"}, {"moves": "b2a1c3"},
                 {"moves": ["b2", "a1", "c3"]}, {"moves": [4, 0, 8]}, {"edges": [4, 0, 8]},
                 {"board": "O...X...X", "to_move": "O"}]
        answers = judged("tic_tac_toe", forms)
        for answer in answers:
            self.assertEqual({**answer, "index": 0}, {**answers[0], "index": 0})

    def test_sizes_of_a_line_go_before_those_of_the_call(self):
        sizes = [({"w": 5, "h": 8, "n": 4}, 40), ({"width": 6, "height": 4}, 24), ({}, 49), ({"h": 9}, 63)]
        answers = judged("gomoku", [size for size, _ in sizes], "--set=game.width=7", "--set=game.height=7",
                         "--set=game.line=4")
        self.assertEqual([len(answer["legal"]) for answer in answers], [cells for _, cells in sizes])

    def test_bad_lines_are_named_and_the_others_judged(self):
        lines = ["b2", "b2 b2", "{", "[1]", {"moves": [9]}, {"moves": [1.5]}, {"moves": 3}, {"moves": ["b2", "xx"]}, "",
                 "# note", {"id": 7, "name": "last"}, {"fen": "x"}, {"board": "XXXOOO..."}, {"board": "O........"},
                 {"board": "X........", "to_move": "X"}, {"moves": [10 ** 30]}, {"moves": [-1]}, {"mask": -1}]
        answers = judged("tic_tac_toe", lines, code=65)
        self.assertEqual([answer["index"] for answer in answers], [n for n in range(1, len(lines) + 1) if n not in (9, 10)])
        good = [answer for answer in answers if "error" not in answer]
        self.assertEqual([answer["index"] for answer in good], [1, 11])
        self.assertEqual((good[1]["id"], good[1]["name"]), (7, "last"))
        self.assertIn("'xx', is no legal move", answers[7]["error"])
        self.assertEqual(len(judged("gomoku", [{"w": 99}, {"w": 5, "h": 5}, {"w": "5"}], code=65)), 3)

    def test_hostile_lines(self):
        deep = '{"moves":' + "[" * 100000 + "]" * 100000 + "}"
        answers = judged("tic_tac_toe", [deep, '{"id":' + deep + "}", "x" * 1000000, '{"moves":"\\u0000"}', "\xff\x00"],
                         code=65)
        self.assertEqual([("error" in answer) for answer in answers], [True, False, True, True, True])

    def test_answers_come_line_by_line(self):
        process = subprocess.Popen([BIN / "rf-play", "judge", "--game", "tic_tac_toe", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, env=environment())
        for moves in ("b2", "b2 a1"):
            process.stdin.write(moves + "\n")
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["ply"], len(moves.split()))
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(process.wait(10), 0)


class Convert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_there_and_back(self):
        games = "b2 a1 c3\na1 b1 a2 b2 a3\n\n"
        (self.folder / "games.txt").write_text(games)
        out = self.folder / "out.txt"
        self.assertEqual(tool("convert", "--game", "tic_tac_toe", "--from", "moves", "--to", "jsonl", "--out", out,
                              self.folder / "games.txt"), "")
        self.assertEqual([json.loads(line) for line in out.read_text().splitlines()],
                         [{"moves": ["b2", "a1", "c3"], "result": "*"},
                          {"moves": ["a1", "b1", "a2", "b2", "a3"], "result": "1-0"}])
        actions = tool("convert", "--game", "tic_tac_toe", "--from", "jsonl", "--to", "actions", out)
        self.assertEqual(actions, "4 0 8\n0 1 3 4 6\n")
        self.assertEqual(tool("convert", "--game", "tic_tac_toe", "--from", "actions", "--to", "moves", "-", typed=actions),
                         "b2 a1 c3\na1 b1 a2 b2 a3\n")

    def test_the_size_comes_from_the_line(self):
        lines = '{"w":6,"h":6,"n":4,"moves":[0,35]}\n{"w":6,"h":6,"n":4,"moves":"a1"}\n'
        self.assertEqual(tool("convert", "--game=gomoku", "--from=jsonl", "--to=actions", "-", typed=lines).count("\n"), 2)
        mixed = lines + '{"w":7,"h":7,"n":4,"moves":[]}\n'
        tool("convert", "--game=gomoku", "--from=jsonl", "--to=actions", "-", typed=mixed, code=65)

    def test_nothing_is_written_when_a_game_is_wrong(self):
        out = self.folder / "out.txt"
        for typed in ("b2\nb2 b2\n", "zz\n"):
            tool("convert", "--game=tic_tac_toe", "--from=moves", "--to=actions", "--out", out, "-", typed=typed, code=65)
            tool("convert", "--game=tic_tac_toe", "--from=jsonl", "--to=actions", "--out", out, "-", typed=typed, code=65)
        self.assertFalse(out.exists())
        tool("convert", "--game=tic_tac_toe", "--from=moves", "--to=actions", "--out", self.folder / "no" / "x", "-",
             typed="b2\n", code=73)


def rows_of(path):
    return [json.loads(line) for line in (DATA / path).read_text().splitlines()]


class Games(unittest.TestCase):
    """Positions of each game whose answers are known."""

    def test_dots_and_boxes(self):
        rows = rows_of("dots_and_boxes/positions.jsonl")
        answers = judged("dots_and_boxes", rows, "--solve")
        self.assertEqual(len(answers), len(rows))
        for row, answer in zip(rows, answers):
            self.assertEqual((answer["value"], answer["optimal"]), (row["value"], row["optimal"]))
        for key in ("edges", "mask"):  # either is enough
            again = judged("dots_and_boxes", [{name: row[name] for name in ("rows", "cols", key)} for row in rows])
            self.assertEqual([answer["hash"] for answer in again], [answer["hash"] for answer in answers])
        self.assertIn("solve", judged("dots_and_boxes", [{"rows": 4, "cols": 4}], "--solve", code=65)[0]["error"])

    def test_tic_tac_toe_is_solved(self):
        rows = [line.split() for line in (DATA / "tic_tac_toe_table.txt").read_text().splitlines() if line[0] != "#"]
        answers = judged("tic_tac_toe", [{"board": row[0]} for row in rows], "--solve")
        self.assertEqual(len(answers), len(rows))
        for (board, value, plies, best), answer in zip(rows, answers):
            self.assertEqual(answer["outcome_perfect"], int(value), board)
            self.assertEqual(sum(1 << cell for cell in answer["best"]), int(best), board)

    def test_connect_four(self):
        lines = [line.split() for line in (DATA / "connect_four" / "Test_L3_R1").read_text().splitlines()][:120]
        answers = judged("connect_four", [" ".join(words[:2]) for words in lines], "--solve")
        for (moves, score, values), answer in zip(lines, answers, strict=True):
            self.assertEqual((answer["ply"], answer["score"]), (len(moves), int(score)))
            signs = "".join("." if value is None else "-=+"[(value > 0) - (value < 0) + 1] for value in answer["scores"])
            self.assertEqual(signs, values)
        lines = [line.split() for line in (DATA / "connect_four" / "scores.txt").read_text().splitlines()][:60]
        for words, answer in zip(lines, judged("connect_four", [{"moves": words[0]} for words in lines], "--solve")):
            self.assertEqual(answer["scores"], [None if word == "." else int(word) for word in words[1:]])
            self.assertEqual([answer["scores"][column - 1] for column in answer["best"]],
                             [answer["score"]] * len(answer["best"]))
        self.assertEqual(tool("perft", "--game", "connect_four", "--depth", 6), "117649\n")

    def test_moves_and_scores_are_told_apart(self):
        answers = judged("connect_four", ["4 4", "44 4", "4", "4 -2", "4 0", "44 2 -=+-=+-", "4,4", "\ufeff4 4"])
        self.assertEqual([answer["ply"] for answer in answers], [2, 2, 1, 1, 1, 2, 2, 2])

    def test_masks(self):
        boxes = ("--set=game.rows=2", "--set=game.cols=2", "--solve")
        masks = [0, 5, 4095, 1234]
        tabled = judged("dots_and_boxes", [f"{mask} 99" for mask in masks], *boxes, "--masks")
        self.assertEqual(tabled, judged("dots_and_boxes", [{"mask": mask} for mask in masks], *boxes))
        self.assertIn("no mask", judged("dots_and_boxes", ["x 1"], *boxes, "--masks", code=65)[0]["error"])

    def test_input_without_end(self):
        self.assertEqual(tool("judge", "--game=connect_four", "/dev/zero", code=65), "")

    def test_gomoku(self):
        rows = rows_of("gomoku/overline_cases.jsonl")
        for rule in ("freestyle", "standard", "renju"):
            for row, answer in zip(rows, judged("gomoku", rows, f"--set=game.rule={rule}")):
                won = answer["terminal"] and answer["winner"] == (0 if row["colour"] == "black" else 1)
                self.assertEqual((answer["name"], won), (row["name"], row[rule] == "win"))
                if row[rule] == "forbidden_overline":
                    self.assertEqual((answer["reason"], answer["outcome"]), ("forbidden overline", 1))
        rows = rows_of("gomoku/solved_6x6x4.jsonl")
        small = ("--set=game.width=6", "--set=game.height=6", "--set=game.line=4")
        for row, answer in zip(rows, judged("gomoku", rows, "--solve", *small)):
            self.assertEqual(answer["colour"], ("black", "white")[len(row["moves"]) % 2])
            if row["kind"].startswith("win_in"):
                self.assertEqual((answer["outcome_perfect"], answer["best"]), (1, row["best_moves"]))
            elif row["kind"] == "lost_in_2":
                self.assertEqual(answer["outcome_perfect"], -1)
            else:
                self.assertEqual((answer["solved"], answer["value"], answer["best"]), (False, None, row["best_moves"]))

    def test_xiangqi(self):
        rows = rows_of("xiangqi/legal_moves.jsonl")
        answers = judged("xiangqi", rows)
        self.assertEqual([answer["legal"] for answer in answers], [row["legal"] for row in rows])
        self.assertEqual([answer["terminal"] for answer in answers], [not row["legal"] for row in rows])
        perft = [line for line in (DATA / "xiangqi" / "perft.txt").read_text().splitlines() if line.split()[-2] == "1"]
        for line, answer in zip(perft, judged("xiangqi", perft, code=65), strict=True):
            if "error" in answer:  # a few are no positions of a game
                self.assertIn("never stands on", answer["error"])
            else:
                self.assertEqual(len(answer["legal"]), int(line.split()[-1]))
        verdicts = {0: "draw", 1: "side_to_move_wins", -1: "side_to_move_loses", None: "no end"}
        rows = rows_of("xiangqi/repetition_cases.jsonl")
        for repetition, column in (("checks", "check_only"), ("chase", "pikafish")):
            for row, answer in zip(rows, judged("xiangqi", rows, f"--set=game.repetition={repetition}")):
                if repetition == "checks" or row["engines_agree"]:
                    self.assertEqual(verdicts[answer["outcome"]], row[column])
                    self.assertEqual(answer["colour"][0], {"w": "r", "b": "b"}[row["side_to_move_after"]])
        start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
        forms = [start + "; h2e2 h9g7", start + " moves h2e2 h9g7", "h2e2 h9g7", {"fen": start, "moves": "h2e2 h9g7"}]
        answers = judged("xiangqi", forms)
        self.assertEqual(len({answer["fen"] for answer in answers}), 1)
        self.assertEqual(tool("perft", "--game=xiangqi", "--position", start, "--depth", 3), "79666\n")
        self.assertEqual(tool("perft", "--game=xiangqi", "--moves", "h2e2", "--depth", 2, "--divide").split("\n")[-2],
                         "1564")
        labels = tool("show", "--game=xiangqi", "--actions")
        self.assertEqual(labels, (DATA / "xiangqi" / "labels_2086.txt").read_text())
        for exposed in ("4k4/9/9/9/9/9/9/9/9/4K4 w", "4k4/4R4/9/9/9/4r4/9/9/9/3K5 w - - 0 1"):
            self.assertEqual(tool("perft", "--game=xiangqi", "--position", exposed, "--depth", 2, code=65), "")
        nowhere = "4k4/9/9/9/9/9/9/4n4/3A5/3K5 w"  # no advisor gets to d1, but a published list has it there
        self.assertEqual(tool("perft", "--game=xiangqi", "--position", nowhere, "--depth", 6), "786\n")
        self.assertEqual(len(tool("moves", "--game=xiangqi", "--position", start).split()), 44)


class Notations(unittest.TestCase):
    def test_moves_of_xiangqi_in_all_notations(self):
        rows = [dict(zip(("fen", "move", "iccs", "wxf", "chinese"), map(str.strip, line.split(" | "))))
                for line in (DATA / "xiangqi" / "notation.txt").read_text().splitlines() if line[0] != "#"]
        for given in ("move", "iccs", "wxf"):
            typed = "".join(json.dumps({"fen": row["fen"], given: row[given]}) + "\n" for row in rows)
            out = tool("convert", "--game=xiangqi", "--from=jsonl", "--to=jsonl", "-", typed=typed)
            for row, answer in zip(rows, map(json.loads, out.splitlines()), strict=True):
                self.assertEqual((answer["coordinate"], answer["iccs"], answer["wxf"]),
                                 (row["move"], row["iccs"], row["wxf"]))
                if row["chinese"] != "-":
                    self.assertEqual(answer["chinese"], row["chinese"])
        tool("convert", "--game=xiangqi", "--from=jsonl", "--to=jsonl", "-", typed='{"move": "a0a9"}\n', code=65)

    def test_a_printed_game(self):
        game = json.loads((DATA / "xiangqi" / "printed_game.json").read_text())
        out = json.loads(tool("convert", "--game=xiangqi", "--set=game.rules=loose", "--from=jsonl", "--to=jsonl", "-",
                              typed=json.dumps(game)))
        self.assertEqual(out["fens"][:len(game["fens"])], game["fens"])
        self.assertEqual((out["coordinate"], out["result"]), (game["moves"], "1-0"))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "game"
            moves = " ".join(game["moves"][:61]) + "\n"
            for form in ("cbf", "pgn-wxf", "pgn-chinese", "dhtmlxq", "chinese"):
                tool("convert", "--from=moves", "--to", form, "--out", path, "-", typed=moves)
                self.assertEqual(tool("convert", "--from", form, "--to=moves", "--game=xiangqi", path), moves)

    def test_gomoku_records_bring_their_size(self):
        typed = "a1 b2 c3 d4\n"
        psq = tool("convert", "--game=gomoku", "--set=game.width=8", "--set=game.height=9", "--from=moves", "--to=psq",
                   "-", typed=typed)
        self.assertTrue(psq.startswith("Piskvorky 8x9"))
        self.assertEqual(tool("convert", "--from=psq", "--to=moves", "-", typed=psq), typed)
        tool("convert", "--from=psq", "--to=moves", "--set=game.width=9", "-", typed=psq, code=65)

    def test_boxes_with_passes(self):
        typed = "0 2 4 6 8 10\n"
        passes = tool("convert", "--game=dots_and_boxes", "--set=game.rows=2", "--set=game.cols=2", "--from=moves",
                      "--to=pass-list", "-", typed=typed)
        self.assertEqual(tool("convert", "--from=pass-list", "--to=moves", "--set=game.rows=2", "--set=game.cols=2", "-",
                              typed=passes), typed)


if __name__ == "__main__":
    unittest.main()
