#!/usr/bin/env python3
"""Changes one token of core/analysis or core/findings at a time and looks whether a test notices.

A mutant flips a comparison, negates a condition, swaps + and -, && and ||, or makes a whole number one larger. It is
killed where analysis_test or findings_test fails or takes too long, and survives where both pass. Only its own source
is compiled, as a copy, and linked before the libraries of a build that is there; neither the tree nor that build is
touched. The sample is the same for a seed and a state of the sources.

Prints a row per mutant and the sum; exits with 1 where one survived that EQUAL does not explain.

usage: mutate.py [--build FOLDER] [--seed N] [--count N] [--minutes N]     at most so many mutants, for so long
"""

import argparse
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ["core/analysis", "core/findings"]
TESTS = ["analysis_test", "findings_test"]
PATIENCE = 4  # times what a test takes without a mutant

# Mutants that change nothing anyone can see: (file, the line that they make) and why.
EQUAL = {
    ("core/analysis/verdict.cpp", "if (verdict.causes.size() >= 1 && verdict.causes.front().cause == CopyCause::OutsideKernels) {"):
        "one cause alone is outweighed by no other, unless its copies take no time at all",
}

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "+": "-", "-": "+", "+=": "-=", "-=": "+=", "&&": "||", "||": "&&",
}
# clang-format puts spaces around operators, and none around the brackets of templates.
OPERATOR = re.compile(r"(?<= )(" + "|".join(re.escape(each) for each in sorted(SWAPS, key=len, reverse=True)) + r")(?= )")
NUMBER = re.compile(r"(?<![\w.'])\d[\d']*(?![\w.'])")
CONDITION = re.compile(r"\bif \(([^;]*)\)$")
# Neither code that runs nor worth a mutant.
NO_CODE = re.compile(r'//.*|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'|^\s*(?:#|static_assert|using |template).*')


def mutants_of(line):
    """What a line may become."""
    hidden = NO_CODE.sub(lambda found: " " * len(found[0]), line)
    for found in OPERATOR.finditer(hidden):
        yield line[: found.start()] + SWAPS[found[0]] + line[found.end() :]
    for found in NUMBER.finditer(hidden):
        yield line[: found.start()] + str(int(found[0].replace("'", "")) + 1) + line[found.end() :]
    if found := CONDITION.search(hidden.rstrip().removesuffix("{").rstrip()):
        yield line[: found.start(1)] + "!(" + line[found.start(1) : found.end(1)] + ")" + line[found.end(1) :]


def all_mutants():
    """(file, number of the line from 0, what it becomes), in the order of the sources."""
    for room in ROOMS:
        for path in sorted((ROOT / room).glob("*.cpp")):
            file = str(path.relative_to(ROOT))
            for number, line in enumerate(path.read_text().splitlines()):
                for mutant in mutants_of(line):
                    yield file, number, mutant


class Build:
    """A build that is there, and a folder for what is made of it."""

    def __init__(self, build, folder):
        self.build, self.folder = pathlib.Path(build).resolve(), pathlib.Path(folder)
        subprocess.run(["cmake", "--build", self.build, "--target", *TESTS], check=True, capture_output=True)
        listed = json.loads((self.build / "compile_commands.json").read_text())
        # That of tests/unit/work compiles some sources once more.
        self.compiles = {entry["file"]: entry["command"] for entry in listed if "overlane_counted" not in entry["command"]}
        self.links = {test: self.link_of(test) for test in TESTS}
        self.seconds = {}
        for test in TESTS:
            begin = time.monotonic()
            if self.fails(test, 600):
                sys.exit(f"{test} fails as it is.")
            self.seconds[test] = PATIENCE * (time.monotonic() - begin) + 5

    def link_of(self, test):
        """The command that links the test into the folder, with the mutant before all libraries."""
        told = subprocess.run(["ninja", "-C", self.build, "-t", "commands", test], check=True, capture_output=True, text=True)
        words = shlex.split(told.stdout.strip().splitlines()[-1].removeprefix(": && ").removesuffix(" && :"))
        words[words.index("-o") + 1] = str(self.folder / test)
        words.insert(next(at for at, word in enumerate(words) if word.endswith(".a")), str(self.folder / "mutant.o"))
        return words

    def tests_of(self, file):
        """Those that link the library of a source, that of its own room first."""
        room = file.split("/")[1]
        with_it = [test for test in TESTS if any(f"/liboverlane_{room}.a" in word for word in self.links[test])]
        return sorted(with_it, key=lambda test: not test.startswith(room))

    def run(self, words):
        return subprocess.run(words, cwd=self.build, capture_output=True).returncode == 0

    def makes(self, file, text):
        """Whether the mutant compiles and the tests link with it."""
        mutant = self.folder / pathlib.Path(file).name
        mutant.write_text(text)
        words = shlex.split(self.compiles[str(ROOT / file)])
        words[words.index("-o") + 1] = str(self.folder / "mutant.o")
        words[words.index("-c") + 1] = str(mutant)
        return self.run(words) and all(self.run(self.links[test]) for test in self.tests_of(file))

    def fails(self, test, seconds):
        program = self.folder / test
        if not program.exists():  # before the first mutant
            program = next(self.build.glob(f"tests/unit/*/{test}"))
        environment = dict(os.environ, GTEST_FAIL_FAST="1", GTEST_BRIEF="1")
        try:
            return subprocess.run([program], capture_output=True, env=environment, timeout=seconds).returncode != 0
        except subprocess.TimeoutExpired:
            return True

    def fate(self, file, text):
        if not self.makes(file, text):
            return "does not compile"
        for test in self.tests_of(file):
            if self.fails(test, self.seconds[test]):
                return f"killed by {test}"
        return "survived"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=ROOT / "build/release")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=25)
    options = parser.parse_args()
    mutants = list(all_mutants())
    sample = random.Random(options.seed).sample(mutants, min(options.count, len(mutants)))
    fates = []
    with tempfile.TemporaryDirectory() as folder:
        build = Build(options.build, folder)
        end = time.monotonic() + 60 * options.minutes
        for file, number, mutant in sample:
            if time.monotonic() > end:
                break
            lines = (ROOT / file).read_text().splitlines()
            before, lines[number] = lines[number], mutant
            came = build.fate(file, "\n".join(lines) + "\n")
            if came == "survived" and (why := EQUAL.get((file, mutant.strip()))):
                came = f"equal: {why}"
            fates.append(came.split(":")[0].split(" ")[0])
            print(f"{file}:{number + 1}: {came}\n    {before.strip()}\n    {mutant.strip()}", flush=True)
    counts = {each: fates.count(each) for each in ("killed", "equal", "survived", "does")}
    print(f"seed {options.seed}, {len(fates)} of {len(mutants)} mutants: {counts['killed']} killed, "
          f"{counts['equal']} equal, {counts['survived']} survived, {counts['does']} do not compile")
    return 1 if counts["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
