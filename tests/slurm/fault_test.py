"""The chain survives what happens to jobs, or stops and says why; what is sealed is never lost or counted twice."""

import json
import os
import signal
import subprocess
import unittest

import batch
import rankfile


class Fault(batch.SlurmCase):
    def lock(self):
        return json.loads((self.run_folder / "lock.json").read_text())

    def stopped(self, number=1):
        return (self.run_folder / "jobs" / f"{number:06}" / "stopped").read_text()

    def tries(self):
        return (self.run_folder / "jobs/000001/tries.jsonl").read_text().splitlines()

    def test_a_cancelled_stage_ends_the_chain_and_submit_goes_on(self):
        self.submit("--iterations", "1", sets=batch.SLOW)
        self.wait_for_shard()
        self.cluster.ask("scancel", self.submitted()[("generate", 1)])
        self.wait_for_queue()  # nobody waits for what cannot come
        self.assertFalse(rankfile.has_manifest(self.run_folder, "generate"))
        kept = {shard.name for shard in rankfile.shards(self.run_folder)}
        self.assertIn("is not sealed", self.stopped())
        told = self.submit("--iterations", "1", config=None, programs=None)[0]
        self.assertIn("the last chain stopped: the jobs before train of iteration 1 are over and generate", told)
        self.wait_for_queue()
        self.assert_finished(1, 300)
        self.assertLessEqual(kept, {shard.name for shard in rankfile.shards(self.run_folder)})

    def test_a_cancelled_task_and_a_killed_rank_are_made_good_by_the_next_task(self):
        self.submit("--iterations", "1", sets=batch.SLOW)
        self.wait_for_shard()
        self.cluster.ask("scancel", self.submitted()[("generate", 1)] + "_1")
        rankfile.wait_until(lambda: len(self.tries()) == 2, pause=0.05)
        rankfile.wait_until(lambda: (self.run_folder / "lock.json").exists(), pause=0.01)
        os.kill(self.lock()["pid"], signal.SIGKILL)
        self.wait_for_queue()
        self.assert_finished(1, 300)
        self.assertGreaterEqual(len(self.tries()), 2 + 4)
        self.assertFalse((self.run_folder / "jobs/000001/stopped").exists())

    def test_three_failures_at_one_point_stop_the_chain(self):
        fails = self.programs_with("rf-generate", "#!/bin/sh\nexit 3\n")
        self.submit("--iterations", "2", programs=fails)
        self.wait_for_queue()
        self.assertEqual(self.stopped(), "generate of iteration 1 failed 3 times from the same point, the last time with "
                         "exit code 3\n")
        self.assertEqual(len(self.tries()), 3)
        self.assertFalse((self.run_folder / "logs/train-000001.log").exists())
        self.submit("--iterations", "1")  # the programs that work
        self.wait_for_queue()
        self.assert_finished(1, 16)

    def test_an_exit_code_of_zero_is_no_proof(self):
        lies = self.programs_with("rf-gate", "#!/bin/sh\nexit 0\n")
        self.submit("--iterations", "1", programs=lies)
        self.wait_for_queue()
        self.assertIn("gate of iteration 1 failed 3 times", self.stopped())
        self.assertTrue(rankfile.has_manifest(self.run_folder, "train"))
        self.assertFalse((self.run_folder / "export").exists())

    def test_what_no_second_try_changes_stops_at_once(self):
        self.submit("--iterations", "1")
        self.wait_for_queue()
        with open(self.run_folder / "networks" / "000001.h5", "r+b") as file:
            file.truncate(1000)
        self.submit("--iterations", "3")
        self.wait_for_queue()
        self.assertEqual(self.stopped(2), "generate of iteration 2 ended with exit code 65, which no second try changes\n")
        self.assertIn("networks/000001.h5", self.log("generate", 2))

    def test_the_lock_of_a_job_that_is_over_is_broken_and_no_other(self):
        self.expect(0, "generate")
        sleeper = self.cluster.ask("sbatch", "--parsable", "--output=/dev/null", "--wrap=sleep 1000")
        rankfile.wait_until(lambda: self.cluster.ask("squeue", "-h", "-j", sleeper, "-o", "%T") == "RUNNING")
        owner = {"host": "elsewhere", "boot": "", "pid_namespace": "", "pid": 1, "process_start": 1, "job": sleeper,
                 "stage": "train", "since": "2026-01-31T12:00:00Z", "since_unix": 1769860800, "token": "0123456789abcdef"}
        (self.run_folder / "lock.json").write_text(json.dumps(owner))
        self.assertIn(f"elsewhere, job {sleeper}", self.submit("--iterations", "1", code=75)[1])
        self.cluster.ask("scancel", sleeper)
        self.wait_for_queue()
        self.submit("--iterations", "1")
        self.wait_for_queue()
        self.assert_finished(1, 16)

    def test_a_cluster_ends_with_the_process_that_started_it(self):
        script = "import sys, cluster; c = cluster.Cluster(); print(c.folder, flush=True); sys.stdin.read()"
        child = subprocess.Popen(["python3", "-c", script], cwd=rankfile.SOURCE / "tests/slurm", stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, text=True)
        folder = child.stdout.readline().strip()
        env = {**self.cluster.env, "SLURM_CONF": folder + "/slurm.conf"}
        subprocess.run(["sbatch", "--output=/dev/null", "--wrap=exec sleep 4711"], env=env, check=True,
                       stdout=subprocess.DEVNULL)
        rankfile.wait_until(lambda: subprocess.run(["pgrep", "-f", "^sleep 4711"], stdout=subprocess.DEVNULL).returncode == 0)
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()
        rankfile.wait_until(lambda: not subprocess.run(["pgrep", "-f", folder + "|^sleep 4711"], text=True,
                                                       capture_output=True).stdout, 30)


if __name__ == "__main__":
    unittest.main()
