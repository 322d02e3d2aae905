"""jobs/local: however it is interrupted, the stage seals, the exit code says so, and the same command goes on."""

import glob
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

BIN = os.environ["RF_BIN"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOCAL = os.path.join(ROOT, "jobs", "local")
CONFIG = os.path.join(ROOT, "configs", "smoke.yaml")
LIMIT_SECONDS = 60

# Each stage takes several seconds, and says each 0.1 s how far it is.
SLOW = ["run.progress_seconds=0.1", "search.simulations=400", "selfplay.games_per_iteration=400", "train.reuse=30",
        "gate.games=160"]
# Self-play that does not end by itself while a test looks at it.
ENDLESS = ["run.progress_seconds=0.1", "search.simulations=400", "selfplay.games_per_iteration=100000"]
# What a stage prints when it is in the middle of its work.
WORKING = {"generate": r"generate 1: [\d ]*\d{2,} of [\d ]+ games", "train": r"train 1: [\d ]+ of [\d ]+ batches",
           "gate": r"gate 1: \d+ of \d+ games"}


STARTED = []


def in_foreground():
    """As a terminal starts it: a shell that runs in the background may have had SIGINT ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(run, *options, settings=()):
    command = [LOCAL, "--bin", BIN, "--run", run, "--config", CONFIG, "--ranks", "2", *options]
    for setting in settings:
        command += ["--set", setting]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           start_new_session=True, preexec_fn=in_foreground)
    STARTED.append(job)
    return job


def end(job):
    """As a second Ctrl-C does, if it still runs."""
    for _ in range(2):
        if job.poll() is None:
            job.send_signal(signal.SIGTERM)
            time.sleep(0.2)


def finish(job):
    """(exit code, what was printed since the last read)"""
    text = job.communicate(timeout=LIMIT_SECONDS)[0]
    return job.returncode, text


def read_until(job, pattern):
    """Reads lines until one matches. Fails when the job ends before, or after LIMIT_SECONDS."""
    seen = []
    limit = threading.Timer(LIMIT_SECONDS, end, (job,))
    limit.start()
    try:
        for line in job.stdout:
            seen.append(line)
            if re.search(pattern, line):
                return "".join(seen)
    finally:
        limit.cancel()
    raise AssertionError(f"no line with '{pattern}' in:\n{''.join(seen)}")


def manifest(run, iteration, stage):
    path = os.path.join(run, "iterations", f"{iteration:06d}", stage + ".json")
    return json.loads(text_of(path)) if os.path.exists(path) else None


def text_of(path):
    with open(path) as file:
        return file.read()


def processes_of(run):
    """Command lines of all processes that name the run, this script's own not counted."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            words = text_of(path).split("\0")
        except (OSError, UnicodeDecodeError):
            continue
        if run in words:
            found.append(" ".join(words))
    return found


class Local(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="rf local ")  # with blanks
        self.run_path = os.path.join(self.folder.name, "a run")

    def tearDown(self):
        while STARTED:  # only after a failure one of them still runs
            job = STARTED.pop()
            end(job)
            job.wait(timeout=LIMIT_SECONDS)
            job.stdout.close()
        self.folder.cleanup()

    def assert_all_gone(self):
        for _ in range(50):
            if not processes_of(self.run_path):
                return
            time.sleep(0.1)
        self.fail("still there: " + "\n".join(processes_of(self.run_path)))

    def assert_finishes(self, settings, iterations=1):
        code, text = finish(start(self.run_path, "--iterations", str(iterations), settings=settings))
        self.assertEqual(code, 0, text)
        self.assertIsNotNone(manifest(self.run_path, iterations, "gate"))

    def test_two_iterations_then_nothing_to_do_then_one_more(self):
        self.assert_finishes([], 2)
        self.assertIsNone(manifest(self.run_path, 3, "generate"))
        code, text = finish(start(self.run_path, "--iterations", "2"))
        self.assertEqual((code, text), (0, "local: 2 iterations are finished\n"))
        self.assert_finishes([], 3)
        logs = os.listdir(os.path.join(self.run_path, "logs"))
        self.assertEqual(sorted(logs), ["gate.log", "generate.log", "train.log"])
        log = text_of(os.path.join(self.run_path, "logs", "generate.log"))
        self.assertEqual(len(re.findall(r"^generate \d: 16 games, ", log, re.M)), 3, log)
        self.assertEqual(manifest(self.run_path, 1, "generate")["ranks"], 2)

    def test_training_over_ranks(self):
        code, text = finish(start(self.run_path, "--iterations", "1", "--train-ranks", "2",
                                  settings=["train.ghost_batch=16", "train.threads=0"]))
        self.assertEqual(code, 0, text)
        self.assertEqual(manifest(self.run_path, 1, "train")["ranks"], 2)
        self.assertIn("on 2 ranks of ", text)
        code, text = finish(start(self.run_path, "--iterations", "2", "--train-ranks", "2", settings=["train.ghost_batch=0"]))
        self.assertEqual(code, 78, text)
        self.assertIn("training does not run on 2 ranks (train.ghost_batch is 0", text)

    def interrupt(self, stage, send):
        """Interrupts while `stage` works; returns what was printed after that."""
        job = start(self.run_path, "--iterations", "1", settings=SLOW)
        read_until(job, WORKING[stage])
        began = time.monotonic()
        send(job)
        code, text = finish(job)
        self.assertEqual(code, 75, text)
        self.assertLess(time.monotonic() - began, 5, text)
        self.assertIsNone(manifest(self.run_path, 1, stage))
        self.assertIn(f"next is rf-{stage} of iteration 1: the same command goes on", text)
        # The stage ended in its own way, and what it said came before what the script says.
        self.assertLess(text.find("interrupted by SIGUSR1"), text.find("local: interrupted by"), text)
        self.assertIn("interrupted by SIGUSR1", text)
        self.assertFalse(os.path.exists(os.path.join(self.run_path, "lock.json")))
        self.assert_all_gone()

    def test_interrupted_in_each_stage(self):
        """Ctrl-C goes to all processes of the terminal's foreground group, SIGTERM and SIGHUP to the script."""
        self.interrupt("generate", lambda job: os.killpg(job.pid, signal.SIGINT))
        self.assertTrue(glob.glob(os.path.join(glob.escape(self.run_path), "iterations/000001/shards/*.h5")))
        self.interrupt("train", lambda job: os.kill(job.pid, signal.SIGTERM))
        self.assertTrue(os.path.exists(os.path.join(self.run_path, "iterations/000001/candidate/checkpoint.h5")))
        self.interrupt("train", lambda job: os.killpg(job.pid, signal.SIGINT))
        self.interrupt("gate", lambda job: os.killpg(job.pid, signal.SIGHUP))
        self.assert_finishes(SLOW)

    def test_told_while_mpirun_starts(self):
        """No moment is too early: neither lost, nor taken for an error."""
        for delay in (0.05, 0.15, 0.3, 0.5):
            with self.subTest(delay=delay):
                job = start(self.run_path, "--iterations", "1", settings=ENDLESS)
                time.sleep(delay)
                os.killpg(job.pid, signal.SIGINT)
                code, text = finish(job)
                # In its first milliseconds bash has no trap yet, and nothing has begun.
                self.assertTrue(code == 75 or not os.path.exists(self.run_path), f"{code} {text}")
                self.assert_all_gone()

    def test_a_second_ctrl_c_kills(self):
        job = start(self.run_path, "--iterations", "1", settings=ENDLESS)
        read_until(job, WORKING["generate"])
        os.killpg(job.pid, signal.SIGINT)
        os.killpg(job.pid, signal.SIGINT)
        code, text = finish(job)
        self.assertEqual(code, 75, text)
        self.assert_all_gone()

    def test_a_killed_mpirun_is_an_error_and_no_loss(self):
        job = start(self.run_path, "--iterations", "1", settings=SLOW)
        read_until(job, WORKING["generate"])
        lock = json.loads(text_of(os.path.join(self.run_path, "lock.json")))
        parent = int(text_of(f"/proc/{lock['pid']}/stat").rsplit(")", 1)[1].split()[1])
        os.kill(parent, signal.SIGKILL)
        code, text = finish(job)
        self.assertEqual(code, 128 + signal.SIGKILL, text)
        self.assertIn(f"rf-generate ended with exit code 137; log: {self.run_path}/logs/generate.log", text)
        self.assert_all_gone()
        self.assert_finishes(SLOW)

    def test_a_second_one_beside_it_is_refused(self):
        job = start(self.run_path, "--iterations", "1", settings=ENDLESS)
        read_until(job, WORKING["generate"])
        code, text = finish(start(self.run_path, "--iterations", "1", settings=ENDLESS))
        self.assertEqual(code, 75, text)
        self.assertIn("the run is in use", text)
        self.assertIsNone(job.poll())
        os.kill(job.pid, signal.SIGTERM)
        code, text = finish(job)
        self.assertEqual(code, 75, text)

    def test_the_budget_ends_it_in_the_middle_of_a_stage(self):
        began = time.monotonic()
        code, text = finish(start(self.run_path, "--seconds", "3", settings=ENDLESS))
        self.assertEqual(code, 0, text)
        self.assertGreater(time.monotonic() - began, 2.9)
        self.assertLess(time.monotonic() - began, 7)
        self.assertIn("local: the budget of 3 s is over; next is rf-generate of iteration 1\n", text)
        self.assertTrue(glob.glob(os.path.join(glob.escape(self.run_path), "iterations/000001/shards/*.h5")))
        self.assert_all_gone()

    def test_a_reader_that_goes_away_stops_nothing(self):
        job = start(self.run_path, "--iterations", "1")
        job.stdout.readline()
        job.stdout.close()
        self.assertEqual(job.wait(timeout=LIMIT_SECONDS), 0)
        self.assertIsNotNone(manifest(self.run_path, 1, "gate"))

    def test_what_fails_is_passed_on(self):
        self.assert_finishes([])
        network = os.path.join(self.run_path, "networks", "000001.h5")
        with open(network, "r+b") as file:
            file.truncate(1000)
        code, text = finish(start(self.run_path, "--iterations", "2"))
        self.assertEqual(code, 65, text)
        self.assertIn(f"rf-generate ended with exit code 65; log: {self.run_path}/logs/generate.log", text)
        self.assertIn("networks/000001.h5", text)

    def test_wrong_use(self):
        def ask(*options):
            job = subprocess.run([LOCAL, *options], capture_output=True, text=True, timeout=LIMIT_SECONDS)
            return job.returncode, job.stderr

        self.assertEqual(ask("--run", self.run_path)[0], 64)
        self.assertEqual(ask("--iterations", "2")[0], 64)
        self.assertEqual(ask("--run", self.run_path, "--iterations", "two")[0], 64)
        self.assertEqual(ask("--run", self.run_path, "--iterations")[0], 64)
        self.assertEqual(ask("--run", self.run_path, "--iterations", "2", "--fast"),
                         (64, "local: error: unknown option --fast: jobs/local --help\n"))
        code, text = ask("--run", self.run_path, "--iterations", "2", "--bin", BIN)
        self.assertEqual(code, 66)
        self.assertIn("is not a run", text)
        self.assertEqual(ask("--run", self.run_path, "--iterations=1", "--config=" + CONFIG, "--bin=/no/where")[0], 66)
        self.assertFalse(os.path.exists(self.run_path))
        for options, error in (
            (("--run", "/"), (66, "/ is not a run (it has no run.json): --config FILE makes one there")),
            (("--run", "-x"), (64, "--run -x looks like an option: if it is a path, write ./-x")),
            (("--run", self.run_path, "--iterations=3"), (64, "--iterations is given twice")),
            (("--run", self.run_path, "--train-ranks=0"), (64, "--train-ranks 0 is no whole number of at least 1")),
            (("--run", self.run_path, "--run", self.run_path), (64, "--run is given twice")),
            (("--run", self.run_path, "--export", "--export"), (64, "--export is given twice")),
            (("--run", self.run_path, "--export=yes"), (64, "--export takes no value")),
            (("--run", CONFIG), (73, f"{CONFIG} is not a folder, so it cannot be a run")),
            (("--run", CONFIG + "/x", "--config", CONFIG), (73, f"cannot make {CONFIG}/x/logs")),
        ):
            with self.subTest(options=options):
                self.assertEqual(ask("--iterations", "2", "--bin", BIN, *options),
                                 (error[0], f"local: error: {error[1]}\n"))

    def test_what_made_no_run_leaves_nothing_behind(self):
        """Only folders that were there before stay, and what is in them."""
        above = os.path.join(self.folder.name, "above")
        self.run_path = os.path.join(above, "a", "b")
        wrong = ["search.simulations=none"]
        code, text = finish(start(self.run_path, "--iterations", "1", settings=wrong))
        self.assertEqual(code, 78, text)
        self.assertTrue(text.endswith("local: error: rf-generate ended with exit code 78\n"), text)
        self.assertEqual(os.listdir(self.folder.name), [])
        os.makedirs(os.path.join(self.run_path, "logs"))
        self.assertEqual(finish(start(self.run_path, "--iterations", "1", settings=wrong))[0], 78)
        self.assertEqual(os.listdir(os.path.join(self.run_path, "logs")), [])


if __name__ == "__main__":
    unittest.main()
