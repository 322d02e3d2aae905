"""How far the stages that run are and when it will be over: from their logs, and from how long earlier ones took.
Python 3.6 with its standard library."""

import os
import re
import statistics
import time

import chain

TAIL_BYTES = 1 << 16
LATEST = 20  # iterations that medians are taken of
# What lib/base/log's Progress writes: "gate 3: 1 200 of 4 000 games (30 %), 12 games/s, ETA 3 min 53 s, ..."
PROGRESS = re.compile(r"^(generate|train|gate|yardstick) (\d+): ([\d ]+) of ([\d ]+) (\w+)(?: \(\d+ %\))?, ([\d.]+) \w+/s"
                      r"(?:, ETA ([^,\n]+))?.*$", re.M)
BEGUN = re.compile(r"^(?:step: job |--- \d{4}-)", re.M)  # jobs/step and jobs/local, before each call of a stage
SECONDS = {"h": 3600, "min": 60, "s": 1}


def duration(seconds):
    """As lib/base/log writes it: "1 h 02 min", "3 min 05 s", "12 s"."""
    whole = int(round(max(0, seconds)))
    if whole >= 3600:
        return "{} h {:02} min".format(whole // 3600, whole // 60 % 60)
    if whole >= 60:
        return "{} min {:02} s".format(whole // 60, whole % 60)
    return "{} s".format(whole)


def duration_seconds(text):
    return sum(int(number) * SECONDS[unit] for number, unit in re.findall(r"(\d+) (h|min|s)\b", text))


def newest_log(run, stage, iteration):
    """Of a job of this stage, or of jobs/local; None when there is none."""
    names = ("{}-{:06}.log".format(stage, iteration), stage + ".log")
    paths = [path for path in (os.path.join(run, "logs", name) for name in names) if os.path.exists(path)]
    return max(paths, key=os.path.getmtime) if paths else None


def read_progress(run, stage, iteration):
    """What a running stage said last: {text, done, total, unit, rate, left_seconds, age_seconds, log}, or None."""
    path = newest_log(run, stage, iteration)
    if path is None:
        return None
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - TAIL_BYTES))
        text = file.read().decode("utf-8", "replace")
    calls = list(BEGUN.finditer(text))
    said = [line for line in PROGRESS.finditer(text, calls[-1].start() if calls else 0)
            if line.group(1) in (stage, "yardstick" if stage == "gate" else stage) and int(line.group(2)) == iteration]
    if not said:
        return None
    last = said[-1]
    done, total = (int(last.group(i).replace(" ", "")) for i in (3, 4))
    return {"text": last.group(0), "done": done, "total": total, "unit": last.group(5), "rate": float(last.group(6)),
            "left_seconds": duration_seconds(last.group(7)) if last.group(7) else None,
            "age_seconds": max(0, time.time() - os.path.getmtime(path)), "log": os.path.relpath(path, run)}


def median_seconds(facts):
    """{stage: seconds of its latest finished ones}; None where nothing is finished."""
    medians = {}
    for stage in chain.STAGES:
        taken = [row["seconds"][stage] for row in facts["iterations"] if row["seconds"].get(stage) is not None]
        medians[stage] = statistics.median(taken[-LATEST:]) if taken else None
    return medians


def seconds_left(facts, medians, target, running):
    """Of all stages up to iteration `target`, without the waits between them; None when it cannot be known yet.
    `running`: [{stage, iteration, elapsed_seconds, progress}]."""
    if facts["next"] is None:
        return None
    here = chain.place(facts["next"]["stage"], facts["next"]["iteration"])
    total = 0
    for iteration in range(facts["next"]["iteration"], target + 1):
        for stage in chain.STAGES:
            if chain.place(stage, iteration) < here:
                continue
            left = medians[stage]
            for entry in running:
                if (entry["stage"], entry["iteration"]) == (stage, iteration):
                    left = stage_left(entry, left)
            if left is None:
                return None
            total += left
    return total


def stage_left(entry, median):
    """Of a stage that runs; None when it cannot be known."""
    progress = entry["progress"]
    if progress and progress["left_seconds"] is not None:
        return max(0, progress["left_seconds"] - progress["age_seconds"])
    if median is None or entry["elapsed_seconds"] is None:
        return median
    return max(0, median - entry["elapsed_seconds"])
