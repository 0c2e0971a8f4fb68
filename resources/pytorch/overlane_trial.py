"""Runs a program with other settings of its DataLoader for a stretch of batches: `overlane try`.

OVERLANE_TRIAL names a JSON file, the request:
  report        where to write, with ".<process id>" behind it
  loader        key of the loader to measure and change; "" for the first that hands over enough batches
  settings      arguments of that DataLoader, and "non_blocking" for Tensor.to() and Tensor.cuda() of its batches
  warm_up       batches before the stretch, beside those that workers may have made before
  batches       of the stretch; 0 for as many as `seconds` hold, at least 20
  seconds       see batches
  most_seconds  the stretch ends then once it has 5 batches
A report is JSON as well: the loader, its settings and where it was made, which lines copy its batches, and how long
the stretch took, with the GPU idle at both ends. Then the process ends at once: nothing behind the stretch runs.
"""

import collections
import collections.abc
import functools
import glob
import inspect
import json
import linecache
import multiprocessing
import multiprocessing.util
import os
import sys
import time
import weakref
import zlib

from overlane_quiet import quiet, quietly

_HERE = os.path.dirname(__file__) + os.sep
_STANDARD = os.path.dirname(os.__file__) + os.sep
_ARGUMENTS = ("num_workers", "pin_memory", "prefetch_factor", "persistent_workers")
_LEAST_BATCHES = 20
_LEAST_IN_TIME = 5
_RECENT_BATCHES = 4  # whose memory is remembered
_MOST_TENSORS = 64  # of a batch
_LAST_FLUSH_SECONDS = 0.8  # of a recorder's

_request = None
_pid = None
_loaders = {}  # id of a DataLoader -> (reference to it, _Loader)
_by_key = {}
_origins = weakref.WeakKeyDictionary()  # dataset -> where the first loader of it was made
_recent = collections.deque(maxlen=_RECENT_BATCHES)  # of (loader, its batch: address of memory -> reference to tensor)
_iterators = weakref.WeakSet()  # of this process's loaders
_patched = False
_reported = False


def install(dataloader):
    """Called once torch.utils.data.dataloader is there. Needs less of it than recording does."""
    global _request, _pid
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        return  # a worker that starts anew
    with open(os.environ["OVERLANE_TRIAL"]) as file:
        _request = json.load(file)
    _pid = os.getpid()
    base = dataloader._BaseDataLoaderIter
    wraps = [
        (dataloader.DataLoader, "__init__", _wrap_loader),
        (base, "__init__", _wrap_iterator),
        (base, "_reset", _wrap_reset),
        (base, "__next__", _wrap_next),
    ]
    for owner, name, wrap, original in [(*one, getattr(one[0], one[1])) for one in wraps]:
        setattr(owner, name, functools.wraps(original)(wrap(original)))
    import atexit

    atexit.register(_report_at_end)


# Where things are done


def _site(frame):
    """The innermost frame of the program's own code: not of a package."""
    library = None
    while frame is not None:
        code = frame.f_code
        name = code.co_filename
        package = frame.f_globals.get("__name__", "").split(".")[0]
        if "site-packages" in name or "dist-packages" in name or package == "torch":
            library = library or (package if package != "torch" else None)
        elif not name.startswith(("<", _HERE, _STANDARD)):
            return {"file": name, "line": frame.f_lineno, "function": code.co_name, "library": library or "",
                    "code": linecache.getline(name, frame.f_lineno, frame.f_globals).strip()}
        frame = frame.f_back
    return {"file": "", "line": 0, "function": "", "library": library or "", "code": ""}


def _key(frame):
    """Of the whole stack: the same in every run of a program, and in every epoch."""
    number = 0
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_HERE):
            number = zlib.crc32(("%s:%d" % (frame.f_code.co_filename, frame.f_lineno)).encode(), number)
        frame = frame.f_back
    return "%08x" % number


# The loader


class _Loader:
    """The loaders that one line of a program makes, one after the other."""

    def __init__(self, key, site):
        self.key = key
        self.site = site
        self.settings = {}
        self.iterable = False
        self.length = 0
        self.batch_size = 0
        self.workers_made_before = 0
        self.taken = 0
        self.seen = 0
        self.epochs = 0
        self.start = None
        self.times = []
        self.copies = {}  # (file, line) -> [site, copies, bytes, of them waits]

    def is_measured(self):
        return _request["loader"] in ("", self.key)

    def is_changed(self):
        return _request["loader"] == self.key

    def warm_up(self):
        return _request["warm_up"] + self.workers_made_before

    def understand(self, loader):
        self.settings = {name: getattr(loader, name, None) for name in _ARGUMENTS}
        workers = self.settings["num_workers"] or 0
        self.settings["prefetch_factor"] = self.settings["prefetch_factor"] or 2
        self.workers_made_before = workers * self.settings["prefetch_factor"]
        data = sys.modules["torch.utils.data"]
        self.iterable = isinstance(loader.dataset, getattr(data, "IterableDataset", ())) or not hasattr(
            loader.dataset, "__getitem__")
        self.batch_size = getattr(loader, "batch_size", None) or 0
        try:
            self.length = len(loader)
        except Exception:  # of an iterable, or the program's own
            self.length = 0

    def before_next(self):
        """The batch taken last is done with, as far as the program goes."""
        if self.taken == self.seen:
            return  # the next epoch begins
        self.seen = self.taken
        warm_up = self.warm_up()
        if self.taken < warm_up:
            return
        if self.start is None:
            _wait_for_gpu()
            self.start = time.monotonic()
            self.epochs = 0
            return
        now = time.monotonic()
        self.times.append(now)
        if self._is_done(len(self.times), now - self.start):
            _report(self)

    @staticmethod
    def _is_done(batches, seconds):
        if seconds >= _request["most_seconds"]:
            return batches >= _LEAST_IN_TIME
        if _request["batches"]:
            return batches >= _request["batches"]
        return batches >= _LEAST_BATCHES and seconds >= _request["seconds"]


def _wrap_loader(original):
    signature = inspect.signature(original)

    def __init__(self, *args, **kwargs):
        made = None
        with quiet:
            if os.getpid() == _pid and not isinstance(getattr(self, "_overlane_trial", None), _Loader):
                made = _loader_made_at(sys._getframe(1))
                if made.is_changed():
                    args, kwargs = _changed(signature, self, args, kwargs)
        original(self, *args, **kwargs)
        if made is not None:
            _note_loader(self, made)

    return __init__


def _loader_made_at(frame):
    _patch_tensor()
    key = _key(frame)
    if key not in _by_key:
        _by_key[key] = _Loader(key, _site(frame))
    return _by_key[key]


def _changed(signature, loader, args, kwargs):
    bound = signature.bind(loader, *args, **kwargs)
    for name in _ARGUMENTS:
        if name in _request["settings"] and name in signature.parameters:
            bound.arguments[name] = _request["settings"][name]
    if not bound.arguments.get("num_workers"):
        # Without workers PyTorch takes neither.
        bound.arguments.pop("prefetch_factor", None)
        bound.arguments.pop("persistent_workers", None)
        if signature.parameters["prefetch_factor"].default is not None:
            bound.arguments["prefetch_factor"] = signature.parameters["prefetch_factor"].default
    return bound.args[1:], bound.kwargs


@quietly
def _note_loader(loader, made):
    made.understand(loader)
    _loaders[id(loader)] = (weakref.ref(loader, _forget), made)
    try:
        # A loader that a library makes anew of the program's own (Accelerate) has that one's settings and line.
        made.site = _origins.setdefault(loader.dataset, made.site)
    except TypeError:
        pass  # a list or another dataset without weak references


def _forget(reference):
    with quiet:
        for number, (known, _) in list(_loaders.items()):
            if known is reference:
                del _loaders[number]


def _wrap_iterator(original):
    def __init__(self, loader, *args, **kwargs):
        original(self, loader, *args, **kwargs)
        _note_iterator(self, loader)

    return __init__


@quietly
def _note_iterator(iterator, loader):
    reference, made = _loaders.get(id(loader), (None, None))
    if reference is not None and reference() is loader and os.getpid() == _pid:
        iterator._overlane_trial = made
        _iterators.add(iterator)
        made.epochs += 1


def _wrap_reset(original):
    def _reset(self, *args, **kwargs):
        made = getattr(self, "_overlane_trial", None)
        if made is not None:  # not the one that an iterator's own start makes
            made.epochs += 1
        return original(self, *args, **kwargs)

    return _reset


def _wrap_next(original):
    def __next__(self):
        made = getattr(self, "_overlane_trial", None)
        if made is None or not made.is_measured():
            return original(self)
        made.before_next()
        batch = original(self)
        made.taken += 1
        _note_batch(made, batch)
        return batch

    return __next__


# The batches and their copies


@quietly
def _note_batch(made, batch):
    tensors = {}
    _add_tensors(batch, tensors, 0)
    _recent.append((made, tensors))


def _add_tensors(part, tensors, depth):
    if len(tensors) >= _MOST_TENSORS or depth > 4:
        return
    address = _address(part)
    if address is not None:
        tensors[address] = weakref.ref(part)  # its memory may become another's once it is gone
    elif isinstance(part, collections.abc.Mapping):
        for value in part.values():
            _add_tensors(value, tensors, depth + 1)
    elif isinstance(part, (list, tuple)):
        for value in part:
            _add_tensors(value, tensors, depth + 1)


def _loader_of(tensor):
    """Whose batch it is part of; None for any other memory, which the program may write to at any time."""
    address = _address(tensor)
    for made, tensors in _recent if address else ():
        reference = tensors.get(address)
        if reference is not None and reference() is not None:
            return made
    return None


def _address(tensor):
    """Of the memory that a tensor on the host lies in."""
    storage = getattr(tensor, "untyped_storage", None)
    if storage is None or getattr(getattr(tensor, "device", None), "type", None) != "cpu":
        return None
    return storage().data_ptr()


def _patch_tensor():
    global _patched
    tensor = getattr(sys.modules["torch"], "Tensor", None)
    if _patched or tensor is None:
        return
    _patched = True
    for name in ("to", "cuda"):
        original = getattr(tensor, name)
        setattr(tensor, name, functools.wraps(original)(_wrap_copy(original, name == "cuda")))


def _wrap_copy(original, to_device):
    def copy(self, *args, **kwargs):
        with quiet:
            kwargs = _copied(self, args, kwargs, to_device)
        return original(self, *args, **kwargs)

    return copy


def _copied(tensor, args, kwargs, to_device):
    """The arguments of a copy, with non_blocking where it is asked for and safe: of a batch, from memory that
    nobody else writes to."""
    if not _recent or not (to_device or _names_device(args, kwargs)):
        return kwargs
    made = _loader_of(tensor)
    if made is None:
        return kwargs
    waits = not (kwargs.get("non_blocking") or any(one is True for one in args))
    if made.start is None:  # looking a line up takes a while
        _note_copy(made, tensor, waits)
    if waits and made.is_changed() and _request["settings"].get("non_blocking") and tensor.is_pinned():
        if not any(isinstance(one, bool) for one in args):
            return dict(kwargs, non_blocking=True)
    return kwargs


def _names_device(args, kwargs):
    for one in (args[0] if args else None, kwargs.get("device")):
        kind = getattr(one, "type", one)
        if isinstance(kind, str) and kind.startswith("cuda") or type(one) is int:
            return True
        if getattr(getattr(one, "device", None), "type", None) == "cuda":
            return True
    return False


def _note_copy(made, tensor, waits):
    site = _site(sys._getframe(3))
    copies = made.copies.setdefault((site["file"], site["line"]), [site, 0, 0, 0])
    copies[1] += 1
    copies[2] += tensor.numel() * tensor.element_size()
    copies[3] += waits


# The end


def _wait_for_gpu():
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    if cuda is not None and cuda.is_initialized():
        cuda.synchronize()


def _report(made):
    global _reported
    _wait_for_gpu()
    _write(made, time.monotonic() - made.start, len(made.times), False)
    _reported = True
    if os.environ.get("OVERLANE_SPOOL_DIR"):
        time.sleep(_LAST_FLUSH_SECONDS)
    _end_workers()
    _free_semaphores()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    os._exit(0)


def _end_workers():
    """As a loader does at the end of an epoch: a worker that is killed leaves the memory it was filling behind."""
    workers = multiprocessing.active_children()
    for iterator in list(_iterators):
        try:
            getattr(iterator, "_shutdown_workers", int)()
        except Exception:
            pass  # the program is about to end, whatever state it is in
    for child in multiprocessing.active_children():
        child.terminate()
        child.join(_LAST_FLUSH_SECONDS)
    for child in workers:
        for left in glob.glob("/dev/shm/torch_%d_*" % child.pid):
            try:
                os.unlink(left)
            except OSError:
                pass


@quietly
def _free_semaphores():
    """Of queues to workers that start anew, as all do from Python 3.14 on: they have names, and Python's tracker says
    which of them a process leaves behind."""
    synchronize = sys.modules.get("multiprocessing.synchronize")
    for one in list(multiprocessing.util._finalizer_registry.values()) if synchronize else ():
        if one._callback is synchronize.SemLock._cleanup:
            one()


@quietly
def _report_at_end():
    """The program ended before the stretch did."""
    if _reported or os.getpid() != _pid or not _by_key:
        return
    made = max((one for one in _by_key.values() if one.is_measured()), key=lambda one: one.taken, default=None)
    if made is None:
        return
    if made.start is not None:
        _wait_for_gpu()
    # The last batch is done as well now, with whatever the program does at its end; it is left out.
    seconds = made.times[-1] - made.start if made.times else 0
    _write(made, seconds, len(made.times), True)


def _write(made, seconds, batches, ended):
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    report = {
        "loader": made.key,
        "site": made.site,
        "settings": made.settings,
        "iterable": made.iterable,
        "batch_size": made.batch_size,
        "batches_per_epoch": made.length,
        "epochs": made.epochs,
        "batches": batches,
        "seconds": seconds,
        "ended": ended,
        "cuda": bool(cuda is not None and cuda.is_initialized()),
        "copies": [{"site": site, "copies": copies, "bytes": size, "waits": waits}
                   for site, copies, size, waits in made.copies.values()],
    }
    name = "%s.%d" % (_request["report"], os.getpid())
    with open(name + ".part", "w") as file:
        json.dump(report, file)
    os.replace(name + ".part", name)
