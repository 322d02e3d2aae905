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


if __name__ == "__main__":
    unittest.main()
