"""A damaged or foreign file ends a stage with exit code 65 and a message that names it, and changes nothing."""

import shutil
import unittest

from rankfile import *


def flip_bit(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 16
    path.write_bytes(data)


def cut(path):
    path.write_bytes(path.read_bytes()[:path.stat().st_size * 2 // 3])


class BadNetworks(Refusals):
    def test_a_champion_that_is_not_the_one(self):
        run = self.make_run(stages=("generate", "train", "gate"))
        champion_file = run / "networks" / "000001.h5"
        good = champion_file.read_bytes()
        other_game = self.make_run("gomoku", sets=("game.name=gomoku", "game.width=5", "game.height=8", "game.line=4",
                                                   "selfplay.evaluator=hash", "selfplay.games_per_iteration=1"))
        wider = self.make_run("wider", sets=("network.channels=9", "selfplay.evaluator=hash"))
        name = str(champion_file)
        whole = {}  # what is put in its place -> what the message says
        whole["another game"] = (lambda: shutil.copy(other_game / "networks" / "000000.h5", champion_file),
                                 (name, "game gomoku width=5", "expected: tic_tac_toe"))
        whole["another width"] = (lambda: shutil.copy(wider / "networks" / "000000.h5", champion_file),
                                  (name, "network.channels 9", "expected: 8"))
        whole["another network"] = (lambda: shutil.copy(run / "networks" / "000000.h5", champion_file),
                                    (name, "is not the network that the run names"))
        whole["a training state"] = (lambda: shutil.copy(iteration_folder(run) / "candidate" / "training.h5",
                                                         champion_file), (name, "rankfile-training"))
        whole["a shard"] = (lambda: shutil.copy(shards(run)[0], champion_file), (name, "rankfile-shard"))
        whole["a cut file"] = (lambda: cut(champion_file), (name,))
        whole["a flipped bit"] = (lambda: flip_bit(champion_file), (name,))
        whole["a text"] = (lambda: champion_file.write_text("a network\n" * 50), (name,))
        whole["an empty file"] = (lambda: champion_file.write_text(""), (name,))
        whole["a folder"] = (champion_file.mkdir, (name,))
        for what, (damage, says) in whole.items():
            with self.subTest(champion=what):
                if champion_file.is_dir():
                    champion_file.rmdir()
                if what == "a folder":
                    champion_file.unlink()
                else:
                    champion_file.write_bytes(good)
                damage()
                self.refused(65, "generate", says, config=None, sets=("selfplay.evaluator=network",))
        champion_file.rmdir()
        self.refused(66, "generate", name, config=None, sets=("selfplay.evaluator=network",))
        champion_file.write_bytes(good)
        self.expect(0, "generate", config=None)

    def test_a_candidate_that_is_damaged(self):
        run = self.make_run(stages=("generate", "train"))
        for name in ("network.h5", "training.h5"):
            path = iteration_folder(run) / "candidate" / name
            good = path.read_bytes()
            for damage in (cut, flip_bit):
                damage(path)
                if name == "network.h5":
                    self.refused(65, "gate", str(path))
                path.write_bytes(good)
        self.expect(0, "gate")
        self.expect(0, "generate", config=None)
        flip_bit(path)
        self.refused(65, "train", str(path))
        path.write_bytes(good)
        self.expect(0, "train")


class BadShards(Refusals):
    SETS = ("selfplay.evaluator=hash", "selfplay.shard_rows=200")

    def test_damaged_and_foreign_shards(self):
        run = self.make_run(sets=self.SETS)
        other_run = self.make_run("other", sets=self.SETS)
        gomoku = self.make_run("gomoku", sets=("game.name=gomoku", "game.width=5", "game.height=5", "game.line=4",
                                               "selfplay.evaluator=hash", "selfplay.games_per_iteration=1"))
        self.assertGreater(len(shards(run)), 2)
        shard = shards(run)[1]
        good = shard.read_bytes()
        for damage in (cut, flip_bit, lambda path: path.write_bytes(b""), lambda path: path.write_text("moves\n")):
            damage(shard)
            self.refused(65, "train", str(shard))
            shard.write_bytes(good)
        flip_bit(shard)
        skipped = self.copy_run("skipped")
        done = self.expect(0, "train", run=skipped, sets=("replay.damaged_shards=skip",), says=shard.name)
        self.assertIn("warning: ", done.stderr)
        shard.write_bytes(good)
        guest = shard.with_name("r0007-000.h5")
        for source, says in ((shards(other_run)[0], "made it, this is run"), (shard, "is in "),
                             (shards(gomoku)[0], "gomoku width=5")):
            shutil.copy(source, guest)
            self.refused(65, "train", (str(guest),) + ((says,) if source != shard else ()))
            guest.unlink()
        # Files that are none of the run's shards do no harm.
        (shard.parent / ".nfs0001").write_text("")
        (shard.parent / "r0000-009.h5.node-1.part").write_text("")
        (shard.parent / "notes.txt").write_text("mine")
        self.expect(0, "train")
        self.assertEqual((shard.parent / "notes.txt").read_text(), "mine")

    def test_a_half_finished_iteration_with_a_bad_shard(self):
        run = self.make_run(sets=self.SETS)
        (iteration_folder(run) / "generate.json").unlink()
        shards(run)[-1].unlink()
        other_run = self.make_run("other", sets=self.SETS)
        shard = shards(run)[0]
        good = shard.read_bytes()
        for damage in (cut, flip_bit, lambda path: shutil.copy(shards(other_run)[0], path)):
            damage(shard)
            self.refused(65, "generate", str(shard), config=None)
        shard.write_bytes(good)
        double = shard.with_name("r0009-000.h5")
        shutil.copy(shard, double)
        self.refused(65, "generate", (str(double), "game "), config=None)
        double.unlink()
        self.refused(78, "generate", "selfplay.games_per_iteration is 1,", config=None,
                     sets=("selfplay.games_per_iteration=1",))
        self.expect(0, "generate", config=None)
        self.assertEqual(sorted(read_games(shards(run))), list(range(16)))

    def test_damaged_notes(self):
        run = self.make_run(stages=("generate", "train"))
        for name, stage in (("generate.json", "train"), ("train.json", "gate")):
            path = iteration_folder(run) / name
            good = path.read_bytes()
            for text in ("", "{\"run\": ", "[]", "{}"):
                path.write_text(text)
                self.refused(65, stage, str(path))
            path.write_bytes(good)
        path = run / "champion.json"
        good = path.read_bytes()
        for text in ("", "{}"):
            path.write_text(text)
            self.refused(65, "gate", str(path))
        path.write_bytes(good)
        with (run / "run.yaml").open("a") as file:
            file.write("# a note\n")
        self.refused(78, "gate", "run.yaml was changed")


if __name__ == "__main__":
    unittest.main()
