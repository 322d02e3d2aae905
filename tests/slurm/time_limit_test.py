"""A stage that does not end before its time limit is told, seals, and the next task of the array goes on."""

import json
import unittest

import batch
import rankfile


class TimeLimit(batch.SlurmCase):
    def test_a_time_limit_in_the_middle_of_self_play(self):
        # Its first call has hundreds of millions of simulations to do, on a board that no tree exhausts; Slurm looks at
        # the limits of a minute each half minute.
        marker = self.folder / "first"
        endless = self.programs_with("rf-generate", f"""#!/bin/sh
if mkdir '{marker}' 2>/dev/null || [ "$SLURM_ARRAY_TASK_ID" = 1 ]; then
  exec real "$@" --set search.simulations=200000 --set selfplay.games_in_parallel=2
fi
exec real "$@"
""")
        site = self.folder / "site.env"
        site.write_text(self.cluster.site.read_text() + "signal_seconds=55\n")
        self.submit("--iterations", "1", "--sbatch", "generate=--time=1", programs=endless, site=site,
                    sets=("game.name=gomoku", "game.width=8", "game.height=8"))
        self.wait_for_queue()
        log = self.log("generate", 1)
        self.assertIn("interrupted by SIGUSR1: finished games are sealed", log)
        self.assertIn("generate of iteration 1 was told to stop (SIGUSR1); the next job of the array goes on", log)
        self.assertIn("task 2, nodes", log)
        self.assert_finished(1, 16)
        lines = (self.run_folder / "jobs/000001/tries.jsonl").read_text().splitlines()
        tries = [json.loads(line)["point"][0] for line in lines]
        self.assertEqual(tries[:2] + tries[-3:], ["generate", "generate", "train", "gate", "export"])


if __name__ == "__main__":
    unittest.main()
