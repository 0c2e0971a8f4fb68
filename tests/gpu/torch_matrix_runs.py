"""Runs the settings of torch_matrix.sh in rounds, each as a process of its own, one at a time.

Usage: torch_matrix_runs.py FOLDER ROUNDS [PART OF A NAME]; lines "name arguments" on standard input.
Processes start in groups, since importing PyTorch takes longer than the loop, and each runs its loop when
the one before has printed its figures. In a round every setting is recorded, in an order of its own; in
the end each runs bare. Leaves round<k>/NAME.overlane and bare.json, prints a line for each run.
From the environment: OVERLANE_MATRIX_SECONDS, for which rounds begin that will end; OVERLANE_MATRIX_GROUP,
processes in a group; OVERLANE_MATRIX_TOUCH_GIB, memory written first; OVERLANE_MATRIX_NO_BARE.
"""

import json
import mmap
import multiprocessing
import os
import random
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GROUP = int(os.environ.get("OVERLANE_MATRIX_GROUP", "18"))
SCRIPT = "torch_matrix.py"
LONGEST_S = 90
LONGEST_IN_ALL_S = float(os.environ.get("OVERLANE_MATRIX_SECONDS", "inf"))
TOUCHED_BYTES = int(os.environ.get("OVERLANE_MATRIX_TOUCH_GIB", "24")) << 30


def touch(size):
    """Fresh shared memory written once and given back."""
    with mmap.mmap(-1, size) as memory:
        page = b"\1" * (1 << 20)
        start = time.perf_counter()
        for at in range(0, size, len(page)):
            memory[at:at + len(page)] = page
        return time.perf_counter() - start


def touch_memory():
    """A virtual machine gets its memory from its host when it is first touched, and that is slow."""
    parts = min(12, os.cpu_count() or 1)
    size = TOUCHED_BYTES // parts >> 20 << 20
    if size == 0:
        return
    with multiprocessing.Pool(parts) as pool:
        for turn in ("first", "again"):
            longest = max(pool.map(touch, [size] * parts, chunksize=1))
            print("memory: %d x %d MiB touched %s: %.1f GB/s" % (parts, size >> 20, turn, size * parts / longest / 1e9))


class Run:
    """One process, started up to where its loader would begin."""

    def __init__(self, name, arguments, folder):
        self.name = name
        self.recorded = folder is not None
        command = ["python3", SCRIPT, "--held", *arguments.split()]
        if self.recorded:
            self.path = os.path.join(folder, name + ".overlane")
            if os.path.exists(self.path):
                os.remove(self.path)
            command = [os.path.join(HERE, "overlane"), "record", "--pytorch", "--duration", str(LONGEST_S * 2),
                       "-o", self.path, "--", *command]
        environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(HERE, "lib") + ":" +
                           os.environ.get("LD_LIBRARY_PATH", "")) if self.recorded else None
        self.process = subprocess.Popen(["timeout", str(LONGEST_S * 2), *command], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.figures = None

    def wait_until_ready(self):
        return self._line_with("ready") is not None

    def go(self):
        """Until it has printed its figures; how it ends is no matter of the next."""
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except OSError:
            return
        line = self._line_with("{")
        self.figures = json.loads(line) if line else None

    def _line_with(self, start):
        for line in self.process.stdout:
            if line.startswith(start):
                return line
        return None

    def end(self):
        _, errors = self.process.communicate(timeout=LONGEST_S)
        said = [line for line in errors.splitlines() if line and "arn" not in line]
        verdict = [line for line in said if not line.startswith("overlane: ")][-1:]
        if self.figures is None or self.process.returncode != 0:
            print("%s: exit %d: %s" % (self.name, self.process.returncode, " / ".join(said[-3:])))
            return False
        size = os.path.getsize(self.path) >> 10 if self.recorded else 0
        print("%-26s %9.3f %9.3f %9.3f %9.3f %7s  %s" % (
            self.name, self.figures["step_ms"], self.figures["p10_ms"], self.figures["median_ms"],
            self.figures["p90_ms"], "%d KiB" % size if size else "bare", "".join(verdict)[:100]))
        return True


def run_all(settings, folder):
    """Figures by name, and how many failed."""
    figures, failures = {}, 0
    for first in range(0, len(settings), GROUP):
        group = [Run(name, arguments, folder) for name, arguments in settings[first:first + GROUP]]
        ready = [run for run in group if run.wait_until_ready()]
        time.sleep(0.5)
        for run in ready:
            run.go()
            time.sleep(0.3)
        for run in group:
            failures += not run.end()
            figures[run.name] = run.figures
    return figures, failures


def main():
    out, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    part = sys.argv[3] if len(sys.argv) > 3 else ""
    lines = [line.split(None, 1) for line in sys.stdin.read().splitlines() if line.strip()]
    settings = [(line[0], line[1] if len(line) > 1 else "") for line in lines if part in line[0]]
    result = {name: {"name": name, "arguments": arguments, "recorded": [], "bare": None} for name, arguments in settings}
    touch_memory()
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
