"""A program run as a process that was started beforehand, recorded or not; and memory touched before.

Processes start in groups, since importing PyTorch takes longer than many a loop, and each goes on when the one before
has printed its figures.
"""

import mmap
import multiprocessing
import os
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST_S = 90


def touch(size):
    """Fresh shared memory written once and given back."""
    with mmap.mmap(-1, size) as memory:
        page = b"\1" * (1 << 20)
        start = time.perf_counter()
        for at in range(0, size, len(page)):
            memory[at:at + len(page)] = page
        return time.perf_counter() - start


def touch_memory(size):
    """A virtual machine gets its memory from its host when it is first touched, and that is slow."""
    parts = min(12, os.cpu_count() or 1)
    size = size // parts >> 20 << 20
    if size == 0:
        return
    with multiprocessing.Pool(parts) as pool:
        for turn in ("first", "again"):
            longest = max(pool.map(touch, [size] * parts, chunksize=1))
            print("memory: %d x %d MiB touched %s: %.1f GB/s" % (parts, size >> 20, turn, size * parts / longest / 1e9))


class Run:
    """One process, started up to where it says "ready". Its figures are the line that starts with `figures_start`."""

    def __init__(self, name, command, path=None, options=("--pytorch",), figures_start="{"):
        self.name = name
        self.path = path
        self.figures_start = figures_start
        if path:
            if os.path.exists(path):
                os.remove(path)
            command = [os.path.join(HERE, "overlane"), "record", *options, "--duration", str(LONGEST_S * 2),
                       "-o", path, "--", *command]
        environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(HERE, "lib") + ":" +
                           os.environ.get("LD_LIBRARY_PATH", "")) if path else None
        self.process = subprocess.Popen(["timeout", str(LONGEST_S * 2), *command], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.line = None
        self.errors = []

    @property
    def recorded(self):
        return self.path is not None

    def wait_until_ready(self):
        return self._line_with("ready") is not None

    def go(self):
        """Until it has printed its figures; how it ends is no matter of the next."""
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except OSError:
            return
        self.line = self._line_with(self.figures_start)

    def _line_with(self, start):
        for line in self.process.stdout:
            if line.startswith(start):
                return line
        return None

    def end(self):
        """Whether it printed figures and ended well; what it said is in `errors`."""
        _, errors = self.process.communicate(timeout=LONGEST_S)
        self.errors = [line for line in errors.splitlines() if line and "arn" not in line]
        if self.line is None or self.process.returncode != 0:
            print("%s: exit %d: %s" % (self.name, self.process.returncode, " / ".join(self.errors[-3:])))
            return False
        return True

    def said(self):
        """The recorder's own last sentence."""
        return "".join([line for line in self.errors if not line.startswith("overlane: ")][-1:])

    def size_kib(self):
        return os.path.getsize(self.path) >> 10 if self.path else 0


def run_in_groups(makes, group):
    """Runs what each of `makes` starts, one at a time, `group` of them started at once. Yields each with whether it
    ended well."""
    for first in range(0, len(makes), group):
        runs = [make() for make in makes[first:first + group]]
        ready = [run for run in runs if run.wait_until_ready()]
        time.sleep(0.5)
        for run in ready:
            run.go()
            time.sleep(0.3)
        for run in runs:
            yield run, run.end()
