"""Gomoku 6x6, four in a row: after 250 s from nothing on two cores, at least 18 of 20 points against pure MCTS of
1000 playouts with 100 simulations a move. A measurement, for a quiet machine."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pipeline"))
import rankfile  # noqa: E402


class Gomoku(unittest.TestCase):
    def test_beats_pure_mcts(self):
        with tempfile.TemporaryDirectory() as folder:
            run = pathlib.Path(folder) / "run"
            local = subprocess.run(
                [rankfile.SOURCE / "jobs" / "local", "--bin", rankfile.BIN, "--run", run, "--ranks", "2",
                 "--config", rankfile.SOURCE / "configs" / "gomoku_6x6x4.yaml", "--seconds", "250"],
                env=rankfile.environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=500)
            self.assertEqual(local.returncode, 0, local.stdout[-3000:])
            points = {}
            for playouts in (200, 1000, 5000):
                result = rankfile.call("gate", run, "--versus", f"mcts:{playouts}", "--games", 20, "--simulations", 100,
                                       "--json", ranks=2)
                self.assertEqual(result.returncode, 0, result.stderr)
                points[playouts] = json.loads(result.stdout.splitlines()[-1])
                print(result.stdout)
            self.assertEqual(points[1000]["games"] + points[1000]["duplicates"], 20)
            self.assertGreaterEqual(points[1000]["points"], 18)


if __name__ == "__main__":
    unittest.main()
