"""The laboratory: a data loader that feeds a GPU, simulated; as ``overlane run``, ``sweep`` and ``advise``.

Settings are those of ``overlane run --help``; ``settings()`` lists them. A simulation is deterministic for its
settings and seed, and takes milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

from ._errors import Error
from ._library import Json, ask, ask_for_trace
from ._results import Advice, Sweep, Verdict, _raw
from ._trace import Trace

Setting = Union[str, int, float, bool]
#: "1..8", "1M..256M*20", or a list of values.
Range = Union[str, Sequence[Setting]]


@dataclass(frozen=True)
class Run:
    """A run of the simulated loader, or of the real one on this machine's GPU."""

    #: Its timeline, which can be asked as any other.
    trace: Trace
    wall_ns: int
    batches: int
    #: Copies to the device under kernels, as a share of their time.
    overlap_share: float
    exposed_copy_ns: int
    pinned_peak_bytes: int
    verdict: Verdict
    settings: Mapping[str, Any]
    json: Json = _raw()

    @property
    def batch_ns(self) -> float:
        """Wall time over batches."""
        return self.wall_ns / self.batches


def _program(engine: str) -> Optional[str]:
    """What runs the real loader, as a process of its own."""
    if engine == "simulated":
        return None
    from ._record import program_path

    return program_path()


def run(
    *,
    device: Optional[str] = None,
    preset: Optional[str] = None,
    engine: str = "simulated",
    force: bool = False,
    **settings: Setting,
) -> Run:
    """Runs the loader: ``overlane.lab.run(pin="thread", non_blocking=True, workers=8)``.

    device: the profile to simulate, by name or file. preset: settings to start from. engine: "simulated", or "gpu"
    ("gpu:1") for the real loader on this machine. force: on a GPU, pin more than half of the memory.
    """
    answer, handle = ask_for_trace(
        "run", device=device, preset=preset, engine=engine, force=force, settings=settings or None,
        program=_program(engine),
    )  # fmt: skip
    if handle is None:
        raise Error("The run handed out no trace; install the package and its library together.")
    return Run(
        Trace(handle, ask("facts", handle)), answer["wall_ns"], answer["batches"], answer["overlap_share"],
        answer["exposed_copy_ns"], answer["pinned_peak_bytes"], Verdict._of(answer["verdict"]), answer["settings"],
        answer,
    )  # fmt: skip


def _range(values: Range) -> str:
    if isinstance(values, str):
        return values
    return ",".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)


def sweep(
    over: Optional[Mapping[str, Range]] = None,
    *,
    ready: Optional[str] = None,
    repeats: int = 1,
    threads: int = 0,
    device: Optional[str] = None,
    preset: Optional[str] = None,
    engine: str = "simulated",
    force: bool = False,
    **settings: Setting,
) -> Sweep:
    """Runs the loader over ranges of one or two settings: ``sweep({"workers": "1..8", "pin": ["none", "thread"]})``.

    ready: a ready-made sweep instead of ranges. repeats: runs of each point, which differ in the seed. threads:
    simulations at once, 0 for one per core.
    """
    ranges = {key: _range(values) for key, values in over.items()} if over else None
    answer = ask(
        "sweep", over=ranges, ready=ready, repeats=repeats, threads=threads, device=device, preset=preset,
        engine=engine, force=force, settings=settings or None, program=_program(engine),
    )  # fmt: skip
    return Sweep._of(answer)


def advise(
    *,
    ram: Optional[str] = None,
    pinned_limit: Optional[str] = None,
    cores: Optional[int] = None,
    device: Optional[str] = None,
    preset: Optional[str] = None,
    engine: str = "simulated",
    force: bool = False,
    **settings: Setting,
) -> Advice:
    """Finds the best loader settings under limits: ``advise(ram="16G", batch_bytes="96M")``.

    With engine "gpu" the answer is confirmed on this machine's GPU.
    """
    answer = ask(
        "advise", ram=ram, pinned_limit=pinned_limit, cores=cores, device=device, preset=preset, engine=engine,
        force=force, settings=settings or None, program=_program(engine),
    )  # fmt: skip
    return Advice._of(answer)


def settings() -> Tuple[Json, ...]:
    """Settings with their group, meaning, default, unit and limits."""
    return tuple(ask("lists")["run"]["settings"])


def presets() -> Tuple[Json, ...]:
    """Settings to start from."""
    return tuple(ask("lists")["run"]["presets"])


def devices() -> Tuple[Json, ...]:
    """Profiles of GPUs that can be simulated."""
    return tuple(ask("lists")["run"]["devices"])


def ready_sweeps() -> Tuple[Json, ...]:
    """Ready-made sweeps: "key", "title", "hint"."""
    return tuple(ask("lists")["sweep"]["ready"])
