"""Samples the stacks of this process: which Python code its threads are in while the GPU waits for them.

A thread of its own looks some fifty times a second, at uneven distances so that it keeps no time with a
loop. It needs Python's lock for each look, a few tens of microseconds; the time that it waits for it belongs
to the sample, because a thread that holds the lock is in one place for as long. Of the main thread each look
is a sample; of other threads one stands for as long as they stay where they are.
"""

import atexit
import bisect
import dis
import gc
import multiprocessing
import os
import sys
import threading

from overlane_quiet import is_own, start
from overlane_spool import STACKS, Lane, is_called_by, join, lane, name_of_thread, now

PERIOD_VARIABLE = "OVERLANE_PYTHON_STACKS"  # microseconds; unset or 0: no samples
_LEAST_PERIOD_NS = 1_000_000
_DEEPEST = 128  # functions; of a deeper stack the outermost
_MOST_NODES = 50_000
_MOST_THREADS = 32  # beside the main one
_PAUSE = 10  # periods, while nothing is recorded
_LONGEST_NS = 500_000_000  # of a sample: a thread that stays is told again
_PROGRAM, _LIBRARY = 16, 17  # EventKind
_NOT_THE_PROGRAMS = ("site-packages", "dist-packages")
_STANDARD = os.path.dirname(os.__file__) + os.sep
_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def period_ns():
    """As the recorder wishes; 0 where it does not, or where threads run beside each other without a lock."""
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return 0
    text = os.environ.get(PERIOD_VARIABLE, "")
    wished = int(text) * 1000 if text.isdigit() else 0
    return max(wished, _LEAST_PERIOD_NS) if wished else 0


def file_name(path, working_folder=None):
    """("train.py", whether it is the program's own)."""
    own = False
    for part in _NOT_THE_PROGRAMS:
        at = path.rfind(os.sep + part + os.sep)
        if at >= 0:
            path = path[at + len(part) + 2:]
            break
    else:
        if path.startswith(_STANDARD):
            path = path[len(_STANDARD):]
        elif not path.startswith("<") or path in ("<string>", "<stdin>") or path.startswith("<ipython"):
            own = True
            folder = os.path.join(working_folder or "", "")
            if working_folder and path.startswith(folder):
                path = path[len(folder):]
            elif path.count(os.sep) > 2:
                path = os.sep.join(path.rsplit(os.sep, 2)[1:])
    return path, own


def is_made_from_text(code):
    """`python -c` has its code in <string>, and so have the functions that libraries make from text: dataclasses,
    Triton's binders, and the first line of a process that multiprocessing starts."""
    return (code.co_name.startswith("__") or code.co_name == "dynamic_func" or
            (code.co_name == "<module>" and any(name.startswith("multiprocessing.") for name in code.co_names)))


class _Function:
    """What is said of a code object, which it keeps alive: found by its identity, since Python's own hash of one goes
    through all of its instructions."""

    __slots__ = ("code", "path", "name", "own", "starts", "lines")

    def __init__(self, code, working_folder):
        self.code = code
        self.path, self.own = file_name(code.co_filename, working_folder)
        self.name = getattr(code, "co_qualname", code.co_name).replace("<locals>.", "")
        self.own = self.own and not (self.path == "<string>" and is_made_from_text(code))
        self.starts, self.lines = [], []
        for start, line in dis.findlinestarts(code):
            self.starts.append(start)
            self.lines.append(line)

    def line_of(self, instruction):
        place = bisect.bisect_right(self.starts, instruction) - 1
        while place >= 0 and not self.lines[place]:
            place -= 1
        return self.lines[place] if place >= 0 else self.code.co_firstlineno


class _Seen:
    """What was last seen of a thread beside the main one, and not yet recorded."""

    __slots__ = ("key", "node", "start_ns", "end_ns", "lane", "changes")

    def __init__(self):
        self.key = self.node = self.lane = None
        self.start_ns = self.end_ns = self.changes = 0


def _starts_anew():
    """Whether multiprocessing is still to say what this process is for. To its fork server it never does."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        return True
    server = getattr(sys.modules.get("multiprocessing.forkserver"), "main", None)
    return server is not None and is_called_by(server)


class Sampler:
    """`main_lane` is of the main thread's samples: a worker's stand beside the worker, not its process. Of a worker
    nothing else is told: its other threads hand batches over."""

    def __init__(self, get_spool, period, main_lane=None):
        self._get_spool = get_spool
        self._period_ns = period
        self._main_lane = main_lane
        self._tells_others = main_lane is None
        self._spool = None
        self._functions = {}  # identity of a code object -> _Function
        self._nodes = {}  # (parent, identity of a code object, instruction) -> number
        self._lines = {}  # (parent, identity of a code object, line) -> number
        self._next_node = 0
        self._seen = {}  # thread -> _Seen
        self._stop = threading.Lock()
        self._stop.acquire()
        self._random = os.getpid() * 2654435761 + now()
        self._thread = None
        self.starts_anew = main_lane is None and _starts_anew()
        try:
            self._folder = os.getcwd()
        except OSError:
            self._folder = None

    def start(self):
        self._stop.acquire(blocking=False)
        thread = threading.Thread(target=self._run, name="overlane stacks", daemon=True)
        try:
            start(thread)
        except Exception as error:  # no more threads
            if not is_own(error):
                raise
            return
        self._thread = thread
        atexit.unregister(self.stop)
        atexit.register(self.stop)

    def stop(self):
        """Before a fork, whose child is to find no thread's locks, and at the end of the process."""
        thread, self._thread = self._thread, None
        if thread is None or thread is threading.current_thread():
            return
        try:
            self._stop.release()
        except RuntimeError:
            pass
        join(thread)

    def _wait(self, periods=1):
        """Half of it to one and a half; None to end, else when the wait was to be over."""
        self._random = (self._random * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        mean_ns = periods * self._period_ns
        wait_ns = mean_ns // 2 + mean_ns * (self._random >> 40) // (1 << 24)
        until_ns = now() + wait_ns
        return None if self._stop.acquire(timeout=wait_ns / 1e9) else until_ns

    def _run(self):
        try:
            if self.starts_anew and not self._knows_its_part():
                return
            self.starts_anew = False
            until_ns = self._wait()
            while until_ns is not None:
                until_ns = self._wait(1 if self._look(until_ns) else _PAUSE)
            self._tell_others()
        except Exception as error:
            if not is_own(error):
                raise

    def _knows_its_part(self):
        """A process that multiprocessing starts anew learns after its imports what it is for. A loader's worker
        samples from its loop on, beside the lane of the worker."""
        while not hasattr(multiprocessing.current_process(), "_target"):
            if self._wait() is None:
                return False
        target = multiprocessing.current_process()._target
        return not getattr(target, "__module__", "").startswith("torch.utils.data.")

    def _look(self, due_ns):
        """Whether anything is recorded at all."""
        spool = self._spool
        if spool is None:
            spool = self._spool = self._get_spool()
            if self._main_lane is None:
                self._main_lane = self._lane_of(threading.main_thread().native_id)
        if not spool.keeps_up():
            return False
        at_ns, stacks = self._stacks()
        main = stacks.pop(threading.main_thread().ident, None)
        if main:
            node = self._node(spool, main)
            if node is not None:
                spool.stack_sample(self._main_lane, node, min(due_ns, at_ns), at_ns)
        for ident, stack in stacks.items():
            self._note_other(spool, ident, stack, due_ns, at_ns)
        for ident in [ident for ident in self._seen if ident not in stacks]:
            self._tell(spool, self._seen.pop(ident))
        return True

    def _stacks(self):
        """When it looked, and of each thread what it is in, innermost first: (code, instruction) of each function; of
        one beside the main thread that is where it was, nothing.

        Whoever holds a frame delays the end of what its function had: no other thread may run before all are let go.
        So nothing in here waits for anything, and no finalizer runs.
        """
        own, main, seen = threading.get_ident(), threading.main_thread().ident, self._seen
        stacks = {}
        collects = gc.isenabled()
        gc.disable()
        try:
            frames = sys._current_frames()
            at_ns = now()
            for ident, frame in frames.items():
                if ident == own or not (self._tells_others or ident == main):
                    continue
                stack = stacks[ident] = []
                if ident != main and ident in seen and seen[ident].key == (frame.f_code, frame.f_lasti):
                    continue
                while frame is not None:
                    stack.append((frame.f_code, frame.f_lasti))
                    frame = frame.f_back
            del frames
            frame = None
        finally:
            if collects:
                gc.enable()
        return at_ns, stacks

    def _note_other(self, spool, ident, stack, due_ns, at_ns):
        seen = self._seen.get(ident)
        if seen is None:
            if len(self._seen) >= _MOST_THREADS or stack[0][0].co_filename.startswith(_HERE):
                return
            seen = self._seen[ident] = _Seen()
        if not stack and at_ns - seen.start_ns < _LONGEST_NS:
            seen.end_ns = at_ns
            return
        node = seen.node
        self._tell(spool, seen)
        seen.start_ns, seen.end_ns = min(due_ns, at_ns), at_ns
        if not stack:
            seen.node = node
            return
        seen.changes += 1
        seen.key = stack[0]
        if seen.lane is None and seen.changes > 3:  # one that only waits has no lane
            for thread in threading.enumerate():
                if thread.ident == ident and not thread.name.startswith("overlane"):
                    seen.lane = self._lane_of(thread.native_id)
        seen.node = self._node(spool, stack) if seen.lane is not None else None

    def _tell(self, spool, seen):
        if seen.node is not None and seen.lane is not None:
            spool.stack_sample(seen.lane, seen.node, seen.start_ns, seen.end_ns)
        seen.node = None

    def _tell_others(self):
        if self._spool is not None:
            for seen in self._seen.values():
                self._tell(self._spool, seen)

    def _lane_of(self, native_id):
        return Lane("stacks", STACKS, 0, native_id, name_of_thread(native_id))

    def _node(self, spool, stack):
        """The number of the innermost function, with those that called it; None where it cannot be told."""
        if len(self._nodes) > _MOST_NODES:
            self._functions, self._nodes, self._lines = {}, {}, {}
        nodes = self._nodes
        parent = None
        for code, instruction in reversed(stack[-_DEEPEST:]):
            if code.co_filename.startswith(_HERE):  # what stands between the program and its libraries
                continue
            key = (parent, id(code), instruction)
            node = nodes.get(key)
            if node is None:
                node = self._node_of_line(spool, parent, code, instruction)
                if node is None:
                    return None
                nodes[key] = node
            parent = node
        return parent

    def _node_of_line(self, spool, parent, code, instruction):
        function = self._functions.get(id(code))
        if function is None:
            function = self._functions[id(code)] = _Function(code, self._folder)
        line = function.line_of(instruction)
        key = (parent, id(code), line)
        node = self._lines.get(key)
        if node is None:
            node = self._next_node
            name = "%s:%d %s" % (function.path, line, function.name)
            if not spool.stack_node(node, parent, name, _PROGRAM if function.own else _LIBRARY):
                return None
            self._next_node += 1
            self._lines[key] = node
        return node


def lane_of_actor(actor_lane):
    """Of a worker's stacks, beside the lane of the worker."""
    return lane(actor_lane.name, STACKS, actor_lane.order)
