"""Overlane: do the copies to the GPU hide behind the compute, and if not, why, and what would change it?

>>> import overlane
>>> trace = overlane.open("train.overlane")         # or trace.json.gz of PyTorch, or an export of Nsight Systems
>>> print(trace.verdict)
>>> print(trace.overlap().share, [finding.rule for finding in trace.findings])

Figures and words are those of the command line ``overlane``, made by the same code. Times are int nanoseconds.
``overlane.lab`` has the simulated loader, ``overlane.testing`` assertions, ``overlane.callbacks`` marks for trainers,
``overlane.fleet`` the verdicts of thousands of traces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from . import callbacks, fleet, lab, testing
    from ._arrow import Table
    from ._errors import DamagedTraceWarning, Error, UsageError
    from ._record import record, recording
    from ._results import (
        Advice,
        Change,
        Check,
        CheckResult,
        Comparison,
        Distribution,
        Finding,
        Iteration,
        Loss,
        Overlap,
        OverlapPart,
        Place,
        Prediction,
        Sweep,
        SweepPoint,
        Verdict,
        WhatIf,
    )
    from ._trace import Part, Path, Trace, changes, compare

# What is loaded when it is first asked for, so that importing costs next to nothing.
_LAZY = {
    "_arrow": ("Table",),
    "_errors": ("DamagedTraceWarning", "Error", "UsageError"),
    "_record": ("record", "recording"),
    "_results": (
        "Advice", "Change", "Check", "CheckResult", "Comparison", "Distribution", "Finding", "Iteration", "Loss",
        "Overlap", "OverlapPart", "Place", "Prediction", "Sweep", "SweepPoint", "Verdict", "WhatIf",
    ),
    "_trace": ("Part", "Trace", "changes", "compare"),
}  # fmt: skip
_MODULES = ("callbacks", "fleet", "lab", "testing")
_HOME = {name: module for module, names in _LAZY.items() for name in names}

__all__ = [
    "Advice", "Change", "Check", "CheckResult", "Comparison", "DamagedTraceWarning", "Distribution", "Error", "Finding",
    "Iteration", "Loss", "Overlap", "OverlapPart", "Part", "Place", "Prediction", "Sweep", "SweepPoint", "Table",
    "Trace", "UsageError", "Verdict", "WhatIf", "callbacks", "changes", "compare", "fleet", "lab", "open", "record",
    "recording", "testing", "__version__",
]  # fmt: skip


def open(path: "Path") -> "Trace":
    """Opens a trace of any format that the program reads; Ctrl+C interrupts it.

    Raises Error where there is no such file or no known format; a damaged file opens as far as it can be read, with a
    DamagedTraceWarning.
    """
    from ._trace import Trace

    return Trace._open(path)


def __getattr__(name: str) -> Any:
    import importlib

    if name == "__version__":
        from ._library import version

        return version()
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in _HOME:
        value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> List[str]:
    return sorted(__all__)
