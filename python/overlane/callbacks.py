"""Callbacks for trainers that mark iterations, so that a recording is judged by them.

Each optimizer step (of Lightning: each batch) becomes an NVTX range "step N", which Overlane takes as an iteration.
The first ones, in which memory is pinned and kernels are compiled, are left unmarked and so are not judged. Marks
reach a trace that ``overlane record`` or ``overlane.recording`` makes; without them a mark costs next to nothing.

Neither Lightning nor Transformers is imported before it is asked for.
"""

from __future__ import annotations

from typing import Any

from ._errors import Error
from ._marks import Marks

#: Iterations that are left unmarked.
WARM_UP = 3


class _Steps:
    """Counts iterations and marks those behind the warm-up."""

    def __init__(self, warm_up: int) -> None:
        self._warm_up = warm_up
        self._seen = 0
        self._marks = Marks()

    def begin(self) -> None:
        if self._seen >= self._warm_up:
            self._marks.open(f"step {self._seen}")
        self._seen += 1

    def end(self) -> None:
        self._marks.close()


def _missing(what: str, package: str) -> Error:
    return Error(
        f"{what} is not installed; install {package}, or mark iterations with torch.cuda.nvtx.range_push.",
        f"{what} is not installed.",
        "",
        f"Install {package}, or mark iterations with torch.cuda.nvtx.range_push.",
    )


def lightning(warm_up: int = WARM_UP) -> Any:
    """A callback for Lightning: ``Trainer(callbacks=[overlane.callbacks.lightning()])``."""
    try:
        from lightning.pytorch import Callback  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            from pytorch_lightning import Callback  # type: ignore[import-not-found, no-redef, unused-ignore]
        except ImportError:
            raise _missing("Lightning", "lightning") from None

    class OverlaneMarks(Callback):  # type: ignore[misc, valid-type, unused-ignore]
        """Marks each training batch."""

        def __init__(self) -> None:
            super().__init__()
            self._steps = _Steps(warm_up)

        def on_train_batch_start(self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int) -> None:
            self._steps.begin()

        def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
            self._steps.end()

        def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
            self._steps.end()

    return OverlaneMarks()


def transformers(warm_up: int = WARM_UP) -> Any:
    """A callback for the Trainer of Transformers: ``Trainer(callbacks=[overlane.callbacks.transformers()])``."""
    try:
        from transformers import TrainerCallback  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise _missing("Transformers", "transformers") from None

    class OverlaneMarks(TrainerCallback):  # type: ignore[misc, valid-type, unused-ignore]
        """Marks each optimizer step, with the batches that it accumulates."""

        def __init__(self) -> None:
            super().__init__()
            self._steps = _Steps(warm_up)

        def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self._steps.begin()

        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self._steps.end()

        def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self._steps.end()

    return OverlaneMarks()
