"""What goes wrong, as exceptions with what failed, where, and what to do next."""

from __future__ import annotations

from typing import Tuple


class Error(Exception):
    """Something outside failed: a file, a disk, a run, a recording.

    ``str(error)`` is the sentence of the command line; its parts are attributes.
    """

    def __init__(self, message: str, what: str = "", where: str = "", advice: str = "") -> None:
        super().__init__(message, what, where, advice)
        self.message = message
        #: What failed, one sentence.
        self.what = what or message
        #: The file or the question at hand; empty where there is none.
        self.where = where
        #: What to do next; empty where nothing helps.
        self.advice = advice

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Tuple[type, Tuple[str, str, str, str]]:
        return type(self), (self.message, self.what, self.where, self.advice)


class UsageError(Error, ValueError):
    """A name or a value that does not exist: a table, a setting, a change, a rule."""


class DamagedTraceWarning(UserWarning):
    """A file is damaged; the trace holds what could be read of it."""
