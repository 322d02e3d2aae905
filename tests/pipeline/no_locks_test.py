"""A run on a file system that refuses locks, as many network file systems do. RF_NO_LOCKS is a library that makes
every lock fail; HDF5_USE_FILE_LOCKING is what people set for HDF5."""

import unittest

from rankfile import *


class NoLocks(RunCase):
    def setUp(self):
        super().setUp()
        self.sets = ("selfplay.evaluator=hash",)
        self.locks = environment(LD_PRELOAD=os.environ["RF_NO_LOCKS"])
        self.locks.pop("HDF5_USE_FILE_LOCKING", None)

    def test_a_whole_run(self):
        for stage, ranks in (("generate", 2), ("train", 0), ("gate", 2), ("export", 0)):
            self.expect(0, stage, ranks=ranks, env=self.locks)
        self.expect(0, "status", env=self.locks)

    def test_the_variable_of_hdf5(self):
        self.expect(0, "generate", env={**self.locks, "HDF5_USE_FILE_LOCKING": "FALSE"})
        self.expect(66, "train", env={**self.locks, "HDF5_USE_FILE_LOCKING": "TRUE"},
                    says=("the file system refuses the lock", "HDF5_USE_FILE_LOCKING=FALSE"))
        self.expect(0, "train", env={**self.locks, "HDF5_USE_FILE_LOCKING": "FALSE"})
        self.expect(0, "gate", env=environment(HDF5_USE_FILE_LOCKING="TRUE"))  # locks that work

    def test_the_lock_of_a_dead_process_is_taken_over(self):
        self.sets += ("search.simulations=4000", "selfplay.games_per_iteration=300", "selfplay.seal_seconds=0.1")
        job = self.job("generate")
        wait_until(lambda: shards(self.run_folder) or job.process.poll() is not None)
        job.kill_all()
        self.assertTrue((self.run_folder / "lock.json").exists())
        self.expect(0, "generate", env=self.locks, says="took over the lock of a process that has died")
        self.assertEqual(sorted(read_games(shards(self.run_folder))), list(range(300)))
        self.assertEqual([path.name for path in self.run_folder.iterdir() if path.name.startswith("lock.")], [])

    def test_two_that_take_over_at_once(self):
        self.expect(66, "train", config=SMOKE, sets=self.sets)
        lock = {"host": os.uname().nodename, "boot": "another start", "pid_namespace": "", "pid": 1, "process_start": 1,
                "job": "", "stage": "train", "since": "2026-01-31T12:00:00Z", "since_unix": 1769860800, "token": "old"}
        for _ in range(5):
            (self.run_folder / "lock.json").write_text(json.dumps(lock))
            both = [subprocess.Popen(command("train", self.run_folder), env=self.locks, stderr=subprocess.PIPE, text=True)
                    for _ in range(2)]
            for process in both:
                said = process.communicate(timeout=LIMIT_SECONDS)[1]
                self.assertIn(process.returncode, (66, 75), said)
            self.assertEqual([path.name for path in self.run_folder.iterdir() if path.name.startswith("lock.")], [])


if __name__ == "__main__":
    unittest.main()
