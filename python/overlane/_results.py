"""Answers as values: frozen, times as int nanoseconds, sizes as int bytes, shares as float from 0 to 1.

Each has ``json``, the answer of the command line with everything that has no field here. What the figures mean is
defined where they are made: ``core/analysis/summary.h`` (overlap), ``core/analysis/steps.h`` (iterations),
``core/findings/finding.h`` (findings), ``core/replay/prediction.h`` (predictions), ``core/compare/comparison.h``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from ._library import Json


def _raw() -> Json:
    return field(repr=False, compare=False)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Place:
    """A place in the program: where a thread was that the GPU waited for."""

    file: str
    line: int
    function: str
    #: Of the time that is explained.
    share: float

    @staticmethod
    def _all(json: List[Json]) -> Tuple["Place", ...]:
        return tuple(Place(one["file"], one["line"], one["function"], one["share"]) for one in json)


@dataclass(frozen=True)
class Loss:
    """Time without kernels for one cause, over the judged range."""

    #: "launch_bound", "copies", "batches" ...: core/analysis/cause_table.cpp.
    id: str
    name: str
    lost_ns: int
    places: Tuple[Place, ...]


@dataclass(frozen=True)
class Verdict:
    """The headline: whether copies hide, what they cost, the main cause, what to change."""

    #: "problem", "neutral" or "nothing".
    tone: str
    sentence: str
    advice: str
    #: Copies to the device in the judged range, and those of them that hide behind kernels.
    copies: int
    hidden_copies: int
    #: An average iteration (``per_step``) or the range, now and without the main loss.
    now_ns: int
    could_be_ns: int
    per_step: bool
    #: Why copies are exposed: "pageable_memory", "same_stream" ...; None where they are not.
    cause: Optional[str]
    #: What costs most: the id of a loss; None where nothing does.
    main_loss: Optional[str]
    #: What the copies carry: "batch", "parameter" ...
    carries: str
    losses: Tuple[Loss, ...]
    json: Json = _raw()

    def __str__(self) -> str:
        return f"{self.sentence} {self.advice}".strip()

    @staticmethod
    def _of(json: Json) -> "Verdict":
        losses = tuple(
            Loss(one["id"], one["name"], one["lost_ns"], Place._all(one.get("places", []))) for one in json["losses"]
        )
        return Verdict(
            json["tone"], json["sentence"], json["advice"], json["copies"], json["hidden_copies"], json["now_ns"],
            json["could_be_ns"], json["per_step"], json["cause_id"], json["main_loss_id"], json["carries_id"], losses,
            json,
        )  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """Something that costs time or risks results: its evidence, its cost, the change. No nanosecond is in two."""

    #: "pageable-async": its name for ``Trace.check`` and its section in the help.
    rule: str
    #: "hazard", "problem" or "hint".
    severity: str
    title: str
    sentence: str
    device: int
    #: Idle time of the GPU, and blocked time of the host, that it causes in the judged range.
    gpu_idle_ns: int
    gpu_idle_per_step_ns: int
    host_blocked_ns: int
    host_blocked_per_step_ns: int
    #: The larger of the two as a share of the judged range.
    share_of_wall: float
    change: str
    change_pytorch: str
    change_cuda: str
    #: Rows of ``Trace.table("events")`` that show it; the first ones of ``evidence_count``.
    evidence: Tuple[int, ...]
    evidence_count: int
    places: Tuple[Place, ...]
    json: Json = _raw()

    def __str__(self) -> str:
        return f"{self.title}: {self.sentence}"

    @staticmethod
    def _of(json: Json) -> "Finding":
        return Finding(
            json["rule"], json["severity"], json["title"], json["sentence"], json["device"], json["gpu_idle_ns"],
            json["gpu_idle_per_step_ns"], json["host_blocked_ns"], json["host_blocked_per_step_ns"],
            json["share_of_wall"], json["change"], json["change_pytorch"], json["change_cuda"],
            tuple(json["evidence"]), json["evidence_count"], Place._all(json.get("places", [])), json,
        )  # fmt: skip


@dataclass(frozen=True)
class Iteration:
    """A turn of the program's own outer loop; for a training loop, a step."""

    number: int
    name: str
    start_ns: int
    #: Of its mark.
    duration_ns: int
    #: What it costs: to the start of the next one.
    time_ns: int
    #: One of the first, and left out of every average.
    warm_up: bool
    #: Far slower or faster than the others.
    outlier: bool
    #: Lies in the range that verdict and findings judge.
    judged: bool


@dataclass(frozen=True)
class OverlapPart:
    """Overlap of some of the copies; fields as in Overlap."""

    #: The number of a device or an iteration, or the id of a role, a cause or a kind of memory; None for all.
    key: Union[int, str, None]
    copies: int
    bytes: int
    busy_ns: int
    hidden_ns: int
    exposed_ns: int
    share: Optional[float]

    @staticmethod
    def _of(json: Json) -> "OverlapPart":
        return OverlapPart(**json)


@dataclass(frozen=True)
class Overlap:
    """How much of the copies' time lies under kernels of the same device.

    ``busy_ns`` is the time in which copies run, two at once counted once (per device), ``hidden_ns`` the part of it
    with a kernel beside it, ``share`` = hidden / busy (None without copies). By role, cause or memory the times of
    ``rows`` are sums over copies. Source: core/analysis/summary.h.
    """

    #: "h2d", "d2h" or "communication".
    kind: str
    #: Start and end of the range.
    range_ns: Tuple[int, int]
    copies: int
    bytes: int
    busy_ns: int
    hidden_ns: int
    exposed_ns: int
    share: Optional[float]
    #: One for each group; empty without ``by``.
    rows: Tuple[OverlapPart, ...]
    json: Json = _raw()

    def __float__(self) -> float:
        return float("nan") if self.share is None else self.share

    @staticmethod
    def _of(json: Json) -> "Overlap":
        whole = OverlapPart._of(json["all"])
        return Overlap(
            json["kind"], (json["range_ns"][0], json["range_ns"][1]), whole.copies, whole.bytes, whole.busy_ns,
            whole.hidden_ns, whole.exposed_ns, whole.share, tuple(OverlapPart._of(row) for row in json["rows"]), json,
        )  # fmt: skip


@dataclass(frozen=True)
class Prediction:
    """What an iteration would take with changes, by replaying the trace."""

    changes: Tuple[str, ...]
    #: Of the replayed iterations: measured, replayed as they are, replayed with the changes.
    step_ns_measured: int
    step_ns_replayed: int
    step_ns_predicted: int
    #: Least and most of what is predicted, and what makes the range as wide as it is.
    range_ns: Tuple[int, int]
    range_origins: Tuple[str, ...]
    #: "faster", "slower" or "same": beyond what two runs differ by.
    direction: str
    noise_ns: int
    #: What limits the predicted iteration.
    bottleneck: str
    busy_ns: Mapping[str, int]
    pinned_bytes: int
    notes: Tuple[str, ...]
    json: Json = _raw()

    @property
    def speedup(self) -> float:
        """Iterations as measured over those predicted; 2.0 is twice as fast."""
        return self.step_ns_replayed / self.step_ns_predicted if self.step_ns_predicted else float("nan")

    @staticmethod
    def _of(json: Json) -> "Prediction":
        return Prediction(
            tuple(json["changes"]), json["step_ns_measured"], json["step_ns_replayed"], json["step_ns_predicted"],
            (json["range"][0], json["range"][1]), tuple(json["range_origins"]), json["direction"], json["noise_ns"],
            json["bottleneck"], json["busy_ns"], json["pinned_bytes"], tuple(json["notes"]), json,
        )  # fmt: skip


@dataclass(frozen=True)
class WhatIf:
    """A replay and its prediction; without changes, ``prediction`` is the program as it is."""

    prediction: Prediction
    #: Single changes that would help, and the usual three together; empty where changes were given.
    suggestions: Tuple[Prediction, ...]
    #: Error of the replay without a change, as a share of the step; beyond 0.02 it is not ``trusted``.
    replay_error: float
    trusted: bool
    json: Json = _raw()

    @staticmethod
    def _of(json: Json) -> "WhatIf":
        replay = json["replay"]
        suggestions = tuple(Prediction._of(one) for one in json.get("suggestions", []))
        return WhatIf(Prediction._of(json), suggestions, replay["replay_error"], replay["trusted"], json)


@dataclass(frozen=True)
class Distribution:
    """A figure of every iteration of one trace: ns, or shares."""

    count: int
    median: float
    lower_quartile: float
    upper_quartile: float
    min: float
    max: float


@dataclass(frozen=True)
class Change:
    """One figure in both traces, and what of the difference may be claimed."""

    a: Distribution
    b: Distribution
    #: Of the rank test.
    p: float
    #: The chance that an iteration of b has more of it than one of a.
    effect: float
    #: "lower", "higher", "same" or "too few" ...: core/compare/sample.h.
    claim: str

    @staticmethod
    def _of(json: Json) -> "Change":
        return Change(Distribution(**json["a"]), Distribution(**json["b"]), json["p"], json["effect"], json["claim"])


@dataclass(frozen=True)
class Comparison:
    """What changed from trace a to trace b, and what of it is significant."""

    sentence: str
    #: Times of iterations, ns.
    step_time_ns: Change
    #: Mean iteration, or the range where there are none.
    wall_a_ns: int
    wall_b_ns: int
    per_step: bool
    #: Overlap of copies to the device by iteration, for each GPU by its number in a.
    overlap: Mapping[int, Change]
    #: Rules of findings: "new", "gone", "changed" or "same".
    findings: Mapping[str, str]
    json: Json = _raw()

    def __str__(self) -> str:
        return self.sentence

    @staticmethod
    def _of(json: Json) -> "Comparison":
        return Comparison(
            json["sentence"], Change._of(json["step_time_ns"]), json["wall_a_ns"], json["wall_b_ns"], json["per_step"],
            {device["id_a"]: Change._of(device["overlap"]) for device in json["devices"]},
            {one["rule"]: one["change"] for one in json["findings"]}, json,
        )  # fmt: skip


@dataclass(frozen=True)
class CheckResult:
    """One limit and what the trace makes of it."""

    #: As given: "pageable-async:2ms".
    limit: str
    rule: str
    #: "passed", "fired" or "not_checked".
    outcome: str
    cost_ns: int
    share: float
    sentence: str


@dataclass(frozen=True)
class Check:
    """Limits of ``overlane check`` held to a trace."""

    #: The exit code of the command line is 0.
    passed: bool
    results: Tuple[CheckResult, ...]
    #: Why nothing could be judged: no GPU work, a damaged file; empty else.
    problem: str
    json: Json = _raw()

    def __bool__(self) -> bool:
        return self.passed

    @property
    def fired(self) -> Tuple[CheckResult, ...]:
        """Results of limits that are passed over."""
        return tuple(result for result in self.results if result.outcome == "fired")

    @staticmethod
    def _of(json: Json) -> "Check":
        (file,) = json["files"]
        names = ("limit", "rule", "outcome", "cost_ns", "share", "sentence")
        results = tuple(CheckResult(*(one[name] for name in names)) for one in file["results"])
        return Check(json["exit_code"] == 0, results, file["error"] or file["without_gpu_work"] or "", json)


@dataclass(frozen=True)
class SweepPoint:
    """One point of a sweep: its settings, and the figures of its runs."""

    at: Mapping[str, str]
    #: Numbers of the settings, in the order of the axes.
    values: Tuple[float, ...]
    #: By column ("batch_ns", "overlap_share" ...): median, low, high and runs.
    figures: Mapping[str, Mapping[str, float]]
    #: Why there are no figures; empty where there are.
    error: str

    def median(self, column: str) -> float:
        """The median over the repeats."""
        return self.figures[column]["median"]


@dataclass(frozen=True)
class Sweep:
    """A loader run over ranges of settings."""

    title: str
    axes: Tuple[str, ...]
    points: Tuple[SweepPoint, ...]
    json: Json = _raw()

    def to_pylist(self) -> List[Dict[str, Any]]:
        """A row per point: its settings, and the median of each figure."""
        rows: List[Dict[str, Any]] = []
        for point in self.points:
            row: Dict[str, Any] = dict(zip(self.axes, point.at.values()))
            row.update({column: spread["median"] for column, spread in point.figures.items()})
            rows.append(row)
        return rows

    @staticmethod
    def _of(json: Json) -> "Sweep":
        points = []
        for one in json.get("points", []):
            figures = {key: value for key, value in one.items() if isinstance(value, dict) and "median" in value}
            points.append(SweepPoint(one.get("at", {}), tuple(one.get("values", ())), figures, one.get("error", "")))
        return Sweep(json["title"], tuple(axis["key"] for axis in json.get("axes", [])), tuple(points), json)


@dataclass(frozen=True)
class Candidate:
    """Loader settings with what a batch takes with them, simulated."""

    batch_ns: int
    #: Eight of ten measured runs lie between.
    batch_low_ns: int
    batch_high_ns: int
    pinned_peak_bytes: int
    overlap_share: float
    fits: bool
    settings: Mapping[str, Any]

    @staticmethod
    def _of(json: Json) -> "Candidate":
        keys = ("pin", "non_blocking", "copy_stream", "device_buffers", "workers", "prefetch_factor")
        return Candidate(
            json.get("batch_ns", 0), json.get("batch_low_ns", 0), json.get("batch_high_ns", 0),
            json.get("pinned_peak_bytes", 0), json.get("overlap_share", 0.0), json.get("fits", False),
            {key: json[key] for key in keys if key in json},
        )  # fmt: skip


@dataclass(frozen=True)
class Advice:
    """The best loader settings under limits of memory and cores."""

    #: "change", "stay", "compute_bound", "pinning_off", "nothing_fits": core/sweep/advisor.h.
    kind: str
    sentence: str
    remarks: Tuple[str, ...]
    #: The advised settings are faster even at worst.
    sure: bool
    now: Candidate
    advised: Candidate
    changed: Tuple[str, ...]
    #: Python to paste.
    code: str
    json: Json = _raw()

    def __str__(self) -> str:
        return self.sentence

    @staticmethod
    def _of(json: Json) -> "Advice":
        return Advice(
            json["advice"], json["sentence"], tuple(json["remarks"]), json["sure"], Candidate._of(json["now"]),
            Candidate._of(json["advised"]), tuple(json["changed"]), json["code"], json,
        )  # fmt: skip
