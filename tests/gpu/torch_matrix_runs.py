"""Runs the settings of torch_matrix.sh in rounds, each as a process of its own, one at a time.

Usage: torch_matrix_runs.py FOLDER ROUNDS [PART OF A NAME]; lines "name arguments" on standard input.
Processes start in groups, since importing PyTorch takes longer than the loop, and each runs its loop when
the one before has printed its figures. In a round every setting is recorded, in an order of its own; in
the end each runs bare. Leaves round<k>/NAME.overlane and bare.json, prints a line for each run.
From the environment: OVERLANE_MATRIX_SECONDS, for which rounds begin that will end; OVERLANE_MATRIX_GROUP,
processes in a group; OVERLANE_MATRIX_TOUCH_GIB, memory written first; OVERLANE_MATRIX_NO_BARE.
"""

import json
import os
import random
import sys
import time

from held_runs import Run, run_in_groups, touch_memory

GROUP = int(os.environ.get("OVERLANE_MATRIX_GROUP", "18"))
SCRIPT = "torch_matrix.py"
LONGEST_IN_ALL_S = float(os.environ.get("OVERLANE_MATRIX_SECONDS", "inf"))
TOUCHED_BYTES = int(os.environ.get("OVERLANE_MATRIX_TOUCH_GIB", "24")) << 30


def starter(name, arguments, folder):
    path = os.path.join(folder, name + ".overlane") if folder else None
    return lambda: Run(name, ["python3", SCRIPT, "--held", *arguments.split()], path)


def run_all(settings, folder):
    """Figures by name, and how many failed."""
    figures, failures = {}, 0
    for run, well in run_in_groups([starter(name, arguments, folder) for name, arguments in settings], GROUP):
        found = figures[run.name] = json.loads(run.line) if run.line else None
        failures += not well
        if well:
            print("%-26s %9.3f %9.3f %9.3f %9.3f %7s  %s" % (
                run.name, found["step_ms"], found["p10_ms"], found["median_ms"], found["p90_ms"],
                "%d KiB" % run.size_kib() if run.recorded else "bare", run.said()[:100]))
    return figures, failures


def main():
    out, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    part = sys.argv[3] if len(sys.argv) > 3 else ""
    lines = [line.split(None, 1) for line in sys.stdin.read().splitlines() if line.strip()]
    settings = [(line[0], line[1] if len(line) > 1 else "") for line in lines if part in line[0]]
    result = {name: {"name": name, "arguments": arguments, "recorded": [], "bare": None} for name, arguments in settings}
    touch_memory(TOUCHED_BYTES)
    failures, longest_s, start = 0, 0.0, time.perf_counter()
    print("%-26s %9s %9s %9s %9s" % ("setting", "step ms", "p10", "median", "p90"))
    for round_ in range(1, rounds + 1):
        folder = os.path.join(out, "round%d" % round_)
        begun = time.perf_counter()
        if begun - start + longest_s > LONGEST_IN_ALL_S:
            break
        os.makedirs(folder, exist_ok=True)
        order = random.Random(round_).sample(settings, len(settings))
        figures, failed = run_all(order, folder)
        failures += failed
        for name, figure in figures.items():
            result[name]["recorded"].append(figure)
        longest_s = max(longest_s, time.perf_counter() - begun)
        print("round %d: %.0f s" % (round_, time.perf_counter() - begun), flush=True)
        with open(os.path.join(out, "bare.json"), "w") as file:
            json.dump(list(result.values()), file, indent=1)
    if not os.environ.get("OVERLANE_MATRIX_NO_BARE"):
        figures, failed = run_all(settings, None)
        failures += failed
        for name, figure in figures.items():
            result[name]["bare"] = figure
        with open(os.path.join(out, "bare.json"), "w") as file:
            json.dump(list(result.values()), file, indent=1)
    print("failures: %d" % failures)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
