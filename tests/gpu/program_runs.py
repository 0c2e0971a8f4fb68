"""Runs ordinary programs bare, recorded, and recorded without Python's stacks, in turns; prints what each says it took.

Usage: program_runs.py FOLDER ROUNDS MODE[,MODE...] [PART OF A NAME]; MODE: bare, stacks, plain. Lines on standard
input: "NAME MODULE,MODULE SCRIPT ARGUMENT..."; a program's last words are a line `RESULT ... step_ms=... median_ms=...`.
Leaves recordings, FOLDER/NAME.MODE.ROUND.overlane, and all figures in FOLDER/programs.json. In the end a
table of medians over the rounds, with the smallest and the largest, and the median of `stacks` by `plain`.
OVERLANE_PROGRAMS_SECONDS: no group begins after that; OVERLANE_PROGRAMS_GROUP: processes started at once.
"""

import json
import os
import re
import statistics
import sys
import time

from held_runs import HERE, Run, run_in_groups, touch_memory

GROUP = int(os.environ.get("OVERLANE_PROGRAMS_GROUP", "6"))  # processes started at once
LONGEST_IN_ALL_S = float(os.environ.get("OVERLANE_PROGRAMS_SECONDS", "inf"))
OPTIONS = {"stacks": ("--pytorch",), "plain": ("--pytorch", "--no-stacks")}


def starter(name, mode, turn, modules, arguments, folder):
    path = None if mode == "bare" else os.path.join(folder, "%s.%s.%d.overlane" % (name, mode, turn + 1))
    return lambda: Run("%s/%s" % (name, mode), ["python3", os.path.join(HERE, "held.py"), modules, *arguments], path,
                       OPTIONS.get(mode, ()), "RESULT ")


def figures_of(line):
    return {key: float(value) for key, value in re.findall(r"(\w+)=([0-9.]+)", line)}


def main():
    out, rounds, modes = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3].split(",")
    part = sys.argv[4] if len(sys.argv) > 4 else ""
    os.makedirs(out, exist_ok=True)
    programs = [line.split() for line in sys.stdin.read().splitlines() if line.strip() and part in line.split()[0]]
    start, failures, found = time.perf_counter(), 0, {}
    touch_memory(24 << 30)
    turns = []
    for turn in range(rounds):
        for name, modules, *arguments in programs:
            for mode in modes if turn % 2 == 0 else modes[::-1]:
                turns.append(starter(name, mode, turn, modules, arguments, out))
    for first in range(0, len(turns), GROUP):
        if time.perf_counter() - start > LONGEST_IN_ALL_S:
            print("no time for %d runs" % (len(turns) - first))
            break
        for run, well in run_in_groups(turns[first:first + GROUP], GROUP):
            failures += not well
            if well:
                figures = figures_of(run.line)
                found.setdefault(run.name, []).append(figures)
                print("%-28s %9.3f median %9.3f %6d KiB  %s" % (
                    run.name, figures["step_ms"], figures["median_ms"], run.size_kib(), run.said()[:150]), flush=True)
        with open(os.path.join(out, "programs.json"), "w") as file:
            json.dump(found, file, indent=1)
    print("%-20s" % "program" + "".join("%32s" % mode for mode in modes) + "  stacks by plain")
    for name, *_ in programs:
        row, middle = "%-20s" % name, {}
        for mode in modes:
            times = [figures["step_ms"] for figures in found.get("%s/%s" % (name, mode), [])]
            if times:
                middle[mode] = statistics.median(times)
            row += "%32s" % ("%.2f (%.2f to %.2f)" % (middle[mode], min(times), max(times)) if times else "-")
        if "stacks" in middle and "plain" in middle:
            row += "  %.3f" % (middle["stacks"] / middle["plain"])
        print(row)
    print("failures: %d, %.0f s" % (failures, time.perf_counter() - start))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
