"""The spool of one process, as core/record/spool_format.h describes it, written from Python.

Any thread records; a thread of its own writes what was recorded twice a second, and so does the
recording thread itself where that is late. Times are nanoseconds of CLOCK_MONOTONIC. A spool that
cannot be written ends; the program does not notice.
"""

import atexit
import collections
import itertools
import os
import struct
import sys
import threading
import time
import zlib

FLUSH_NS = 500_000_000
TICK_S = 0.05  # between looks at the gauges and at the recorder's wishes
_LONGEST_FRAME = 60_000  # records
_MOST_NAMES = 20_000
_NONE = 0xFFFFFFFF
_PRODUCER_SCRIPT = 2
_WAIT, _RECORD, _STOP = 0, 1, 2  # RecordState
_CONTROL_MAGIC = 0x4C54564F

LOADER, LOADER_WAIT, STEP, HOST_WORK = 10, 11, 13, 0  # EventKind
THREAD, ACTOR, ANNOTATIONS = 1, 2, 11  # TrackKind

_FRAME = struct.Struct("<IBBHIIIII")
_FRAME_MAGIC, _FRAME_VERSION = 0x5053564F, 1
_PROCESS_START = (1, struct.Struct("<qqIIIIII"))
_STRINGS = 2
_THREAD_NAME = (17, struct.Struct("<II"))
_STATUS = (18, struct.Struct("<qIiII"))
_GAUGE = (20, struct.Struct("<IIIiiI"))
_SAMPLE = (21, struct.Struct("<qdII"))
_LANE = (22, struct.Struct("<IIIiII"))
_EVENT = (23, struct.Struct("<qqIIII"))
_UINT = struct.Struct("<I")
_PAIR = struct.Struct("<II")
_CONTROL = struct.Struct("<IIIIQQ")  # magic, version, state, write error, bytes, limit

now = time.monotonic_ns
_pack_event = _EVENT[1].pack
_pack_sample = _SAMPLE[1].pack


def _program_name():
    try:
        return os.path.basename(os.readlink("/proc/self/exe"))
    except OSError:
        return os.path.basename(sys.executable)


def _thread_name(thread):
    try:
        with open("/proc/self/task/%d/comm" % thread) as file:
            return file.read().strip()
    except OSError:
        return ""


class Spool:
    """`owner` is the process below whose track the lanes stand: a loader's, for its workers.

    Python may collect garbage, and with it end an iterator that records, at any allocation: what
    records takes no lock, so that it may interrupt itself.
    """

    def __init__(self, directory, owner=None):
        self.recording = True
        self._directory = directory
        self._owner = owner or os.getpid()
        self._file = None
        self._control = None
        self._bytes = 0
        self._sequence = 0
        self._definitions = collections.deque()  # (frame kind, record), in order
        self._samples = collections.deque()
        self._events = collections.deque()
        self._strings = collections.deque()
        self._names = {}
        self._name_ids = itertools.count()
        self._lane_ids = itertools.count()
        self._gauge_ids = itertools.count()
        self._flushing = threading.Lock()
        self._starting = threading.Lock()
        self._flushed_ns = now()
        self._closed = False
        self._thread = None
        self._wake = None
        self.on_tick = None  # called before each look at the recorder's wishes
        self._read_control()
        start_ns = now()
        program = command = _NONE
        if self._owner == os.getpid():
            program = self.name(_program_name())
            command = self.name(" ".join(getattr(sys, "orig_argv", sys.argv)))
        self._define(_PROCESS_START, start_ns, time.time_ns() - start_ns, self._owner, os.getppid(), program, command,
                     _PRODUCER_SCRIPT, 0)
        atexit.register(self.close)

    def name(self, text):
        known = self._names.get(text)
        if known is not None:
            return known
        if len(self._names) >= _MOST_NAMES:
            self._names = {}
        known = next(self._name_ids)
        data = text.encode("utf-8", "replace")[:65536]
        self._strings.append(_PAIR.pack(known, len(data)) + data)
        return self._names.setdefault(text, known)

    def lane(self, name, kind, order=0, thread=0):
        """A row of events: of its own, or the track of a thread."""
        lane = next(self._lane_ids)
        if thread:
            self._define(_THREAD_NAME, thread, self.name(_thread_name(thread)))
        self._define(_LANE, lane, self.name(name), kind, order, thread, 0)
        return lane

    def gauge(self, name, order):
        gauge = next(self._gauge_ids)
        self._define(_GAUGE, gauge, self.name(name), 0, -1, order, 0)
        return gauge

    def status(self, code, text):
        self._define(_STATUS, now(), code, 0, self.name(text), 0)
        self.flush()

    def event(self, lane, kind, name, start_ns, end_ns):
        if self._thread is None:
            self._start_thread()
        if not self.recording:
            return
        self._events.append(_pack_event(start_ns, end_ns, lane, self.name(name), kind, 0))
        if end_ns - self._flushed_ns > FLUSH_NS or self._closed:
            self.flush()

    def sample(self, gauge, time_ns, value):
        if self.recording:
            self._samples.append(_pack_sample(time_ns, value, gauge, 0))

    def flush(self):
        """Writes what was recorded; in one piece, so that a reader sees all of it or nothing."""
        if not self._flushing.acquire(blocking=False):
            return  # somebody is at it
        try:
            self._flushed_ns = now()
            # What refers to others is taken first, so that these are there by then.
            samples = _drain(self._samples)
            events = _drain(self._events)
            definitions = _drain(self._definitions)
            strings = _drain(self._strings)
            if not (samples or events or definitions):
                self._strings.extendleft(reversed(strings))
                return
            frames = []
            self._frames(frames, _STRINGS, strings, 0)
            for kind, record in definitions:
                self._frames(frames, kind, [record], len(record))
            self._frames(frames, _EVENT[0], events, _EVENT[1].size)
            self._frames(frames, _SAMPLE[0], samples, _SAMPLE[1].size)
            self._write(b"".join(frames))
        except Exception:
            self._end()
        finally:
            self._flushing.release()

    def close(self):
        """At the end of the process; what comes after is written as it comes."""
        self._closed = True
        self.stop_thread()
        self.flush()

    def stop_thread(self):
        """Before a fork: the child is to find no thread's locks, and Python no threads to warn of."""
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            self._wake.set()
            thread.join(1)

    def abandon(self):
        """In the child of a fork: everything here is the parent's."""
        self.recording = False
        atexit.unregister(self.close)
        for file in (self._file, self._control):
            if file is not None:
                os.close(file)
        self._file = self._control = None

    def _define(self, kind, *fields):
        self._definitions.append((kind[0], kind[1].pack(*fields)))

    def _frames(self, frames, kind, records, record_bytes):
        for first in range(0, len(records), _LONGEST_FRAME):
            part = records[first:first + _LONGEST_FRAME]
            payload = b"".join(part)
            header = _FRAME.pack(_FRAME_MAGIC, _FRAME_VERSION, 0, kind, self._sequence, len(part), record_bytes,
                                 len(payload), zlib.crc32(payload))
            self._sequence += 1
            frames += (header, _UINT.pack(zlib.crc32(header)), payload)

    def _write(self, data):
        if self._directory is None:
            return
        if self._file is None:
            path = "%s/%d-%d-pytorch.spool" % (self._directory, os.getpid(), now())
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
            self._file = os.open(path, flags, 0o600)
        done = 0
        try:
            while done < len(data):
                done += os.write(self._file, data[done:] if done else data)
        except OSError:
            os.ftruncate(self._file, self._bytes)  # part of a frame is of no use
            raise
        self._bytes += len(data)

    def _end(self):
        """For good: the disk is full or the recorder's folder is gone."""
        self.recording = False
        self._directory = None
        for queue in (self._samples, self._events, self._definitions, self._strings):
            queue.clear()

    def _read_control(self):
        """Without the recorder's page a process records at once and without a limit."""
        if self._directory is None:
            return _STOP
        try:
            if self._control is None:
                self._control = os.open(self._directory + "/control", os.O_RDONLY | os.O_CLOEXEC)
            page = os.pread(self._control, _CONTROL.size, 0)
            magic, _, state, _, total, limit = _CONTROL.unpack(page)
            if magic == _CONTROL_MAGIC:
                if limit and total + self._bytes > limit:
                    state = _STOP
                self.recording = state == _RECORD
                return state
        except (OSError, struct.error):
            pass
        return _RECORD

    def _start_thread(self):
        if self._closed or self._directory is None or not self._starting.acquire(blocking=False):
            return
        try:
            if self._thread is None:
                self._wake = threading.Event()
                self._thread = threading.Thread(target=self._run, args=(self._wake,), name="overlane", daemon=True)
                self._thread.start()
        except RuntimeError:  # the interpreter ends
            self._closed = True
        finally:
            self._starting.release()

    def _run(self, wake):
        period = TICK_S if self.on_tick is not None else 2 * TICK_S
        state = _RECORD
        while state != _STOP and not wake.wait(period):
            if self.on_tick is not None and self.recording:
                self.on_tick()
            state = self._read_control()
            if state == _STOP or now() - self._flushed_ns > FLUSH_NS - 50_000_000:
                self.flush()


def _drain(queue):
    taken = []
    try:
        while True:
            taken.append(queue.popleft())
    except IndexError:
        return taken
