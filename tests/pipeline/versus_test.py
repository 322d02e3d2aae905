"""rf-gate --versus: measured matches, on one rank and on more, and what is refused."""

import json
import signal
import shutil
import unittest

from rankfile import *


class Versus(Refusals):
    def setUp(self):
        super().setUp()
        self.make_run(stages=("generate", "train", "gate"), sets=())

    def versus(self, who, *options, ranks=0):
        done = self.expect(0, "gate", "--versus", who, "--json", *options, ranks=ranks)
        return json.loads(done.stdout.splitlines()[-1])

    def test_every_opponent_on_any_number_of_ranks(self):
        for who, options in (("every", ("--simulations", 8)), ("random", ("--games", 6)), ("network:0", ("--games", 6)),
                             ("mcts:20", ("--games", 5))):
            results = [self.versus(who, *options, ranks=ranks) for ranks in (0, 2, 3)]
            for result in results:
                result.pop("seconds")
                self.assertEqual(result, results[0])  # the same games on any number of ranks
                self.assertEqual(result["wins"] + result["draws"] + result["losses"], result["games"])
                self.assertEqual(result["first"]["games"] + result["second"]["games"], result["games"])
                self.assertEqual(result["points"], result["wins"] + result["draws"] / 2)

    def test_what_names_no_opponent_or_has_no_meaning(self):
        for options in (("--versus", "mcts:0"), ("--versus", "mcts:99999999999"), ("--versus", "mcts:1e3"),
                        ("--versus", "network:-1"), ("--versus", "nobody"), ("--versus", "every", "--games", 4),
                        ("--versus", "random", "--games", 0), ("--versus", "random", "--opening-plies", 9),
                        ("--json",), ("--games", 4), ("--network", 1)):
            self.refused(64, "gate", "error: ", *options)
        self.refused(66, "gate", "no network 7", "--versus", "network:7")

    def test_another_network_under_the_champions_name_is_refused(self):
        networks = self.run_folder / "networks"
        shutil.copyfile(networks / "000000.h5", networks / "000001.h5")
        for stage, options in (("gate", ("--versus", "random")), ("export", ()), ("play", ("--both",))):
            self.refused(65, stage, "is not the network that the run names", *options)

    def test_a_lost_result_is_an_error(self):
        for stage, options in (("gate", ("--versus", "random", "--games", 2)), ("status", ())):
            with open("/dev/full", "w") as full:
                done = subprocess.run(command(stage, self.run_folder, *options), stdout=full, stderr=subprocess.PIPE,
                                      text=True, env=environment(), timeout=LIMIT_SECONDS)
            self.assertEqual(done.returncode, 73, done.stderr)
            self.assertIn("standard output", done.stderr)

    def test_a_large_game_can_be_stopped(self):
        run = self.folder / "gomoku"
        sets = ("game.name=gomoku", "game.width=6", "game.height=6", "game.line=4", "selfplay.games_per_iteration=1")
        self.expect(0, "generate", run=run, sets=sets)
        job = self.job("gate", "--versus", "every", "--simulations", 200, run=run)
        wait_until(lambda: job.rank_ids())
        time.sleep(1.5)
        job.send(signal.SIGTERM)
        self.assertIn(job.wait(10), (75, 64))  # 64: the limit came first


class Boxes(Refusals):
    """Opponents that play by rule, in a game in which a player moves again."""

    def versus(self, who, *options, run, ranks=0):
        return json.loads(self.expect(0, "gate", "--versus", who, "--json", *options, run=run, ranks=ranks).stdout
                          .splitlines()[-1])

    def make_boxes(self, rows, cols):
        run = self.folder / f"{rows}x{cols}"
        self.expect(0, "generate", run=run, sets=("game.name=dots_and_boxes", f"game.rows={rows}", f"game.cols={cols}",
                                                  "selfplay.games_per_iteration=1"))
        return run

    def test_opponents_without_a_network(self):
        run = self.make_boxes(2, 2)
        for who in ("greedy", "alphabeta:3", "solver"):
            results = [self.versus(who, "--games", 6, run=run, ranks=ranks) for ranks in (0, 2)]
            for result in results:
                result.pop("seconds")
                self.assertEqual(result, results[0])
                self.assertEqual((result["versus"], result["games"] + result["duplicates"]), (who, 6))
        # Perfect play wins 2x2 moving first.
        self.assertEqual(self.versus("solver", "--games", 10, run=run)["second"]["wins"], 0)
        for who in ("alphabeta:0", "alphabeta:65", "alphabeta:x", "alphabeta", "greedy:1", "Solver"):
            self.expect(64, "gate", "--versus", who, run=run)

    def test_every_line_of_a_game_in_which_a_player_moves_again(self):
        result = self.versus("every", "--simulations", 50, run=self.make_boxes(1, 2))
        self.assertGreater(result["games"], 20)
        self.assertEqual(result["first"]["games"] + result["second"]["games"], result["games"])

    def test_a_board_without_a_solver(self):
        run = self.make_boxes(3, 4)
        self.expect(64, "gate", "--versus", "solver", run=run, says="solve")
        self.versus("greedy", "--games", 2, run=run)


class LostFiles(Refusals):
    def test_a_shard_that_is_gone(self):
        self.make_run(stages=("generate",), sets=())
        shards(self.run_folder)[0].unlink()
        self.refused(66, "train", "is gone")

    def test_the_champion_is_restored_from_the_gates(self):
        self.make_run(stages=("generate", "train", "gate"), sets=())
        before = champion(self.run_folder)
        (self.run_folder / "champion.json").unlink()
        status = self.result("status")
        self.assertEqual(status.returncode, 65)
        self.assertIn("champion.json is not there", status.stdout)
        self.expect(0, "generate", config=None, sets=())
        after = champion(self.run_folder)
        self.assertEqual({**before, "since": 0}, {**after, "since": 0})

    def test_no_run_is_made_over_the_iterations_of_another(self):
        self.make_run(stages=("generate",), sets=())
        (self.run_folder / "run.json").write_text("")
        self.assertIn("the run's id is in each manifest", self.result("status").stderr)
        (self.run_folder / "run.json").unlink()
        self.refused(65, "generate", "has iterations but no run.json")
        (self.run_folder / "run.yaml").unlink()
        self.refused(65, "generate", "has iterations but no run.json")

    def test_a_far_away_iteration_is_told_at_once(self):
        self.make_run(stages=("generate", "train", "gate"), sets=())
        shutil.copytree(iteration_folder(self.run_folder), self.run_folder / "iterations" / "999999999")
        began = time.monotonic()
        self.result("status")
        self.assertLess(time.monotonic() - began, 10)


if __name__ == "__main__":
    unittest.main()
