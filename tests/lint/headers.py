#!/usr/bin/env python3
"""Compiles each header of lib/ alone, with warnings as errors: headers.py ROOT BUILD

Flags come from BUILD/compile_commands.json (the sources of the header's own folder). Headers that reach
LibTorch are parsed in one go, since each parse of LibTorch costs many seconds; they are left out when the
build has no LibTorch.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from layers import INCLUDE, read_layers, third_party  # noqa: E402


def flags_by_folder(root, build):
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        if source.parent.parent != root / "lib" or "no_exceptions" in entry["command"]:
            continue
        words = shlex.split(entry["command"])
        kept, skip = [], False
        for word in words:
            if skip:
                skip = False
            elif word in ("-o", "-c", "-include", "-isystem", "-I"):
                if word in ("-isystem", "-I"):
                    kept.append(word)
                else:
                    skip = word != "-c"
            elif word.startswith(("-I", "-D", "-std", "-f")) or (kept and kept[-1] in ("-isystem", "-I")):
                kept.append(word)
        flags[source.parent.name] = kept
    return flags


def parse(flags, text):
    command = [os.environ.get("CXX", "g++"), "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
               "-Wno-restrict", *flags, "-x", "c++", "-"]
    result = subprocess.run(command, input=text, text=True, capture_output=True)
    return "" if result.returncode == 0 else result.stderr


def reaches_torch(name, lib):
    """Does header `name` include LibTorch, itself or through the project's headers?"""
    for line in (lib / name).read_text().splitlines():
        match = INCLUDE.match(line)
        if match and (third_party(match[2]) == "torch" or
                      (match[1] == '"' and (lib / match[2]).exists() and reaches_torch(match[2], lib))):
            return True
    return False


def main():
    root, build = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    rows = read_layers(root / "lib" / "LAYERS")
    flags = flags_by_folder(root, build)
    plain = ["-I" + str(root / "lib"), "-I" + str(build / "generated")]
    has_torch = any("torch" in rows[folder][1] for folder in flags)
    jobs, torch_headers, torch_flags = [], [], plain
    for path in sorted((root / "lib").glob("*/*.h")):
        folder = path.parent.name
        name = f"{folder}/{path.name}"
        if reaches_torch(name, root / "lib"):
            if has_torch:
                torch_headers.append(name)
                torch_flags = flags.get(folder, torch_flags)
            continue
        jobs.append((name, flags.get(folder, plain), f'#include "{name}"\n#include "{name}"\n'))
    if torch_headers:
        jobs.append(("those with LibTorch", torch_flags, "".join(f'#include "{h}"\n' for h in torch_headers)))
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        outputs = list(pool.map(lambda job: parse(job[1], job[2]), jobs))
    bad = [(name, text) for (name, _, _), text in zip(jobs, outputs) if text]
    for name, text in bad:
        print(f"{name} does not compile alone:\n{text}")
    print(f"headers: {len(jobs) - len(bad)} of {len(jobs)} compile alone")
    return 1 if bad or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
