"""What the programs of this folder share: their command line and a clock for their own outer loop.

Each program is `NAME.py VARIANT [STEPS]`, runs STEPS iterations after WARM_UP others, and prints
`RESULT NAME VARIANT step_ms=... median_ms=... n=...`: the mean time of an iteration from the end of the
warm-up to the end of the last, the GPU's work included. VARIANT is words joined by "_": `pin` for
page-locked memory, `nb` for calls that do not wait, others as a program says; `page` is none of them.
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


class Clock:
    """Call `tick` at the end of each iteration and `report` after the last; `skip` leaves out the time since `tick`."""

    def __init__(self):
        self.times = []
        self.last = time.perf_counter()

    def tick(self):
        now = time.perf_counter()
        self.times.append(now - self.last)
        self.last = now

    def skip(self):
        self.last = time.perf_counter()

    def report(self, wait=lambda: None):
        wait()
        self.times[-1] += time.perf_counter() - self.last
        times = self.times[WARM_UP:]
        name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
        print("RESULT %s %s step_ms=%.3f median_ms=%.3f n=%d" % (
            name, "_".join(WORDS), statistics.mean(times) * 1e3, statistics.median(times) * 1e3, len(times)), flush=True)


def torch_wait():
    import torch
    if DEVICE == "cuda":
        torch.cuda.synchronize()
