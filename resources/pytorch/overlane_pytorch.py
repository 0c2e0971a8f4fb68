"""Records PyTorch's DataLoader: its workers, queues, pin thread, the waits for batches and the steps.

Wraps the functions of torch.utils.data in which the parts of a loader meet, where they are as known
(overlane_known.py); otherwise nothing is touched. Names of lanes and events are the laboratory's.
"""

import functools
import inspect
import itertools
import multiprocessing
import os
import sys
import threading
import weakref

import overlane_iterations
import overlane_spool
import overlane_stacks
from overlane_known import has_thread_workers, reason_to_refuse
from overlane_queues import Actor, PinInput, PinOutput, ThreadInput, ThreadOutput, WorkerInput, is_ready
from overlane_quiet import quiet, quietly
from overlane_spool import ANNOTATIONS, HOST_WORK, LOADER, LOADER_WAIT, STEP, Gauge, lane, now, thread_lane

_LOADER_NOT_UNDERSTOOD = 18  # RecordStatus
_INDEX_GAUGE_PERIOD_NS = 2_000_000  # looking at many queues costs

_local = threading.local()  # .actor: whose queue or fetch this thread is at; .lane: of the thread itself
_spool = None
_making_spool = threading.RLock()
_owed = None  # what a handler of signals raised where Python drops it
_loaders = {}  # id of a DataLoader -> (reference to it, _Loader)
_loader_numbers = itertools.count(1)  # in this process
_iterators = weakref.WeakSet()  # with workers
_sampler = None  # of this process's stacks
_sampler_rests = False
_watches_forks = False
_sees_loader = False  # PyTorch's was imported, and is recorded


def install(dataloader):
    """Called once torch.utils.data.dataloader is there. Wraps all or nothing."""
    global _sees_loader
    _sees_loader = True
    reason = reason_to_refuse(dataloader)
    version = "PyTorch %s" % getattr(sys.modules.get("torch"), "__version__", "without a version")
    if reason is not None:
        # A worker that starts anew would only say again what its parent has said.
        if not getattr(multiprocessing.current_process(), "_inheriting", False):
            _get_spool().status(_LOADER_NOT_UNDERSTOOD, "%s: %s" % (version, reason))
        return
    _watch_forks()
    overlane_iterations.are_wanted()
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


def sample_stacks():
    """Called once a package that uses GPUs is there."""
    if _sampler is None and overlane_stacks.period_ns():
        _watch_forks()
        _start_sampler()


def _start_sampler(main_lane=None):
    global _sampler
    period_ns = overlane_stacks.period_ns()
    if period_ns:
        if _sampler is not None:
            _sampler.stop()
        _sampler = overlane_stacks.Sampler(_get_spool, period_ns, main_lane)
        _sampler.start()


# The process


def _watch_forks():
    global _watches_forks
    if not _watches_forks:
        _watches_forks = True
        os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent,
                            after_in_child=_after_fork_in_child)


def _get_spool():
    global _sampler_rests
    if _sampler_rests:
        _sampler_rests = False
        _sampler.start()
    if _spool is None:
        with _making_spool:  # the sampler may ask at the same time
            return _spool or _make_spool()
    return _spool


def _make_spool():
    global _spool
    parent = multiprocessing.parent_process() if _in_worker() else None
    spool = overlane_spool.Spool(os.environ["OVERLANE_SPOOL_DIR"], parent.pid if parent else None,
                                 "pytorch" if _sees_loader else "python")
    if parent is None:
        spool.on_tick = _sample_all
    _spool = spool
    return spool


def _in_worker():
    return getattr(_local, "is_worker", False)


def _before_fork():
    global _owed
    try:
        if _sampler is not None:
            _sampler.stop()
        if _spool is not None:
            _spool.stop_thread()
    except BaseException as error:  # Python would print and drop it
        _owed = error


def _after_fork_in_parent():
    global _owed, _sampler_rests
    try:
        if _sampler is not None:
            # From 3.12 on Python warns of a fork beside threads right behind this: where the program has none, the
            # sampler waits for the loader's next event.
            _sampler_rests = sys.version_info >= (3, 12) and len(os.listdir("/proc/self/task")) < 2
            if not _sampler_rests:
                _sampler.start()
    except BaseException as error:
        _owed = error


def _pay():
    """Raises what is owed, where the program can catch it."""
    global _owed
    if _owed is not None and threading.current_thread() is threading.main_thread():
        error, _owed = _owed, None
        raise error


def _after_fork_in_child():
    global _spool, _local, _loader_numbers, _making_spool, _owed, _sampler, _sampler_rests
    parents, _spool = _spool, None
    starts_anew = _sampler is not None and _sampler.starts_anew
    _making_spool = threading.RLock()
    _local = threading.local()
    _loader_numbers = itertools.count(1)
    _owed = None
    _sampler = None
    _sampler_rests = False
    _iterators.clear()
    if parents is not None:
        parents.abandon()
    if starts_anew:  # a fork server may import the program ahead: its children are what is to be sampled
        _start_sampler()


def _thread_lane():
    known = getattr(_local, "lane", None)
    if known is None:
        known = _local.lane = thread_lane()
    return known


def _suffix_and_order(number):
    """Of the lanes of a process's first, second ... loader."""
    return "" if number == 1 else " of loader %d" % number, 100 * (number - 1)


class _Loader:
    """What one DataLoader counts and shows over all its epochs; in the child of a fork, from there on."""

    def __init__(self):
        self._spool = None
        self.batches = 0  # that were taken, over all epochs

    def here(self):
        """Itself, with what it has shown in this process."""
        spool = _get_spool()
        if self._spool is not spool:
            self.number = next(_loader_numbers)
            self.suffix, self.order = _suffix_and_order(self.number)
            if _in_worker():
                self.suffix += " in " + _local.actor.lane.name
            self.steps = itertools.count()
            self.steps_lane = lane("steps" + self.suffix, ANNOTATIONS, self.order - 1)
            self.gauges = {}  # name -> [Gauge, last value]
            self.indices_sampled_ns = 0
            self._spool = spool
        return self

    def end_step(self, start_ns, end_ns):
        self._spool.event(self.steps_lane, STEP, "step %d" % next(self.steps), start_ns, end_ns)

    def gauge(self, name, order, time_ns, value):
        known = self.gauges.get(name)
        if known is None:
            known = self.gauges[name] = [Gauge(name + self.suffix, self.order + order), None]
        if known[1] != value:
            self._spool.sample(known[0], time_ns, value)
            known[1] = value

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
                self._spool.sample(known[0], time_ns, 0)
                known[1] = 0


class _Epoch:
    """What is known of one iterator."""

    def __init__(self, loader, has_workers):
        self._loader = loader
        self.has_workers = has_workers
        # As the analysis tells waiting for a batch from making it (core/analysis/host_activity.cpp).
        self.next_name = "DataLoader.__next__, batch %d" if has_workers else "__next__, batch %d"
        self.batch = 0
        self.step_ns = None  # when the step that runs began

    @property
    def loader(self):
        return self._loader.here()


def _loader_of(loader):
    """By identity: how a program compares its loaders is its own."""
    reference, known = _loaders.get(id(loader), (None, None))
    if reference is None or reference() is not loader:
        known = _Loader()
        _loaders[id(loader)] = (weakref.ref(loader, _forget), known)
    return known


def _forget(reference):
    with quiet:
        for number, (known, _) in list(_loaders.items()):
            if known is reference:
                del _loaders[number]


def _loader_of_queue(queue):
    """The loader whose workers put their batches there."""
    for iterator in list(_iterators):
        if getattr(iterator, "_worker_result_queue", None) is queue:
            return iterator._overlane.loader
    return None


def _sample_all():
    for iterator in list(_iterators):
        with quiet:  # one that is being made or ended
            if not iterator._shutdown:
                iterator._overlane.loader.sample(iterator)


# The wraps. Each does what the original does, whatever happens to the recording of it.


@quietly
def _note_iterator(iterator, loader):
    has_workers = getattr(iterator, "_num_workers", 0) > 0
    epoch = _Epoch(_loader_of(loader), has_workers)
    iterator._overlane = epoch
    if has_workers:
        # Workers may start anew and know nothing of this process. One of their arguments is asked only whether it
        # is true: a range is, or is not, and takes the loader's number along, to a worker without a hook as well.
        number = epoch.loader.number
        iterator._drop_last = range(number, number + bool(iterator._drop_last))
        _iterators.add(iterator)


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
        _pay()

    return __init__


@quietly
def _note_started(iterator, start_ns):
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
        _count_iteration(self)
        _pay()
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
    start_ns, epoch.step_ns = epoch.step_ns, None
    if start_ns is not None:
        epoch.loader.end_step(start_ns, end_ns)


@quietly
def _count_iteration(iterator):
    loader = iterator._overlane.loader
    if overlane_iterations.tell(loader.batches + 1):
        _get_spool().look()  # recording may begin or end with this iteration


@quietly
def _note_next(iterator, start_ns, has_batch):
    end_ns = now()
    epoch = iterator._overlane
    name = "__next__, no batch"
    if has_batch:
        name = epoch.next_name % epoch.batch
        epoch.step_ns = start_ns
        epoch.batch += 1
        epoch.loader.batches += 1
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


def _worker_actor(bound):
    """Of the worker whose loop is about to begin."""
    flag = bound.arguments["drop_last"]
    suffix, order = _suffix_and_order(flag.start if type(flag) is range else 1)
    bound.arguments["drop_last"] = bool(flag)
    number = bound.arguments["worker_id"]
    _local.actor = Actor(_get_spool(), "worker %d%s" % (number, suffix), order + number)
    if _in_worker():
        _start_sampler(overlane_stacks.lane_of_actor(_local.actor.lane))
    return _local.actor


def _wrap_worker_loop(original):
    def _worker_loop(*args, **kwargs):
        with quiet:
            _local.is_worker = True
            bound = inspect.signature(original).bind(*args, **kwargs)
            bound.arguments["index_queue"] = WorkerInput(bound.arguments["index_queue"], _worker_actor(bound))
            args, kwargs = bound.args, bound.kwargs
        try:
            return original(*args, **kwargs)
        finally:
            _close()

    return _worker_loop


def _wrap_thread_loop(original):
    """A worker that is a thread of this process, and pins what it makes."""

    def _thread_worker_loop(*args, **kwargs):
        with quiet:
            bound = inspect.signature(original).bind(*args, **kwargs)
            actor = _worker_actor(bound)
            actor.pins = bool(bound.arguments.get("pin_memory"))
            bound.arguments["index_queue"] = ThreadInput(bound.arguments["index_queue"], actor)
            bound.arguments["data_queue"] = ThreadOutput(bound.arguments["data_queue"], actor)
            args, kwargs = bound.args, bound.kwargs
        return original(*args, **kwargs)

    return _thread_worker_loop


@quietly
def _close():
    _local.actor = None
    if _spool is not None:
        _spool.close()


def _wrap_pin_loop(original):
    def _pin_memory_loop(*args, **kwargs):
        with quiet:
            bound = inspect.signature(original).bind(*args, **kwargs)
            loader = _loader_of_queue(bound.arguments["in_queue"])
            actor = Actor(_get_spool(), "pin thread" + loader.suffix, loader.order + 99)
            bound.arguments["in_queue"] = PinInput(bound.arguments["in_queue"], actor)
            bound.arguments["out_queue"] = PinOutput(bound.arguments["out_queue"], actor)
            args, kwargs = bound.args, bound.kwargs
        return original(*args, **kwargs)

    return _pin_memory_loop
