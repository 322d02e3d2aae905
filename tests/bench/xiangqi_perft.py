#!/usr/bin/env python3
"""Legal move counting of Xiangqi, ours against Fairy-Stockfish: xiangqi_perft.py PATH/bench_xiangqi_perft

Counts the same positions to the same depths with both, in turn and several times, each in one thread, and compares
the medians of processor time. Ours counts the legal moves of the last ply without playing them; so does Stockfish,
from which the other is derived, but that the installed version does has not been checked. Exit code 1 when a number of
nodes differs.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

TICK = os.sysconf("SC_CLK_TCK")


class FairyStockfish:
    """The engine, waiting at the other end of a pipe."""

    def __init__(self):
        path = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
        if path is None:
            sys.exit("error: fairy-stockfish is not installed: jobs/setup test")
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("uci", "setoption name UCI_Variant value xiangqi")
        self.wait_for("uciok")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def wait_for(self, start):
        for line in self.process.stdout:
            if line.startswith(start):
                return line
        sys.exit("error: fairy-stockfish ended")

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def count(self, fen, depth, seconds):
        """Nodes, and processor seconds of one count: repeated until `seconds` have passed, for the clock is coarse."""
        self.send(f"position fen {fen}", "isready")
        self.wait_for("readyok")
        before, rounds, end = self.processor_seconds(), 0, time.monotonic() + seconds
        while rounds == 0 or time.monotonic() < end:
            self.send(f"go perft {depth}")
            nodes = int(re.search(r"\d+", self.wait_for("Nodes searched")).group())
            rounds += 1
        return nodes, max(self.processor_seconds() - before, 1 / TICK) / rounds


def ours(program, name, seconds):
    output = subprocess.run([program, f"--benchmark_filter=^{name}$", f"--benchmark_min_time={seconds}",
                             "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout
    row = json.loads(output)["benchmarks"][0]
    if row.get("error_occurred"):
        sys.exit(f"error: {name}: {row['error_message']}")
    return row["label"], int(row["depth"]), int(row["nodes"]), row["cpu_time"] / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="bench_xiangqi_perft of a build")
    parser.add_argument("--rounds", type=int, default=5, help="counts of each position by each program (%(default)s)")
    parser.add_argument("--seconds", type=float, default=1, help="least time of one count (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="small depths once: does it run?")
    arguments = parser.parse_args()
    rounds, seconds = (1, 0.01) if arguments.quick else (arguments.rounds, arguments.seconds)
    listed = subprocess.run([arguments.program, "--benchmark_list_tests"], check=True, capture_output=True, text=True)
    depths = {}
    for name in listed.stdout.split():
        depths.setdefault(name.split("/")[0], []).append(name)
    names = [group[0 if arguments.quick else -1] for group in depths.values()]

    engine, failed, ratios = FairyStockfish(), False, []
    print(f"{'position/depth':14} {'nodes':>10} {'ours':>12} {'fairy-stockfish':>16} {'ratio':>6}")
    for name in names:
        times = ([], [])
        for _ in range(rounds):
            fen, depth, nodes, own = ours(arguments.program, name, seconds)
            theirs_nodes, theirs = engine.count(fen, depth, seconds)
            times[0].append(own)
            times[1].append(theirs)
            if nodes != theirs_nodes:
                print(f"error: {name}: {nodes} nodes, fairy-stockfish has {theirs_nodes}")
                failed = True
        own, theirs = (statistics.median(t) for t in times)
        ratios.append(theirs / own)
        print(f"{name:14} {nodes:10} {nodes / own / 1e6:8.1f} M/s {nodes / theirs / 1e6:12.1f} M/s {theirs / own:6.1f}")
    engine.send("quit")
    print(f"ours is {statistics.geometric_mean(ratios):.1f} times as fast (geometric mean)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
