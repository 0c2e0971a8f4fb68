"""``overlane fleet scan``: the command line, which the program hands over to ``python3 -m overlane.fleet``."""

from __future__ import annotations

import argparse
import sys
import time
from typing import List, Optional, Sequence

from .._errors import Error, UsageError
from ._preload import quiet_stores
from ._progress import Progress

_TERMINAL_S = 0.2
_FILE_S = 10.0
_MOST_NAMED = 10


class _StatusLine:
    """How far a scan is, on standard error: a line that is drawn anew on a terminal, else one every ten seconds."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._drawn_s = time.monotonic() if not self._terminal else 0.0
        self._columns = 0
        self.last: Optional[Progress] = None

    def draw(self, progress: Progress) -> None:
        """Draws, where the last time is long enough ago."""
        self.last = progress
        now = time.monotonic()
        if now - self._drawn_s < (_TERMINAL_S if self._terminal else _FILE_S):
            return
        self._drawn_s = now
        text = str(progress)
        if self._terminal:
            sys.stderr.write("\r" + text.ljust(self._columns))
            self._columns = len(text)
        else:
            sys.stderr.write(f"overlane: {text}\n")
        sys.stderr.flush()

    def clear(self) -> None:
        """Leaves an empty line."""
        if self._columns:
            sys.stderr.write("\r" + " " * self._columns + "\r")
            sys.stderr.flush()
            self._columns = 0


def _arguments(words: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="overlane fleet", description=__doc__)
    parser.add_argument("action", choices=["scan"])
    parser.add_argument("urls", nargs="+", metavar="URL")
    parser.add_argument("-o", "--output", default="fleet")
    parser.add_argument("--engine", default="local")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--group")
    parser.add_argument("--version-of")
    parser.add_argument("--only")
    parser.add_argument("--retry-failed", action="store_true")
    parser.add_argument("--no-easiest", action="store_true")
    return parser.parse_args(words)


def _summary(progress: Progress, folder: str) -> str:
    words: List[str] = [f"{progress.done:,} traces read"]
    if progress.failed:
        words[0] += f" ({progress.failed:,} of them with an error)"
    if progress.skipped:
        words.append(f"{progress.skipped:,} were in the data set already")
    return f"{folder}: {', '.join(words)}."


def main(words: Optional[Sequence[str]] = None) -> int:
    """Scans; the exit code of the program."""
    from . import scan

    given = _arguments(words)
    quiet_stores()
    line = _StatusLine()
    try:
        progress = scan(
            given.urls, given.output, given.engine, workers=given.workers, group=given.group,
            version_of=given.version_of, only=given.only, retry_failed=given.retry_failed,
            easiest=not given.no_easiest, progress=line.draw,
        )  # fmt: skip
    except KeyboardInterrupt:
        line.clear()
        done = line.last.done if line.last is not None else 0
        print(f"overlane: interrupted; {done:,} traces were read, and the same command continues.", file=sys.stderr)
        return 130
    except Error as error:
        line.clear()
        print(f"overlane: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    line.clear()
    for folder in progress.unlisted[:_MOST_NAMED]:
        print(f"overlane: {folder}: The folder cannot be listed; its traces are left out.", file=sys.stderr)
    if len(progress.unlisted) > _MOST_NAMED:
        print(f"overlane: {len(progress.unlisted) - _MOST_NAMED:,} more folders cannot be listed.", file=sys.stderr)
    print(_summary(progress, given.output))
    return 1 if progress.done and progress.failed == progress.done else 0


if __name__ == "__main__":
    sys.exit(main())
