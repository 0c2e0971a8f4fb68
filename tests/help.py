#!/usr/bin/env python3
"""Checks the pages of help and runs their examples.

usage: help.py [--overlane PROGRAM] [--library LIBOVERLANE] [PAGE ...]

Every page of resources/help has at most 60 lines of at most 100 characters (tables aside), one title, which is the one
in the list of the window, and an example: a fence `sh`. Links lead to pages and sections that are there, and files
named as "of the source" exist. With PROGRAM, all commands of such fences run in a scratch folder that sees the
repository's folders, and each must exit with 0. `sh needs-gpu` and `sh needs-window` mark what is not run here, and
`sh python` what needs LIBOVERLANE, the library that Python loads.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HELP = ROOT / "resources/help"
MOST_LINES = 60
MOST_WORDS = 600
MOST_CHARACTERS = 100
LONGEST_SECONDS = 300
NOT_RUN = {"needs-gpu", "needs-window"}
PYTHON = "python"
FENCE = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LISTED = re.compile(r'HelpPage\{"([a-z-]+)", "([^"]+)"\}')
# Made by the program when it is asked for, not a file.
MADE = {"keys"}


def examples(text):
    """Pairs of marks and commands of the fences `sh`."""
    for info, commands in FENCE.findall(text):
        words = info.split()
        if words[:1] == ["sh"]:
            yield set(words[1:]), commands


def headings(text):
    return [line.lstrip("#").strip() for line in FENCE.sub("", text).splitlines() if line.startswith("#")]


def form(path, text):
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        yield f"{len(lines)} lines, {MOST_LINES} are allowed: one topic a page"
    if len(text.split()) > MOST_WORDS:
        yield f"{len(text.split())} words, {MOST_WORDS} are allowed"
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_CHARACTERS and not line.startswith("|"):
            yield f"line {number} has {len(line)} characters, {MOST_CHARACTERS} are allowed"
    if [line for line in FENCE.sub("", text).splitlines() if line.startswith("# ")] != lines[:1]:
        yield "does not begin with its one title"
    marks = [marks for marks, _ in examples(text)]
    if not marks:
        yield "has no example: a fence `sh`"
    for unknown in sorted(set().union(*marks) - NOT_RUN - {PYTHON}):
        yield f"has an example marked {unknown}, which means nothing"


def links(path, text, pages):
    prose = re.sub(r"`[^`]*`", "", FENCE.sub("", text))
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"https?://", target):
            continue
        name, _, section = target.partition("#")
        if name.endswith(".svg"):
            if not (HELP / name).is_file():
                yield f"shows {name}, which is not there"
        elif name and name not in pages:
            yield f"links to {target}, which is no page of help"
        elif section and section not in headings(pages[name or path.name]):
            yield f"links to {target}, which has no such section"
    for name in re.findall(r"`([\w./-]+)` of the\s+source", text):
        if not (ROOT / name).exists():
            yield f"names {name} of the source, which is not there"


def listed(pages):
    """The window lists the pages under their titles."""
    [window] = ROOT.glob("app/**/help_window.cpp")
    titles = dict(LISTED.findall(window.read_text()))
    for name, text in pages.items():
        title = text.splitlines()[0].removeprefix("# ").replace("`", "")
        if titles.get(name.removesuffix(".md")) != title:
            yield f"{name}: {window.relative_to(ROOT)} lists it as {titles.get(name.removesuffix('.md'))}, not as {title}"
    for name in titles.keys() - {name.removesuffix(".md") for name in pages} - MADE:
        yield f"{window.relative_to(ROOT)} lists {name}, which is not there"


def run(program, library, commands):
    """What the commands say on the error stream where they fail; None where they do not."""
    with tempfile.TemporaryDirectory(prefix="overlane-help-") as folder:
        for name in ("resources", "tests", "python"):
            os.symlink(ROOT / name, pathlib.Path(folder, name))
        own = pathlib.Path(folder, ".home")
        own.mkdir()
        environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(own),
                                    "XDG_DATA_HOME": str(own), "XDG_CONFIG_HOME": str(own),
                                    "PYTHONPATH": "python", "PYTHONDONTWRITEBYTECODE": "1"}
        if library:
            environment["OVERLANE_LIBRARY"] = str(library)
        try:
            ended = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=environment,
                                   stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            return f"did not end within {LONGEST_SECONDS} s"
        return f"exits with {ended.returncode}: {ended.stderr.strip()}" if ended.returncode else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--overlane", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    arguments = parser.parse_args()
    pages = {path.name: path.read_text() for path in sorted(HELP.glob("*.md"))}
    wanted = {name: text for name, text in pages.items() if not arguments.pages or name.removesuffix(".md") in arguments.pages}
    faults = [] if arguments.pages else list(listed(pages))
    for name, text in wanted.items():
        faults += [f"{name}: {fault}" for fault in [*form(HELP / name, text), *links(HELP / name, text, pages)]]
    ran = left = 0
    if arguments.overlane:
        program = arguments.overlane.resolve()
        library = arguments.library.resolve() if arguments.library else None
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            tried = []
            for name, text in wanted.items():
                for marks, commands in examples(text):
                    if marks & NOT_RUN or (PYTHON in marks and not arguments.library):
                        left += 1
                        print(f"{name}: not run, {', '.join(sorted(marks))}: {commands.splitlines()[0]}")
                    else:
                        ran += 1
                        tried.append((name, commands, pool.submit(run, program, library, commands)))
            for name, commands, answer in tried:
                if answer.result():
                    faults.append(f"{name}: {commands.strip()}\n  {answer.result()}")
    print("\n".join(faults) if faults else f"{len(wanted)} pages hold; {ran} examples ran, {left} are not run here")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
