#!/usr/bin/env python3
"""Checks every #include of lib/ and stages/ against lib/LAYERS.

    layers.py ROOT          check the tree under ROOT
    layers.py --self-test   plant one violation of each kind in a scratch tree and expect it to be found

Rules: a folder includes itself, the folders of its row and the third-party headers of its row, nothing else;
project headers are written "folder/name.h"; a.cpp includes its own a.h first; each folder of lib/ has a row.
"""
import pathlib
import re
import sys
import tempfile

THIRD_PARTY = [  # (name in lib/LAYERS, pattern of the header)
    ("mpi", r"mpi(-ext|o)?\.h$|mpi/"),
    ("hdf5", r"hdf5(_hl)?\.h$|H5\w*\.h$|hdf5/|highfive/"),
    ("torch", r"(torch|c10|ATen|caffe2)/"),
    ("onednn", r"dnnl\w*\.h(pp)?$|oneapi/"),
    ("yaml-cpp", r"yaml-cpp/"),
    ("boost", r"boost/"),
    ("nlohmann", r"nlohmann/"),
    ("pugixml", r"pugixml\.hpp$"),
    ("benchmark", r"benchmark/"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SYSTEM = re.compile(r"^[a-z0-9_]+$|^[a-z0-9_]+\.h$|^(sys|arpa|netinet|linux)/[a-z0-9_]+\.h$")


def read_layers(path):
    rows = {}
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            folder, projects, third = (cell.strip() for cell in line.split("|"))
            rows[folder] = (projects.split(), third.split())
    return rows


def third_party(header):
    return next((name for name, pattern in THIRD_PARTY if re.match(pattern, header)), None)


def may_include(row, folder, header):
    projects = row[0]
    target, _, rest = header.partition("/")
    return target == folder or "*" in projects or target in projects or ("*/" + rest) in projects


def problems_of_file(path, folder, rows, root):
    found = []
    includes = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            includes.append((number, match[1], match[2]))
    where = path.relative_to(root)
    for number, mark, header in includes:
        name = third_party(header)
        if name is not None:
            if name not in rows[folder][1]:
                found.append(f"{where}:{number}: {folder} may not include {name} ({header})")
        elif mark == "<":
            if not SYSTEM.match(header):
                found.append(f"{where}:{number}: <{header}> is of no library known to lib/LAYERS")
        elif header.startswith(".") or "/" not in header:
            if not (folder == "stages" and (root / "stages" / header).exists()):
                found.append(f'{where}:{number}: "{header}" (write "folder/name.h")')
        elif header.split("/")[0] not in rows:
            found.append(f'{where}:{number}: "{header}" is in no folder of lib/LAYERS')
        elif not may_include(rows[folder], folder, header):
            found.append(f"{where}:{number}: {folder} may not include {header}")
    own = f"{folder}/{path.stem}.h"
    if path.suffix == ".cpp" and (path.parent / (path.stem + ".h")).exists() and folder != "stages":
        if not includes or includes[0][2] != own:
            found.append(f'{where}: its own header "{own}" must be included first')
    return found


def check(root):
    rows = read_layers(root / "lib" / "LAYERS")
    found = []
    folders = sorted(p for p in (root / "lib").iterdir() if p.is_dir())
    for folder in folders + [root / "stages"]:
        if folder.name not in rows:
            found.append(f"lib/LAYERS has no row for {folder.name}")
            continue
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".h", ".cpp"):
                found += problems_of_file(path, folder.name, rows, root)
    return found


def self_test():
    planted = {
        "lib/games/a.cpp": ('#include "search/tree.h"', "games may not include search/tree.h"),
        "lib/games/b.h": ("#include <mpi.h>", "games may not include mpi"),
        "lib/games/c.h": ('#include "hdf5.h"', "games may not include hdf5"),
        "lib/base/d.h": ("#include <H5Fpublic.h>", "base may not include hdf5"),
        "lib/search/e.cpp": ("#  include <ATen/ATen.h>", "search may not include torch"),
        "lib/games/f.h": ("#include <yaml-cpp/yaml.h>", "games may not include yaml-cpp"),
        "lib/search/g.h": ("#include <boost/optional.hpp>", "search may not include boost"),
        "lib/search/h.h": ("#include <nlohmann/json.hpp>", "search may not include nlohmann"),
        "lib/search/i.h": ('#include "config.h"', 'write "folder/name.h"'),
        "lib/search/j.h": ('#include "../games/game.h"', 'write "folder/name.h"'),
        "lib/search/k.h": ("#include <eigen3/Eigen/Core>", "no library known"),
        "lib/search/l.cpp": ('#include <vector>\n#include "search/l.h"', "must be included first"),
        "lib/search/l.h": ("#pragma once", None),
        "lib/config/m.h": ('#include "search/tree.h"', "config may not include search/tree.h"),
        "lib/config/n.h": ('#include "search/config.h"', None),
        "lib/attic/o.h": ("#pragma once", "no row for attic"),
        "lib/search/p.h": ('#include "games/game.h"\n#include <vector>\n#include <sys/stat.h>', None),
        "lib/search/q.h": ('#include "attic/o.h"', "in no folder of lib/LAYERS"),
        "stages/r.cpp": ("#include <torch/torch.h>", "stages may not include torch"),
    }
    layers = "base | |\ngames | base |\nsearch | base games |\nconfig | base */config.h | yaml-cpp\nstages | * | boost\n"
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name, (text, _) in planted.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text + "\n")
        (root / "lib/LAYERS").write_text(layers)
        found = check(root)
    wrong = []
    expected = {name: message for name, (_, message) in planted.items() if message}
    for name, message in expected.items():
        if not any(message in line and (name in line or "no row" in line) for line in found):
            wrong.append(f"not found: {name}: {message}")
    if len(found) != len(expected):
        wrong += ["expected %d problems, found %d:" % (len(expected), len(found))] + found
    return wrong


def main():
    found = self_test() if sys.argv[1] == "--self-test" else check(pathlib.Path(sys.argv[1]))
    print("\n".join(found) if found else "layers: as lib/LAYERS says")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
