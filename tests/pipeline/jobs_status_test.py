"""jobs/status without a cluster, and with a squeue that says what the test wants."""

import pty
import stat
import subprocess
import sys
import unittest

from rankfile import *

STATUS = SOURCE / "jobs" / "status"
SLOW = ("run.progress_seconds=0.1", "search.simulations=800", "selfplay.games_per_iteration=100000",
        "selfplay.seal_seconds=0.2")


class JobsStatus(RunCase):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "path"  # holds what a machine without Slurm has
        self.path.mkdir()
        (self.path / "python3").symlink_to(sys.executable)

    def squeue(self, script):
        (self.path / "squeue").write_text("#!/bin/sh\n" + script)
        (self.path / "squeue").chmod(stat.S_IRWXU)

    def words(self, *options, run=None):
        return [str(STATUS), "--run", str(run or self.run_folder), "--bin", str(BIN), *map(str, options)]

    def env(self):
        return environment(PATH=str(self.path))

    def status(self, *options, code=0, run=None):
        done = subprocess.run(self.words(*options, run=run), env=self.env(), capture_output=True, text=True,
                              timeout=LIMIT_SECONDS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code in (0, 65) else done.stderr

    def iterate(self, **first):
        self.expect(0, "generate", **first)
        self.expect(0, "train")
        self.expect(0, "gate")

    def suffix(self):
        """Of the jobs of this run in the queue."""
        script = f"import chain; print(chain.job_suffix({str(self.run_folder)!r}))"
        return subprocess.run(["python3", "-B", "-c", script], cwd=SOURCE / "jobs", capture_output=True, text=True,
                              check=True).stdout.strip()

    def test_without_a_scheduler(self):
        self.iterate()
        self.iterate()
        told = self.status()
        for words in ("finished: every iteration that was begun", "queue      not known: there is no squeue",
                      "runs       nothing", "next       rf-generate of iteration 3", "an iteration takes ", "promoted"):
            self.assertIn(words, told)
        facts = json.loads(self.status("--json"))
        self.assertEqual((facts["running"], facts["waiting"], facts["submission"], facts["stopped"]), ([], [], None, None))
        self.assertEqual(facts["run"]["finished_iterations"], 2)
        for stage in ("generate", "train", "gate"):
            taken = [manifest(self.run_folder, stage, i)["seconds"]["wall"] for i in (1, 2)]
            self.assertAlmostEqual(facts["median_seconds"][stage], sum(taken) / 2)
        self.squeue("echo 'Unable to contact slurm controller' >&2; exit 1\n")
        self.assertIn("queue      not known: cannot ask for the queue: Unable to contact", self.status())

    def test_a_stage_that_runs(self):
        job = self.job("generate", sets=SLOW)
        wait_until(lambda: "ETA" in job.text())
        (self.run_folder / "logs" / "generate.log").write_text(
            "--- 2026-01-31T12:00:00Z rf-generate\ngenerate 1: 9 of 10 games (90 %), 1.0 games/s, ETA 1 s\n"
            "--- 2026-01-31T12:00:05Z rf-generate\n" + job.text())
        facts = json.loads(self.status("--json"))
        row, = facts["running"]
        self.assertEqual((row["stage"], row["iteration"], row["state"]), ("generate", 1, "RUNNING"))
        self.assertEqual((row["progress"]["total"], row["progress"]["unit"]), (100000, "games"))
        self.assertGreater(row["progress"]["left_seconds"], 0)
        self.assertIsNotNone(facts["left_seconds"]["stage"])
        told = self.status()
        self.assertRegex(told, r"runs       generate of iteration 1, on .*, process \d+, since 20")
        self.assertRegex(told, r"           generate 1: [\d ]+ of 100 000 games .*\(logs/generate.log, \d+ s ago\)")
        job.kill_all()
        told = self.status()
        self.assertIn("state      crashed: ", told)
        self.assertIn("runs       nothing\n", told)

    def test_what_runs_what_waits_and_why(self):
        self.iterate()
        jobs = [("7_[2-10%1]", "PENDING", "JobArrayTaskLimit", "", "0:00", "4:00:00", "N/A", "generate-2"),
                ("7_1", "RUNNING", "None", "n[1-2]", "1-02:03:04", "3:55", "2026-01-31T12:00:00", "generate-2"),
                ("12_[1-10%1]", "PENDING", "Dependency", "", "0:00", "15:00", "N/A", "export-3"),
                ("11_[1-10%1]", "PENDING", "Dependency", "", "0:00", "1:00:00", "N/A", "gate-3"),
                ("8_[1-10%1]", "PENDING", "Priority", "", "0:00", "1:00:00", "N/A", "train-2"),
                ("9_[1-10%1]", "PENDING", "ReqNodeNotAvail, UnavailableNodes:n3", "", "0:00", "1:00:00", "N/A", "gate-2"),
                ("10_[1-10%1]", "PENDING", "QOSMaxJobsPerUserLimit", "", "0:00", "1:00:00", "N/A", "generate-3")]
        lines = ["|".join((id, state, f"({reason})", reason, nodes, used, left, start, name + self.suffix()))
                 for id, state, reason, nodes, used, left, start, name in jobs]
        lines.append("99|RUNNING|n1|None|n1|1:00|1:00|2026-01-31T12:00:00|somebody's | other job")
        (self.folder / "queue").write_text("\n".join(lines) + "\n")
        self.squeue(f"while read -r line; do echo \"$line\"; done <'{self.folder}/queue'\n")
        (self.run_folder / "jobs.json").write_text(json.dumps({"format": 1, "submissions": [
            {"number": 1, "created": "2026-01-31T12:00:00Z", "iterations": 3, "site": "cpu", "bin": "bin/0", "jobs": [],
             "settings": {"train.reuse": "5"}}]}))
        (self.run_folder / "logs" / "generate-000002.log").write_text(
            "step: job 7, array 7 task 1, nodes n1\ngenerate 2: 3 of 16 games (19 %), 2.5 games/s, ETA 1 h 02 min, batches\n")
        told = self.status()
        for words in (
                "submitted  3 iterations as number 1 on 2026-01-31T12:00:00Z, site cpu, for its jobs alone: train.reuse=5\n",
                "runs       generate of iteration 2, job 7_1, on n[1-2], since 2026-01-31T12:00:00 (26 h 03 min), "
                "time left 3:55\n",
                "generate 2: 3 of 16 games (19 %), 2.5 games/s, ETA 1 h 02 min, batches  (logs/generate-000002.log, ",
                "waits      generate of iteration 2, job 7_[2-10%1]: spare tasks",
                "waits      train of iteration 2, job 8_[1-10%1]: other jobs come first\n",
                "waits      gate of iteration 2, job 9_[1-10%1]: nodes that it needs are down",
                "and 3 more, the last is export\n", "of 3 iterations, without what jobs wait"):
            self.assertIn(words, told)
        self.assertLess(told.index("waits      "), told.index("iter."))  # the table comes last
        facts = json.loads(self.status("--json"))
        self.assertEqual([row["iteration"] for row in facts["waiting"]], [2, 2, 2, 3, 3, 3])
        self.assertIn("QOSMaxJobsPerUserLimit", facts["waiting"][3]["why"])
        # What the running stage says, and the medians of the rest.
        medians = facts["median_seconds"]
        rest = 2 * (medians["train"] + medians["gate"]) + medians["generate"]
        self.assertAlmostEqual(facts["left_seconds"]["run"], 3720 + rest - facts["running"][0]["progress"]["age_seconds"],
                               delta=5)
        (self.run_folder / "jobs/000001").mkdir(parents=True)
        (self.run_folder / "jobs/000001/stopped").write_text("train of iteration 2 failed 3 times\n")
        self.assertIn("stopped    the last chain: train of iteration 2 failed 3 times; jobs/submit goes on", self.status())

    def test_watch(self):
        self.iterate()
        plain = subprocess.Popen(self.words("--watch", 0.2), env=self.env(), stdout=subprocess.PIPE, text=True)
        shown = 0
        for line in plain.stdout:
            self.assertNotIn("\033", line)
            shown += line.startswith("run  ")
            if shown == 3:
                break
        plain.send_signal(signal.SIGINT)
        plain.stdout.read()
        plain.stdout.close()
        self.assertEqual(plain.wait(LIMIT_SECONDS), 0)
        ours, theirs = pty.openpty()
        terminal = subprocess.Popen(self.words("--watch", 0.2), env=self.env(), stdout=theirs)
        os.close(theirs)
        text = b""
        while text.count(b"\033[H\033[J") < 2:
            text += os.read(ours, 4096)
        terminal.send_signal(signal.SIGINT)
        self.assertEqual(terminal.wait(LIMIT_SECONDS), 0)
        os.close(ours)
        # rf-status does so too.
        own = subprocess.Popen(command("status", self.run_folder, "--watch", 0.2), stdout=subprocess.PIPE, text=True)
        lines = [own.stdout.readline() for _ in range(30)]
        self.assertGreater(sum(line.startswith("run  ") for line in lines), 1)
        own.send_signal(signal.SIGINT)
        own.stdout.read()
        own.stdout.close()
        self.assertEqual(own.wait(LIMIT_SECONDS), 0)

    def test_wrong_use(self):
        for options, code, says in ((("--watch", "0"), 64, "--watch is a number of seconds"), (("--watch", "nan"), 64, "0.1"),
                                    (("--fast",), 64, "jobs/status --help"), ((), 66, "there is no run at")):
            self.assertIn(says, self.status(*options, code=code, run=self.folder / "nowhere"))
        done = subprocess.run(self.words("--help"), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.iterate()
        (iteration_folder(self.run_folder) / "train.json").write_text("{")
        self.assertIn("train.json is damaged", self.status(code=65))


if __name__ == "__main__":
    unittest.main()
