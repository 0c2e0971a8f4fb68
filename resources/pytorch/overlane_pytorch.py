"""Records PyTorch's DataLoader: its workers, queues, pin thread, the waits for batches and the steps.

Wraps the functions of torch.utils.data that the parts of a loader meet in, from PyTorch 1.13 on as
far as they are what they were when this was written; `reason_to_refuse` says where they are not, and
then nothing is touched. Names of lanes and events are those of the laboratory.
"""

import functools
import inspect
import multiprocessing
import os
import sys
import threading
import weakref

import overlane_spool
from overlane_spool import HOST_WORK, LOADER, LOADER_WAIT, STEP, now

_LOADER_NOT_UNDERSTOOD = 18  # RecordStatus
_INDEX_GAUGE_PERIOD_NS = 2_000_000  # looking at many queues costs

# class or module, function, its first parameters, names that its code uses
_EXPECTED = (
    ("dataloader._BaseDataLoaderIter", "__init__", ("self", "loader"), ()),
    ("dataloader._BaseDataLoaderIter", "__next__", ("self",), ("_next_data",)),
    ("dataloader._BaseDataLoaderIter", "_reset", ("self", "loader"), ()),
    ("dataloader._SingleProcessDataLoaderIter", "_next_data", ("self",), ("fetch", "pin_memory", "_pin_memory")),
    ("dataloader._MultiProcessingDataLoaderIter", "__init__", ("self", "loader"),
     ("_worker_loop", "_pin_memory_loop", "_worker_result_queue", "_index_queues", "_data_queue")),
    ("dataloader._MultiProcessingDataLoaderIter", "_next_data", ("self",),
     ("_rcvd_idx", "_task_info", "_tasks_outstanding", "_get_data")),
    ("dataloader._MultiProcessingDataLoaderIter", "_try_get_data", ("self", "timeout"), ("_data_queue", "get")),
    ("dataloader._MultiProcessingDataLoaderIter", "_shutdown_workers", ("self",), ("_shutdown",)),
    ("worker", "_worker_loop", ("dataset_kind", "dataset", "index_queue", "data_queue"),
     ("worker_id", "get", "fetch", "put")),
    ("pin_memory", "_pin_memory_loop", ("in_queue", "out_queue", "device_id", "done_event"),
     ("get", "pin_memory", "put")),
    ("fetch", "_BaseDatasetFetcher", None, ()),
    ("fetch._MapDatasetFetcher", "fetch", ("self", "possibly_batched_index"), ()),
    ("fetch._IterableDatasetFetcher", "fetch", ("self", "possibly_batched_index"), ()),
)

_local = threading.local()  # .actor: whose queue or fetch this thread is at; .lane: of the thread itself
_spool = None
_loaders = weakref.WeakKeyDictionary()  # DataLoader -> _Loader
_iterators = weakref.WeakSet()  # with workers
_loader_count = 0
_newest = None  # the loader whose iterator was made last: of the workers and the pin thread it starts


def install(dataloader):
    """Called once torch.utils.data.dataloader is there. Wraps all or nothing."""
    reason = reason_to_refuse(dataloader)
    version = "PyTorch %s" % getattr(sys.modules.get("torch"), "__version__", "without a version")
    if reason is not None:
        # A worker that starts anew would only say again what its parent has said.
        if not getattr(multiprocessing.current_process(), "_inheriting", False):
            _get_spool().status(_LOADER_NOT_UNDERSTOOD, "%s: %s" % (version, reason))
        return
    os.register_at_fork(before=_before_fork, after_in_child=_after_fork_in_child)
    utils = dataloader._utils
    base, workers = dataloader._BaseDataLoaderIter, dataloader._MultiProcessingDataLoaderIter
    for owner, name, wrap in (
        (base, "__init__", _wrap_iterator_init),
        (base, "__next__", _wrap_next),
        (base, "_reset", _wrap_reset),
        (dataloader._SingleProcessDataLoaderIter, "_next_data", _wrap_single_process_data),
        (workers, "__init__", _wrap_workers_start),
        (workers, "_try_get_data", _wrap_try_get_data),
        (workers, "_shutdown_workers", _wrap_shutdown),
        (utils.worker, "_worker_loop", _wrap_worker_loop),
        (utils.pin_memory, "_pin_memory_loop", _wrap_pin_loop),
        (utils.fetch._MapDatasetFetcher, "fetch", _wrap_fetch),
        (utils.fetch._IterableDatasetFetcher, "fetch", _wrap_fetch),
    ):
        original = getattr(owner, name)
        setattr(owner, name, functools.wraps(original)(wrap(original)))


def reason_to_refuse(dataloader):
    """What of PyTorch is not as it is known, or None."""
    utils = getattr(dataloader, "_utils", None)
    roots = {"dataloader": dataloader}
    for module in ("worker", "pin_memory", "fetch"):
        roots[module] = getattr(utils, module, None)
        if roots[module] is None:
            return "torch.utils.data._utils has no %s" % module
    for place, name, parameters, uses in _EXPECTED:
        module, _, cls = place.partition(".")
        owner = getattr(roots[module], cls, None) if cls else roots[module]
        function = getattr(owner, name, None)
        title = ".".join(part for part in (place, name) if part)
        if function is None:
            return "there is no %s" % title
        if parameters is None:
            continue
        try:
            known = tuple(inspect.signature(function).parameters)[:len(parameters)]
            used = _names_used(function.__code__)
        except (TypeError, ValueError, AttributeError):
            return "%s is no plain function" % title
        if known != parameters:
            return "%s takes (%s)" % (title, ", ".join(known))
        for use in uses:
            if use not in used:
                return "%s does not use %s" % (title, use)
    if "__next__" in vars(dataloader._MultiProcessingDataLoaderIter):
        return "_MultiProcessingDataLoaderIter has a __next__ of its own"
    return None


def _names_used(code):
    names = set(code.co_names) | set(code.co_varnames) | set(code.co_freevars)
    for constant in code.co_consts:
        if inspect.iscode(constant):
            names |= _names_used(constant)
    return names


# The process


def _get_spool():
    global _spool
    if _spool is None:
        parent = multiprocessing.parent_process() if _in_worker() else None
        _spool = overlane_spool.Spool(os.environ["OVERLANE_SPOOL_DIR"], parent.pid if parent else None)
        if parent is None:
            _spool.on_tick = _sample_all
    return _spool


def _in_worker():
    return getattr(_local, "is_worker", False)


def _before_fork():
    if _spool is not None:
        _spool.stop_thread()


def _after_fork_in_child():
    global _spool, _local
    if _spool is not None:
        _spool.abandon()
        _spool = None
    _local = threading.local()
    _iterators.clear()


def _thread_lane():
    """The track of this thread itself, where its CUDA calls stand too."""
    spool = _get_spool()
    if getattr(_local, "spool", None) is not spool:
        _local.lane = spool.lane("thread", overlane_spool.THREAD, thread=threading.get_native_id())
        _local.spool = spool
    return _local.lane


class _Actor:
    """A worker or a pin thread: a lane, and the batch it is at."""

    def __init__(self, name, order):
        self.spool = _get_spool()
        self.lane = self.spool.lane(name, overlane_spool.ACTOR, order)
        self.batch = None
        self.since_ns = now()

    def event(self, kind, name, start_ns, end_ns):
        self.spool.event(self.lane, kind, name, start_ns, end_ns)


class _Loader:
    """What one DataLoader counts and shows over all its epochs."""

    def __init__(self):
        global _loader_count
        _loader_count += 1
        self.suffix = "" if _loader_count == 1 else " of loader %d" % _loader_count
        self.order = 100 * (_loader_count - 1)
        self.steps = 0
        self.steps_lane = None
        self.gauges = {}  # name -> [number, last value]
        self.indices_sampled_ns = 0

    def end_step(self, start_ns, end_ns):
        spool = _get_spool()
        if self.steps_lane is None:
            self.steps_lane = spool.lane("steps" + self.suffix, overlane_spool.ANNOTATIONS, self.order - 1)
        spool.event(self.steps_lane, STEP, "step %d" % self.steps, start_ns, end_ns)
        self.steps += 1

    def gauge(self, name, order, time_ns, value):
        known = self.gauges.get(name)
        if known is None:
            known = self.gauges[name] = [_get_spool().gauge(name + self.suffix, self.order + order), None]
        if known[1] != value:
            known[1] = value
            _get_spool().sample(known[0], time_ns, value)

    def sample(self, iterator):
        """How full the queues of its iterator are."""
        time_ns = now()
        self.gauge("Batches from the workers", 1, time_ns, iterator._worker_result_queue.qsize())
        if iterator._data_queue is not iterator._worker_result_queue:
            self.gauge("Pinned batches", 2, time_ns, iterator._data_queue.qsize())
        early = len(iterator._task_info) - iterator._tasks_outstanding
        self.gauge("Batches that came early", 3, time_ns, max(early, 0))
        if time_ns - self.indices_sampled_ns > _INDEX_GAUGE_PERIOD_NS:
            self.indices_sampled_ns = time_ns
            self.gauge("Indices waiting for workers", 0, time_ns,
                       sum(queue.qsize() for queue in iterator._index_queues))

    def empty(self):
        time_ns = now()
        for known in self.gauges.values():
            if known[1]:
                known[1] = 0
                _get_spool().sample(known[0], time_ns, 0)


class _Epoch:
    """What is known of one iterator."""

    def __init__(self, loader, has_workers):
        self.loader = loader
        self.has_workers = has_workers
        # As the analysis tells waiting for a batch from making it (core/analysis/host_activity.cpp).
        self.next_name = "DataLoader.__next__, batch %d" if has_workers else "__next__, batch %d"
        self.batch = 0
        self.step_ns = None  # when the step that runs began


def _loader_of(loader):
    try:
        known = _loaders.get(loader)
        if known is None:
            known = _loaders[loader] = _Loader()
        return known
    except TypeError:  # a subclass that cannot be a key
        return _Loader()


def _sample_all():
    try:
        for iterator in list(_iterators):
            if not iterator._shutdown:
                iterator._overlane.loader.sample(iterator)
    except Exception:
        pass  # an iterator that is being made or ended


# The wraps. Each does what the original does, whatever happens to the recording of it.


def _quietly(function):
    """For the recording of something: an error in it is nothing to the program."""

    @functools.wraps(function)
    def call(*args):
        try:
            return function(*args)
        except Exception:
            return None

    return call


@_quietly
def _note_iterator(iterator, loader):
    global _newest
    _newest = _loader_of(loader)
    iterator._overlane = _Epoch(_newest, getattr(iterator, "_num_workers", 0) > 0)


def _wrap_iterator_init(original):
    def __init__(self, loader, *args, **kwargs):
        original(self, loader, *args, **kwargs)
        _note_iterator(self, loader)

    return __init__


def _wrap_workers_start(original):
    def __init__(self, loader, *args, **kwargs):
        start_ns = now()
        original(self, loader, *args, **kwargs)
        _note_started(self, start_ns)

    return __init__


@_quietly
def _note_started(iterator, start_ns):
    _iterators.add(iterator)
    _get_spool().event(_thread_lane(), HOST_WORK, "start %d workers" % iterator._num_workers, start_ns, now())


def _wrap_reset(original):
    def _reset(self, *args, **kwargs):
        epoch = getattr(self, "_overlane", None)
        if epoch is not None:
            epoch.step_ns = None  # the loop was left before its end
            epoch.batch = 0
        return original(self, *args, **kwargs)

    return _reset


def _wrap_next(original):
    def __next__(self):
        start_ns = now()
        _note_step_end(self, start_ns)
        try:
            batch = original(self)
        except BaseException:
            _note_next(self, start_ns, False)
            raise
        _note_next(self, start_ns, True)
        return batch

    return __next__


@_quietly
def _note_step_end(iterator, end_ns):
    epoch = iterator._overlane
    if epoch.step_ns is not None:
        epoch.loader.end_step(epoch.step_ns, end_ns)
        epoch.step_ns = None


@_quietly
def _note_next(iterator, start_ns, has_batch):
    end_ns = now()
    epoch = iterator._overlane
    name = "__next__, no batch"
    if has_batch:
        name = epoch.next_name % epoch.batch
        epoch.step_ns = start_ns
        epoch.batch += 1
    _get_spool().event(_thread_lane(), HOST_WORK, name, start_ns, end_ns)
    if epoch.has_workers and not iterator._shutdown:
        epoch.loader.sample(iterator)


def _wrap_try_get_data(original):
    def _try_get_data(self, *args, **kwargs):
        ready = _is_ready(self._data_queue)
        start_ns = now()
        result = original(self, *args, **kwargs)
        _note_taken(self, ready, start_ns, result)
        return result

    return _try_get_data


def _is_ready(queue):
    try:
        return queue.qsize() > 0
    except Exception:
        return False


@_quietly
def _note_taken(iterator, ready, start_ns, result):
    end_ns = now()
    came = result[1][0] if result[0] else None
    if ready and isinstance(came, int):
        _get_spool().event(_thread_lane(), HOST_WORK, "take batch %d" % came, start_ns, end_ns)
    else:
        _get_spool().event(_thread_lane(), LOADER_WAIT, "wait for batch %d" % iterator._rcvd_idx, start_ns, end_ns)


def _wrap_shutdown(original):
    def _shutdown_workers(self, *args, **kwargs):
        if getattr(self, "_shutdown", True):
            return original(self, *args, **kwargs)
        start_ns = now()
        try:
            return original(self, *args, **kwargs)
        finally:
            if self._shutdown:
                _note_shutdown(self, start_ns)

    return _shutdown_workers


@_quietly
def _note_shutdown(iterator, start_ns):
    end_ns = now()
    _note_step_end(iterator, start_ns)  # where the loop was left before its end
    _get_spool().event(_thread_lane(), HOST_WORK, "end %d workers" % iterator._num_workers, start_ns, end_ns)
    iterator._overlane.loader.empty()


def _wrap_single_process_data(original):
    def _next_data(self):
        _local.fetched_ns = None
        _local.batch = self._overlane.batch if hasattr(self, "_overlane") else 0
        data = original(self)
        if self._pin_memory:
            _note_pinned(self)
        return data

    return _next_data


@_quietly
def _note_pinned(iterator):
    if _local.fetched_ns is not None:
        name = "pin_memory batch %d" % iterator._overlane.batch
        _get_spool().event(_thread_lane(), LOADER, name, _local.fetched_ns, now())


def _wrap_fetch(original):
    def fetch(self, possibly_batched_index):
        start_ns = now()
        try:
            data = original(self, possibly_batched_index)
        except StopIteration:
            _note_fetched(start_ns, "no more samples")
            raise
        _note_fetched(start_ns, None)
        return data

    return fetch


@_quietly
def _note_fetched(start_ns, name):
    end_ns = now()
    actor = getattr(_local, "actor", None)
    if actor is not None:
        actor.event(LOADER, name or "batch %s" % actor.batch, start_ns, end_ns)
    else:
        _get_spool().event(_thread_lane(), LOADER, name or "batch %s" % _local.batch, start_ns, end_ns)
    _local.fetched_ns = end_ns


class _Queue:
    """A queue of the loader's, with one end of it watched; everything else is the queue's own."""

    def __init__(self, queue, actor):
        self._queue = queue
        self._actor = actor

    def __getattr__(self, name):
        return getattr(self._queue, name)


class _WorkerInput(_Queue):
    def get(self, *args, **kwargs):
        start_ns = now()
        item = None
        # Idle: time to write. At the end of the program such workers are terminated.
        if not _is_ready(self._queue):
            self._actor.spool.flush()
        try:
            item = self._queue.get(*args, **kwargs)
            return item
        finally:
            self._note(start_ns, item)

    @_quietly
    def _note(self, start_ns, item):
        actor = self._actor
        actor.batch = item[0] if type(item) is tuple else None
        actor.event(LOADER_WAIT, "wait for an index", start_ns, now())


class _PinInput(_Queue):
    def get(self, *args, **kwargs):
        ready = _is_ready(self._queue)
        start_ns = now()
        item = None
        try:
            item = self._queue.get(*args, **kwargs)
            return item
        finally:
            self._note(ready, start_ns, item)

    @_quietly
    def _note(self, ready, start_ns, item):
        actor = self._actor
        actor.since_ns = now()
        actor.batch = item[0] if type(item) is tuple and type(item[0]) is int else None
        if ready and actor.batch is not None:
            actor.event(LOADER, "take batch %d" % actor.batch, start_ns, actor.since_ns)
        else:
            actor.event(LOADER_WAIT, "wait for a batch", start_ns, actor.since_ns)


class _PinOutput(_Queue):
    def put(self, *args, **kwargs):
        self._note()
        return self._queue.put(*args, **kwargs)

    @_quietly
    def _note(self):
        actor = self._actor
        if actor.batch is not None:
            actor.event(LOADER, "pin_memory batch %d" % actor.batch, actor.since_ns, now())
            actor.batch = None


def _with_queues(original, args, kwargs, queues):
    """The arguments with some of them wrapped, each as its parameter says."""
    bound = inspect.signature(original).bind(*args, **kwargs)
    for name, wrap, actor in queues:
        bound.arguments[name] = wrap(bound.arguments[name], actor)
    return bound.args, bound.kwargs


def _wrap_worker_loop(original):
    def _worker_loop(*args, **kwargs):
        try:
            _local.is_worker = True
            number = inspect.signature(original).bind(*args, **kwargs).arguments["worker_id"]
            suffix, order = (_newest.suffix, _newest.order) if _newest is not None else ("", 0)
            actor = _local.actor = _Actor("worker %d%s" % (number, suffix), order + number)
            args, kwargs = _with_queues(original, args, kwargs, (("index_queue", _WorkerInput, actor),))
        except Exception:
            pass
        try:
            return original(*args, **kwargs)
        finally:
            _close()

    return _worker_loop


@_quietly
def _close():
    _local.actor = None
    if _spool is not None:
        _spool.close()


def _wrap_pin_loop(original):
    def _pin_memory_loop(*args, **kwargs):
        try:
            suffix, order = (_newest.suffix, _newest.order) if _newest is not None else ("", 0)
            actor = _Actor("pin thread" + suffix, order + 99)
            queues = (("in_queue", _PinInput, actor), ("out_queue", _PinOutput, actor))
            args, kwargs = _with_queues(original, args, kwargs, queues)
        except Exception:
            pass
        return original(*args, **kwargs)

    return _pin_memory_loop
