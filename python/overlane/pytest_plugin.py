"""Fixtures for pytest, by the entry point ``pytest11 = overlane = overlane.pytest_plugin`` or ``-p``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import pytest  # type: ignore[import-not-found, unused-ignore]

if TYPE_CHECKING:
    from ._trace import Trace


@pytest.fixture  # type: ignore[misc, untyped-decorator, unused-ignore]
def overlane_record(tmp_path: Any) -> "Callable[..., Trace]":
    """Records a command into the test's own folder: ``trace = overlane_record(["python", "train.py"])``."""
    from ._record import record

    def recorded(command: Any, **options: Any) -> "Trace":
        options.setdefault("output", tmp_path / f"{len(list(tmp_path.iterdir()))}.overlane")
        return record(command, **options)

    return recorded
