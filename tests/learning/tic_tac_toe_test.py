"""Tic-tac-toe learns to lose in no line of play, whatever the opponent does, with either colour."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pipeline"))
import rankfile  # noqa: E402

ITERATIONS = 20  # about a minute on two cores; at 10 a line is lost now and then


class TicTacToe(unittest.TestCase):
    def test_loses_in_no_line(self):
        with tempfile.TemporaryDirectory() as folder:
            run = pathlib.Path(folder) / "run"
            local = subprocess.run(
                [rankfile.SOURCE / "jobs" / "local", "--bin", rankfile.BIN, "--run", run, "--ranks", "2",
                 "--config", rankfile.SOURCE / "configs" / "tic_tac_toe.yaml", "--iterations", str(ITERATIONS)],
                env=rankfile.environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=500)
            self.assertEqual(local.returncode, 0, local.stdout[-3000:])

            trained = self.every_line(run, network=-1)
            print(json.dumps(trained))
            self.assertEqual(trained["losses"], 0)
            self.assertEqual(trained["first"]["losses"] + trained["second"]["losses"], 0)
            self.assertGreater(trained["games"], 200)  # both colours, all replies
            # The measure can fail: the random first network loses somewhere with so little thought.
            self.assertGreater(self.every_line(run, network=0, simulations=2)["losses"], 0)

    def every_line(self, run, network, simulations=50):
        result = rankfile.call("gate", run, "--versus", "every", "--simulations", simulations, "--network", network,
                               "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
