"""Predictions from the traces of torch_matrix.sh, beside the settings that they are for: a table in Markdown.

Usage: torch_matrix_table.py OVERLANE FOLDER... [--brief] [--json FILE]
Every FOLDER holds round<k> folders. A pair's prediction is the median of those made from each round's
recording of the one setting, its real figure the median of the recordings of the other, both over the
steps that the script itself timed. `beyond` is the error beyond the smallest and the largest recording.

A change is real where no recording of the one setting is as fast as any of the other, and the medians are
LEAST_CHANGE apart. What is claimed is what most of the predictions call their direction. Beside it stands the
plain rule without noise: every predicted difference of LEAST_CHANGE is a claim.
"""

import argparse
import concurrent.futures
import glob
import itertools
import json
import os
import statistics
import subprocess
import sys

# From one setting to another, and the changes that make it: chosen before the first run.
PAIRS = """
    even_page_block_same even_page_nb_same non_blocking
    even_page_block_same even_pin_block_same pin
    even_page_block_same even_pin_nb_same pin non_blocking
    even_page_block_same even_page_block_side2 side_stream=3
    even_page_block_same even_page_nb_side2 non_blocking side_stream=3
    even_page_block_same even_pin_block_side2 pin side_stream=3
    even_page_block_same even_pin_nb_side2 pin non_blocking side_stream=3
    even_page_block_same even_pin_nb_side1 pin non_blocking side_stream=2
    even_page_block_same even_pin_nb_side4 pin non_blocking side_stream=5
    even_page_nb_same even_pin_nb_same pin
    even_page_nb_same even_page_nb_side2 side_stream=3
    even_page_nb_same even_pin_nb_side2 pin side_stream=3
    even_page_nb_side2 even_pin_nb_side2 pin
    even_page_block_side2 even_page_nb_side2 non_blocking
    even_pin_block_same even_pin_nb_same non_blocking
    even_pin_block_same even_pin_block_side2 side_stream=3
    even_pin_block_same even_pin_nb_side2 non_blocking side_stream=3
    even_pin_nb_same even_pin_nb_side1 side_stream=2
    even_pin_nb_same even_pin_nb_side2 side_stream=3
    even_pin_nb_same even_pin_nb_side4 side_stream=5
    even_pin_nb_same even_pin_nb_free drop_syncs
    even_pin_nb_same even_pin_nb_side2_free drop_syncs side_stream=3
    even_pin_nb_side2 even_pin_nb_side1 side_stream=2
    even_pin_nb_side2 even_pin_nb_side4 side_stream=5
    even_pin_nb_side2 even_pin_nb_side2_free drop_syncs
    even_pin_nb_side2 even_pin_nb_side2_w4 workers=4
    even_pin_nb_side2_w4 even_pin_nb_side2 workers=8
    even_page_block_same even_page_block_w2 workers=2
    even_page_block_w2 even_page_block_same workers=8
    even_page_block_same even_page_block_free drop_syncs
    even_page_block_free even_pin_nb_free pin non_blocking
    compute_page_block_same compute_page_nb_side2 non_blocking side_stream=3
    compute_page_block_same compute_pin_nb_same pin non_blocking
    compute_page_block_same compute_pin_nb_side2 pin non_blocking side_stream=3
    compute_page_nb_side2 compute_pin_nb_side2 pin
    compute_pin_nb_same compute_pin_nb_side2 side_stream=3
    copy_page_block_same copy_page_nb_side2 non_blocking side_stream=3
    copy_page_block_same copy_pin_nb_same pin non_blocking
    copy_page_block_same copy_pin_nb_side2 pin non_blocking side_stream=3
    copy_page_nb_side2 copy_pin_nb_side2 pin
    copy_pin_nb_same copy_pin_nb_side2 side_stream=3
    loader_page_block_w2 loader_page_block_w4 workers=4
    loader_page_block_w4 loader_page_block_w2 workers=2
    loader_page_block_w4 loader_pin_nb_side2_w4 pin non_blocking side_stream=3
    loader_pin_nb_side2_w4 loader_pin_nb_side2_w8 workers=8
    loader_pin_nb_side2_w8 loader_pin_nb_side2_w4 workers=4
    loader_page_block_w2 loader_pin_nb_side2_w8 pin non_blocking side_stream=3 workers=8
    alone_page_block_w0 alone_pin_nb_w0 pin non_blocking
    small_page_block_same small_pin_nb_side2 pin non_blocking side_stream=3
    ahead_page_block_same ahead_pin_block_same pin
    ahead_page_block_same ahead_pin_nb_same pin non_blocking
    ahead_page_block_same ahead_pin_nb_side2 pin non_blocking side_stream=3
    ahead_pin_block_same ahead_pin_nb_same non_blocking
    ahead_pin_block_same ahead_pin_nb_side2 non_blocking side_stream=3
    ahead_pin_nb_same ahead_pin_nb_side2 side_stream=3
"""
LEAST_CHANGE = 0.02


def whatif(overlane, path, steps, changes):
    command = [overlane, "whatif", path, "--steps", steps, "--json"]
    for change in changes or ["non_blocking"]:
        command += ["--change", change]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return {"error": (result.stderr or result.stdout).strip()}
    return json.loads(result.stdout)


def timed_steps(folder):
    """Per setting the steps that the script timed, as --steps takes them."""
    steps = {}
    with open(os.path.join(folder, "bare.json")) as file:
        for entry in json.load(file):
            figures = next((figure for figure in entry["recorded"] if figure), None)
            if figures:
                steps[entry["name"]] = "%d-%d" % (figures["warm_up"], figures["warm_up"] + figures["steps"] - 2)
    return steps


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def sign(value):
    return (value > 0) - (value < 0)


class Pair:
    def __init__(self, source, target, changes):
        self.source, self.target, self.changes = source, target, changes
        self.family = source.split("_")[0]
        self.predicted, self.low, self.high, self.replay_error = [], [], [], []
        self.now, self.real = [], []
        self.direction, self.noise = [], []

    def finish(self):
        self.now_ms = statistics.median(self.now)
        self.real_ms = statistics.median(self.real)
        self.predicted_ms = statistics.median(self.predicted)
        self.error = self.predicted_ms / self.real_ms - 1
        self.single = [predicted / self.real_ms - 1 for predicted in self.predicted]
        nearest = min(max(self.predicted_ms, min(self.real)), max(self.real))
        self.beyond = self.predicted_ms / nearest - 1
        real, said = self.real_ms / self.now_ms - 1, self.predicted_ms / self.now_ms - 1
        apart = max(self.real) < min(self.now) or min(self.real) > max(self.now)
        self.is_real = apart and abs(real) > LEAST_CHANGE
        self.way = sign(real)  # also where it is within the noise
        self.claim = next((way for way in (-1, 1) if 2 * self.direction.count(way) > len(self.direction)), 0)
        self.plain_claim = sign(said) if abs(said) > LEAST_CHANGE else 0

    def says(self):
        if self.claim == 0:
            return "not claimed" if self.is_real else ""
        what = "faster" if self.claim < 0 else "slower"
        return what if self.claim == self.way else what + ("; wrong" if self.is_real else "; not so, within the noise")

    def row(self):
        return "| %s | %s | %s | %.1f | %.1f (%.1f to %.1f) | %.1f (%.1f to %.1f) | %+.0f %% | %+.0f %% | %s |" % (
            self.source, self.target, " + ".join(self.changes), self.now_ms, self.predicted_ms,
            statistics.median(self.low), statistics.median(self.high), self.real_ms, min(self.real), max(self.real),
            100 * self.error, 100 * self.beyond, self.says())


def measure(overlane, folders):
    pairs = [Pair(line.split()[0], line.split()[1], line.split()[2:]) for line in PAIRS.strip().splitlines()]
    tasks = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for folder in folders:
            steps = timed_steps(folder)
            for round_ in sorted(glob.glob(os.path.join(folder, "round*"))):
                def asked(name, changes, round_=round_, steps=steps):
                    path = os.path.join(round_, name + ".overlane")
                    if name not in steps or not os.path.exists(path):
                        return None
                    return pool.submit(whatif, overlane, path, steps[name], changes)
                real = {name: asked(name, []) for name in sorted({pair.target for pair in pairs})}
                tasks += [(pair, asked(pair.source, pair.changes), real[pair.target]) for pair in pairs]
        for pair, predicted, real in tasks:
            for task in (predicted, real):
                if task and "error" in task.result():
                    print("%s to %s: %s" % (pair.source, pair.target, task.result()["error"]), file=sys.stderr)
            if predicted and "error" not in predicted.result():
                result = predicted.result()
                pair.now.append(result["step_ns_measured"] / 1e6)
                pair.predicted.append(result["step_ns_predicted"] / 1e6)
                pair.low.append(result["range_ns"][0] / 1e6)
                pair.high.append(result["range_ns"][1] / 1e6)
                pair.replay_error.append(result["replay"]["replay_error"])
                pair.direction.append({"faster": -1, "slower": 1}.get(result["direction"], 0))
                pair.noise.append(result["noise"])
            if real and "error" not in real.result():
                pair.real.append(real.result()["step_ns_measured"] / 1e6)
    pairs = [pair for pair in pairs if pair.predicted and pair.real]
    for pair in pairs:
        pair.finish()
    return pairs


def summary(name, pairs):
    errors = [abs(pair.error) for pair in pairs]
    beyond = [abs(pair.beyond) for pair in pairs]
    single = [abs(error) for pair in pairs for error in pair.single]
    inside = [pair for pair in pairs if statistics.median(pair.low) <= pair.real_ms <= statistics.median(pair.high)]
    return "| %s | %d | %.1f %% | %.0f %% | %.1f %% | %.0f %% | %.1f %% | %.0f %% | %d |" % (
        name, len(pairs), 100 * statistics.median(errors), 100 * quantile(errors, 0.9), 100 * statistics.median(single),
        100 * quantile(single, 0.9), 100 * statistics.median(beyond), 100 * quantile(beyond, 0.9), len(inside))


def claims(name, pairs, claim):
    """`claim`: the direction that is claimed for a pair, 0 for none."""
    made = [pair for pair in pairs if claim(pair)]
    right = [pair for pair in made if claim(pair) == pair.way]
    real = [pair for pair in pairs if pair.is_real]
    return "| %s | %d | %d | %d | %d | %d | %d | %d |" % (
        name, len(pairs), len(made), len(right), len(made) - len(right),
        sum(pair.is_real and claim(pair) == -pair.way for pair in pairs), len(real),
        sum(claim(pair) == pair.way for pair in real))


def single_claims(pairs):
    """Of single recordings, against the median of the others."""
    made = [(direction, pair.way) for pair in pairs for direction in pair.direction if direction]
    return "of %d predictions from single recordings, %d claim a direction, %d of them the wrong one" % (
        sum(len(pair.direction) for pair in pairs), len(made), sum(direction != way for direction, way in made))


def floor(pairs):
    """How far recordings of one setting lie from each other: what no prediction from one can beat."""
    by_family = {}
    for name, real in {pair.target: pair.real for pair in pairs}.items():
        apart = [abs(one / other - 1) for one, other in itertools.permutations(real, 2)]
        for key in ("all", name.split("_")[0]):
            by_family.setdefault(key, []).extend(apart)
    for name, apart in by_family.items():
        if apart:
            yield name, statistics.median(apart), quantile(apart, 0.9)


def floor_of_medians(pairs):
    """The same for the medians of rounds 1 to 3 and 4 to 6, for each pair the setting that it is held to."""
    apart = [abs(statistics.median(pair.real[:3]) / statistics.median(pair.real[3:6]) - 1)
             for pair in pairs if len(pair.real) >= 6]
    if apart:
        yield "medians of three, %d pairs" % len(apart), statistics.median(apart), quantile(apart, 0.9)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("overlane")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--brief", action="store_true", help="no row for each pair")
    parser.add_argument("--json", help="write the figures there")
    options = parser.parse_args()
    pairs = measure(options.overlane, options.folders)
    if not pairs:
        sys.exit("no pair has both its traces in %s" % ", ".join(options.folders))
    if not options.brief:
        print("| from | to | changes | now | predicted | real | error | beyond | |\n|---|---|---|---|---|---|---|---|---|")
        for pair in pairs:
            print(pair.row())
    print("\n| | pairs | error, median | ninth decile | of single recordings, median | ninth decile | "
          "beyond, median | ninth decile | in range |\n|---|---|---|---|---|---|---|---|---|")
    print(summary("all", pairs))
    for half in (0, 1):
        print(summary(("pairs 1, 3, 5 ...", "pairs 2, 4, 6 ...")[half], pairs[half::2]))
    for family in dict.fromkeys(pair.family for pair in pairs):
        print(summary(family, [pair for pair in pairs if pair.family == family]))
    print("\n| claims of a direction | pairs | claimed | right | not so | of these against a real change | real changes | "
          "of these claimed |\n|---|---|---|---|---|---|---|---|")
    print(claims("beyond the noise", pairs, lambda pair: pair.claim))
    print(claims("plain, from %.0f %%" % (100 * LEAST_CHANGE), pairs, lambda pair: pair.plain_claim))
    print("\n" + single_claims(pairs))
    print("\n| one recording from another of its setting | median | ninth decile |\n|---|---|---|")
    for name, median, ninth in itertools.chain(floor(pairs), floor_of_medians(pairs)):
        print("| %s | %.1f %% | %.0f %% |" % (name, 100 * median, 100 * ninth))
    print("\nreplay without change off by at most %.2f %%" %
          (100 * max(abs(error) for pair in pairs for error in pair.replay_error)))
    if options.json:
        with open(options.json, "w") as file:
            json.dump([vars(pair) for pair in pairs], file, indent=1)


if __name__ == "__main__":
    main()
