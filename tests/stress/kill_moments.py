"""Kills Overlane at seeded moments while it writes, and looks at what is on the disk afterwards.

For each of record, record --pytorch, save, convert, sweep and calibrate, in turn: the work is begun over older
work of the same name, ended with SIGKILL at a moment drawn from the time it took without (a recording alone, or
with its program), and then

- what is left under the name opens; of a recording, its parts recover, too;
- nothing older is gone: the file is the old one to the byte, or the new one is complete; of a recording, the
  old one waits beside it; of a save, no bookmark that was reported as saved is missing; of a sweep, no run;
- the same work then succeeds.

Two things are counted, and fail only with --strict, as in the test: a recording whose name does not open, with the
old recording beside it ("no page yet"); and files beside the work's own that the next run of it does not take away
("left behind").

Usage: kill_moments.py [--rounds N] [--seed S] [--only WORK] [--strict] [--keep] and where the programs are
(--build, or each). Prints a row per kind of work and a verdict; exits with 1 where anything was lost. A round takes
one to three seconds.
"""

import argparse
import glob
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTORCH = ROOT + "/tests/unit/pytorch"
LONGEST_S = 120
FIRST_PAGES = 16384  # bytes: a file of SQLite's with nothing in it


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Lost(Exception):
    """Something that was there is gone, or what is there cannot be read."""


class NoPage(Exception):
    """A recording that had no time to become a file."""


class Programs:
    def __init__(self, options):
        build = options.build
        self.overlane = options.overlane or build + "/core/cli/overlane"
        self.recorded = options.recorded_program or build + "/tests/unit/recorder/recorded_program"
        self.stress = options.stress_program or build + "/tests/stress/stress_program"

    def call(self, *command, cwd=None):
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=LONGEST_S, env=environment(),
                              stdin=subprocess.DEVNULL, errors="replace")

    def check(self, *command, cwd=None):
        done = self.call(*command, cwd=cwd)
        if done.returncode != 0:
            raise Lost("%s says %d: %s" % (" ".join(command[1:3]), done.returncode, done.stderr.strip()))
        return done.stdout

    def opens(self, path):
        """Events and bookmarks of a trace that opens without a word."""
        self.check(self.overlane, "info", path)
        marks, events = self.check(self.stress, "bookmarks", path).split()
        return int(events), int(marks)


def environment():
    known = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", PYTHONWARNINGS="ignore:resource_tracker")
    known.pop("CUDA_INJECTION64_PATH", None)
    known["PYTHONPATH"] = PYTORCH + "/fake_torch"
    return known


class Work:
    """One kind of work, in a folder of its own. The file it writes is `file`."""

    file = "out.overlane"

    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = folder
        self.path = os.path.join(folder, self.file)
        self.overlane = programs.overlane

    def prepare(self):
        """Older work under the name."""

    def command(self):
        raise NotImplementedError

    def finished(self):
        """Whether what the killed process left is the new work, complete; raises Lost where anything is gone."""
        raise NotImplementedError

    def again(self):
        self.programs.check(*self.command(), cwd=self.folder)

    def left(self):
        return sorted(set(os.listdir(self.folder)) - set(self.kept()))

    def kept(self):
        return [self.file]


class Replacing(Work):
    """Work that replaces a file at its end, and not before."""

    def prepare(self):
        self.make_old()
        self.old = digest(self.path)

    def finished(self):
        if digest(self.path) == self.old:
            return False
        self.read()
        return True


class Convert(Replacing):
    name = "convert"
    source = "in.overlane"

    def make_old(self):
        self.programs.check(self.overlane, "run", "--set", "batches=20", "-o", self.path)
        source = os.path.join(self.folder, self.source)
        if not os.path.exists(source):
            self.programs.check(self.overlane, "run", "--set", "batches=30000", "-o", source)
            self.events = self.programs.opens(source)[0]

    def command(self):
        return [self.overlane, "convert", self.source, self.file]

    def read(self):
        if self.programs.opens(self.path)[0] != self.events:
            raise Lost("events of the converted file")

    def kept(self):
        return [self.file, self.source]


class Calibrate(Replacing):
    name = "calibrate"
    file = "out.json"
    source = "measured.json"

    def make_old(self):
        source = os.path.join(self.folder, self.source)
        self.programs.check(self.programs.stress, "profile", source)
        shutil.copy(os.path.join(ROOT, "resources/devices/rtx4090_desktop.json"), self.path)

    def command(self):
        return [self.overlane, "calibrate", "--from", self.source, "-o", self.file]

    def read(self):
        self.programs.check(self.overlane, "calibrate", "--show", self.path)
        if digest(self.path) != digest(os.path.join(self.folder, self.source)):
            raise Lost("figures of the profile")

    def kept(self):
        return [self.file, self.source]


class Save(Work):
    """As the window saves: notes and bookmarks into the file that is open."""

    name = "save"

    def prepare(self):
        self.programs.check(self.overlane, "run", "--set", "batches=3000", "-o", self.path)
        self.events = self.programs.opens(self.path)[0]

    def command(self):
        return [self.programs.stress, "save", self.file]

    def finished(self):
        events, marks = self.programs.opens(self.path)
        said = self.said.split()
        if events != self.events:
            raise Lost("events of the saved file")
        if not len(said) <= marks <= len(said) + 1:
            raise Lost("bookmarks: %d of %d that were saved" % (marks, len(said)))
        return bool(said)

    def again(self):
        before = self.programs.opens(self.path)[1]
        self.programs.check(*self.command(), "1", cwd=self.folder)
        if self.programs.opens(self.path)[1] != before + 1:
            raise Lost("bookmarks of the next save")


class Sweep(Work):
    """Goes on with a file of runs; each run is a line, and none is lost."""

    name = "sweep"
    file = "out.jsonl"
    over = ["--over", "batches=100..160", "--over", "workers=1..6"]
    runs = 61 * 6

    def prepare(self):
        """A sweep that was broken off after some of its runs."""
        self.lines = []
        after_s = 0.1
        while not 10 < len(self.lines) < self.runs:
            if os.path.exists(self.path):
                os.remove(self.path)
            self.lines = []
            run(self, after_s)
            after_s *= 0.5 if len(self.whole_lines()) > self.runs else 1.5
            self.lines = self.whole_lines()

    def whole_lines(self):
        if not os.path.exists(self.path):
            return []
        with open(self.path, "rb") as file:
            return [line for line in file.read().split(b"\n")[:-1]]

    def command(self):
        if self.lines:
            return [self.overlane, "sweep", "--resume", self.file]
        return [self.overlane, "sweep", *self.over, "-o", self.file]

    def finished(self):
        now = set(self.whole_lines()[1:])
        if not set(self.lines[1:]) <= now:
            raise Lost("%d runs" % len(set(self.lines[1:]) - now))
        self.lines = self.whole_lines()
        return len(now) == self.runs

    def again(self):
        before = set(self.lines[1:])
        super().again()
        after = set(self.whole_lines()[1:])
        if len(after) != self.runs or not before <= after:
            raise Lost("runs of the sweep that goes on: %d" % len(after))


class Record(Work):
    """The file grows while the program runs, and what it replaces waits beside it."""

    name = "record"

    def prepare(self):
        for name in os.listdir(self.folder):
            path = os.path.join(self.folder, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        self.programs.check(self.overlane, "run", "--set", "batches=20", "-o", self.path)
        self.old = digest(self.path)

    def command(self):
        return [self.overlane, "record", "--no-gauges", "--overwrite", "-o", self.file, "--", self.programs.recorded,
                "600", "1"]

    def finished(self):
        parts = self.path + ".parts"
        if digest(self.path) == self.old:
            done = False
        else:
            done = not os.path.exists(parts)
            before = self.path + ".before"
            if not done and (not os.path.exists(before) or digest(before) != self.old):
                raise Lost("the older recording")
        unfinished = not done and os.path.exists(parts)
        if unfinished:
            self.recover(parts)
        try:
            self.programs.opens(self.path)
        except Lost as error:
            if unfinished and os.path.getsize(self.path) <= FIRST_PAGES:
                raise NoPage(str(error)) from error
            raise
        return done

    def recover(self, parts):
        recovered = os.path.join(self.folder, "recovered.overlane")
        done = self.programs.call(self.overlane, "record", "--recover", parts, "-o", recovered)
        if done.returncode == 0:
            self.programs.opens(recovered)
            os.remove(recovered)
        elif "holds no recording" in done.stderr:
            shutil.rmtree(parts)
        else:
            raise Lost("recovery: " + done.stderr.strip())

    def again(self):
        before = self.path + ".before"
        if os.path.exists(before):
            os.replace(before, self.path)
        super().again()
        self.programs.opens(self.path)


class RecordPytorch(Record):
    name = "record --pytorch"

    def command(self):
        return [self.overlane, "record", "--no-gauges", "--overwrite", "--pytorch", "-o", self.file, "--", "python3",
                PYTORCH + "/scripts/train.py", "--epochs", "4", "--pin"]


ALL = (Record, RecordPytorch, Save, Convert, Sweep, Calibrate)


def run(work, after_s, with_its_program=False):
    """Runs the work and kills it after some time; what it said, and whether it was killed before its end.

    A recorded program may go on to its own end.
    """
    child = subprocess.Popen(work.command(), cwd=work.folder, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment(), text=True,
                             start_new_session=True)
    try:
        return child.communicate(timeout=after_s)[0], False
    except subprocess.TimeoutExpired:
        if with_its_program:
            os.killpg(child.pid, signal.SIGKILL)
        else:
            os.kill(child.pid, signal.SIGKILL)
        return child.communicate(timeout=LONGEST_S)[0], True  # when the recorded program has ended as well


def kill(work, chance):
    """Kills the work at a moment of it. A moment that came too late is none: the work begins anew."""
    while True:
        work.prepare()
        start = time.monotonic()
        work.said, killed = run(work, chance.uniform(0, work.took_s), chance.random() < 0.5)
        if killed:
            return
        work.took_s = min(work.took_s, time.monotonic() - start)


def time_of(work):
    """How long the work takes without being killed; a save never ends by itself."""
    if isinstance(work, Save):
        return 0.6
    work.prepare()
    start = time.monotonic()
    work.again()
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[each.name for each in ALL])
    parser.add_argument("--strict", action="store_true", help="fail for what is only counted, too")
    parser.add_argument("--keep", action="store_true", help="leave the folders of rounds that failed")
    parser.add_argument("--build", default=ROOT + "/build/release")
    parser.add_argument("--overlane")
    parser.add_argument("--recorded-program")
    parser.add_argument("--stress-program")
    options = parser.parse_args()
    programs = Programs(options)
    chance = random.Random(options.seed)
    root = tempfile.mkdtemp(prefix="overlane-kill-")
    works = []
    rows = {}
    failures = []
    remarks = []
    for kind in ALL:
        if options.only in (None, kind.name):
            folder = os.path.join(root, kind.name.replace(" ", ""))
            os.mkdir(folder)
            work = kind(programs, folder)
            work.took_s = time_of(work)
            works.append(work)
            rows[kind.name] = dict.fromkeys(("moments", "done", "no page", "left", "lost"), 0)
    for number in range(options.rounds):
        work = works[number % len(works)]
        row = rows[work.name]
        row["moments"] += 1
        try:
            kill(work, chance)
            try:
                row["done"] += bool(work.finished())
            except NoPage as error:
                row["no page"] += 1
                remarks.append("round %d, %s: %s" % (number, work.name, error))
            work.again()
            if work.left():
                row["left"] += 1
                remarks.append("round %d, %s: left behind: %s" % (number, work.name, " ".join(work.left())))
        except (Lost, OSError, ValueError) as error:
            row["lost"] += 1
            failures.append("round %d, %s: %s" % (number, work.name, error))
            if options.keep:
                shutil.copytree(work.folder, "%s/failed-%d" % (root, number))
        for name in work.left():
            path = os.path.join(work.folder, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    print("%-18s %8s %14s %13s %12s %6s" % ("killed within", "moments", "was complete", "no page yet", "left behind",
                                           "lost"))
    for name, row in rows.items():
        print("%-18s %8d %14d %13d %12d %6d" % ((name,) + tuple(row.values())))
    for remark in failures + remarks:
        print(remark)
    if options.strict:
        failures += remarks
    print("%d moments: %s" % (options.rounds, "%d went wrong" % len(failures) if failures else "nothing is lost" +
                              (", %d remarks" % len(remarks) if remarks else "; everything opens")))
    if not options.keep or not failures:
        shutil.rmtree(root, ignore_errors=True)
    else:
        print("kept in", root)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
