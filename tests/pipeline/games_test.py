"""A whole iteration of every registered game, on boards that are not square too: generate, train, gate, export, play."""

import unittest

from rankfile import *

# Some options for each game; planes and actions follow from them.
BOARDS = (
    ("tic_tac_toe", ()),
    ("gomoku", ("width=5", "height=8", "line=4")),
    ("gomoku", ("width=6", "height=5", "line=5", "rule=standard", "planes=classic4")),
    ("connect_four", ("columns=5", "rows=4")),
    ("connect6", ("width=5", "height=4", "line=4")),
    ("dots_and_boxes", ("rows=2", "cols=3")),
    ("dots_and_boxes", ("rows=1", "cols=2")),
    ("xiangqi", ("max_plies=12", "no_capture_plies=6")),
    ("xiangqi", ("max_plies=8", "rules=loose", "planes=pieces14")),
)
TINY = ("search.simulations=6", "selfplay.games_per_iteration=4", "gate.games=2", "gate.opening_plies=1")


class Games(RunCase):
    def test_every_registered_game_is_here(self):
        help_text = subprocess.run([BIN / "rf-play", "moves", "--help"], capture_output=True, text=True,
                                   env=environment()).stdout
        named = re.search(r"the game: ([a-z0-9_,\s]+?)\n\s+--", help_text)[1]
        self.assertEqual(set(re.split(r",\s+", named)), {name for name, _ in BOARDS})

    def test_a_whole_iteration(self):
        for number, (name, options) in enumerate(BOARDS):
            with self.subTest(game=name, options=options):
                self.iteration(self.folder / f"run {number}", name, options)

    def iteration(self, run, name, options):
        sets = (f"game.name={name}", *(f"game.{option}" for option in options), *TINY)
        self.expect(0, "generate", run=run, sets=sets)
        for stage in ("train", "gate", "export"):
            self.expect(0, stage, run=run)
        self.assertEqual(len(read_games(shards(run))), 4)
        self.assertGreaterEqual(len(training_rows(shards(run))), 4)
        card = next((run / "export").rglob("model_card.md")).read_text()
        self.assertIn(name, card)
        played = self.expect(0, "play", "--both", run=run).stdout
        self.assertIn("the game is over: ", played)
        # What was played is legal by the rules as the commands without a run know them, and ends as told.
        moves = played.rpartition("moves: ")[2].strip()
        sets = [f"--set=game.{option}" for option in options]
        shown = subprocess.run([BIN / "rf-play", "show", "--game", name, *sets, "--moves", moves, "--planes"],
                               capture_output=True, text=True, env=environment())
        self.assertEqual(shown.returncode, 0, shown.stderr)
        for plane in re.findall(r"^plane \d+: (.*)$", shown.stdout, re.M):
            self.assertIn(plane, card)
        reason = re.search(r"the game is over: .* \((.*)\)", played)[1]
        self.assertIn(f"over: {reason}, ", shown.stdout)
        status = json.loads(self.expect(0, "status", "--json", run=run).stdout)
        self.assertTrue(status["game"].startswith(name))
        self.assertEqual((status["state"], status["finished_iterations"], status["damaged"]), ("finished", 1, []))
        self.assertIn(name, self.expect(0, "status", run=run).stdout)


if __name__ == "__main__":
    unittest.main()
