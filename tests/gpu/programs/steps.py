"""What the programs of this folder share: their command line and a clock for their own outer loop.

Each program is `NAME.py VARIANT [STEPS]`, runs STEPS iterations after WARM_UP others, and prints
`RESULT NAME VARIANT step_ms=... median_ms=... n=...`: the mean time of an iteration from the end of the
warm-up to the end of the last, the GPU's work included. VARIANT is words joined by "_": `pin` for
page-locked memory, `nb` for calls that do not wait, others as a program says; `page` is none of them.

With PROGRAM_TOGGLE_STACKS=N in a recording, Python's stacks are looked at during N iterations, then during N not, and
so on, and another line says what an iteration takes with and without: a process compared with itself.
"""

import os
import statistics
import sys
import time

WARM_UP = 8
WORDS = (sys.argv[1] if len(sys.argv) > 1 else "page").split("_")
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 40
ALL = STEPS + WARM_UP
DEVICE = os.environ.get("PROGRAM_DEVICE", "cuda")  # "cpu" to try a program without a GPU

PIN = "pin" in WORDS
NON_BLOCKING = "nb" in WORDS


class StacksInTurns:
    """Switches the sampler of a recording on and off; knows the times of iterations either way."""

    def __init__(self, period):
        self.period = period
        self.on = True
        self.ticks = 0
        self.windows = {True: [[]], False: []}  # the times of each stretch

    def tick(self, seconds):
        self.ticks += 1
        if self.ticks > WARM_UP:
            self.windows[self.on][-1].append(seconds)
            if len(self.windows[self.on][-1]) == self.period:
                self.switch()

    def switch(self):
        sampler = getattr(sys.modules.get("overlane_pytorch"), "_sampler", None)
        if sampler is None:
            return
        self.on = not self.on
        sampler.start() if self.on else sampler.stop()
        self.windows[self.on].append([])

    def report(self, name):
        means = {on: [statistics.mean(window[1:]) * 1e3 for window in windows if len(window) == self.period]
                 for on, windows in self.windows.items()}
        if all(means.values()):
            with_stacks, without = (statistics.median(means[on]) for on in (True, False))
            print("STACKS %s on_ms=%.3f off_ms=%.3f ratio=%.4f on=%s off=%s" % (
                name, with_stacks, without, with_stacks / without, ["%.3f" % ms for ms in means[True]],
                ["%.3f" % ms for ms in means[False]]), flush=True)


class Clock:
    """Call `tick` at the end of each iteration and `report` after the last; `skip` leaves out the time since `tick`."""

    def __init__(self):
        period = int(os.environ.get("PROGRAM_TOGGLE_STACKS", 0))
        self.stacks = StacksInTurns(period) if period else None
        self.times = []
        self.last = time.perf_counter()

    def tick(self):
        now = time.perf_counter()
        self.times.append(now - self.last)
        if self.stacks:
            self.stacks.tick(self.times[-1])
        self.last = time.perf_counter() if self.stacks else now

    def skip(self):
        self.last = time.perf_counter()

    def report(self, wait=lambda: None):
        wait()
        self.times[-1] += time.perf_counter() - self.last
        times = self.times[WARM_UP:]
        name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
        print("RESULT %s %s step_ms=%.3f median_ms=%.3f n=%d" % (
            name, "_".join(WORDS), statistics.mean(times) * 1e3, statistics.median(times) * 1e3, len(times)), flush=True)
        if self.stacks:
            self.stacks.report(name)


def torch_wait():
    import torch
    if DEVICE == "cuda":
        torch.cuda.synchronize()
