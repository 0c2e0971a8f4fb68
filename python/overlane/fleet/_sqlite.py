"""fleet.sqlite: the data set for the window and ``overlane fleet report``, written from the parts.

Its form is ``user_version`` 1: tables runs, causes, findings and gpu_losses (docs/fleet.md).
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3

from ._schema import RUN_COLUMNS
from ._store import all_causes, newest_rows

VERSION = 1
NAME = "fleet.sqlite"

_TABLES = """
create table runs(
    id integer primary key, url text unique not null, name text not null, grouping text, version text,
    recorded integer, gpu text, host text, rank integer, steps integer, step_ns integer, span_ns integer, gpus integer,
    copies_ns integer, exposed_ns integer, overlap real, idle_ns integer, communication_ns integer,
    exposed_communication_ns integer, verdict text, verdict_id text, easiest text, error text);
create table causes(
    run integer references runs(id), cause text, label text, lost_ns integer, all_lost_ns integer,
    primary key(run, cause));
create table gpu_losses(run integer references runs(id), gpu integer, cause text, label text, lost_ns integer);
create table findings(run integer references runs(id), rule text, severity text, title text, lost_ns integer);
"""


def write(folder: str) -> str:
    """Writes fleet.sqlite anew, replaced as a whole; its path. OSError where it cannot be written."""
    try:
        return _write(folder)
    except sqlite3.Error as error:
        is_full = getattr(error, "sqlite_errorname", "") == "SQLITE_FULL" or "full" in str(error)
        raise OSError(errno.ENOSPC if is_full else errno.EIO, str(error)) from None


def _write(folder: str) -> str:
    path = os.path.join(folder, NAME)
    unfinished = path + ".unfinished"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(unfinished)
    with contextlib.closing(sqlite3.connect(unfinished, isolation_level=None)) as file:
        # The file appears as a whole or not at all.
        file.executescript("pragma journal_mode = off; pragma synchronous = off;")
        file.executescript(_TABLES)
        file.execute("begin")
        run = 0
        marks = ", ".join("?" * (len(RUN_COLUMNS) + 1))
        for table in newest_rows(folder):
            for row in table.to_pylist():
                run += 1
                file.execute(f"insert into runs values ({marks})", (run, *(row[name] for name in RUN_COLUMNS)))
                file.executemany(
                    "insert or ignore into causes values (?, ?, ?, ?, ?)",
                    ((run, *one) for one in all_causes(row)),
                )
                file.executemany(
                    "insert into gpu_losses values (?, ?, ?, ?, ?)",
                    (
                        (run, one["gpu"], one["cause"], one["label"], one["lost_ns"])
                        for one in row["gpu_losses"] or ()
                    ),
                )
                file.executemany(
                    "insert into findings values (?, ?, ?, ?, ?)",
                    (
                        (run, one["rule"], one["severity"], one["title"], one["lost_ns"])
                        for one in row["findings"] or ()
                    ),
                )
        file.execute("create index findings_of_run on findings(run)")
        file.execute("commit")
        file.execute(f"pragma user_version = {VERSION}")
    os.replace(unfinished, path)
    return path
