"""Ranges of NVTX around a part of the program, with what is there: PyTorch, or the package nvtx."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Tuple


def _by_torch() -> Optional[Tuple[Callable[[str], Any], Callable[[], Any]]]:
    # PyTorch is not imported for this: a program that uses it has it.
    torch = sys.modules.get("torch")
    try:
        if torch is None or not torch.cuda.is_available():
            return None
        return torch.cuda.nvtx.range_push, torch.cuda.nvtx.range_pop
    except Exception:
        return None


def _by_nvtx() -> Optional[Tuple[Callable[[str], Any], Callable[[], Any]]]:
    try:
        import nvtx  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return None
    return nvtx.push_range, nvtx.pop_range


class Marks:
    """Opens and closes one range at a time; without NVTX it does nothing."""

    def __init__(self) -> None:
        self._functions: Optional[Tuple[Callable[[str], Any], Callable[[], Any]]] = None
        self._looked = False
        self._open = False

    @property
    def work(self) -> bool:
        """There is something that marks."""
        if not self._looked:
            self._functions = _by_torch() or _by_nvtx()
            self._looked = True
        return self._functions is not None

    def open(self, name: str) -> None:
        """Opens a range; one that is still open is closed first."""
        self.close()
        if self.work and self._functions:
            self._functions[0](name)
            self._open = True

    def close(self) -> None:
        """Closes the range, where one is open."""
        if self._open and self._functions:
            self._functions[1]()
        self._open = False
