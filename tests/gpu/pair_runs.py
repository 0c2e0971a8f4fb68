"""Ordinary programs before and after a change that what-if predicts, run next to each other; prints what was predicted
from a recording of the program as it is, and what the changed program then took by its own clock.

Usage: pair_runs.py FOLDER ROUNDS [PART OF A NAME]. Lines on standard input:
"NAME MODULE,MODULE SCRIPT[,ARGUMENT] COUNT VARIANT CHANGE[+CHANGE]:VARIANT...", a change as `overlane whatif --change`
has it. Per program: once recorded, then in each round as it is and with each change, without a recorder. Leaves the recordings,
FOLDER/NAME.overlane, all figures in FOLDER/pairs.json and the table in FOLDER/pairs.md.
OVERLANE_PROGRAMS_SECONDS: no program begins after that.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time

from held_runs import HERE, Run, run_in_groups, touch_memory

LONGEST_IN_ALL_S = float(os.environ.get("OVERLANE_PROGRAMS_SECONDS", "inf"))


class Program:
    def __init__(self, line):
        self.name, self.modules, self.script, self.count, self.variant, *pairs = line.split()
        self.changes = [tuple(pair.rsplit(":", 1)) for pair in pairs]
        self.took = {}  # ms, by variant; the recorded run is "recorded"

    def run(self, label, variant, path=None):
        command = ["python3", os.path.join(HERE, "held.py"), self.modules, *self.script.split(","), variant, self.count]
        return lambda: Run(label, command, path, figures_start="RESULT ")

    def measure(self, folder, rounds):
        self.path = os.path.join(folder, self.name + ".overlane")
        makes = [self.run("recorded", self.variant, self.path)]
        for _ in range(rounds):
            makes += [self.run(variant, variant) for variant in (self.variant, *(to for _, to in self.changes))]
        failures = 0
        for run, well in run_in_groups(makes, len(makes)):
            failures += not well
            if well:
                step = float(re.search(r"step_ms=([0-9.]+)", run.line)[1])
                self.took.setdefault(run.name, []).append(step)
        print(self.name, json.dumps(self.took), flush=True)
        return failures

    def predict(self, changes):
        options = [part for change in changes.split("+") for part in ("--change", change)]
        environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(HERE, "lib"))
        answer = subprocess.run([os.path.join(HERE, "overlane"), "whatif", self.path, *options, "--json"],
                                capture_output=True, text=True, env=environment)
        return json.loads(answer.stdout) if answer.returncode == 0 else {"error": answer.stderr.strip()}


def ms(value):
    return "%.3g" % value if value < 1000 else "%.0f" % value


def row(program, changes, variant):
    prediction = program.predict(changes)
    took = program.took.get(variant, [])
    cells = [program.name, changes.replace("+", " + "), ", ".join(map(ms, program.took.get("recorded", []))),
             ", ".join(map(ms, program.took.get(program.variant, [])))]
    record = {"name": program.name, "changes": changes, "variant": variant, "took": program.took, "prediction": prediction}
    if "error" in prediction or not took:
        return record, cells + [prediction.get("error", "-"), ", ".join(map(ms, took)), "-", "-"]
    low, high = (bound / 1e6 for bound in prediction["range"])
    # Where the program counts in several of the iterations that are judged, as updates of two batches, so is predicted.
    times = max(1, round(program.took["recorded"][0] / (prediction["step_ns_measured"] / 1e6)))
    low, high, predicted = (times * bound for bound in (low, high, prediction["step_ns_predicted"] / 1e6))
    measured = statistics.median(took)
    record.update(iterations=times, held=low <= measured <= high, error=predicted / measured - 1)
    of = "" if times == 1 else ", %d iterations" % times
    return record, cells + ["%s (%s to %s) %s%s" % (ms(predicted), ms(low), ms(high), prediction["direction"], of),
                            ", ".join(map(ms, took)), "%+.0f %%" % (record["error"] * 100),
                            "yes" if record["held"] else "no"]


def main():
    folder, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    part = sys.argv[3] if len(sys.argv) > 3 else ""
    os.makedirs(folder, exist_ok=True)
    programs = [Program(line) for line in sys.stdin.read().splitlines() if line.strip()]
    start, failures, records, lines = time.perf_counter(), 0, [], []
    touch_memory(24 << 30)
    for program in (program for program in programs if part in program.name):
        if time.perf_counter() - start > LONGEST_IN_ALL_S:
            print("no time for %s" % program.name)
            continue
        failures += program.measure(folder, rounds)
        for changes, variant in program.changes:
            record, cells = row(program, changes, variant)
            records.append(record)
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], flush=True)
        with open(os.path.join(folder, "pairs.json"), "w") as file:
            json.dump(records, file, indent=1)
    judged = [record for record in records if "held" in record]
    if judged:
        lines.append("\nHeld: %d of %d; median error %.0f %%." % (
            sum(record["held"] for record in judged), len(judged),
            100 * statistics.median(abs(record["error"]) for record in judged)))
    table = "\n".join(["| program | change | recorded | as it is | predicted (range) | took | error | in range |",
                       "|---|---|--:|--:|---|--:|--:|---|", *lines])
    with open(os.path.join(folder, "pairs.md"), "w") as file:
        file.write(table + "\n")
    print(table + "\nfailures: %d, %.0f s" % (failures, time.perf_counter() - start))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
