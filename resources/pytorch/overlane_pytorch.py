"""Records PyTorch's DataLoader: its workers, queues, pin thread, the waits for batches and the steps.

Wraps the functions of torch.utils.data in which the parts of a loader meet, where they are as known
(overlane_known.py); otherwise nothing is touched. Names of lanes and events are the laboratory's.
"""

import functools
import inspect
import multiprocessing
import os
import sys
import threading
import weakref

import overlane_spool
from overlane_known import has_thread_workers, reason_to_refuse
from overlane_queues import Actor, PinInput, PinOutput, ThreadInput, ThreadOutput, WorkerInput, is_ready, quietly
from overlane_spool import HOST_WORK, LOADER, LOADER_WAIT, STEP, now

_LOADER_NOT_UNDERSTOOD = 18  # RecordStatus
_INDEX_GAUGE_PERIOD_NS = 2_000_000  # looking at many queues costs

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
    base = dataloader._BaseDataLoaderIter
    wraps = [
        (base, "__init__", _wrap_iterator_init),
        (base, "__next__", _wrap_next),
        (base, "_reset", _wrap_reset),
        (dataloader._SingleProcessDataLoaderIter, "_next_data", _wrap_single_process_data),
        (utils.pin_memory, "_pin_memory_loop", _wrap_pin_loop),
        (utils.fetch._MapDatasetFetcher, "fetch", _wrap_fetch),
        (utils.fetch._IterableDatasetFetcher, "fetch", _wrap_fetch),
    ]
    iterators = [dataloader._MultiProcessingDataLoaderIter]
    if has_thread_workers(dataloader):
        iterators.append(dataloader._ThreadingDataLoaderIter)
        wraps.append((utils.worker, "_process_worker_loop", _wrap_worker_loop))
        wraps.append((utils.worker, "_thread_worker_loop", _wrap_thread_loop))
    else:
        wraps.append((utils.worker, "_worker_loop", _wrap_worker_loop))
    for iterator in iterators:
        # What an iterator has from its base is wrapped in itself, so that nothing is noted twice.
        wraps.append((iterator, "__init__", _wrap_workers_start))
        wraps.append((iterator, "_try_get_data", _wrap_try_get_data))
        wraps.append((iterator, "_shutdown_workers", _wrap_shutdown))
    # All are looked up before any is replaced.
    for owner, name, wrap, original in [(*one, getattr(one[0], one[1])) for one in wraps]:
        setattr(owner, name, functools.wraps(original)(wrap(original)))


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


@quietly
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


@quietly
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


@quietly
def _note_step_end(iterator, end_ns):
    epoch = iterator._overlane
    if epoch.step_ns is not None:
        epoch.loader.end_step(epoch.step_ns, end_ns)
        epoch.step_ns = None


@quietly
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
        ready = is_ready(self._data_queue)
        start_ns = now()
        result = original(self, *args, **kwargs)
        _note_taken(self, ready, start_ns, result)
        return result

    return _try_get_data


@quietly
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


@quietly
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


@quietly
def _note_pinned(iterator):
    if _local.fetched_ns is not None:
        name = "pin_memory batch %d" % iterator._overlane.batch
        _get_spool().event(_thread_lane(), LOADER, name, _local.fetched_ns, now())


def _wrap_fetch(original):
    def fetch(self, possibly_batched_index):
        if getattr(_local, "actor", None) is not None:
            _watch_collate(self)
        start_ns = now()
        try:
            data = original(self, possibly_batched_index)
        except StopIteration:
            _note_fetched(start_ns, "no more samples")
            raise
        _note_fetched(start_ns, None)
        return data

    return fetch


class _Collate:
    """What makes a batch of samples, with its time noted; everything else is the function's own."""

    def __init__(self, function):
        self._function = function

    def __getattr__(self, name):
        return getattr(self._function, name)

    def __call__(self, *args, **kwargs):
        start_ns = now()
        batch = self._function(*args, **kwargs)
        _note_collated(start_ns)
        return batch


@quietly
def _watch_collate(fetcher):
    """Of a worker: samples are the dataset's code, collating is mostly PyTorch's own, without Python's lock."""
    if type(fetcher.collate_fn) is not _Collate:
        fetcher.collate_fn = _Collate(fetcher.collate_fn)


@quietly
def _note_collated(start_ns):
    actor = _local.actor
    actor.event(HOST_WORK, "collate batch %s" % actor.batch, start_ns, now())


@quietly
def _note_fetched(start_ns, name):
    end_ns = now()
    actor = getattr(_local, "actor", None)
    if actor is not None and actor.pins and name is None:
        actor.fetched = (start_ns, end_ns)  # until it is pinned
    elif actor is not None:
        actor.event(LOADER, name or "batch %s" % actor.batch, start_ns, end_ns)
    else:
        _get_spool().event(_thread_lane(), LOADER, name or "batch %s" % _local.batch, start_ns, end_ns)
    _local.fetched_ns = end_ns


def _with_queues(original, args, kwargs, queues):
    """The arguments with some of them wrapped, each as its parameter says."""
    bound = inspect.signature(original).bind(*args, **kwargs)
    for name, wrap, actor in queues:
        bound.arguments[name] = wrap(bound.arguments[name], actor)
    return bound.args, bound.kwargs


def _worker_actor(original, args, kwargs):
    number = inspect.signature(original).bind(*args, **kwargs).arguments["worker_id"]
    suffix, order = (_newest.suffix, _newest.order) if _newest is not None else ("", 0)
    return Actor(_get_spool(), "worker %d%s" % (number, suffix), order + number)


def _wrap_worker_loop(original):
    def _worker_loop(*args, **kwargs):
        try:
            _local.is_worker = True
            actor = _local.actor = _worker_actor(original, args, kwargs)
            args, kwargs = _with_queues(original, args, kwargs, (("index_queue", WorkerInput, actor),))
        except Exception:
            pass
        try:
            return original(*args, **kwargs)
        finally:
            _close()

    return _worker_loop


def _wrap_thread_loop(original):
    """A worker that is a thread of this process, and pins what it makes."""

    def _thread_worker_loop(*args, **kwargs):
        try:
            actor = _local.actor = _worker_actor(original, args, kwargs)
            actor.pins = bool(inspect.signature(original).bind(*args, **kwargs).arguments.get("pin_memory"))
            queues = (("index_queue", ThreadInput, actor), ("data_queue", ThreadOutput, actor))
            args, kwargs = _with_queues(original, args, kwargs, queues)
        except Exception:
            pass
        return original(*args, **kwargs)

    return _thread_worker_loop


@quietly
def _close():
    _local.actor = None
    if _spool is not None:
        _spool.close()


def _wrap_pin_loop(original):
    def _pin_memory_loop(*args, **kwargs):
        try:
            suffix, order = (_newest.suffix, _newest.order) if _newest is not None else ("", 0)
            actor = Actor(_get_spool(), "pin thread" + suffix, order + 99)
            queues = (("in_queue", PinInput, actor), ("out_queue", PinOutput, actor))
            args, kwargs = _with_queues(original, args, kwargs, queues)
        except Exception:
            pass
        return original(*args, **kwargs)

    return _pin_memory_loop
