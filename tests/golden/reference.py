#!/usr/bin/env python3
"""Perft counts of placement games, by another way than the rules in lib/games: prints tests/golden/perft.txt.

Counts sequences without playing them: the number of ways to reach each set of stones is carried from ply to
ply, and a set with a full line of the last mover goes no further. Lines are listed cell by cell beforehand.
"""
import math

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
    lines = []
    for y in range(height):
        for x in range(width):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                cells = [(x + i * dx, y + i * dy) for i in range(length)]
                if all(0 <= cx < width and 0 <= cy < height for cx, cy in cells):
                    lines.append(sum(1 << (cy * width + cx) for cx, cy in cells))
    return lines


def counts(width, height, length, depth):
    lines = lines_of(width, height, length)
    ways = {(0, 0): 1}  # (stones of the one to move, stones of the other) -> number of sequences
    yield 1
    for ply in range(1, depth + 1):
        if ply == depth:  # the last ply needs no sets, only their number
            yield sum(n * (width * height - bin(own | other).count("1")) for (own, other), n in ways.items())
            return
        after = {}
        for (own, other), n in ways.items():
            for cell in range(width * height):
                if not (own | other) >> cell & 1:
                    key = (other, own | 1 << cell)
                    after[key] = after.get(key, 0) + n
        yield sum(after.values())
        ways = {key: n for key, n in after.items() if not any(key[1] & line == line for line in lines)}


def main():
    print("# Action sequences of exactly this many plies: settings : depth count. Written by reference.py.")
    for settings, width, height, length, depth in CASES:
        for d, count in enumerate(counts(width, height, length, depth)):
            print(f"{settings} : {d} {count}")
    for rows, cols, depth in DOTS:
        edges = (rows + 1) * cols + rows * (cols + 1)
        for d in range(depth + 1):
            print(f"dots_and_boxes rows={rows} cols={cols} : {d} {math.perm(edges, d)}")


if __name__ == "__main__":
    main()
