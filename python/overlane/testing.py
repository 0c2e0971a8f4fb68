"""Assertions about traces, for pytest and unittest: a test that fails when copies stop hiding.

>>> from overlane.testing import assert_overlap
>>> assert_overlap(overlane.open("train.overlane"), ">", 0.9)
"""

from __future__ import annotations

import operator
import os
from typing import Any, Callable, Dict, Optional, Union

from . import open as _open
from ._errors import UsageError
from ._page import duration
from ._trace import Path, Steps, Trace

# pytest then shows the line of the caller.
__tracebackhide__ = True

_COMPARISONS: Dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


def _trace(trace: Union[Trace, Path]) -> Trace:
    return _open(trace) if isinstance(trace, (str, os.PathLike)) else trace


def assert_overlap(
    trace: Union[Trace, Path],
    comparison: str,
    share: float,
    *,
    kind: str = "h2d",
    steps: Steps = None,
    iteration: Optional[str] = None,
) -> None:
    """Asserts how much of the copies' time hides under kernels, as a share from 0 to 1.

    Fails as well where there are no copies of that kind, since a share of nothing says nothing.
    """
    __tracebackhide__ = True
    if comparison not in _COMPARISONS:
        raise UsageError(f"There is no comparison {comparison!r}; write one of {', '.join(_COMPARISONS)}.")
    if not 0 <= share <= 1:
        raise UsageError(f"{share} is no share; give a number from 0 to 1.")
    judged = _trace(trace)
    overlap = judged.overlap(kind, steps=steps, iteration=iteration)
    if overlap.share is None:
        raise AssertionError(f"{judged.path}: there are no {kind} copies whose overlap could be {comparison} {share}.")
    if not _COMPARISONS[comparison](overlap.share, share):
        raise AssertionError(
            f"{judged.path}: overlap of {kind} copies is {overlap.share:.3f}, not {comparison} {share:g}; "
            f"{duration(overlap.exposed_ns)} of {duration(overlap.busy_ns)} are exposed. {judged.verdict}"
        )


def assert_no_worse(
    trace: Union[Trace, Path],
    than: Union[Trace, Path],
    *limits: str,
    tolerate: float = 0,
    strict: bool = False,
    iteration: Optional[str] = None,
) -> None:
    """Asserts that a trace is no worse than an earlier one of the same program, as ``overlane check --against``.

    Fails where the steps are slower, which noise alone does not explain, by more than ``tolerate`` percent, and on a
    new hazard or problem. ``limits`` are asked, too. ``strict`` fails as well where the traces cannot tell.
    """
    __tracebackhide__ = True
    judged = _trace(trace)
    check = judged.check(*limits, against=than, tolerate=tolerate, strict=strict, iteration=iteration)
    if not check:
        wrong = [result for result in check.results if result.outcome == "fired"] or [
            result for result in check.results if result.outcome == "not_checked"
        ]
        raise AssertionError(f"{judged.path}: {' '.join(result.sentence for result in wrong) or check.problem}")


def assert_no_findings(trace: Union[Trace, Path], *limits: str, strict: bool = False) -> None:
    """Asserts that no limit of ``overlane check`` fires: ``assert_no_findings(trace, "hazard", "problem:10%")``.

    Without limits, what may be wrong and what costs a tenth of the time.
    """
    __tracebackhide__ = True
    judged = _trace(trace)
    check = judged.check(*limits, strict=strict)
    if not check:
        reasons = [result.sentence for result in check.results if result.outcome != "passed"]
        raise AssertionError(f"{judged.path}: {' '.join(reasons) or check.problem}")
