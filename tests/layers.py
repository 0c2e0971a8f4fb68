#!/usr/bin/env python3
"""Checks that the layers of ARCHITECTURE.md hold: which folder may include which.

Prints each include that goes against the order, and exits with 1 if there is one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

MAY_INCLUDE = {
    "core/base": set(),
    "core/host": {"core/base"},
    "core/trace": {"core/base"},
    "core/io": {"core/base", "core/host", "core/trace"},
    "core/record": {"core/base", "core/trace"},
    "core/lod": {"core/base", "core/trace"},
    "core/analysis": {"core/base", "core/trace"},
    "core/findings": {"core/base", "core/trace", "core/analysis"},
    "core/judgement": {"core/base", "core/trace", "core/analysis", "core/findings"},
    "core/compare": {"core/base", "core/trace", "core/analysis", "core/findings"},
    "core/report": {"core/base", "core/trace", "core/lod", "core/analysis", "core/findings", "core/judgement", "core/compare"},
    "core/engine": {"core/base", "core/host", "core/trace"},
    "core/loader": {"core/base", "core/trace", "core/engine"},
    "core/replay": {"core/base", "core/trace", "core/analysis", "core/engine"},
    "core/capture": {"core/base", "core/host", "core/trace", "core/io", "core/record"},
    "core/lab": {"core/base", "core/host", "core/trace", "core/io", "core/record", "core/capture", "core/analysis", "core/findings", "core/judgement", "core/engine", "core/loader"},
    "core/sweep": {"core/base", "core/trace", "core/analysis", "core/engine", "core/loader", "core/lab"},
    "core/lessons": {"core/base", "core/trace", "core/lod", "core/analysis", "core/findings", "core/judgement", "core/report", "core/engine", "core/loader", "core/lab"},
    "core/calibration": {"core/base", "core/host", "core/trace", "core/io", "core/record", "core/capture", "core/analysis", "core/engine", "core/loader"},
    "core/memory": {"core/base", "core/host", "core/engine", "core/loader"},
    "core/trial": {"core/base", "core/host", "core/capture"},
    "core/cli": {"core/base", "core/capture", "core/lab", "core/sweep", "core/lessons", "core/calibration", "core/memory", "core/host", "core/trace", "core/io", "core/record", "core/lod", "core/analysis", "core/findings", "core/judgement", "core/compare", "core/report", "core/engine", "core/loader", "core/replay", "core/trial"},
    "app/theme": {"core/base", "core/trace", "core/lod", "core/analysis"},
    "app/plot": {"core/base", "core/trace", "core/lod", "core/analysis", "app/theme"},
    "app/machine": {"core/base", "core/host", "core/trace", "core/lod", "core/analysis", "core/engine", "core/loader", "core/memory", "app/theme"},
    "app/lessons": {"core/base", "core/trace", "core/lod", "core/analysis", "core/engine", "core/loader", "core/judgement", "core/lab", "core/lessons", "app/theme", "app/timeline", "app/ui"},
    "app/trial": {"core/base", "core/host", "core/trace", "app/theme", "app/machine", "app/ui"},
    "app/timeline": {"core/base", "core/trace", "core/lod", "core/analysis", "app/theme"},
}
FOREIGN_IN_CORE = re.compile(r"^(Q[A-Z]|Qt|qcustomplot|cuda|cupti|nvml|nvrtc)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def violations():
    for path in [path for root in ("core", "app", "cupti") for path in sorted(ROOT.glob(f"{root}/**/*"))]:
        if path.suffix not in {".h", ".cpp", ".cu"}:
            continue
        folder = "/".join(path.relative_to(ROOT).parts[:2])
        for _, target in INCLUDE.findall(path.read_text()):
            where = f"{path.relative_to(ROOT)} includes {target}"
            if folder.startswith("core/") and FOREIGN_IN_CORE.match(target.split("/")[0]):
                yield f"{where}: core must not see Qt, CUDA or CUPTI"
            layer = "/".join(target.split("/")[:2])
            if not re.match(r"(core|app|cupti|tests)/", target) or layer == folder:
                continue
            if folder in MAY_INCLUDE and layer not in MAY_INCLUDE[folder]:
                yield f"{where}: {folder} may not see {layer}"
            elif folder.startswith("app/") and layer.startswith("cupti/"):
                yield f"{where}: the window reaches CUDA only through a library loaded at run time"
            elif folder.startswith("cupti/") and layer.startswith("app/"):
                yield f"{where}: cupti stands on core alone"
            elif folder not in MAY_INCLUDE and folder.startswith("core/"):
                yield f"{path.relative_to(ROOT)}: {folder} has no place in the order of layers"


if __name__ == "__main__":
    found = list(violations())
    print("\n".join(found) if found else "layers hold")
    sys.exit(1 if found else 0)
