"""The spool of one process, as core/spool/spool_format.h describes it, written from Python.

Any thread records, which is one append to a queue; a thread of the spool's own takes from there, twice a
second, and writes. Times are nanoseconds of CLOCK_MONOTONIC. A spool that cannot be written ends and tells
the recorder; the program does not notice.

Python runs handlers of signals between any two steps of the main thread, and collects garbage, which may
end an iterator that records, at any allocation. So what a program's thread does here is either done or not
done at any moment, and takes no lock that it might wait for itself.
"""

import atexit
import collections
import errno
import mmap
import os
import queue
import resource
import struct
import sys
import threading
import time
import zlib

from overlane_quiet import is_own, quiet, start

FLUSH_NS = 500_000_000
TICK_S = 0.05  # between looks at the gauges and at the recorder's wishes
_LONGEST_FRAME = 60_000  # records
_MOST_NAMES = 20_000
_MOST_WAITING = 200_000  # records that are not written yet
_MANY_WAITING = 16_384  # at each multiple the writer is woken
_LONGEST_WRITE_NS = 10_000_000_000  # a writer that needs longer hangs
_NONE = 0xFFFFFFFF
_PRODUCER_SCRIPT = 2

# The recorder's page (core/spool/record_control.h)
_CONTROL = struct.Struct("<IIIIQQI20xI")  # magic, version, state, write error, bytes, limit, processes, waited
_CONTROL_MAGIC = 0x4C54564F
_WRITE_ERROR = slice(12, 16)
_WINDOWS = struct.Struct("<II")  # whether the recording is in windows; the one that is recorded, or was last
_WINDOWS_AT = 60
_REST_S = 0.25  # between looks where no window is recorded; an iteration that begins is a look, too
_WAIT, _RECORD, _STOP = 0, 1, 2  # RecordState
_LEFT_OUT = 20  # RecordStatus of core/spool/record_status.h

LOADER, LOADER_WAIT, STEP, HOST_WORK = 10, 11, 13, 0  # EventKind
THREAD, ACTOR, ANNOTATIONS, STACKS = 1, 2, 11, 12  # TrackKind

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
_STACK_NODE = (24, struct.Struct("<IIII"))
_STACK_SAMPLE = (25, struct.Struct("<qqII"))
_UINT = struct.Struct("<I")
_PAIR = struct.Struct("<II")

now = time.monotonic_ns


class Lane(collections.namedtuple("Lane", "name kind order thread thread_name")):
    """A row of events: of its own, or the track of a thread. The same in every spool that has events on it."""

    __slots__ = ()


Gauge = collections.namedtuple("Gauge", "name order")


def lane(name, kind, order=0):
    return Lane(name, kind, order, 0, "")


def thread_lane():
    """Of the calling thread, where its CUDA calls stand too."""
    thread = threading.get_native_id()
    return Lane("thread", THREAD, 0, thread, name_of_thread(thread))


def _program_name():
    with quiet:
        return os.path.basename(os.readlink("/proc/self/exe"))
    return os.path.basename(sys.executable)


def join(thread):
    """Whether it ended, for the system as well: where Python counts threads at a fork, it asks the system."""
    thread.join(1)
    for _ in range(100):
        if thread.is_alive() or not os.path.exists("/proc/self/task/%d" % (thread.native_id or 0)):
            break
        time.sleep(0.0001)
    return not thread.is_alive()


def name_of_thread(thread):
    with quiet:
        with open("/proc/self/task/%d/comm" % thread) as file:
            return file.read().strip()
    return ""


def is_called_by(function):
    """Whether this thread is in it, beside the call that asks."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code is not function.__code__:
        frame = frame.f_back
    return frame is not None


class _Batch:
    """What is written in one piece: records taken from the queue, the frames made of them, and their place.

    Stays until all of it is in the file, so that a flush that is interrupted is taken up by the next one.
    """

    def __init__(self, start, sequence):
        self.start = start  # in the file, bytes
        self.sequence = sequence  # of its first frame
        self.records = []
        self.strings = []
        self.definitions = []  # (kind, record), in order
        self.frames = None  # bytes, and the number of the frame after them


class Spool:
    """`owner` is the process below whose track the lanes stand: a loader's, for its workers."""

    def __init__(self, directory, owner=None, kind="pytorch"):
        self.recording = True
        self.on_tick = None  # called before each look at the recorder's wishes
        self._directory = directory
        self._owner = owner or os.getpid()
        self._kind = kind
        self._file = None
        self._control = map_control(directory)
        self._window = self._window_now()  # whose spool this is; None: of a recording in one piece
        if self._window is not None:
            self._window = 0  # what is said before any window is recorded
        self._path = self._new_path()
        self._recorded = collections.deque()  # (kind, fields...) in the order of time
        self._left_out = False
        self._batch = _Batch(0, 0)
        self._names = {}  # text -> id, known to the file or in the batch
        self._numbers = {}  # Lane or Gauge -> id, likewise
        self._next_name = 0
        self._flushing = threading.RLock()
        self._flushed_ns = now()
        self._closed = False
        self._begun = None  # the thread that was started last
        self._writer = None  # the one that writes
        self._writing = threading.Lock()
        self._stopping = False
        # What is put in wakes the writer. Not a lock that others release: Python 3.14 hands a lock on to the thread
        # that waits for it, and where it is released again before that thread runs, a debug build aborts.
        self._wakes = queue.SimpleQueue()
        self._state()
        program = command = None
        if self._owner == os.getpid():
            program = _program_name()
            command = " ".join(getattr(sys, "orig_argv", sys.argv))
        self._program = program, command
        self._recorded.append(self._process_start())

    def _process_start(self):
        start_ns = now()
        return (_PROCESS_START, start_ns, time.time_ns() - start_ns, os.getppid(), *self._program)

    def _new_path(self):
        folder = self._directory if self._window is None else "%s/window%d" % (self._directory, self._window)
        return "%s/%d-%d-%s.spool" % (folder, os.getpid(), now(), self._kind)

    def _window_now(self):
        """The number of the window that is recorded or was last; None where the recording is in one piece."""
        if self._control is None or len(self._control) < _WINDOWS_AT + _WINDOWS.size:
            return None
        windowed, window = _WINDOWS.unpack_from(self._control, _WINDOWS_AT)
        return window if windowed else None

    def event(self, lane, kind, name, start_ns, end_ns):
        if self._begun is None:
            self._start_thread()
        self._record((_EVENT, start_ns, end_ns, lane, name, kind))

    def sample(self, gauge, time_ns, value):
        self._record((_SAMPLE, time_ns, value, gauge))

    def stack_node(self, number, parent, name, kind):
        """A function on a stack; whether it was taken, so that samples may name it."""
        if not self.keeps_up():
            return False
        self._recorded.append((_STACK_NODE, number, _NONE if parent is None else parent, name, kind))
        return True

    def stack_sample(self, lane, node, start_ns, end_ns):
        if not self._closed:
            self._record((_STACK_SAMPLE, start_ns, end_ns, lane, node))

    def keeps_up(self):
        """Whether there is a recording, and a writer that has not fallen behind."""
        if self._begun is None:
            self._start_thread()
        return self.recording and len(self._recorded) < _MOST_WAITING

    def status(self, code, text):
        self._recorded.append((_STATUS, now(), code, text))
        self.flush()

    def _record(self, record):
        if not self.recording:
            return
        waiting = len(self._recorded)
        if waiting >= _MOST_WAITING:
            self._leave_out()
            return
        self._recorded.append(record)
        if self._closed:
            self.flush()
        elif waiting % _MANY_WAITING == _MANY_WAITING - 1:
            self.flush_soon()

    def _leave_out(self):
        """Either the program records faster than Python writes, or the writer hangs in a write."""
        if now() - self._flushed_ns > _LONGEST_WRITE_NS:
            self._end(errno.EIO)
        elif not self._left_out:
            self._left_out = True
            self._recorded.append((_STATUS, now(), _LEFT_OUT, None))
            self.flush_soon()

    def flush(self):
        """Writes what was recorded; in one piece, so that a reader sees all of it or nothing."""
        if self._flushing._is_owned():
            if is_called_by(Spool.flush):
                return  # an iterator that ended while this thread writes
            # A handler raised beside the block below: before it from Python 3.14 on, behind it up to 3.9.
            self._flushing.release()
        with self._flushing:
            try:
                self._flushed_ns = now()
                # First what an interrupted write has left, then what was recorded since.
                for _ in range(2 if self._batch.frames is not None else 1):
                    if self._directory is not None and self._take():
                        self._write()
            except Exception as error:
                if not is_own(error):
                    raise
                if self._window is not None and isinstance(error, FileNotFoundError):
                    self._batch = _Batch(0, 0)  # the recorder has taken this window's folder already
                    return
                self._end(getattr(error, "errno", None) or errno.ENOMEM)

    def flush_soon(self):
        """By the writer, if there is one: this thread goes on."""
        if self._wakes.empty():
            self._wakes.put(None)

    def close(self):
        """At the end of the process; what comes after is written as it comes."""
        self._closed = True
        if self.stop_thread():
            self.flush()

    def stop_thread(self):
        """Before a fork: the child is to find no thread's locks, and Python no threads to warn of."""
        self._stopping = True
        ended = True
        for thread in {self._begun, self._writer} - {None, threading.current_thread()}:
            self.flush_soon()
            ended = join(thread) and ended
        self._begun = None
        return ended

    def abandon(self):
        """In the child of a fork: everything here is the parent's."""
        self.recording = False
        self._directory = None
        atexit.unregister(self.close)
        if self._file is not None:
            os.close(self._file)
        self._file = self._control = None

    # The writer: all below is done by one thread at a time, which owns _flushing.

    def _take(self):
        """Whether there is a batch to write. Records go from the queue to the batch within one step."""
        batch = self._batch
        if batch.frames is None:
            with quiet:  # until the queue is empty, which is an IndexError
                batch.records.extend(iter(self._recorded.popleft, None))
            if batch.records:
                batch.frames = self._frames(batch)
        return batch.frames is not None

    def _frames(self, batch):
        starts, statuses, events, samples, nodes, stacks = [], [], [], [], [], []
        for record in batch.records:
            kind = record[0]
            if kind is _EVENT:
                _, start_ns, end_ns, lane, name, event_kind = record
                events.append(_EVENT[1].pack(start_ns, end_ns, self._lane(lane), self._name(name), event_kind, 0))
            elif kind is _SAMPLE:
                _, time_ns, value, gauge = record
                samples.append(_SAMPLE[1].pack(time_ns, value, self._gauge(gauge), 0))
            elif kind is _STACK_SAMPLE:
                _, start_ns, end_ns, lane, node = record
                stacks.append(_STACK_SAMPLE[1].pack(start_ns, end_ns, self._lane(lane), node))
            elif kind is _STACK_NODE:
                _, number, parent, name, event_kind = record
                nodes.append(_STACK_NODE[1].pack(number, parent, self._name(name), event_kind))
            elif kind is _STATUS:
                _, time_ns, code, text = record
                statuses.append(_STATUS[1].pack(time_ns, code, 0, self._name(text), 0))
            else:
                _, start_ns, unix_ns, parent, program, command = record
                starts.append(_PROCESS_START[1].pack(start_ns, unix_ns, self._owner, parent, self._name(program),
                                                     self._name(command), _PRODUCER_SCRIPT, 0))
        definitions = [(kind, [record]) for kind, record in batch.definitions]
        frames = []
        sequence = batch.sequence
        # What others refer to comes first.
        for (kind, record), records in ([((_STRINGS, None), batch.strings), (_PROCESS_START, starts)] + definitions
                                        + [(_STATUS, statuses), (_EVENT, events), (_SAMPLE, samples),
                                           (_STACK_NODE, nodes), (_STACK_SAMPLE, stacks)]):
            size = record.size if record else 0
            for first in range(0, len(records), _LONGEST_FRAME):
                part = records[first:first + _LONGEST_FRAME]
                payload = b"".join(part)
                header = _FRAME.pack(_FRAME_MAGIC, _FRAME_VERSION, 0, kind, sequence, len(part), size, len(payload),
                                     zlib.crc32(payload))
                sequence += 1
                frames += (header, _UINT.pack(zlib.crc32(header)), payload)
        return b"".join(frames), sequence

    def _name(self, text):
        if text is None:
            return _NONE
        known = self._names.get(text)
        if known is None:
            if len(self._names) >= _MOST_NAMES:
                self._names = {}
            known = self._next_name
            self._next_name += 1
            data = text.encode("utf-8", "replace")[:65536]
            self._batch.strings.append(_PAIR.pack(known, len(data)) + data)
            self._names[text] = known
        return known

    def _lane(self, lane):
        known = self._numbers.get(lane)
        if known is None:
            known = len(self._numbers)
            if lane.thread:
                self._define(_THREAD_NAME, lane.thread, self._name(lane.thread_name))
            self._define(_LANE, known, self._name(lane.name), lane.kind, lane.order, lane.thread, 0)
            self._numbers[lane] = known
        return known

    def _gauge(self, gauge):
        known = self._numbers.get(gauge)
        if known is None:
            known = len(self._numbers)
            self._define(_GAUGE, known, self._name(gauge.name), 0, -1, gauge.order, 0)
            self._numbers[gauge] = known
        return known

    def _define(self, kind, *fields):
        self._batch.definitions.append((kind, kind[1].pack(*fields)))

    def _write(self):
        batch = self._batch
        data, sequence = batch.frames
        if self._path is None:
            self._batch = _Batch(0, 0)  # came behind the end of its window
            return
        if self._file is None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
            self._file = os.open(self._path, flags, 0o600)
        end = batch.start + len(data)
        longest = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
        if longest != resource.RLIM_INFINITY and end > longest:
            raise OSError(errno.EFBIG, "longer than a file may be")  # a write could end the program (SIGXFSZ)
        try:
            # Nothing else writes this file: its size says how much of the batch an interrupted write has left.
            done = os.fstat(self._file).st_size - batch.start
            while done < len(data):
                done += os.write(self._file, data[done:] if done else data)
        except OSError as error:
            if is_own(error):
                os.ftruncate(self._file, batch.start)  # part of a frame is of no use
            raise
        self._batch = _Batch(end, sequence)

    def _end(self, error):
        """For good: the disk is full or the recorder's folder is gone. The recorder is told the first such error."""
        self.recording = False
        self._directory = None
        self._recorded.clear()
        self._batch = _Batch(0, 0)
        with quiet:
            if self._control is not None and not any(self._control[_WRITE_ERROR]):
                self._control[_WRITE_ERROR] = _UINT.pack(error)

    def look(self):
        """At the recorder's wishes, at once."""
        if self._state() == _RECORD and not self.recording:
            self.flush_soon()  # the writer begins the window

    def _state(self):
        """Without the recorder's page a process records at once and without a limit."""
        if self._directory is None:
            return _STOP
        if self._control is None:
            return _RECORD
        magic, _, state, _, total, limit, processes, waited = _CONTROL.unpack_from(self._control)
        if magic != _CONTROL_MAGIC:
            return _RECORD
        if state == _RECORD and waited and not processes:
            state = _WAIT  # CUPTI is being started: a step without GPU work is not to be written
        if limit and total + self._batch.start > limit:
            state = _STOP if self._window is None else _WAIT
        self.recording = state == _RECORD and (self._window is None or self._window == self._window_now())
        return state

    def _follow_windows(self, state):
        """By the writer: a spool for each window, closed behind it."""
        if state == _RECORD and not self.recording:
            self.flush()
            with self._flushing:
                self._close_file()
                self._recorded.clear()
                self._window = self._window_now()
                self._path = self._new_path()
                self._recorded.append(self._process_start())
            self._state()
        elif state == _WAIT and self._file is not None:
            self.flush()
            with self._flushing:
                self._close_file()

    def _close_file(self):
        """What comes later is for another file, which knows no name and no lane of this one."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._path = None
        self._batch = _Batch(0, 0)
        self._names, self._numbers, self._next_name = {}, {}, 0
        self._left_out = False

    def _start_thread(self):
        """Called twice, or interrupted, it leaves a second thread, which finds the first one at work and ends."""
        if self._closed or self._directory is None:
            return
        self._stopping = False
        thread = threading.Thread(target=self._run, name="overlane", daemon=True)
        with quiet:
            start(thread)
            self._begun = thread
            return
        self._closed = True  # no more threads, or the interpreter ends

    def _run(self):
        if not self._writing.acquire(blocking=False):
            return
        try:
            self._writer = threading.current_thread()
            atexit.unregister(self.close)
            atexit.register(self.close)
            period = TICK_S if self.on_tick is not None else 2 * TICK_S
            while not self._stopping:
                rests = self._window is not None and not self.recording
                woken = self._wait(_REST_S if rests else period)
                if self.on_tick is not None and self.recording:
                    self.on_tick()
                state = self._state()
                if self._window is not None:
                    self._follow_windows(state)
                if woken or state == _STOP or now() - self._flushed_ns > FLUSH_NS - 50_000_000:
                    self.flush()
                if state == _STOP:
                    break
            if self._closed:
                self.flush()
        finally:
            self._writer = None
            self._writing.release()

    def _wait(self, seconds):
        """Whether it was woken before."""
        try:
            self._wakes.get(timeout=seconds)
            return True
        except queue.Empty:
            return False


def map_control(directory):
    """The recorder's page, shared; None without one. It is longer than what is read of it."""
    with quiet:
        file = os.open(directory + "/control", os.O_RDWR | os.O_CLOEXEC)
        try:
            return mmap.mmap(file, 0)
        finally:
            os.close(file)
    return None
