#!/usr/bin/env python3
"""Source files stay small: 500 lines at most, those above 300 are named: sizes.py ROOT"""
import pathlib
import sys

HARD, TARGET = 500, 300
FOLDERS = ("lib", "stages", "tests", "analysis", "jobs")
SUFFIXES = (".h", ".cpp", ".py", ".sh", ".txt", "")
EXCEPTIONS = set()  # "lib/part/file.cpp"; each with its reason; the list only shrinks


def main():
    root = pathlib.Path(sys.argv[1])
    too_long = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = str(path.relative_to(root))
            data = name.startswith(("tests/golden/", "tests/data/")) and path.suffix not in (".cpp", ".h", ".py")
            if not path.is_file() or data or path.suffix not in SUFFIXES or "__pycache__" in name:
                continue
            lines = len(path.read_text().splitlines())
            if lines > HARD and name not in EXCEPTIONS:
                too_long.append(f"{name}: {lines} lines, more than {HARD}: split it")
            elif lines > TARGET:
                print(f"{name}: {lines} lines, above the target of {TARGET}")
            if name in EXCEPTIONS and lines <= HARD:
                too_long.append(f"{name}: {lines} lines, no exception needed any more")
    print("\n".join(too_long) if too_long else "sizes: within the budget")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
