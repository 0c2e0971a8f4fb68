"""A fleet of small traces with a planted cause each, made from a seed.

Runs of the simulated loader, a trace without copies, files that are cut short, and empty ones.
"""

import gzip
import json
import pathlib
import random
from typing import NamedTuple

import support  # noqa: F401  the package of the source

import overlane

#: What the columns must say of each cause: verdict_id, where the file is read.
FOUND = {
    "pageable": {"copies"},
    "loader": {"batches", "making_batches"},
    "hidden": {"compute"},
    "no_copies": {"compute"},
}
CAUSES = ("pageable", "loader", "hidden", "no_copies", "broken", "empty")
_WEIGHTS = (35, 25, 20, 10, 6, 4)


class Planted(NamedTuple):
    path: pathlib.Path
    cause: str


def _loader(cause, rng):
    common = {"seed": rng.randrange(1 << 31), "batches": rng.randrange(20, 33)}
    if cause == "pageable":
        return overlane.lab.run(pin="none", batch_bytes=f"{rng.randrange(48, 96)}MiB", workers=8, **common)
    if cause == "loader":
        return overlane.lab.run(preset="loader_starved", **common)
    return overlane.lab.run(preset="compute_bound", **common)


def _without_copies(rng):
    events, start = [], 1000
    for number in range(rng.randrange(40, 80)):
        length = rng.randrange(400, 600)
        launch = {"cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": start - 5, "dur": 4, "pid": 7, "tid": 7}
        kernel = {"cat": "kernel", "name": "gemm", "ts": start, "dur": length, "pid": 0, "tid": 7}
        launch["args"] = {"correlation": number}
        kernel["args"] = {"correlation": number, "device": 0, "stream": 7}
        events += [{"ph": "X", **launch}, {"ph": "X", **kernel}]
        start += length + 1
    return json.dumps({"traceEvents": events, "deviceProperties": [{"id": 0, "name": "NVIDIA H100"}]})


def plant_one(path, cause, rng):
    """Writes a trace; the path without its ending. The path of the file."""
    if cause == "empty":
        path = path.with_name(path.name + ".overlane")
        path.touch()
    elif cause == "no_copies":
        path = path.with_name(path.name + ".json.gz")
        path.write_bytes(gzip.compress(_without_copies(rng).encode(), 1))
    else:
        path = path.with_name(path.name + rng.choice((".overlane", ".json.gz")))
        _loader("hidden" if cause == "broken" else cause, rng).trace.convert(path)
        if cause == "broken":
            path.write_bytes(path.read_bytes()[: rng.randrange(20, 400)])
    return path


def plant(folder, count, seed=1):
    """Writes so many traces below a folder, in folders of a team and a version; each with its cause."""
    rng = random.Random(seed)
    planted = []
    for number in range(count):
        cause = CAUSES[number] if number < len(CAUSES) else rng.choices(CAUSES, _WEIGHTS)[0]
        inner = pathlib.Path(folder, rng.choice(("vision", "speech", "text")), f"v1.{rng.randrange(3)}")
        inner.mkdir(parents=True, exist_ok=True)
        planted.append(Planted(plant_one(inner / f"run{number:05}_rank{number % 8}", cause, rng), cause))
    return planted


def wrong(planted, rows):
    """Where the rows (by path) say another cause than the planted one: sentences."""
    for path, cause in planted:
        row = rows.get(str(path))
        if row is None:
            yield f"{path.name} has no row"
        elif cause in FOUND:
            if row["error"] is not None:
                yield f"{path.name} ({cause}) was not read: {row['error']}"
            elif row["verdict_id"] not in FOUND[cause]:
                yield f"{path.name} ({cause}): {row['verdict_id']}: {row['verdict']}"
            elif (row["overlap"] is None) != (cause == "no_copies"):
                yield f"{path.name} ({cause}): overlap {row['overlap']}"
        elif row["error"] is None:
            yield f"{path.name} ({cause}) was read: {row['verdict']}"
