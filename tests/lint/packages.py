#!/usr/bin/env python3
"""jobs/packages.txt: each line a Debian package and its group, none twice: packages.py ROOT"""
import pathlib
import re
import sys

NEEDED = {"build": {"g++", "cmake", "libdnnl-dev", "libtorch-dev", "libopenblas0-pthread"}, "test": {"libgtest-dev"},
          "slurm": {"slurmctld", "munge"}}


def main():
    groups, problems, seen = {group: set() for group in NEEDED}, [], set()
    text = (pathlib.Path(sys.argv[1]) / "jobs" / "packages.txt").read_text()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        if len(words) != 2 or words[1] not in groups or not re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", words[0]):
            problems.append(f"jobs/packages.txt:{number}: expected a package and one of {', '.join(NEEDED)}: {line}")
            continue
        if words[0] in seen:
            problems.append(f"jobs/packages.txt:{number}: {words[0]} is listed twice")
        seen.add(words[0])
        groups[words[1]].add(words[0])
    for group, names in NEEDED.items():
        problems += [f"jobs/packages.txt: {name} is not in group {group}" for name in sorted(names - groups[group])]
    print("\n".join(problems) if problems else f"packages: {len(seen)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
