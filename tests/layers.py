#!/usr/bin/env python3
"""Checks that the layers of ARCHITECTURE.md hold: which folder may include which.

Prints each include that goes against the order, each that is allowed and needed nowhere, each folder that has no place
in the order, where the picture of ARCHITECTURE.md is another, each file or function that it or CONTRIBUTING.md names and
that is gone, each type that has two definitions and each name that two sources of a room have for themselves, and exits
with 1 if there is one.
"""

import collections
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# From below: a row names only rows above it, so that no two folders can come to need each other.
MAY_INCLUDE = {
    "core/base": set(),
    "core/content": {"core/base"},
    "core/manual": {"core/base"},
    "core/system": {"core/base", "core/content"},
    "core/trace": {"core/base"},
    "core/io": {"core/base", "core/system", "core/trace"},
    "core/spool": {"core/base", "core/trace"},
    "core/lod": {"core/base", "core/trace"},
    "core/analysis": {"core/base", "core/trace"},
    "core/names": {"core/base", "core/content", "core/trace", "core/analysis"},
    "core/findings": {"core/base", "core/content", "core/trace", "core/analysis"},
    "core/judgement": {"core/base", "core/content", "core/trace", "core/analysis", "core/findings"},
    "core/compare": {"core/base", "core/content", "core/trace", "core/analysis", "core/findings"},
    "core/report": {"core/base", "core/names", "core/content", "core/trace", "core/lod", "core/analysis", "core/findings", "core/judgement", "core/compare"},
    "core/job": {"core/base", "core/content", "core/system", "core/trace", "core/io", "core/analysis", "core/judgement"},
    "core/fleet": {"core/base", "core/content", "core/io", "core/analysis", "core/compare", "core/report"},
    "core/tables": {"core/base", "core/names", "core/trace", "core/io", "core/analysis", "core/judgement"},
    "core/devices": {"core/base", "core/system"},
    "core/engine": {"core/base", "core/system", "core/trace", "core/devices"},
    "core/simulation": {"core/base", "core/trace", "core/devices", "core/engine"},
    "core/loader": {"core/base", "core/content", "core/trace", "core/devices", "core/engine", "core/simulation"},
    "core/replay": {"core/base", "core/content", "core/trace", "core/analysis", "core/devices", "core/simulation"},
    "core/recorder": {"core/base", "core/system", "core/trace", "core/io", "core/spool"},
    "core/runs": {"core/base", "core/system", "core/trace", "core/io", "core/spool", "core/recorder", "core/analysis", "core/findings", "core/judgement", "core/devices", "core/engine", "core/loader"},
    "core/sweep": {"core/base", "core/devices", "core/loader", "core/runs", "core/content"},
    "core/lessons": {"core/base", "core/content", "core/trace", "core/lod", "core/analysis", "core/findings", "core/compare", "core/report", "core/devices", "core/loader", "core/runs"},
    "core/calibration": {"core/base", "core/system", "core/trace", "core/io", "core/spool", "core/recorder", "core/analysis", "core/devices", "core/engine", "core/simulation", "core/loader"},
    "core/pressure": {"core/base", "core/content", "core/system", "core/simulation"},
    "core/trial": {"core/base", "core/content", "core/system", "core/recorder"},
    "core/doctor": {"core/base", "core/content", "core/system", "core/spool", "core/recorder"},
    "core/watch": {"core/base", "core/analysis", "core/judgement", "core/compare"},
    "core/remote": {"core/base", "core/system", "core/spool", "core/recorder"},
    "core/cli": {"core/base", "core/fleet", "core/job", "core/manual", "core/doctor", "core/names", "core/content", "core/recorder", "core/runs", "core/sweep", "core/lessons", "core/calibration", "core/pressure", "core/system", "core/trace", "core/io", "core/spool", "core/analysis", "core/findings", "core/judgement", "core/compare", "core/report", "core/devices", "core/engine", "core/loader", "core/replay", "core/tables", "core/trial", "core/remote", "core/watch"},
    "core/api": {"core/base", "core/names", "core/tables", "core/io", "core/analysis", "core/judgement", "core/report", "core/replay", "core/sweep", "core/cli", "core/job"},
    "app/theme": {"core/analysis", "core/lod", "core/trace"},
    "app/widgets": {"core/base", "core/content", "core/lessons", "core/loader", "app/theme"},
    "app/plot": {"core/base", "app/theme"},
    "app/timeline": {"core/analysis", "core/base", "core/judgement", "core/lod", "core/trace", "app/theme", "app/widgets"},
    "app/session": {"core/analysis", "core/base", "core/recorder", "core/devices", "core/system", "core/io", "core/judgement", "core/runs", "core/loader", "core/lod", "core/trace", "app/timeline", "app/widgets"},
    "app/verdict": {"core/analysis", "core/base", "core/judgement", "core/compare", "core/replay", "core/system", "core/trace", "app/session", "app/theme", "app/timeline", "app/widgets"},
    "app/findings": {"core/base", "core/findings", "core/lessons", "core/trace", "app/session", "app/theme", "app/widgets", "core/content"},
    "app/details": {"core/analysis", "core/base", "core/io", "core/trace", "app/session", "app/theme", "app/timeline", "app/widgets"},
    "app/tables": {"core/analysis", "core/base", "core/names", "core/judgement", "core/lessons", "core/trace", "app/session", "app/theme", "app/timeline", "app/widgets"},
    "app/laboratory": {"core/base", "core/devices", "app/session", "app/theme", "app/widgets"},
    "app/recording": {"core/base", "core/recorder", "app/session", "app/theme", "app/widgets"},
    "app/second": {"core/analysis", "core/base", "core/content", "core/compare", "core/devices", "core/findings", "core/system", "core/io", "core/judgement", "core/lod", "core/replay", "core/trace", "app/session", "app/theme", "app/timeline", "app/widgets"},
    "app/lessons": {"core/base", "core/compare", "core/runs", "core/lessons", "core/loader", "core/lod", "app/session", "app/theme", "app/timeline", "app/widgets", "core/content"},
    "app/sweep": {"core/base", "core/io", "core/loader", "core/sweep", "app/plot", "app/session", "app/theme", "app/widgets"},
    "app/machine": {"core/base", "core/content", "core/system", "core/loader", "core/pressure", "app/session", "app/theme", "app/widgets"},
    "app/calibrate": {"core/base", "core/calibration", "core/devices", "core/system", "app/plot", "app/session", "app/theme", "app/widgets"},
    "app/trial": {"core/base", "core/trace", "core/trial", "app/session", "app/theme", "app/widgets"},
    "app/job": {"core/base", "core/content", "core/job", "core/lod", "app/session", "app/theme", "app/timeline", "app/widgets"},
    "app/fleet": {"core/base", "core/content", "core/fleet", "core/analysis", "app/plot", "app/session", "app/theme", "app/widgets"},
    "app/shell": {"core/analysis", "core/base", "core/compare", "core/fleet", "core/names", "core/report", "core/trace", "core/system", "core/io", "core/loader", "app/details", "app/findings", "app/laboratory", "app/recording", "app/second", "app/session", "app/tables", "app/theme", "app/timeline", "app/verdict", "app/widgets"},
    "app/program": {"core/base", "core/manual", "core/devices", "core/system", "core/loader", "app/lessons", "app/second", "app/session", "app/shell", "app/widgets", "app/theme", "app/machine", "app/sweep", "app/calibrate", "app/trial", "app/job", "app/fleet"},
    "cupti/collector": {"core/base", "core/trace", "core/spool"},
    "cupti/inject": {"core/spool", "cupti/collector"},
    "cupti/engine": {"core/base", "core/system", "core/trace", "core/spool", "core/engine"},
    "cupti/calibrate": {"core/base", "core/system", "core/devices", "cupti/engine"},
    "cupti/backend": {"core/system", "cupti/engine", "cupti/calibrate"},
}
PICTURED = re.compile(r"^((?:core|app|cupti)/[a-z]+)  ", re.MULTILINE)
FOREIGN_IN_CORE = re.compile(r"^(Q[A-Z]|Qt|qcustomplot|cuda|cupti|nvml|nvrtc)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
NAMESPACE = re.compile(r"^(?:inline )?namespace(?: ([\w:]+))?$|^(})  // namespace")
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.*/-]+\.(?:cpp|h|py|md|txt|sh)|(?:core|app|cupti|python|resources|tests|docs|cmake|tools)/[\w.*/-]+")
CALL = re.compile(r"(?:\w+::)*(\w+)\(\)")
OWN_TYPE = re.compile(r"^(?:struct|class|enum class|enum|union) (\w+)[^;]*$")
OWN_CONSTANT = re.compile(r"^(?:constexpr|const) [^=({]*?\b(\w+)(?:\[\])?(?: =|\{)")
OWN_FUNCTION = re.compile(r"^(?! |using|template|TEST|MATCHER)[\w:<>,&*\[\] ]+?[ &*](\w+)\((.*)\)$")
APART = re.compile(r"^overlane_apart\(([^)]+)\)", re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|enum|enum class|union) (\w+)(?: final)?(?: : [^;{]*)?(?: \{.*)?$")


def defined_twice():
    """Types of one name in one namespace: linked into one program, their members and containers are mixed up unsaid."""
    places = collections.defaultdict(set)
    for path in [path for root in ("core", "app", "cupti") for path in ROOT.glob(f"{root}/**/*.[hc]*")]:
        within = []
        for line in path.read_text().splitlines() if path.is_file() else []:
            if found := NAMESPACE.match(line):
                within.pop() if found[2] else within.append(found[1])
            elif (found := TYPE.match(line)) and None not in within:
                places["::".join([*within, found[1]])].add(str(path.relative_to(ROOT)))
    return (f"{name} is defined in {' and in '.join(sorted(files))}" for name, files in sorted(places.items()) if len(files) > 1)


def said_twice():
    """Names in unnamed namespaces of two sources of a room, which cannot be compiled as one (OVERLANE_UNITY)."""
    places = collections.defaultdict(set)
    for folder in [path.parent for root in ("core", "app", "tests") for path in ROOT.glob(f"{root}/**/CMakeLists.txt")]:
        apart = " ".join(APART.findall((folder / "CMakeLists.txt").read_text())).split()
        for path in folder.glob("*.cpp"):
            within = []
            for line in path.read_text().splitlines() if not any(map(path.match, apart)) else []:
                if found := NAMESPACE.match(line):
                    within.pop() if found[2] else within.append(found[1])
                elif None in within:
                    if found := OWN_TYPE.match(line) or OWN_CONSTANT.match(line):
                        places[folder, found[1]].add(path.name)
                    elif found := OWN_FUNCTION.match(line):  # others may have its name with other parameters
                        places[folder, f"{found[1]}({re.sub(r' *[a-zA-Z]+(?=,|$)', '', found[2])})"].add(path.name)
    return (f"{folder.relative_to(ROOT)}: {name} is in {' and in '.join(sorted(files))}; one of them needs another name"
            for (folder, name), files in sorted(places.items()) if len(files) > 1)


def unpictured():
    """Where the picture of ARCHITECTURE.md is another than the rows above: from the top, what rows have from below."""
    pictured = PICTURED.findall((ROOT / "ARCHITECTURE.md").read_text())
    for root in ("app", "core", "cupti"):
        rooms = [room for room in MAY_INCLUDE if room.startswith(root + "/")][::-1]
        drawn = [room for room in pictured if room.startswith(root + "/")]
        if drawn != rooms:
            yield f"ARCHITECTURE.md pictures {' '.join(drawn)}, which stand {' '.join(rooms)}"


def named(what, sources):
    """Whether a word begins so somewhere. An expression takes many times as long."""
    at = sources.find(what)
    while at > 0 and (sources[at - 1].isalnum() or sources[at - 1] == "_"):
        at = sources.find(what, at + 1)
    return at >= 0


def gone():
    """Files, folders and functions that the pages for who changes the code name, and which are not in the tree."""
    names = [str(path.relative_to(ROOT)) for root in ("core", "app", "cupti", "python", "resources", "tests", "docs", "cmake", "tools")
             for path in ROOT.glob(f"{root}/**/*")] + [path.name for path in ROOT.glob("*.md")]
    sources = "\n".join((ROOT / name).read_text() for name in names if name.endswith((".h", ".cpp", ".py", ".cmake")))
    for page in ("ARCHITECTURE.md", "CONTRIBUTING.md"):
        for name in sorted(set(QUOTED.findall((ROOT / page).read_text()))):
            if PATH.fullmatch(name):
                if not any(fnmatch.fnmatchcase("/" + known, "*/" + name.rstrip("/")) for known in names):
                    yield f"{page} names {name}, which is not there"
            elif (call := CALL.fullmatch(name)) and not named(call[1] + "(", sources):
                yield f"{page} names {name}, which is not there"


def room(path):
    return "/".join(path.split("/")[:-1][:2])


def violations():
    below = set()
    for folder, seen in MAY_INCLUDE.items():
        for other in sorted(seen - below):
            yield f"the row of {folder} names {other}, which is not above it"
        below.add(folder)
    yield from unpictured()
    yield from defined_twice()
    yield from said_twice()
    for root in ("core", "app", "cupti"):
        for folder in sorted(path.parent for path in ROOT.glob(f"{root}/*/CMakeLists.txt")):
            if str(folder.relative_to(ROOT)) not in MAY_INCLUDE:
                yield f"{folder.relative_to(ROOT)} has no place in the order of layers"
    yield from gone()
    needed = collections.defaultdict(set)
    for path in [path for root in ("core", "app", "cupti") for path in sorted(ROOT.glob(f"{root}/**/*"))]:
        if path.suffix not in {".h", ".cpp", ".cu"}:
            continue
        folder = room(str(path.relative_to(ROOT)))
        for _, target in INCLUDE.findall(path.read_text()):
            where = f"{path.relative_to(ROOT)} includes {target}"
            if folder.startswith("core/") and FOREIGN_IN_CORE.match(target.split("/")[0]):
                yield f"{where}: core must not see Qt, CUDA or CUPTI"
            layer = room(target)
            needed[folder].add(layer)
            if not re.match(r"(core|app|cupti|tests)/", target) or layer == folder:
                continue
            if layer not in MAY_INCLUDE.get(folder, set()):
                yield f"{where}: {folder} may not see {layer}"
    for folder, seen in MAY_INCLUDE.items():
        for other in sorted(seen - needed[folder]):
            yield f"the row of {folder} names {other}, which nothing there includes"


if __name__ == "__main__":
    found = list(violations())
    print("\n".join(found) if found else "layers hold")
    sys.exit(1 if found else 0)
