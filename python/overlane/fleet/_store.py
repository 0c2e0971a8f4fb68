"""The folder of a data set: Parquet parts, written as rows come, and what is read from them.

A part is written under another name and renamed, so that each is whole whatever ends the scan. A trace that was read
again has a row in a later part, which counts; ``tidy()`` leaves one row for each URL. One scan at a time, by a lock.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import time
from typing import Any, Callable, Dict, IO, Iterator, List, Optional, Set, Tuple

from .._errors import Error, UsageError
from ._files import printable
from ._needs import need
from ._row import Row
from ._schema import VERSION, schema

#: A part is written at so many rows, or so many seconds after its first.
PART_ROWS = 2000
PART_S = 30.0
_PART = re.compile(r"part-(\d{6,})\.parquet$")
_BATCH_ROWS = 500


def parts(folder: str) -> List[str]:
    """The paths of the parts, the oldest first."""
    found = [(int(match[1]), name) for name in os.listdir(folder) for match in [_PART.match(name)] if match]
    return [os.path.join(folder, name) for _, name in sorted(found)]


def key_of(*texts: str) -> int:
    """A number of 64 bits for a file or its state: a set of a million of them takes 100 MB."""
    return int.from_bytes(hashlib.blake2b("\0".join(texts).encode(), digest_size=8).digest(), "little")


def state_key(url: str, size: int, stamp: str) -> int:
    """Names a file as it is now; another state has another key."""
    return key_of(url, str(size), stamp)


class Store:
    """A data set that is written; holds its lock until it is closed."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._rows: List[Row] = []
        self._first_s = 0.0
        self._schema = schema()
        try:
            os.makedirs(folder, exist_ok=True)
            self._lock: IO[str] = open(os.path.join(folder, ".lock"), "w")
        except OSError as error:
            raise not_written(folder, error) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            what = "Another scan writes into this folder."
            raise Error(f"{folder}: {what}", what, folder, "Wait for it, or give another folder.") from None
        try:
            for name in os.listdir(folder):
                if name.endswith(".unfinished"):
                    os.unlink(os.path.join(folder, name))
            there = parts(folder)
            for path in there:
                _check(path)
        except BaseException:
            self.close()
            raise
        self._next = int(_PART.search(there[-1])[1]) + 1 if there else 1  # type: ignore[index]

    def close(self) -> None:
        """Frees the lock."""
        self._lock.close()

    def states(self, with_failed: bool) -> Set[int]:
        """``state_key`` of all files that were read; without ``with_failed``, those with an error are left out."""
        known: Dict[int, Tuple[int, bool]] = {}
        for batch in _batches(parts(self.folder), ["url", "size_bytes", "stamp", "error"]):
            for url, size, stamp, error in zip(*(column.to_pylist() for column in batch.columns)):
                known[key_of(url)] = (state_key(url, size, stamp), error is None)
        return {state for state, read in known.values() if read or with_failed}

    def add(self, row: Row) -> None:
        """Keeps a row; writes a part where there are enough of them, or the first has waited long enough."""
        self._first_s = self._first_s if self._rows else time.monotonic()
        self._rows.append({name: printable(value) if isinstance(value, str) else value for name, value in row.items()})
        if len(self._rows) >= PART_ROWS or time.monotonic() - self._first_s > PART_S:
            self.flush()

    def flush(self) -> None:
        """Writes the rows that are kept into a part."""
        if self._rows:
            self._write(need("pyarrow").Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []

    def _write(self, table: Any) -> None:
        path = os.path.join(self.folder, f"part-{self._next:06}.parquet")
        try:
            need("pyarrow.parquet").write_table(table, path + ".unfinished", compression="zstd")
            os.replace(path + ".unfinished", path)
        except OSError as error:
            raise not_written(self.folder, error) from None
        self._next += 1

    def tidy(self, place: Optional[Callable[[str], Dict[str, Optional[str]]]] = None) -> None:
        """Leaves one row for each URL, the newest, and few small parts. ``place`` gives columns by the URL."""
        arrow, parquet = need("pyarrow"), need("pyarrow.parquet")
        latest: Dict[int, Tuple[int, int]] = {}
        there = parts(self.folder)
        for number, path in enumerate(there):
            at = 0
            for batch in _batches([path], ["url"]):
                for url in batch.column(0).to_pylist():
                    latest[key_of(url)] = (number, at)
                    at += 1
        kept: Dict[int, List[int]] = {}
        for number, at in latest.values():
            kept.setdefault(number, []).append(at)
        lengths = [parquet.read_metadata(path).num_rows for path in there]
        small = [number for number, length in enumerate(lengths) if length < PART_ROWS // 2]
        waiting: List[Any] = []
        done: List[str] = []
        for number, path in enumerate(there):
            rows = kept.get(number, [])
            is_small = len(small) > 1 and number in small
            if place is None and len(rows) == lengths[number] and not is_small:
                continue
            table = _read_part(path, self._schema).take(arrow.array(sorted(rows), arrow.int64()))
            if place is not None:
                table = _placed(table, place)
            waiting.append(table)
            done.append(path)
            if sum(len(one) for one in waiting) >= PART_ROWS:
                self._replace(waiting, done)
                waiting, done = [], []
        self._replace(waiting, done)

    def _replace(self, tables: List[Any], old: List[str]) -> None:
        """New parts first: a row that is in both counts once."""
        rows = sum(len(table) for table in tables)
        if rows:
            self._write(need("pyarrow").concat_tables(tables))
        for path in old:
            os.unlink(path)


def _placed(table: Any, place: Callable[[str], Dict[str, Optional[str]]]) -> Any:
    arrow = need("pyarrow")
    given = [place(url) for url in table.column("url").to_pylist()]
    for name in given[0] if given else {}:
        values = arrow.array([one[name] for one in given], arrow.string())
        table = table.set_column(table.schema.get_field_index(name), table.schema.field(name), values)
    return table


def _as_now(table: Any, wanted: Any) -> Any:
    """A part that an older program wrote has no values in columns that came later."""
    arrow = need("pyarrow")
    columns = [
        table.column(field.name) if field.name in table.column_names else arrow.nulls(len(table), field.type)
        for field in wanted
    ]
    return arrow.table(columns, schema=wanted)


def not_written(folder: str, error: OSError) -> Error:
    """That a file of the data set cannot be written, as the system says."""
    full = "no room is left" if error.errno == errno.ENOSPC else error.strerror or error
    what = f"The data set cannot be written ({full})."
    advice = "Make room, or give another folder." if error.errno == errno.ENOSPC else "Give another folder."
    return Error(f"{folder}: {what} {advice}", what, folder, advice)


def _check(path: str) -> None:
    """Raises Error where the file is no part of a data set that this version reads."""
    what = "This is no part of a fleet, or damaged."
    try:
        metadata = need("pyarrow.parquet").read_schema(path).metadata or {}
    except (OSError, ValueError):
        metadata = {}
    version = metadata.get(b"overlane.fleet", b"")
    if version == str(VERSION).encode():
        return
    if version.isdigit() and int(version) > VERSION:
        what = f"A newer Overlane wrote this (version {int(version)}, not {VERSION})."
    raise _not_read(path, what)


def _not_read(path: str, what: str) -> Error:
    advice = "Take the file away and scan again, or give another folder."
    return Error(f"{path}: {what} {advice}", what, path, advice)


@contextlib.contextmanager
def _part(path: str) -> Iterator[None]:
    """Raises Error where the file is damaged; its first bytes were read before."""
    kinds = (OSError, ValueError, KeyError, TypeError, need("pyarrow").ArrowException)
    try:
        yield
    except kinds:
        raise _not_read(path, "This part of the fleet is damaged.") from None


def _read_part(path: str, wanted: Any) -> Any:
    with _part(path):
        table = _as_now(need("pyarrow.parquet").read_table(path), wanted)
        if table.column("url").null_count:
            raise ValueError
        return table


def _batches(paths: List[str], columns: Optional[List[str]] = None) -> Iterator[Any]:
    wanted = [schema().field(name) for name in columns or ()]
    for path in paths:
        with contextlib.ExitStack() as stack:
            with _part(path):
                file = stack.enter_context(need("pyarrow.parquet").ParquetFile(path))
                if any(file.schema_arrow.field(one.name).type != one.type for one in wanted):
                    raise ValueError
                batches = file.iter_batches(_BATCH_ROWS, columns=columns)
            while True:
                with _part(path):
                    batch = next(batches, None)
                    if batch is not None and batch.column("url").null_count:
                        raise ValueError
                if batch is None:
                    break
                yield batch


def newest_rows(folder: str) -> Iterator[Any]:
    """Tables of the data set that together hold one row for each URL, each a part or less."""
    arrow = need("pyarrow")
    wanted = schema()
    seen: Set[int] = set()
    for path in reversed(parts(folder)):
        _check(path)
        table = _read_part(path, wanted)
        fresh = []
        for at, url in reversed(list(enumerate(table.column("url").to_pylist()))):
            key = key_of(url)
            if key not in seen:
                seen.add(key)
                fresh.append(at)
        yield table if len(fresh) == len(table) else table.take(arrow.array(fresh[::-1], arrow.int64()))


def all_causes(row: Dict[str, Any]) -> List[Tuple[str, str, int, int]]:
    """Cause, label, what the verdict's GPU lost to it and what all GPUs lost, most of all GPUs first.

    A row that an older Overlane read has no losses of each GPU: the verdict's stands for them.
    """
    of_verdict = {one["cause"]: one for one in row["causes"] or ()}
    if not row["gpu_losses"]:
        each = row["gpus"] or 1
        return [(one["cause"], one["label"], one["lost_ns"], one["lost_ns"] * each) for one in of_verdict.values()]
    labels: Dict[str, str] = {}
    lost: Dict[str, int] = {}
    for one in row["gpu_losses"]:
        labels.setdefault(one["cause"], one["label"])
        lost[one["cause"]] = lost.get(one["cause"], 0) + one["lost_ns"]
    for cause, one in of_verdict.items():  # time at the ends is a loss of the verdict alone
        labels.setdefault(cause, one["label"])
        lost.setdefault(cause, one["lost_ns"])
    ordered = sorted(lost, key=lambda cause: -lost[cause])
    return [(cause, labels[cause], of_verdict.get(cause, {}).get("lost_ns", 0), lost[cause]) for cause in ordered]


def read_table(folder: str, name: str) -> Any:
    """A table of the data set: "runs", "causes", "findings" or "gpu_losses"."""
    if name not in ("runs", "causes", "findings", "gpu_losses"):
        raise UsageError(f"There is no table {name!r}; give runs, causes, findings or gpu_losses.")
    arrow, compute = need("pyarrow"), need("pyarrow.compute")
    if not os.path.isdir(folder) or not parts(folder):
        what = "There is no fleet in this folder."
        advice = "Make one with overlane fleet scan URL -o FOLDER."
        raise Error(f"{folder}: {what[:-1]}; make one with overlane fleet scan URL -o FOLDER.", what, folder, advice)
    runs = arrow.concat_tables(reversed(list(newest_rows(folder)))).combine_chunks()
    if name == "runs":
        return runs
    if name == "causes":
        return _causes(runs)
    lists = runs.column(name)
    of = compute.list_parent_indices(lists)
    members = compute.list_flatten(lists)
    columns = {key: runs.column(key).take(of) for key in ("url", "grouping", "version", "gpus")}
    for at in range(members.type.num_fields):
        columns[members.type.field(at).name] = compute.struct_field(members, at)
    return arrow.table(columns)


def _causes(runs: Any) -> Any:
    """With what all GPUs of a trace lost behind what the verdict's GPU lost."""
    keys = ("url", "grouping", "version", "gpus")
    columns: Dict[str, List[Any]] = {name: [] for name in (*keys, "cause", "label", "lost_ns", "all_lost_ns")}
    for row in runs.select([*keys, "causes", "gpu_losses"]).to_pylist():
        for one in all_causes(row):
            for name, value in zip(columns, (*(row[key] for key in keys), *one)):
                columns[name].append(value)
    arrow = need("pyarrow")
    types = {name: runs.schema.field(name).type for name in keys}
    return arrow.table(
        {
            name: arrow.array(values, types.get(name, arrow.int64() if name.endswith("_ns") else arrow.string()))
            for name, values in columns.items()
        }
    )
