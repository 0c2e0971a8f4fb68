#!/usr/bin/env python3
"""The cost of a fleet: planted traces scanned with several numbers of workers, and a data set of many rows written.

usage: build/fleet/bin/python tests/bench/fleet_bench.py [--traces 2000] [--workers 1 2 4] [--engine local]
       [--rows 100000]

tests/fleet/install.sh makes the environment. Each scan begins anew; its planted causes must be found. "Reading"
is processor time of the workers inside read_trace(), "all" that of all processes of the scan. Exits with 1 where a
cause is not found.
"""

import argparse
import os
import pathlib
import resource
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import fleet_traces  # noqa: E402

import overlane  # noqa: E402

NS = 1e9


def processor_s():
    """Of this process and of those that it has waited for."""
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime


def scan(folder, planted, engine, workers):
    out = pathlib.Path(folder, f"fleet{workers}")
    shutil.rmtree(out, ignore_errors=True)
    first = []
    started, before = time.monotonic(), processor_s()
    progress = overlane.fleet.scan(
        folder / "traces",
        out,
        engine,
        workers=workers,
        progress=lambda one: first or not one.done or first.append(time.monotonic()),
    )
    wall = time.monotonic() - started
    own, others = (after - earlier for after, earlier in zip(processor_s(), before))
    rows = {row["url"].partition("://")[2]: row for row in overlane.fleet.open(out).to_pylist()}
    faults = list(fleet_traces.wrong(planted, rows))
    reading = sum(row["cpu_ns"] for row in rows.values()) / NS
    count = len(rows)
    print(
        f"{engine}, {workers} workers: {count} traces in {wall:.1f} s, the first after {first[0] - started:.1f} s, "
        f"then {progress.per_second:.0f} per second; of a trace {reading / count * 1e3:.2f} ms of reading, "
        f"{(own + others) / count * 1e3:.2f} ms of all, {own / count * 1e3:.2f} ms of the scanning process; "
        f"load {os.getloadavg()[0]:.0f}; {len(faults)} causes not found"
    )
    print(*faults[:10], sep="\n", end="\n" if faults else "")
    return out, faults


def many_rows(folder, template, rows):
    """A data set of so many rows, copies of those of a scan, through what a scan does with rows."""
    from overlane.fleet import _sqlite
    from overlane.fleet._store import Store

    out = pathlib.Path(folder, "many")
    rows_of_scan = overlane.fleet.open(template).to_pylist()
    store = Store(str(out))
    for name, work in (
        (
            "added",
            lambda: [store.add({**rows_of_scan[at % len(rows_of_scan)], "url": f"s3://b/{at}"}) for at in range(rows)],
        ),
        ("looked up", lambda: store.states(True)),
        ("tidied", store.tidy),
        ("fleet.sqlite", lambda: _sqlite.write(str(out))),
        ("opened", lambda: overlane.fleet.open(out)),
    ):
        started = time.process_time()
        work()
        print(f"{rows} rows {name}: {time.process_time() - started:.1f} s of processor time")
    store.close()
    sizes = {kind: sum(file.stat().st_size for file in out.glob(kind)) for kind in ("*.parquet", "*.sqlite")}
    print(f"{sizes['*.parquet'] / rows:.0f} bytes of Parquet and {sizes['*.sqlite'] / rows:.0f} of SQLite a row")
    print(f"most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--traces", type=int, default=2000)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--engine", default="local")
    parser.add_argument("--rows", type=int, default=100_000)
    given = parser.parse_args()
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        planted = fleet_traces.plant(folder / "traces", given.traces)
        size = sum(one.path.stat().st_size for one in planted)
        print(f"{len(planted)} traces planted, {size / 1e6:.0f} MB")
        out = None
        for workers in given.workers:
            out, missed = scan(folder, planted, given.engine, workers)
            faults += missed
        if out is not None and given.rows:
            many_rows(folder, out, given.rows)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
