"""The actors of a loader, and the ends of its queues as they see them."""

from overlane_quiet import quiet, quietly
from overlane_spool import ACTOR, HOST_WORK, LOADER, LOADER_WAIT, lane, now


def is_ready(queue):
    with quiet:
        return queue.qsize() > 0
    return False


class Actor:
    """A worker or a pin thread: a lane, and the batch it is at."""

    def __init__(self, spool, name, order):
        self.spool = spool
        self.lane = lane(name, ACTOR, order)
        self.batch = None
        self.since_ns = now()
        self.pins = False  # a worker that pins its batches itself
        self.fetched = None  # of such a one: when the batch was begun and made

    def event(self, kind, name, start_ns, end_ns):
        self.spool.event(self.lane, kind, name, start_ns, end_ns)


class _Queue:
    """A queue of the loader's, with one end of it watched; everything else is the queue's own."""

    def __init__(self, queue, actor):
        self._queue = queue
        self._actor = actor

    def __getattr__(self, name):
        return getattr(self._queue, name)


class ThreadInput(_Queue):
    def get(self, *args, **kwargs):
        start_ns = now()
        item = None
        self._before()
        try:
            item = self._queue.get(*args, **kwargs)
            return item
        finally:
            self._note(start_ns, item)

    def _before(self):
        pass

    @quietly
    def _note(self, start_ns, item):
        actor = self._actor
        actor.batch = item[0] if type(item) is tuple else None
        actor.event(LOADER_WAIT, "wait for an index", start_ns, now())


class WorkerInput(ThreadInput):
    def _before(self):
        # Idle: time to write. At the end of the program such workers are terminated.
        if not is_ready(self._queue):
            self._actor.spool.flush_soon()


class _Output(_Queue):
    def put(self, *args, **kwargs):
        self._note()
        return self._queue.put(*args, **kwargs)


class ThreadOutput(_Output):
    @quietly
    def _note(self):
        actor = self._actor
        if actor.fetched is not None:
            (start_ns, made_ns), actor.fetched = actor.fetched, None
            end_ns = now()
            actor.event(HOST_WORK, "pin_memory batch %s" % actor.batch, made_ns, end_ns)
            actor.event(LOADER, "batch %s" % actor.batch, start_ns, end_ns)


class PinInput(_Queue):
    def get(self, *args, **kwargs):
        ready = is_ready(self._queue)
        start_ns = now()
        item = None
        try:
            item = self._queue.get(*args, **kwargs)
            return item
        finally:
            self._note(ready, start_ns, item)

    @quietly
    def _note(self, ready, start_ns, item):
        actor = self._actor
        actor.since_ns = now()
        actor.batch = item[0] if type(item) is tuple and type(item[0]) is int else None
        if ready and actor.batch is not None:
            actor.event(LOADER, "take batch %d" % actor.batch, start_ns, actor.since_ns)
        else:
            actor.event(LOADER_WAIT, "wait for a batch", start_ns, actor.since_ns)


class PinOutput(_Output):
    @quietly
    def _note(self):
        actor = self._actor
        if actor.batch is not None:
            actor.event(LOADER, "pin_memory batch %d" % actor.batch, actor.since_ns, now())
            actor.batch = None
