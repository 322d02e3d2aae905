"""rf-play in the terminal: games to the end, undo, hints, nonsense, the end of the input."""

import pathlib
import subprocess
import tempfile
import unittest

import rankfile


class Play(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.where = pathlib.Path(cls.folder.name) / "run"
        for stage in ("generate", "train", "gate"):
            config = rankfile.SMOKE if stage == "generate" else None
            assert rankfile.call(stage, cls.where, config=config).returncode == 0

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def play(self, typed, *options, run=None):
        result = subprocess.run(rankfile.command("play", run or self.where, *options), input=typed, capture_output=True,
                                text=True, errors="replace", timeout=60, env=rankfile.environment())
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_a_whole_game_whatever_is_typed(self):
        every_cell = "".join(f"{c}{r}\n" for c in "abc" for r in "123")
        for options in (["--first"], [], ["--network", "0", "--simulations", "3"]):
            text = self.play(every_cell, *options)
            self.assertIn("the game is over: ", text)
            self.assertIn("moves:", text)

    def test_the_network_alone(self):
        text = self.play("", "--both")
        self.assertIn("the game is over: ", text)
        self.assertEqual(text, self.play("", "--both"))  # no noise, so the same seed gives the same game

    def test_undo_hint_board_help(self):
        text = self.play("undo\nb2\nundo\nhint\nboard\nhelp\nb2\nquit\n", "--first")
        self.assertIn("nothing to take back", text)
        self.assertIn("visits", text)
        self.assertEqual(text.count("the network plays"), 2)

    def test_nonsense_is_named_and_harmless(self):
        text = self.play("z9\n\n   \n-1\na1 a2\n" + "x" * 100000 + "\nÄ\n\x00\x01\nb2\n", "--first")
        self.assertIn("'z9' is no legal move here", text)
        self.assertIn("the network plays", text)
        self.assertIn("(end of input)", text)

    def test_a_game_in_which_a_player_moves_again(self):
        run = pathlib.Path(self.folder.name) / "boxes"
        sets = ("game.name=dots_and_boxes", "game.rows=1", "game.cols=2", "selfplay.games_per_iteration=2")
        self.assertEqual(rankfile.call("generate", run, config=rankfile.SMOKE, sets=sets).returncode, 0)
        every_edge = "".join(f"{edge}\n" for edge in range(7)) * 3
        for options in (["--first"], [], ["--both"]):
            text = self.play(every_edge, *options, run=run)
            self.assertIn("the game is over: ", text)
            self.assertRegex(text, r"moves:( \d){7}\n")
        # Whoever took the last box before the undo, it goes back to a decision of the person.
        text = self.play("0\nundo\nhelp\nhint\n" + every_edge, "--first", run=run)
        self.assertIn("a move such as 0", text)
        self.assertIn("the game is over: ", text)
        text = self.play("help\nquit\n", "--first", run=run)
        self.assertIn("a move such as 0", text)

    def test_bad_options(self):
        for options, code in ((["--network", "99"], 66), (["--simulations", "-1"], 64), (["--frist"], 64)):
            result = rankfile.call("play", self.where, *options)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertTrue(result.stderr.startswith("error: "), result.stderr)


if __name__ == "__main__":
    unittest.main()
