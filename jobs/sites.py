"""What a cluster decides: reads jobs/site/NAME.env, for jobs/submit and jobs/doctor. Python 3.6."""

import os
import re

from chain import EXPORT, STAGES, Problem

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")
SITE_KEYS = {"options": "", "generate": "", "train": "", "gate": "", "export": "", "setup": "", "python": "python3",
             "launch": "srun --kill-on-bad-exit=1", "scratch": "", "signal_seconds": "60", "tasks": "10"}


def read_site(name):
    """{key: value} of a site's file. Lines of `setup` add up, other keys stand once."""
    path = name if os.sep in name else os.path.join(FOLDER, name + ".env")
    site = dict(SITE_KEYS)
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise Problem(66, "no site {} ({}: {}): jobs/site/README.md tells how to write one".format(
            name, path, error.strerror))
    seen = set()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, equals, value = line.partition("=")
        if not equals or key not in site:
            raise Problem(78, "{}:{}: not KEY=VALUE with one of {}".format(path, number, " ".join(sorted(site))))
        if key in seen and key != "setup":
            raise Problem(78, "{}:{}: {} is there twice".format(path, number, key))
        seen.add(key)
        site[key] = site[key] + "\n" + value if key == "setup" and site[key] else value
    for key in ("signal_seconds", "tasks"):
        if not re.match("^[1-9][0-9]{0,3}$", site[key]):
            raise Problem(78, "{}: {} is no whole number from 1 to 9999".format(path, key))
    return site


def add_options(site, nodes, sbatch):
    """What a command line says beside the site: nodes of generate, and STAGE=OPTIONS of --sbatch."""
    if nodes:
        site["generate"] += " --nodes={}".format(nodes)
    for word in sbatch:
        stage, equals, options = word.partition("=")
        if stage == "all":
            stage = "options"
        if not equals or stage not in STAGES + (EXPORT, "options"):
            raise Problem(64, "--sbatch {}: not STAGE=OPTIONS with generate, train, gate, export or all".format(word))
        site[stage] += " " + options
