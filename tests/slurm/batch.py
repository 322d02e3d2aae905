"""What the tests on Slurm share: one cluster a program, calls of jobs/submit and jobs/cancel, waiting for jobs."""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pipeline"))
import rankfile  # noqa: E402
from cluster import Cluster  # noqa: E402

JOBS = rankfile.SOURCE / "jobs"
PROGRAMS = ("rf-generate", "rf-train", "rf-gate", "rf-export", "rf-status")
LIMIT_SECONDS = 400  # a hang is an error, not a slow machine

# Self-play of some seconds on two ranks, sealed all the time.
SLOW = ("search.simulations=4000", "selfplay.games_per_iteration=300", "selfplay.evaluator=hash", "selfplay.seal_seconds=0.1",
        "selfplay.games_in_parallel=4", "train.reuse=1")


class SlurmCase(rankfile.RunCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.close)

    def setUp(self):
        super().setUp()
        self.addCleanup(self.empty_queue)  # of a test that failed

    def empty_queue(self):
        if self.queue():
            self.cluster.ask("scancel", "--me")
            rankfile.wait_until(lambda: not self.queue())

    def submit(self, *options, run=None, code=0, config=rankfile.SMOKE, sets=(), site=None, programs=rankfile.BIN):
        """Calls jobs/submit; (standard output, standard error)."""
        words = [str(JOBS / "submit"), "--run", str(run or self.run_folder), "--site", str(site or self.cluster.site)]
        if config:
            words += ["--config", str(config)]
        if programs:
            words += ["--bin", str(programs)]
        for setting in sets:
            words += ["--set", setting]
        return self.jobs_command(words + list(options), code)

    def cancel(self, run=None):
        return self.jobs_command([str(JOBS / "cancel"), "--run", str(run or self.run_folder)], 0)[0]

    def jobs_command(self, words, code):
        done = subprocess.run(words, env=self.cluster.env, capture_output=True, text=True, timeout=LIMIT_SECONDS)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout, done.stderr

    def submitted(self, run=None):
        """{(stage, iteration): job} of the last submission."""
        record = json.loads(((run or self.run_folder) / "jobs.json").read_text())
        return {(job["stage"], job["iteration"]): job["id"] for job in record["submissions"][-1]["jobs"]}

    def queue(self):
        """Ids of all jobs in the queue."""
        return self.cluster.ask("squeue", "-h", "-o", "%i").split()

    def wait_for_queue(self, seconds=LIMIT_SECONDS):
        try:
            rankfile.wait_until(lambda: not self.queue(), seconds, pause=0.3)
        except TimeoutError:
            self.fail(self.cluster.ask("squeue") + "\n" + self.logs())

    def logs(self, run=None):
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')}"
                         for log in sorted((run or self.run_folder).glob("logs/*-*.log")))

    def log(self, stage, iteration):
        return (self.run_folder / "logs" / f"{stage}-{iteration:06}.log").read_text(errors="replace")

    def wait_for_shard(self):
        """Until self-play has sealed something; fails when its job is over before."""
        rankfile.wait_until(lambda: rankfile.shards(self.run_folder) or not self.queue(), pause=0.02)
        self.assertFalse(rankfile.has_manifest(self.run_folder, "generate"), self.logs())
        self.assertTrue(self.queue(), self.logs())

    def assert_finished(self, iterations, games, run=None, exported=True):
        """All stages sealed, each game there once, nothing left over."""
        run = run or self.run_folder
        for iteration in range(1, iterations + 1):
            for stage in ("generate", "train", "gate"):
                self.assertTrue(rankfile.has_manifest(run, stage, iteration), f"{stage} {iteration}\n{self.logs(run)}")
            self.assertEqual(sorted(rankfile.read_games(rankfile.shards(run, iteration))), list(range(games)))
            self.assertEqual(rankfile.manifest(run, "generate", iteration)["games"], games)
        self.assertFalse(rankfile.has_manifest(run, "generate", iterations + 1))
        if exported:
            card = json.loads((run / "export" / "model_card.json").read_text())
            self.assertEqual(card["network_digest"], rankfile.champion(run)["digest"])
        self.assertEqual(rankfile.leftovers(run), [])

    def programs_with(self, name, script):
        """A folder of the programs in which one is a script. `real` in it stands for the program itself."""
        folder = self.folder / "programs"
        folder.mkdir()
        for program in PROGRAMS:
            shutil.copy(rankfile.BIN / program, folder)
        (folder / name).write_text(script.replace("real", f"'{rankfile.BIN / name}'"))
        (folder / name).chmod(stat.S_IRWXU)
        return folder
