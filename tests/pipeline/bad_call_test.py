"""A wrong call ends a stage with the right exit code and a message that says what is wrong, and changes nothing."""

import unittest

from rankfile import *


class BadCalls(Refusals):
    def test_usage(self):
        run = self.make_run()
        for stage in ("generate", "train", "gate"):
            self.refused(64, stage, "--nonsense", "--nonsense", config=None)
            self.refused(64, stage, "--simulatoins", "--simulatoins=8", config=None)
            missing = self.folder / "missing"
            self.expect(66, stage, run=missing, config=None, says=(str(missing), "is not a run"))
            self.assertFalse(missing.exists())
            no_run = subprocess.run([BIN / f"rf-{stage}"], capture_output=True, text=True, env=environment())
            self.assertEqual(no_run.returncode, 64)
            self.assertIn("--run", no_run.stderr)
        for stage in ("generate", "train"):
            text = self.expect(0, stage, "--help", config=None, ranks=2).stdout
            self.assertEqual(text.count("Plays the self-play" if stage == "generate" else "Trains the"), 1)
        self.refused(78, "train", ("on 2 ranks", "train.ghost_batch is 0", "train.batch_size 32"), ranks=2)
        self.refused(78, "train", ("on 3 ranks", "2 groups", "start at most 2"), ranks=3, sets=("train.ghost_batch=16",))
        self.refused(64, "gate", "names no opponent", "--versus", "mcts:-2")
        self.assertTrue(run.exists())

    def test_stages_out_of_order(self):
        self.make_run(sets=("selfplay.evaluator=hash",))
        self.refused(66, "gate", ("nothing to judge", "rf-train"))
        (iteration_folder(self.run_folder) / "generate.json").unlink()
        self.refused(66, "train", "run rf-generate first")
        self.refused(66, "gate", "rf-generate")

    def test_config_errors_name_file_and_line(self):
        text = SMOKE.read_text()
        config = self.folder / "wrong #1.yaml"
        for old, new, says in (("simulations: 16", "simulatoins: 16", "simulations"),
                               ("simulations: 16", "simulations: many", "search.simulations"),
                               ("simulations: 16", "simulations:16", "wrong #1.yaml:"),
                               ("simulations: 16", "simulations: 0", "search.simulations"),
                               ("batch_size: 32", "batch_size: []", "train.batch_size"),
                               ("optimizer: adamw", "optimizer: adamm", "adamw")):
            self.assertIn(old, text)
            config.write_text(text.replace(old, new, 1))
            line = 1 + text[:text.index(old)].count("\n")
            stderr = self.expect(78, "generate", config=config, ranks=2, says=(says, str(config))).stderr
            if new != "simulations:16":
                self.assertIn(f"{config}:{line}: ", stderr)
            self.assertFalse(self.run_folder.exists())
        self.expect(66, "generate", config=self.folder / "none.yaml", says="none.yaml")
        self.expect(78, "generate", sets=("search.simulations=-3",), says="search.simulations")
        self.assertFalse(self.run_folder.exists())

    def test_keys_that_a_run_depends_on_stay(self):
        self.make_run(stages=("generate", "train"))
        for stage, setting, was, now in (("generate", "game.name=gomoku", "tic_tac_toe", "gomoku"),
                                         ("train", "network.channels=9", "8", "9"),
                                         ("gate", "network.value_width=17", "16", "17"),
                                         ("generate", "run.seed=4", "1", "4"), ("gate", "run.seed=4", "1", "4")):
            key = setting.partition("=")[0]
            self.refused(78, stage, (f"{key} is {was} in", f"says {now}"), config=None, sets=(setting,))
        done = self.expect(0, "gate", sets=("gate.games=2", "search.c_puct=2"))
        self.assertIn("gate.games is 2 for this call (the run has 4)", done.stderr)
        self.assertEqual(manifest(self.run_folder, "gate")["config_changes"],
                         {"gate.games": "2", "search.c_puct": "2"})
        self.expect(0, "generate", config=None)
        self.expect(0, "train", sets=("train.optimizer=sgd", "train.learning_rate=0.01"),
                    says="begins without their state")

    def test_training_that_diverges_leaves_nothing_behind(self):
        self.make_run(sets=("selfplay.evaluator=hash", "train.checkpoint_seconds=0.05", "network.batch_norm=false"))
        ruin = ("train.learning_rate=10", "train.optimizer=sgd", "train.value_weight=1000", "train.reuse=200")
        self.expect(65, "train", sets=ruin, says=("diverged at step", "train.learning_rate"))
        self.assertEqual(list((iteration_folder(self.run_folder) / "candidate").iterdir()), [])
        self.assertEqual(leftovers(self.run_folder), [])
        self.expect(0, "train", says="starting from the champion")

    def test_a_second_process_is_told_who_is_there(self):
        self.sets = ("selfplay.evaluator=hash", "search.simulations=3000", "selfplay.games_per_iteration=40000")
        job = self.job("generate", ranks=2)
        wait_until(lambda: (self.run_folder / "lock.json").exists())
        pid = json.loads((self.run_folder / "lock.json").read_text())["pid"]
        self.assertIn(pid, job.rank_ids())
        for stage in ("generate", "train", "gate"):
            self.expect(75, stage, config=None, sets=(), says=("is in use", f"generate, process {pid} on "))
        self.expect(75, "generate", config=None, ranks=2, sets=(), says="is in use")
        self.assertIsNone(job.process.poll())
        job.kill_all()
        self.expect(66, "train", says="took over the lock of a process that has died")

    def test_an_iteration_is_finished_with_the_evaluator_that_began_it(self):
        self.sets = ("selfplay.evaluator=hash", "selfplay.seal_seconds=0.1", "selfplay.games_per_iteration=50000",
                     "search.simulations=50")
        job = self.job("generate")
        wait_until(lambda: shards(self.run_folder))
        job.send(signal.SIGTERM)
        self.assertEqual(job.wait(), 75)
        self.expect(78, "generate", config=None, sets=("selfplay.evaluator=uniform",),
                    says=("was begun with hash", "plays with uniform"))

    def test_another_locale_changes_nothing(self):
        self.sets = ("selfplay.evaluator=hash",)
        # A locale with a decimal comma, made here: machines differ in what they have.
        locales = self.folder / "locales"
        locales.mkdir()
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", locales / "de_DE.UTF-8"], check=True)
        for name in ("C", "de_DE.UTF-8"):
            done = self.result("generate", run=self.folder / name,
                               env=environment(LC_ALL=name, LANG=name, LC_NUMERIC=name, LOCPATH=str(locales)))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("0,", done.stderr)
        one, other = self.folder / "C", self.folder / "de_DE.UTF-8"
        self.assertEqual((one / "run.yaml").read_bytes(), (other / "run.yaml").read_bytes())
        self.assertEqual(read_games(shards(one)), read_games(shards(other)))


if __name__ == "__main__":
    unittest.main()
