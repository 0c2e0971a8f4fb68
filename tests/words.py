#!/usr/bin/env python3
"""Checks that help, lessons, README and the texts of the program use none of the words that tests/words.txt rules out.

A text of the program is a string literal with a space in it, in app/ or core/. Names and comments of the sources are
looked at too, for parts of words that are not spelled the American way.

Prints each with its file, line and what to say, and exits with 1 if there is one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests/words.txt"
READ = ["README.md", "resources/help/*.md", "resources/lessons/*.md"]
READ += [f"{folder}/**/*.{suffix}" for folder in ("app", "core") for suffix in ("cpp", "h")]
# Fences of a lesson with other words are prose (resources/help/lesson-files.md).
CODE = {"", "python", "cpp", "cuda", "sh", "console", "text", "json"}
FENCE = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Comments, characters and #include come first, so that a quote in them opens no literal.
STRING = r'"(?:[^"\\\n]|\\.)*"'
RAW = r'R"(?P<mark>\w*)\(.*?\)(?P=mark)"'
CPP = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?<!\w)'(?:[^'\\\n]|\\.)+'|^\s*#include[^\n]*"
    rf"|(?P<literal>(?:{RAW}|{STRING})(?:\s*{STRING})*)",
    re.MULTILINE | re.DOTALL,
)


# Literals and #include first, so that a name within them is none.
NAMED = re.compile(rf"{RAW}|{STRING}|^\s*#include[^\n]*|(?P<word>[A-Za-z_]\w*)", re.MULTILINE | re.DOTALL)
SOURCES = [f"{folder}/**/*.{suffix}" for folder in ("app", "core", "cupti", "tests") for suffix in ("cpp", "h")]

BEFORE, BEHIND = r"(?<![\w-])", r"(?![\w-])"


def expression(pattern):
    words = [re.sub(r"[^\w()|*-]", lambda found: re.escape(found[0]), word).replace("*", r"[\w-]*") for word in pattern.split()]
    return "(?:" + r"\s+".join(words) + ")"


def read_list():
    """Rules (expression, what to say), exceptions (file, phrase), and spellings (part of a word: what to write)."""
    rules, allowed, spellings = [], [], {}
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("allow "):
            file, phrase = line.removeprefix("allow ").split(": ", 1)
            allowed.append((file, phrase))
        elif line.startswith("spell "):
            part, instead = line.removeprefix("spell ").split(" -> ", 1)
            spellings[part] = instead
        elif " -> " in line:
            pattern, instead = line.split(" -> ", 1)
            rules.append((expression(pattern), instead))
        else:
            sys.exit(f"{LIST.relative_to(ROOT)}:{number}: no pattern and no exception: {line}")
    return rules, allowed, spellings


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def prose(text):
    """The text with code as blanks, every line where it was."""
    text = FENCE.sub(lambda fence: blank(fence[0]) if (fence[1].split() or [""])[0] in CODE else fence[0], text)
    text = re.sub(r"`[^`\n]*(?:\n[^`\n]+)?`", lambda code: blank(code[0]), text)
    return re.sub(r"\]\([^)\s]*\)", lambda link: blank(link[0]), text)


def literals(source):
    """The string literals with a space in them, neighbors joined by blanks, every line where it was."""
    text, end = [], 0
    for found in CPP.finditer(source):
        literal = found["literal"] or ""
        words = re.sub(r'\\[nt]|\\(?=")|"', lambda one: " " * len(one[0]), literal)
        # A quote ends a literal: no phrase reaches from one into the next.
        text.append("\n" * source.count("\n", end, found.start()))
        text.append(words[:-1] + '"' if " " in literal else "\n" * found[0].count("\n"))
        end = found.end()
    return "".join(text)


def misspelled(spellings):
    """Faults of names and comments."""
    part = re.compile("|".join(spellings), re.IGNORECASE)
    faults = []
    for path in sorted(file for pattern in SOURCES for file in ROOT.glob(pattern)):
        text = path.read_text()
        for found in NAMED.finditer(text) if part.search(text) else []:
            if found["word"] and (wrong := part.search(found["word"])):
                line = text.count("\n", 0, found.start()) + 1
                faults.append(f"{path.relative_to(ROOT)}:{line}: {found['word']}; spell: {spellings[wrong[0].lower()]}")
    return faults


def main():
    rules, allowed, spellings = read_list()
    faults = misspelled(spellings)
    unused = set(allowed)
    any_rule = re.compile(BEFORE + "(?:" + "|".join(words for words, _ in rules) + ")" + BEHIND, re.IGNORECASE)
    rules = [(re.compile(BEFORE + words + BEHIND, re.IGNORECASE), instead) for words, instead in rules]
    for path in sorted(path for pattern in READ for path in ROOT.glob(pattern)):
        name = str(path.relative_to(ROOT))
        text = (prose if path.suffix == ".md" else literals)(path.read_text())
        for exception in [one for one in allowed if one[0] == name]:
            there = re.compile(r"\s+".join(map(re.escape, exception[1].split())))
            if there.search(text):
                unused.discard(exception)
                text = there.sub(lambda found: blank(found[0]), text)
        # All rules at once: most texts break none.
        for rule, instead in rules if any_rule.search(text) else ():
            for found in rule.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                faults.append(f"{name}:{line}: \"{' '.join(found[0].split())}\"; say: {instead}")
    faults += [f"tests/words.txt: {file} no longer has \"{phrase}\"" for file, phrase in sorted(unused)]
    print("\n".join(faults) if faults else "words hold")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
