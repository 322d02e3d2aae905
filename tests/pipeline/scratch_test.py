"""rf-generate --scratch: shards are written on another disk and copied to the run; what that disk does harms nothing."""

import unittest

from disk_test import SmallDisk
from rankfile import *


class Scratch(RunCase):
    SHORT = ("selfplay.evaluator=hash", "search.simulations=100", "selfplay.games_per_iteration=120",
             "selfplay.games_in_parallel=4", "selfplay.seal_seconds=0.1")
    LONG = (SHORT[0], "search.simulations=4000", *SHORT[2:])

    def setUp(self):
        super().setUp()
        self.sets = self.SHORT
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="rf-scratch ", dir="/dev/shm"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)

    def own_folder(self):
        (folder,) = self.scratch.glob("rankfile-*")
        return folder

    def assert_all_games(self):
        self.assertEqual(sorted(read_games(shards(self.run_folder))), list(range(120)))
        self.assertEqual(leftovers(self.run_folder), [])

    def test_the_games_are_those_without_it(self):
        self.expect(0, "generate", "--scratch", self.scratch, ranks=2)
        self.assert_all_games()
        self.assertEqual(list(self.scratch.iterdir()), [])
        self.expect(0, "generate", run=self.folder / "plain")
        self.assertEqual(read_games(shards(self.run_folder)), read_games(shards(self.folder / "plain")))
        for path in shards(self.run_folder):
            self.assertNotEqual(path.stat().st_dev, self.scratch.stat().st_dev, "a rename would do")

    def test_what_dead_jobs_left_goes_with_the_next_one(self):
        self.sets = self.LONG
        (self.scratch / "rankfile-20260131-120000-0badcafe" / "4711-r0000").mkdir(parents=True)
        job = self.job("generate", "--scratch", self.scratch, ranks=2)
        wait_until(lambda: shards(self.run_folder) or job.process.poll() is not None)
        job.kill_all()
        folder = next(path for path in self.scratch.glob("rankfile-*") if "0badcafe" not in path.name)
        self.assertEqual(len(list(folder.iterdir())), 2)
        self.expect(0, "generate", "--scratch", self.scratch, ranks=2, says="removed 2 folders of jobs that are over")
        self.assert_all_games()
        self.assertEqual([path.name for path in self.scratch.iterdir()], ["rankfile-20260131-120000-0badcafe"])

    def test_one_that_cannot_be_used_is_refused_before_anything_is_played(self):
        (self.scratch / "file").write_text("no folder")
        for folder, code, says in ((self.scratch / "no/where", 73, "No such file or directory"),
                                   (self.scratch / "file", 73, "cannot use the scratch"),
                                   ("relative", 64, "is no absolute path")):
            for ranks in (0, 2):
                with self.subTest(folder=folder, ranks=ranks):
                    self.expect(code, "generate", "--scratch", folder, ranks=ranks, says=says)
                    self.assertEqual(shards(self.run_folder), [])

    def test_one_that_is_lost_on_the_way(self):
        self.sets = self.LONG
        job = self.job("generate", "--scratch", self.scratch, ranks=2)
        wait_until(lambda: shards(self.run_folder) or job.process.poll() is not None)
        shutil.rmtree(self.own_folder())
        self.assertEqual(job.wait(), 0, job.text())
        self.assertIn("failed, shards are written to the run without it", job.text())
        self.assert_all_games()

    def test_one_that_is_full(self):
        disk = SmallDisk(self.folder / "disk", self)
        if not disk.own:
            print("not tested: no file system may be mounted here")
            return
        for kib in (8, 0):
            disk.leave(kib)
            run = self.folder / f"with {kib}"
            self.expect(0, "generate", "--scratch", disk.folder, ranks=2, run=run,
                        says="shards are written to the run without it")
            self.assertEqual(sorted(read_games(shards(run))), list(range(120)))
            disk.clear()


if __name__ == "__main__":
    unittest.main()
