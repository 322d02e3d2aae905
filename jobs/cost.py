"""What a run will take, from the rates of jobs/doctor's trial. Python 3.6 with its standard library."""

import os
import re

import chain


def number_of(options, *names):
    """The last value of an sbatch option; None when it is not there."""
    values = re.findall(r"(?:^|\s)(?:{})[= ]?([0-9]+)".format("|".join(names)), options)
    return int(values[-1]) if values else None


def ranks_of(options):
    return number_of(options, "--ntasks", "-n") or (number_of(options, "--nodes", "-N") or 1) * (
        number_of(options, "--ntasks-per-node") or 1)


class Settings:
    """Values of a config, as the command line changes them."""

    def __init__(self, path, sets):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.sets = dict(setting.split("=", 1) for setting in sets if "=" in setting)

    def number(self, section, key):
        name = section + "." + key
        if name in self.sets:
            return float(self.sets[name])
        block = re.search(r"(?m)^{}:.*\n((?:[ #].*\n|\n)*)".format(section), self.text)
        value = re.search(r"(?m)^ +{}: *([0-9.e-]+)".format(key), block.group(1)) if block else None
        if value is None:
            raise chain.Problem(78, "the config has no {}: copy one of configs/, which have every key".format(name))
        return float(value.group(1))


def moves_and_iterations(given, found):
    """(searched moves a game, whether they are those of the run's last iterations, finished iterations). Random plies of
    an opening are neither searched nor rows."""
    trial = found["unique_rows"] / found["games"]
    if not os.path.exists(os.path.join(given.run, "run.json")):
        return trial, False, 0
    facts = chain.Run(given.run, given.bin).facts()
    played = [row for row in facts["iterations"] if row.get("games") and row.get("unique_rows")][-5:]
    if not played:
        return trial, False, facts["finished_iterations"]
    return (sum(row["unique_rows"] for row in played) / sum(row["games"] for row in played), True,
            facts["finished_iterations"])


def estimate(report, given, site, found):
    if not found.get("rate"):
        report.warn("cost", "no rate was seen in {:g} s of self-play: a longer --seconds".format(given.seconds))
        return
    settings = Settings(given.config, given.set)
    moves, own, done = moves_and_iterations(given, found)
    left = max(0, given.iterations - done)
    positions = settings.number("selfplay", "games_per_iteration") * moves
    ranks = 2 if given.here else ranks_of(site["generate"])
    generate = positions * settings.number("search", "simulations") / (found["rate"] * ranks)
    batches = positions * settings.number("train", "reuse") / settings.number("train", "batch_size")
    train = batches * found["train_seconds"] / max(1, found["train_batches"])
    report.good("rate", "{:,} simulations/s a rank; {:.0f} searched moves a game ({})".format(
        found["rate"], moves, "the run's last" if own else "of an untrained network: they may change much"))
    report.good("cost", "{} iterations to do; each: self-play {} on {} ranks, training {} on one process as here".format(
        left, span(generate), ranks, span(train)))
    report.good("cost", "in all {} of wall time and {:.1f} rank-hours of self-play; gate matches and queues come on top".format(
        span(left * (generate + train)), left * generate * ranks / 3600))
    shards = positions * found["shard_bytes"] / max(1, found["unique_rows"])
    networks = 2 * found["network_bytes"] + found["training_bytes"]
    files = ranks * (1 + int(generate / settings.number("selfplay", "seal_seconds"))) + 8
    need, free = left * (shards + networks), found["files"]["free_bytes"]
    tell = report.good if need < 0.8 * free else report.warn
    tell("space", "{} in about {} files; an iteration: {} of shards, {} of networks; {} are free; jobs/prune takes old ones "
         "away".format(size(need), left * files, size(shards), size(networks), size(free)))


def span(seconds):
    if seconds < 100:
        return "{:.1f} s".format(seconds)
    return "{:.1f} min".format(seconds / 60) if seconds < 6000 else "{:.1f} h".format(seconds / 3600)


def size(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return "{:.4g} {}".format(count, unit)
        count /= 1024
    return "{:.4g} TiB".format(count)
