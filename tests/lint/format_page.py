#!/usr/bin/env python3
"""Checks lib/replay/FORMAT.md: its tables equal the schema table, its example runs, and what it promises about
packing, symmetries, texts, checksums and the digest holds for files that h5py reads.

usage: format_page.py FORMAT.md FORMAT_FILES_PROGRAM"""
import contextlib
import hashlib
import io
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
from unittest import mock

import h5py
import numpy as np

faults = []
TYPES = {"i8": "<i1", "i16": "<i2", "i32": "<i4", "i64": "<i8", "u8": "<u1", "u64": "<u8", "f32": "<f4"}


def check(condition, text):
    if not condition:
        faults.append(text)


def table_rows(page):
    return [line for line in page.splitlines() if line.startswith("| `")]


def check_tables(page, schema):
    on_page = table_rows(page)
    for line in schema:
        check(line in on_page, f"FORMAT.md lacks the line: {line}")
    for line in on_page:
        check(line in schema, f"FORMAT.md has a line that the schema has not: {line}")
    check(on_page == schema, "the tables of FORMAT.md have another order than the schema")


def run_example(page, path):
    code = re.search(r"```python\n(.*?)```", page, re.S).group(1)
    names = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), mock.patch.object(sys, "argv", ["example.py", str(path)]):
        exec(code, names)
    check(printed.getvalue().strip() != "", "the example prints nothing")
    return names


def datasets(file):
    found = {}
    file.visititems(lambda name, item: found.update({name: item}) if isinstance(item, h5py.Dataset) else None)
    return found


def type_name(dataset):
    if h5py.check_string_dtype(dataset.dtype):
        return "text"
    known = [name for name, dtype in TYPES.items() if dataset.dtype == np.dtype(dtype)]
    return known[0] if known else str(dataset.dtype)


def digest_of(file):
    """As the section "Digest and seal" says."""
    text = b""
    for name in sorted(file.attrs, key=str.encode):
        value = file.attrs[name]
        if name == "digest":
            continue
        if isinstance(value, str):
            line = f"text {len(value.encode())} {value}"
        elif isinstance(value, np.ndarray):
            line = " ".join(["ints"] + [str(int(v)) for v in value])
        elif isinstance(value, np.floating):
            line = "float %016x" % struct.unpack("<Q", struct.pack("<d", value))[0]
        else:
            line = f"int {int(value)}"
        text += f"attribute {name} {line}\n".encode()
    for name, dataset in sorted(datasets(file).items(), key=lambda item: item[0].encode()):
        if type_name(dataset) == "text":
            content = b"".join(s.encode() + b"\0" for s in dataset.asstr()[:])
        else:
            content = dataset[()].tobytes()
        shape = ",".join(str(n) for n in dataset.shape)
        sha = hashlib.sha256(content).hexdigest()
        text += f"dataset {name} {type_name(dataset)} {shape} {sha}\n".encode()
    return hashlib.sha256(text).hexdigest()


def check_file(path):
    raw = path.read_bytes()
    check(raw[:9] == b"\x89HDF\r\n\x1a\n\0", f"{path.name}: not superblock 0")
    check(re.fullmatch(rb"rankfile-seal:[0-9a-f]{16}\n", raw[-31:]), f"{path.name}: no seal line")
    with h5py.File(path, "r") as file:
        check(file.attrs["digest"] == digest_of(file), f"{path.name}: the digest is not as the page says")
        for name, dataset in datasets(file).items():
            check(dataset.fletcher32, f"{path.name}: {name} has no Fletcher-32 checksum")
            check(dataset.chunks is not None, f"{path.name}: {name} has no chunks")


def check_schema(path, schema):
    with h5py.File(path, "r") as file:
        found = datasets(file)
        for line in schema:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            name = cells[0].strip("`")
            if len(cells) == 3:
                value = file.attrs.get(name)
                kind = {"text": str, "int": np.int64, "uint": np.uint64, "ints": np.ndarray}[cells[1]]
                check(isinstance(value, kind), f"{path.name}: attribute {name} is {type(value)}, not {cells[1]}")
                check(not isinstance(value, str) or "\0" not in value, f"{path.name}: attribute {name} has a NUL")
            else:
                dataset = found.pop(name, None)
                check(dataset is not None and type_name(dataset) == cells[1], f"{path.name}: {name} is no {cells[1]}")
                rank = cells[2].count(",") + 1
                check(dataset is not None and len(dataset.shape) == rank, f"{path.name}: {name} is not {cells[2]}")
        check(not found, f"{path.name}: datasets that are not in the schema: {list(found)}")
        reasons = file["games/end_reason"].asstr()[:]
        check(all(isinstance(r, str) and r and "\0" not in r for r in reasons), f"{path.name}: end reasons {reasons}")


def check_rows(path, planes):
    """Unique rows are what the rules say; every other row is the image that the symmetry tables make of one."""
    expected = {}
    for line in path.with_suffix(".txt").read_text().splitlines():
        game, ply, to_move, z, *values = line.split()
        expected[int(game), int(ply)] = (int(to_move), float(z), np.array(values, np.float32))
    with h5py.File(path, "r") as file:
        rows = {name: data[()] for name, data in file["rows"].items()}
        cell, action = file["symmetries/cell"][:], file["symmetries/action"][:]
        count = int(file.attrs["num_actions"])
    policy = np.zeros((len(rows["game"]), count))
    for i in range(len(policy)):
        entries = slice(*rows["policy_offset"][i : i + 2])
        policy[i, rows["policy_action"][entries]] = rows["policy_visits"][entries]
    origin = {}
    for i, key in enumerate(zip(rows["game"], rows["ply"])):
        flat = planes[i].reshape(planes.shape[1], -1)
        if rows["unique"][i]:
            to_move, z, values = expected.pop(key)
            same = np.array_equal(values.reshape(flat.shape), flat)
            check(same and rows["to_move"][i] == to_move and rows["outcome"][i] == z, f"{path.name}: row {i}")
            origin[key] = (flat, policy[i])
        else:
            k = rows["symmetry"][i]
            same = np.array_equal(origin[key][0][:, cell[k]], flat) and np.array_equal(origin[key][1][action[k]], policy[i])
            check(same, f"{path.name}: row {i} is not image {k} of its position")
    check(not expected, f"{path.name}: positions without a row: {list(expected)[:3]}")


def main():
    page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[2], name], check=True)
        schema = (folder / "schema.txt").read_text().splitlines()
        check_tables(page, schema)
        shards = sorted(path for path in folder.glob("*.h5") if path.with_suffix(".txt").exists())
        check(len(shards) >= 4, "too few shards were written")
        for path in shards:
            check_file(path)
            check_schema(path, schema)
            check_rows(path, run_example(page, path)["planes"])
        check_file(folder / "nothing.h5")
        check_schema(folder / "nothing.h5", schema)
        check_file(folder / "network.h5")
        with h5py.File(folder / "network.h5", "r") as network:
            check(network.attrs["run_id"] == "run Größe", "network.h5: run_id")
            check(network["tensors/stem.weight"].shape == (32, 2, 3, 3), "network.h5: stem.weight")
    for fault in faults[:40]:
        print(fault)
    sys.exit(1 if faults else 0)


main()
