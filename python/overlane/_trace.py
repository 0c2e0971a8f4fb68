"""Trace: an opened trace and everything that can be asked of it."""

from __future__ import annotations

import os
import warnings
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from . import _results
from ._arrow import Table
from ._errors import DamagedTraceWarning, UsageError
from ._library import Handle, Json, ask, open_trace

Path = Union[str, "os.PathLike[str]"]
#: Iterations by their place from 0: 12, "12", "10-40" or (10, 40); both ends are included.
Steps = Union[int, str, Tuple[int, int], None]


def _steps(steps: Steps) -> Optional[str]:
    if isinstance(steps, tuple):
        return f"{steps[0]}-{steps[1]}"
    return None if steps is None else str(steps)


_MOST_NAMES = 10


class Trace:
    """A trace, read once; what it says is worked out when it is first asked for, and kept.

    Made by ``overlane.open``, ``overlane.record`` and ``overlane.lab.run``. Immutable; any thread may ask. All times
    are int nanoseconds since the start of the trace. Unless ``iteration`` says otherwise, iterations are those of the
    program's own outer loop, and verdict, findings and overlap are of the active range: warm-up is left out.
    """

    def __init__(self, handle: Handle, facts: Json) -> None:
        self._handle = handle
        self._info: Optional[Json] = None
        #: The file, as it was named; what a run is called for one of the laboratory.
        self.path: str = facts["file"]
        #: Who wrote it: "recorded", "kineto", "nsys", "simulated", "measured" ...
        self.format: str = facts["format"]
        #: What it is of: the recorded command, the scenario.
        self.title: str = facts["title"]
        #: Start of the first event and end of the last.
        self.span_ns: Tuple[int, int] = (facts["span_ns"][0], facts["span_ns"][1])
        #: Unix time of t = 0; 0 where it is not known.
        self.start_epoch_ns: int = facts["start_epoch_ns"]
        #: What is broken of a damaged file; empty for any other.
        self.damage: str = facts["damage"]
        #: GPUs that the trace names: "id", "name", "memory_bytes" (0: unknown).
        self.devices: Tuple[Dict[str, Any], ...] = tuple(facts["devices"])
        #: Anything else the file says of the machine and the recording.
        self.properties: Dict[str, str] = facts["properties"]
        self._events: int = facts["events"]

    @staticmethod
    def _open(path: Path) -> "Trace":
        handle, facts = open_trace(path)
        trace = Trace(handle, facts)
        if trace.damage:
            message = f"{trace.path}: {trace.damage}; copy or record it again for the rest."
            warnings.warn(message, DamagedTraceWarning, stacklevel=3)
        return trace

    def __len__(self) -> int:
        """How many events it holds."""
        return self._events

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<overlane.Trace {self.path!r}: {self.format}, {self._events} events>"

    def info(self, iteration: Optional[str] = None, range_ns: Optional[Tuple[int, int]] = None) -> Json:
        """The JSON of ``overlane info --json``. ``iteration`` takes one of ``steps.levels``: place, name or count.

        ``range_ns`` is the start and end of a range whose verdict and findings are asked for.
        """
        if iteration is not None or range_ns is not None:
            return ask("info", self._handle, iteration=_text(iteration), range=range_ns)
        if self._info is None:
            self._info = ask("info", self._handle)
        return self._info

    @property
    def verdict(self) -> _results.Verdict:
        """The headline of the active range."""
        return _results.Verdict._of(self.info()["verdict"])

    @property
    def findings(self) -> Tuple[_results.Finding, ...]:
        """What costs time or risks results in the active range, the dearest first."""
        return tuple(_results.Finding._of(one) for one in self.info()["findings"]["list"])

    @property
    def iterations(self) -> Tuple[_results.Iteration, ...]:
        """The turns of the program's own outer loop; empty where it shows none."""
        return tuple(_results.Iteration(**row) for row in self.table("iterations").to_pylist())

    @property
    def step_ns(self) -> int:
        """The average iteration without warm-up; 0 without iterations."""
        step: int = self.info()["step_ns"]
        return step

    def digest(self) -> Json:
        """What a job needs of a rank, as ``overlane digest`` writes it: which rank, what limits it, the parts of its time.

        "bound" is the stable id of what limits an iteration ("compute", "copies", "batches" ...; empty where nothing
        does), "parts" the time of the active range on the rank's GPU in ns; None where not all kernels were recorded.
        Source: core/job/rank_digest.h.
        """
        return ask("digest", self._handle)

    def easiest(self) -> str:
        """The easiest change that is predicted to win a tenth, in the words of ``overlane info``; empty where none is."""
        change: str = ask("easiest", self._handle)["change"]
        return change

    def overlap(
        self,
        kind: str = "h2d",
        by: Optional[str] = None,
        *,
        whole: bool = False,
        steps: Steps = None,
        range_ns: Optional[Tuple[int, int]] = None,
        iteration: Optional[str] = None,
    ) -> _results.Overlap:
        """How much of the copies' time hides under kernels.

        kind: "h2d" (to the device), "d2h" (to the host) or "communication" (between GPUs).
        by: "device", "iteration", "role", "cause" or "memory" for a row each.
        whole: the whole trace and not the active range. steps: these iterations only. range_ns: this range only.
        """
        answer = ask(
            "overlap", self._handle, kind=kind, by=by, whole=whole, steps=_steps(steps), range=range_ns,
            iteration=_text(iteration),
        )  # fmt: skip
        return _results.Overlap._of(answer)

    def part(self, where: Union[str, Tuple[int, int]]) -> "Part":
        """A part that is judged alone: the first range that the program marked with that name, or start and end in ns.

        For what ``overlane.recording`` marks under ``overlane record``, and for any NVTX range.
        """
        if not isinstance(where, str):
            return Part(self, (int(where[0]), int(where[1])))
        names = []
        for row in self.table("ranges").to_pylist():
            if row["name"] == where:
                return Part(self, (row["start_ns"], row["start_ns"] + row["duration_ns"]))
            names.append(row["name"])
        raise UsageError(
            f"{self.path}: The program marked no range {where!r}; it marked "
            f"{', '.join(sorted(set(names))[:_MOST_NAMES]) or 'none'}.",
            f"The program marked no range {where!r}.",
            self.path,
            "Take a name of the table ranges, or a start and an end.",
        )

    def table(self, name: str, **arguments: Any) -> Table:
        """A table for polars, pyarrow, pandas or DuckDB.

        "copies", "kernels", "calls", "host", "ranges", "iterations", "idle", "names", "events", "tracks", "counters".
        Columns that end with ``_ns`` are nanoseconds (starts since the start of the trace), ``bytes`` bytes; ``event``,
        ``call``, ``work`` and ``link`` are rows of "events", ``track`` of "tracks". "copies", "kernels", "iterations",
        "idle" and "names" take ``iteration``; "names" also ``of`` (a group) and ``whole`` (not the active range alone).
        """
        return Table(self._handle, name, arguments)

    def names(self, of: Optional[str] = None, *, whole: bool = False, iteration: Optional[str] = None) -> Json:
        """The JSON of ``overlane names --json``: work summed by name."""
        return ask("names", self._handle, of=of, whole=whole, iteration=_text(iteration))

    def whatif(
        self,
        *changes: str,
        steps: Steps = None,
        device: Optional[str] = None,
        iteration: Optional[str] = None,
        output: Optional[Path] = None,
    ) -> _results.WhatIf:
        """Predicts an iteration with changes: ``trace.whatif("pin", "non_blocking", "side_stream=2")``.

        Without changes: what each alone would bring. ``output`` takes the predicted timeline as a trace.
        ``overlane.changes()`` lists what there is.
        """
        answer = ask(
            "whatif", self._handle, changes=list(changes), steps=_steps(steps), device=device,
            iteration=_text(iteration), output=_file(output),
        )  # fmt: skip
        return _results.WhatIf._of(answer)

    def check(
        self,
        *fail_on: str,
        against: Union[Trace, Path, None] = None,
        tolerate: Optional[float] = None,
        rules: Optional[Path] = None,
        steps: Steps = None,
        iteration: Optional[str] = None,
        strict: bool = False,
        allow_no_gpu: bool = False,
    ) -> _results.Check:
        """Holds limits to the trace, as ``overlane check`` does: ``trace.check("hazard", "problem:10%")``.

        against: an earlier trace of the same program, which it may be slower than by ``tolerate`` percent; asks
        "slower" and "new-problem" of it, and without other limits only these.
        """
        baseline = against if against is None or isinstance(against, Trace) else Trace._open(against)
        answer = ask(
            "check", self._handle, None if baseline is None else baseline._handle, fail_on=list(fail_on),
            rules=_file(rules), steps=_steps(steps), iteration=_text(iteration), strict=strict,
            allow_no_gpu=allow_no_gpu, tolerate=tolerate,
        )  # fmt: skip
        return _results.Check._of(answer)

    def compare(self, after: "Trace", **options: Any) -> _results.Comparison:
        """``overlane.compare(self, after)``."""
        return compare(self, after, **options)

    def report(
        self, output: Path, *, against: Optional["Trace"] = None, top: int = 15, iteration: Optional[str] = None
    ) -> str:
        """Writes one page about the trace, as ``overlane report`` does; its path."""
        other = against._handle if against is not None else None
        answer = ask("report", self._handle, other, output=os.fspath(output), top=top, iteration=_text(iteration))
        file: str = answer["file"]
        return file

    def picture(
        self,
        output: Optional[Path] = None,
        *,
        steps: Steps = None,
        range_ns: Optional[Tuple[int, int]] = None,
        whole: bool = False,
        size: Optional[str] = None,
        theme: str = "light",
        gauges: bool = False,
        iteration: Optional[str] = None,
    ) -> str:
        """Draws the timeline as SVG, as ``overlane picture`` does: the path of ``output``, else the SVG itself.

        Without a range, the three steps most like the others. size: "1600" or "1600x600". theme: "light" or "dark".
        """
        answer = ask(
            "picture", self._handle, output=_file(output), steps=_steps(steps), range=range_ns, whole=whole, size=size,
            theme=theme, gauges=gauges, iteration=_text(iteration),
        )  # fmt: skip
        drawn: str = answer["svg"] if output is None else answer["file"]
        return drawn

    def convert(self, output: Path, *, steps: Steps = None, table: Optional[str] = None) -> Json:
        """Writes the trace, or some of its iterations, in the format of the output's extension.

        ``table`` is for .csv, and for .sqlite with one table only.
        """
        return ask("convert", self._handle, output=os.fspath(output), steps=_steps(steps), table=table)

    def _repr_html_(self) -> str:
        from ._page import page_of

        return page_of(self)


class Part:
    """A range of a trace: its verdict, findings and overlap, as a selection in the window has them."""

    def __init__(self, trace: Trace, range_ns: Tuple[int, int]) -> None:
        self.trace = trace
        #: Start and end.
        self.range_ns = range_ns
        self._info: Optional[Json] = None

    def __repr__(self) -> str:
        return f"<overlane.Part {self.range_ns[0]} to {self.range_ns[1]} ns of {self.trace.path!r}>"

    def info(self) -> Json:
        """``Trace.info`` with verdict and findings of the range."""
        if self._info is None:
            self._info = self.trace.info(range_ns=self.range_ns)
        return self._info

    @property
    def verdict(self) -> _results.Verdict:
        """The headline of the range."""
        return _results.Verdict._of(self.info()["verdict"])

    @property
    def findings(self) -> Tuple[_results.Finding, ...]:
        """What costs time or risks results in the range."""
        return tuple(_results.Finding._of(one) for one in self.info()["findings"]["list"])

    def overlap(self, kind: str = "h2d", by: Optional[str] = None) -> _results.Overlap:
        """``Trace.overlap`` of the range."""
        return self.trace.overlap(kind, by, range_ns=self.range_ns)


def _text(value: Optional[object]) -> Optional[str]:
    return None if value is None else str(value)


def _file(path: Optional[Path]) -> Optional[str]:
    return None if path is None else os.fspath(path)


def compare(
    a: Trace, b: Trace, *, align: Optional[str] = None, iteration: Optional[str] = None, top: int = 10
) -> _results.Comparison:
    """What changed from trace a to trace b, iteration by iteration, and what of it is significant.

    align: "step", "step:K" or "first-kernel". top: rows of the tables of kernels and copies in ``json``.
    """
    answer = ask("compare", a._handle, b._handle, align=align, iteration=_text(iteration), top=top)
    return _results.Comparison._of(answer)


def changes() -> Sequence[Json]:
    """What ``Trace.whatif`` can try: "form" and "words" of each change."""
    listed: Sequence[Json] = ask("lists")["changes"]
    return listed
