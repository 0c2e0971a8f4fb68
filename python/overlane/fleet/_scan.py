"""A scan: files found, those that are new handed to an engine, rows written as they come."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import time
from dataclasses import dataclass
from typing import IO, Any, Callable, Dict, Iterator, Optional, Pattern, Tuple

from .._errors import Error, UsageError
from .._library import version
from . import _sqlite
from ._engines import results
from ._files import File, captured, find, grouping_of, printable
from ._places import sweep_here
from ._progress import Progress
from ._row import Job
from ._store import Store, not_written, state_key

Told = Optional[Callable[[Progress], None]]
_TELL_EVERY = 256  # files of a listing


@dataclass(frozen=True)
class ScanRequest:
    """What is scanned, and how; the arguments of ``overlane.fleet.scan``."""

    urls: Tuple[str, ...]
    out: str
    engine: str
    workers: Optional[int]
    group: Optional[str]
    version_of: Optional[str]
    only: Optional[str]
    retry_failed: bool
    easiest: bool
    storage_options: Dict[str, Any]


def _expression(text: Optional[str], what: str) -> Optional[Pattern[str]]:
    try:
        return None if text is None else re.compile(text)
    except re.error as error:
        raise UsageError(f"{what} {text!r} is no regular expression ({error}); see the docs of Python's re.") from None


class _Scan:
    def __init__(self, request: ScanRequest, told: Told) -> None:
        self._request = request
        self._told = told
        self._group = _expression(request.group, "--group")
        self._version = _expression(request.version_of, "--version-of")
        self._only = _expression(request.only, "--only")
        self.progress = Progress()

    def _tell(self) -> None:
        if self._told is not None:
            self._told(self.progress)

    def _files(self, own: str) -> Iterator[File]:
        for url in self._request.urls:
            for file in find(url, self._request.storage_options, self._only, self.progress.unlisted):
                if not file.url.startswith(own):
                    yield file

    def list_into(self, store: Store, spool: IO[str]) -> None:
        """Writes what is to be read into a file, so that a listing of millions takes no memory."""
        known = store.states(with_failed=not self._request.retry_failed)
        own = "file://" + os.path.abspath(store.folder) + "/"
        for file in self._files(own):
            self.progress.found += 1
            state = state_key(printable(file.url), file.size, file.stamp)
            if state in known:
                self.progress.skipped += 1
            else:
                known.add(state)  # below two of the URLs
                spool.write(json.dumps(file) + "\n")
            if self.progress.found % _TELL_EVERY == 0:
                self._tell()
        self.progress.listing = False
        spool.seek(0)

    def jobs(self, spool: IO[str]) -> Iterator[Job]:
        """What the engine is handed."""
        for line in spool:
            file = File(*json.loads(line))
            grouping = captured(self._group, file.url) if self._group else grouping_of(file.url, file.root)
            yield {
                **file._asdict(),
                "grouping": grouping,
                "version": captured(self._version, file.url) if self._version else None,
                "options": self._request.storage_options,
                "easiest": self._request.easiest,
            }

    def read(self, store: Store, spool: IO[str]) -> None:
        """Reads the files; the rows go into the store."""
        started = 0.0
        asked = self._request
        with contextlib.closing(results(asked.engine, asked.workers, self.jobs(spool), self.progress.left)) as ended:
            for _, row in ended:
                started = started or time.monotonic()
                store.add(row)
                self.progress.done += 1
                self.progress.failed += row.get("error") is not None
                self.progress.seconds = time.monotonic() - started
                self._tell()

    def finish(self, store: Store) -> None:
        """Writes what is kept, leaves one row for each URL, and writes fleet.sqlite."""
        store.flush()
        store.tidy(self._place if self._group or self._version else None)
        try:
            _sqlite.write(store.folder)
        except OSError as error:
            raise not_written(store.folder, error) from None

    def _place(self, url: str) -> Dict[str, Optional[str]]:
        made = {"grouping": captured(self._group, url)} if self._group else {}
        return {**made, "version": captured(self._version, url)} if self._version else made


def run(request: ScanRequest, told: Told = None) -> Progress:
    """Does the scan; see ``overlane.fleet.scan``."""
    if not request.urls:
        raise UsageError("There is no URL to scan; name a folder, a file or a pattern.")
    if request.workers is not None and request.workers < 1:
        raise UsageError(f"{request.workers} workers cannot read; give 1 or more.")
    version()  # where the library is missing here, it is not a fault of each trace
    scan = _Scan(request, told)
    sweep_here()
    results(request.engine, request.workers, iter(())).close()
    store = Store(request.out)
    with contextlib.closing(store), tempfile.TemporaryFile("w+", dir=request.out, encoding="utf-8") as spool:
        try:
            scan.list_into(store, spool)
        except OSError as error:  # of the file of the listing: what a store does is an Error
            raise not_written(store.folder, error) from None
        scan._tell()
        try:
            if scan.progress.left:
                scan.read(store, spool)
        except KeyboardInterrupt:
            scan.finish(store)
            raise
        except Error:
            if scan.progress.done:
                scan.finish(store)
            raise
        scan.finish(store)
    return scan.progress
