#!/usr/bin/env python3
"""Perft counts of placement games, by another way than the rules in lib/games: prints tests/golden/perft.txt.

Counts sequences without playing them: the number of ways to reach each set of stones is carried from ply to
ply, and a set with a full line of the last mover goes no further. Lines are listed cell by cell beforehand.
On one row renju forbids only what the text of the row shows, so that a pattern of words is its whole rule.
"""
import math

import re

CASES = [  # settings, width, height, line, greatest depth
    ("tic_tac_toe", 3, 3, 3, 9),
    ("gomoku width=3 height=3 line=3 planes=classic4", 3, 3, 3, 9),
    ("gomoku width=6 height=6 line=4", 6, 6, 4, 4),
    ("gomoku width=4 height=4 line=3", 4, 4, 3, 6),
    ("gomoku width=4 height=3 line=3", 4, 3, 3, 7),
    ("gomoku width=3 height=4 line=4", 3, 4, 4, 7),
    ("gomoku width=2 height=7 line=3", 2, 7, 3, 6),
    ("gomoku width=1 height=8 line=3", 1, 8, 3, 8),
    ("gomoku width=15 height=15 line=5 planes=classic4", 15, 15, 5, 3),
    ("gomoku width=8 height=1 line=2 rule=standard", 8, 1, 2, 8),
    ("gomoku width=4 height=3 line=2 rule=standard", 4, 3, 2, 8),
    ("gomoku width=3 height=4 line=3 rule=standard", 3, 4, 3, 7),
    ("gomoku width=11 height=1 line=5 rule=renju", 11, 1, 5, 10),
    ("connect6 width=4 height=3 line=3", 4, 3, 3, 7),
    ("connect6 width=2 height=5 line=3", 2, 5, 3, 8),
    ("connect6 width=1 height=9 line=3", 1, 9, 3, 9),
    ("connect6", 19, 19, 6, 3),
]

DROPS = [  # columns, rows, line, greatest depth; Connect Four
    (7, 6, 4, 8),
    (5, 4, 4, 10),
    (4, 5, 3, 9),
    (4, 3, 3, 12),
    (3, 3, 3, 9),
    (2, 5, 3, 10),
    (1, 8, 4, 8),
    (6, 1, 2, 6),
    (10, 3, 5, 5),
]

DOTS = [  # rows, cols of boxes, greatest depth; the edges are drawn in any order, whoever draws them
    (1, 1, 5),
    (1, 2, 8),
    (2, 2, 6),
    (2, 3, 5),
    (3, 3, 4),
    (4, 5, 3),
]


def lines_of(width, height, length):
    """Pairs of masks: the cells of a line, and the cells that would make it longer."""
    lines = []
    for y in range(height):
        for x in range(width):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                cells = [(x + i * dx, y + i * dy) for i in range(-1, length + 1)]
                masks = [1 << (cy * width + cx) if 0 <= cx < width and 0 <= cy < height else 0 for cx, cy in cells]
                if all(masks[1:-1]):
                    lines.append((sum(masks[1:-1]), masks[0] | masks[-1]))
    return lines


def loses_on_a_row(width, stones, other, cell):
    """Renju on one row: black's stone on `cell` is part of no five, but of an overline or of two fours."""
    text = "".join("X" if stones >> k & 1 else "O" if other >> k & 1 else "." for k in range(width))
    padded = "O" + text + "O"
    at = cell + 1
    if any(m.start() <= at < m.end() for m in re.finditer("X{6,}", padded)):
        return True
    fours = set()
    for start in range(1, width - 3):
        window = padded[start:start + 5]
        outside = padded[start - 1] + padded[start + 5]
        if sorted(window) == sorted("X" * 4 + ".") and "X" not in outside and start <= at < start + 5:
            fours.add(tuple(k for k in range(start, start + 5) if padded[k] == "X"))
    return len(fours) >= 2


def counts(settings, width, height, length, depth):
    lines = lines_of(width, height, length)
    exact = "standard" in settings
    renju = "renju" in settings
    mover = (lambda ply: (ply + 1) // 2 % 2) if settings.startswith("connect6") else (lambda ply: ply % 2)
    ways = {(0, 0): 1}  # (stones of the first player, stones of the second) -> number of sequences
    yield 1
    for ply in range(depth):
        if ply + 1 == depth:  # the last ply needs no sets, only their number
            yield sum(n * (width * height - bin(a | b).count("1")) for (a, b), n in ways.items())
            return
        player = mover(ply)
        after, total = {}, 0
        for stones, n in ways.items():
            for cell in range(width * height):
                if not (stones[0] | stones[1]) >> cell & 1:
                    total += n
                    key = (stones[0] | 1 << cell, stones[1]) if player == 0 else (stones[0], stones[1] | 1 << cell)
                    if renju and player == 0 and loses_on_a_row(width, key[0], key[1], cell):
                        continue
                    after[key] = after.get(key, 0) + n
        yield total
        only = exact or (renju and player == 0)
        ways = {key: n for key, n in after.items()
                if not any(key[player] & line == line and not (only and key[player] & longer)
                           for line, longer in lines)}


def drop_counts(columns, rows, length, depth):
    """Connect Four: as counts(), but only the lowest free cell of a column can be taken."""
    lines = [line for line, _ in lines_of(columns, rows, length)]
    ways = {(0, 0): 1}  # (discs of the one to move, discs of the other) -> number of sequences
    for ply in range(depth + 1):
        yield sum(ways.values())
        after = {}
        for (own, other), n in ways.items():
            if any(other & line == line for line in lines):
                continue
            for column in range(columns):
                free = [c for c in range(column, columns * rows, columns) if not (own | other) >> c & 1]
                if free:
                    key = (other, own | 1 << free[0])
                    after[key] = after.get(key, 0) + n
        ways = after


def main():
    print("# Action sequences of exactly this many plies: settings : depth count. Written by reference.py.")
    for settings, width, height, length, depth in CASES:
        for d, count in enumerate(counts(settings, width, height, length, depth)):
            print(f"{settings} : {d} {count}")
    for columns, rows, length, depth in DROPS:
        for d, count in enumerate(drop_counts(columns, rows, length, depth)):
            print(f"connect_four columns={columns} rows={rows} line={length} : {d} {count}")
    for rows, cols, depth in DOTS:
        edges = (rows + 1) * cols + rows * (cols + 1)
        for d in range(depth + 1):
            print(f"dots_and_boxes rows={rows} cols={cols} : {d} {math.perm(edges, d)}")


if __name__ == "__main__":
    main()
