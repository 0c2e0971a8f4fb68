#!/usr/bin/env python3
"""Gathers the Markdown of the source for Sphinx, as it stands, with a page for each command of the program.

usage: assemble.py PROGRAM FOLDER

Pages keep their places, so that their links lead where they lead in the source. README.md becomes the first page and
has the list of all others. A link to nothing ends this with a sentence for each.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIRST = "README.md"
HELP = "resources/help"
MADE = {"keys"}  # by the window alone
PROJECT = (
    "ARCHITECTURE.md", "CONTRIBUTING.md", "resources/samples/README.md", "tests/bench/README.md", "tests/stress/README.md",
    "tests/gpu/README.md",
)  # fmt: skip
CAUSES = "<!-- causes: core/analysis/cause_table.cpp -->\n"
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
OPENING = re.compile(r"^```([\w-]+)(.*)$", re.MULTILINE)
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")


def help_pages():
    """Names of the pages of help, in the order of the window."""
    listed = re.findall(r'HelpPage\{"([a-z-]+)"', (ROOT / "app/shell/help_window.cpp").read_text())
    return [f"{HELP}/{name}.md" for name in listed if name not in MADE]


def chapters():
    """Titles and pages of the site, in order."""
    docs = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))
    validation = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs/validation").glob("*.md"))
    return (("Help", help_pages()), ("Documents", docs), ("Validation", validation), ("Project", list(PROJECT)))


def causes():
    """The rows of the causes of idle time, as the window has them."""
    table = (ROOT / "core/analysis/cause_table.cpp").read_text()
    row = re.compile(r'\.id = "([^"]+)",\s*\.name = "([^"]+)",.*?\.explanation =\s*((?:"(?:[^"\\]|\\.)*"\s*)+),', re.DOTALL)
    rows = row.findall(table)
    if len(rows) != table.count(".explanation ="):
        sys.exit("assemble.py: a row of core/analysis/cause_table.cpp has another form than this script reads.")
    words = ("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)) for _, _, text in rows)
    lines = [f"| `{row[0]}` | `{row[1]}` | {text} |\n" for row, text in zip(rows, words)]
    return "| id | shown as | meaning |\n|---|---|---|\n" + "".join(lines)


def known_language(match):
    try:
        get_lexer_by_name(match.group(1))
    except ClassNotFound:
        return "```"
    return f"```{match.group(1)}"


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.pages = {page for _, pages in chapters() for page in pages} | {FIRST}
        self.problems = []

    def target(self, page, link):
        """The link as the site has it; what it leads to is copied where it is no page."""
        if re.match(r"[a-z]+:|#", link):
            return link
        name, _, section = link.partition("#")
        place = os.path.normpath(os.path.join(os.path.dirname(page), name))
        if (ROOT / place).is_dir() and f"{place}/{FIRST}" in self.pages:
            place = f"{place}/{FIRST}"
        if not (ROOT / place).is_file():
            self.problems.append(f"{page} links to {link}, which is no page and no file of the source")
            return link
        if place not in self.pages:
            copy = self.folder / place
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / place, copy)
        place = "index.md" if place == FIRST else place
        return os.path.relpath(place, os.path.dirname(page) or ".") + (f"#{section}" if section else "")

    def text(self, page):
        text = (ROOT / page).read_text(encoding="utf-8").replace(CAUSES, causes())
        pieces = []
        end = 0
        for fence in FENCE.finditer(text):
            pieces += [(text[end : fence.start()], True), (fence.group(), False)]
            end = fence.end()
        pieces.append((text[end:], True))
        linked = lambda piece: LINK.sub(lambda link: f"{link.group(1)}({self.target(page, link.group(2))})", piece)
        return "".join(linked(piece) if prose else OPENING.sub(known_language, piece) for piece, prose in pieces)

    def write(self, page, text):
        path = self.folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def command_pages(program):
    """Pages of the commands in the order of the help: names and texts."""

    def said(*words):
        return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout

    listed = re.search(r"^Subcommands:\n(.*?)\n\n", said(), re.MULTILINE | re.DOTALL)
    for name, words in re.findall(r"^  (\S+) +(\S.*)$", listed.group(1), re.MULTILINE):
        yield f"commands/{name}.md", f"# overlane {name}\n\n{words}\n\n````\n{said(name).removeprefix(words).strip()}\n````\n"


def main(program, folder):
    site = Site(pathlib.Path(folder))
    shutil.rmtree(site.folder, ignore_errors=True)
    contents = ""
    commands = dict(command_pages(program))
    for page, text in commands.items():
        site.write(page, text)
    parts = list(chapters())
    parts.insert(1, ("Commands", list(commands)))
    for title, pages in parts:
        listed = "\n".join(f"/{page.removesuffix('.md')}" for page in pages)
        contents += f"\n```{{toctree}}\n:caption: {title}\n:hidden:\n:titlesonly:\n\n{listed}\n```\n"
    for page in sorted(site.pages):
        text = site.text(page)
        site.write("index.md" if page == FIRST else page, text + contents if page == FIRST else text)
    shutil.copyfile(ROOT / "tools/site/conf.py", site.folder / "conf.py")
    site.write("_static/site.css", (ROOT / "tools/site/site.css").read_text())
    shutil.copyfile(ROOT / "resources/icons/overlane.svg", site.folder / "overlane.svg")
    for problem in site.problems:
        print(f"assemble.py: {problem}", file=sys.stderr)
    return int(bool(site.problems))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
