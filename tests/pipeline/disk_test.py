"""Disks that are full or cannot be written: exit code 73, nothing half written, and the run goes on later."""

import resource
import unittest

from rankfile import *


def mounted(*words):
    return subprocess.run(["mount", *map(str, words)], capture_output=True).returncode == 0


class SmallDisk:
    """A folder with little room: a file system of its own where one may be mounted, else a limit on file sizes."""

    def __init__(self, folder, case):
        self.folder, self.filler = folder, folder / "filler"
        folder.mkdir()
        self.own = mounted("-t", "tmpfs", "-o", "size=2m", "tmpfs", folder)
        if self.own:
            case.addCleanup(subprocess.run, ["umount", "-l", str(folder)])

    def leave(self, kib):
        """Leaves this much room; what the next call gets (preexec_fn)."""
        if not self.own:
            return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (kib << 10, kib << 10))}
        with self.filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 4096)
            except OSError:
                pass
        with self.filler.open("r+b") as file:
            file.truncate(max(0, self.filler.stat().st_size - (kib << 10)))
        return {}

    def clear(self):
        self.filler.unlink(missing_ok=True)


class FullDisk(RunCase):
    def setUp(self):
        super().setUp()
        self.disk = SmallDisk(self.folder / "disk", self)
        self.run_folder = self.disk.folder / "run"

    def fill(self, stage, rooms=(0, 12, 40), **more):
        """The stage fails with little room, more or less, and then is done."""
        failed = []
        for kib in rooms:
            done = self.result(stage, **self.disk.leave(kib), **more)
            if done.returncode == 0:
                break
            self.assertEqual(done.returncode, 73, f"{kib} KiB: {done.stderr}")
            self.assertIn("error: ", done.stderr)
            self.assertNotIn("terminate", done.stderr)
            self.disk.clear()
            self.assertFalse(has_manifest(self.run_folder, stage))
            self.assertEqual([name for name in leftovers(self.run_folder) if name != "lock.json"], [])
            failed.append(kib)
        self.disk.clear()
        print(f"{stage}: failed with {failed} KiB")
        self.assertEqual(failed[:1], [0])
        self.expect(0, stage, **more)
        self.assertEqual(leftovers(self.run_folder), [])

    def test_each_stage(self):
        self.sets = ("selfplay.evaluator=hash", "selfplay.seal_seconds=0.1", "train.checkpoint_seconds=0.05",
                     "train.reuse=40", "gate.games=8")
        self.expect(66, "gate", config=SMOKE, sets=self.sets)  # makes the run, no more
        self.fill("generate", ranks=2)
        self.expect(0, "generate", run=self.folder / "whole")
        self.assertEqual(read_games(shards(self.run_folder)), read_games(shards(self.folder / "whole")))
        before = self.copy_run("before")
        self.expect(0, "train", run=before)
        self.fill("train")
        self.assertEqual(manifest(self.run_folder, "train")["network_digest"],
                         manifest(before, "train")["network_digest"])
        self.expect(0, "gate", run=before)
        self.fill("gate", rooms=(0, 8), ranks=2)
        self.assertEqual(manifest(self.run_folder, "gate")["match"], manifest(before, "gate")["match"])
        keys = [event["key"] for event in events(self.run_folder)]
        self.assertEqual(keys, [event["key"] for event in events(before)])

    def test_training_over_ranks(self):
        self.sets = ("selfplay.evaluator=hash", "train.checkpoint_seconds=0.05", "train.reuse=40", "train.ghost_batch=8")
        self.expect(0, "generate")
        before = self.copy_run("before")
        self.expect(0, "train", run=before, ranks=2)
        self.fill("train", ranks=2)
        self.assertEqual(manifest(self.run_folder, "train")["network_digest"],
                         manifest(before, "train")["network_digest"])

    def test_a_run_cannot_be_made(self):
        self.sets = ("selfplay.evaluator=hash",)
        for kib in (0, 4, 8):
            done = self.result("generate", **self.disk.leave(kib))
            self.assertEqual(done.returncode, 73, done.stderr)
            self.disk.clear()
        self.expect(0, "generate")


class ReadOnly(RunCase):
    def test_each_stage(self):
        self.sets = ("selfplay.evaluator=hash", "train.ghost_batch=8")
        for stage in ("generate", "train", "gate"):
            if stage == "generate":
                self.expect(66, "gate", config=SMOKE, sets=self.sets)
            before = contents(self.run_folder)
            bound = mounted("--bind", self.run_folder, self.run_folder)
            if bound:
                self.addCleanup(subprocess.run, ["umount", "-l", str(self.run_folder)], capture_output=True)
                self.assertTrue(mounted("-o", "remount,ro,bind", self.run_folder))
            else:
                subprocess.run(["chmod", "-R", "a-w", str(self.run_folder)], check=True)
            for ranks in (0, 2):
                self.expect(73, stage, ranks=ranks, says=str(self.run_folder))
            if bound:
                subprocess.run(["umount", str(self.run_folder)], check=True)
            else:
                subprocess.run(["chmod", "-R", "u+w", str(self.run_folder)], check=True)
            self.assertEqual(contents(self.run_folder), before)
            self.expect(0, stage)


if __name__ == "__main__":
    unittest.main()
