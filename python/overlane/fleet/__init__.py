"""Verdicts of thousands of traces in folders and object stores, as one data set.

>>> import duckdb, overlane
>>> overlane.fleet.scan(["s3://bucket/traces"], "fleet", engine="dask://scheduler:8786")
>>> runs = overlane.fleet.open("fleet")
>>> duckdb.sql("select grouping, avg(overlap) from runs group by grouping order by 2")

The figures are those of ``overlane info --json`` and ``overlane digest``. Times are int nanoseconds. ``docs/fleet.md``
says what each column means. Needs ``pip install overlane[fleet]``; importing this module does not.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Optional, Union

if TYPE_CHECKING:
    from ._progress import Progress

__all__ = ["open", "scan"]

_Path = Union[str, "os.PathLike[str]"]


def scan(
    urls: Union[_Path, Iterable[_Path]],
    out: _Path,
    engine: str = "local",
    *,
    workers: Optional[int] = None,
    group: Optional[str] = None,
    version_of: Optional[str] = None,
    only: Optional[str] = None,
    retry_failed: bool = False,
    easiest: bool = True,
    storage_options: Optional[Dict[str, Any]] = None,
    progress: "Optional[Callable[[Progress], None]]" = None,
) -> "Progress":
    """Reads every trace below the URLs that is not in the data set yet, and adds a row for each.

    urls: files, folders and patterns of any store that fsspec knows: paths, ``s3://``, ``gs://``, ``hf://``.
    out: the folder of the data set: ``part-*.parquet`` and, written at the end, ``fleet.sqlite``.
    engine: "local" (Dask with a process for each core), "dask://HOST:PORT" (a Dask scheduler), "ray" (Ray on this
    machine) or "ray://HOST:PORT" (a Ray cluster). Machines of a cluster need the package and a way to the files.
    workers: processes of "local" and "ray"; as many as cores where it is left out.
    group, version_of: regular expressions on the URL, whose first group is the column ``grouping`` or ``version``; an
    expression changes the rows that are there already, too. Without ``group`` it is the folder below the URL.
    only: of folders, URLs in which this regular expression is found.
    retry_failed: read files again whose row has an error.
    easiest: predict the easiest change, too, which takes longer than all else for traces of many kernels.
    storage_options: for the store, as fsspec takes them.
    progress: called in this thread with what was done so far.

    A file is read again where its size, its time or its ETag has changed. A file that cannot be read is a row with its
    error. An interrupted scan (KeyboardInterrupt) leaves a complete data set of what was read; the next one continues.
    A program that scans with "local" does so below ``if __name__ == "__main__":``, since its processes import it.
    Raises Error where nothing can be scanned: no such folder, a package that is missing, a cluster without an answer.
    """
    from ._scan import ScanRequest, run

    named = [urls] if isinstance(urls, (str, os.PathLike)) else list(urls)
    return run(
        ScanRequest(
            tuple(os.fspath(url) for url in named), os.fspath(out), engine, workers, group, version_of, only,
            retry_failed, easiest, storage_options or {},
        ),
        progress,
    )  # fmt: skip


def open(out: _Path, table: str = "runs") -> Any:
    """A table of a data set as ``pyarrow.Table``, which polars, DuckDB and pandas take as it is (PyCapsule).

    "runs": a row for each trace. "causes": a row for each trace and cause of lost time. "findings": a row for each
    finding. The latter two have the columns url, grouping, version and gpus of their run. Columns that end with ``_ns``
    are int64 nanoseconds, ``overlap`` is 0 to 1. Raises Error where the folder holds no data set.
    """
    from ._store import read_table

    return read_table(os.fspath(out), table)
