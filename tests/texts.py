#!/usr/bin/env python3
"""The texts that tests expect (tests/support/expect_text.h) belong to a test each, and tests assert words nowhere else.

No text that a person reads counts one of a thing as several ("1 notes")."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEST = re.compile(r"TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)")
HEAD = re.compile(r"^\[(\S+?)(?:/\w+)?(?: \d+)?\]$", re.M)
# An assertion that looks for a part of a text in which one word follows another.
ASSERTED = re.compile(r"^ *(?:EXPECT|ASSERT)_\w+\(.*?;\n", re.S | re.M)
PART = re.compile(r"""(?:HasSubstr|[sS]tarts_?[wW]ith|[eE]nds_?[wW]ith|contains|find)\(\s*(?:QStringLiteral\()?"([^"\\]*)""")
WORDS = re.compile(r"(?<!@)\b[A-Za-z]{2,},? [a-z]{2,}")
WAITS = re.compile("qWaitFor|waitUntil")
# What a program took and what this machine is differ from run to run: these look for the words around.
MEASURED = {"tests/unit/cli/try_command_test.cpp", "tests/unit/cli/machine_test.cpp",
            "tests/unit/pytorch/pytorch_stacks_test.cpp", "tests/widget/machine/machine_dialog_test.cpp",
            "tests/widget/machine/pressure_page_test.cpp"}
# What a person reads, and one of many things there: not "1,1 copies", "0 to 1 steps", "1 and 1 runs", "1 waits for each".
READ = ("texts", "cli", "report")
ONE_OF_MANY = re.compile("(?<![\\w.,#\u2009-])(?<!to )(?<!and )1[ \u2009\u00a0](?:notes|copies|iterations|steps|kernels|events|"
                         "tracks|runs|calls|workers|files|traces|ranks|samples|rules|findings|bookmarks|hits|"
                         "processes|threads|batches|rows|GPUs|warnings|records|counters|streams|devices|points|"
                         "lines|pieces|launches|names|ranges|elements)\\b")


def problems():
    tests = {}
    for path in sorted(ROOT.glob("tests/**/*.cpp")):
        text = path.read_text()
        for suite, name in TEST.findall(text):
            tests.setdefault(suite, set()).add(name)
        name = str(path.relative_to(ROOT))
        for assertion in ASSERTED.findall(text) if name not in MEASURED else []:
            for part in PART.findall(assertion) if not WAITS.search(assertion) else []:
                if WORDS.search(part):
                    yield f"{name} asserts the words '{part}'; test::expectText() keeps them in tests/golden/texts"
    for path in sorted((ROOT / "tests/golden/texts").glob("*.txt")):
        suite = path.stem.split(".")[-1]
        for name in sorted(set(HEAD.findall(path.read_text()))):
            if name not in tests.get(suite, set()):
                yield f"{path.relative_to(ROOT)} has texts of {name}, which is no test of {suite}"
    for folder in READ:
        for path in sorted((ROOT / "tests/golden" / folder).rglob("*.*")):
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                if found := ONE_OF_MANY.search(line):
                    yield f"{path.relative_to(ROOT)}:{number} counts '{found[0]}'; counted() has the word for one"


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) if found else "texts belong to tests")
    sys.exit(1 if found else 0)
