#!/usr/bin/env python3
"""Lines of core that the unit tests run, per room.

Builds the preset `coverage` in its own folder, runs the unit tests there and counts with gcov: a line that any of the
programs ran is covered. Prints a row per room and one for core; exits with 1 where a test failed.

usage: coverage.py [--jobs N] [--missing ROOM]     --missing also prints the lines of a room that no test ran
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/coverage"
FILES_AT_ONCE = 40


def counted(files):
    """(file, line, times) of the sources of the project in these files of counts."""
    command = ["gcov", "--json-format", "--stdout", "--relative-only", "--source-prefix", ROOT, *files]
    answer = subprocess.run(command, check=True, capture_output=True, text=True, cwd=BUILD).stdout
    return [
        (source["file"].removeprefix(f"{ROOT}/"), line["line_number"], line["count"])
        for document in answer.splitlines()
        for source in json.loads(document)["files"]
        for line in source["lines"]
    ]


def covered_lines(jobs):
    """Of each source of core: its lines, and whether one of the programs ran each."""
    # Of sources that no program ran there are no counts but notes.
    files = sorted(BUILD.glob("core/**/*.gcno")) + sorted(BUILD.glob("tests/unit/**/*.gcno"))
    chunks = [files[at : at + FILES_AT_ONCE] for at in range(0, len(files), FILES_AT_ONCE)]
    lines = collections.defaultdict(dict)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for rows in pool.map(counted, chunks):
            for file, line, times in rows:
                if file.startswith("core/"):
                    lines[file][line] = lines[file].get(line, False) or times > 0
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--missing", metavar="ROOM", help="such as core/io")
    options = parser.parse_args()
    subprocess.run(["cmake", "--preset", "coverage"], cwd=ROOT, check=True)
    subprocess.run(["cmake", "--build", BUILD, "--parallel", str(options.jobs)], check=True)
    shutil.rmtree(BUILD / "children", ignore_errors=True)
    for old in BUILD.glob("**/*.gcda"):
        old.unlink()
    tests = ["ctest", "--preset", "coverage", "--parallel", str(options.jobs)]
    passed = subprocess.run(tests, cwd=ROOT).returncode == 0

    rooms = collections.Counter()
    covered = collections.Counter()
    for file, lines in sorted(covered_lines(options.jobs).items()):
        for room in (os.path.dirname(file), "core"):
            rooms[room] += len(lines)
            covered[room] += sum(lines.values())
        if options.missing == os.path.dirname(file):
            for line in sorted(line for line, ran in lines.items() if not ran):
                print(f"{file}:{line}")
    for room in sorted(rooms):
        print(f"{room:<18}{covered[room]:>7} of {rooms[room]:>6} lines{100 * covered[room] / rooms[room]:>7.1f} %")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
