"""What the hook knows of torch.utils.data: the functions it wraps, and what it relies on in them."""

import inspect

# class or module, function, its first parameters ("a|b": either), names that its code uses
_COMMON = (
    ("dataloader._BaseDataLoaderIter", "__init__", ("self", "loader"), ("_drop_last",)),
    ("dataloader._BaseDataLoaderIter", "__next__", ("self",), ("_next_data",)),
    ("dataloader._BaseDataLoaderIter", "_reset", ("self", "loader"), ()),
    ("dataloader._SingleProcessDataLoaderIter", "_next_data", ("self",), ("fetch", "pin_memory", "_pin_memory")),
    ("dataloader._MultiProcessingDataLoaderIter", "_next_data", ("self",),
     ("_rcvd_idx", "_task_info", "_tasks_outstanding", "_get_data")),
    ("dataloader._MultiProcessingDataLoaderIter", "_try_get_data", ("self", "timeout"), ("_data_queue", "get")),
    ("pin_memory", "_pin_memory_loop", ("in_queue", "out_queue", "device_id", "done_event"),
     ("get", "pin_memory", "put")),
    ("fetch", "_BaseDatasetFetcher", None, ()),
    ("fetch._MapDatasetFetcher", "fetch", ("self", "possibly_batched_index"), ()),
    ("fetch._IterableDatasetFetcher", "fetch", ("self", "possibly_batched_index"), ()),
)
_LOOP = ("dataset_kind", "dataset|dataset_holder", "index_queue", "data_queue", "done_event", "auto_collation",
         "collate_fn", "drop_last")
# Workers are processes: one loop, one iterator.
_PROCESSES = (
    ("dataloader._MultiProcessingDataLoaderIter", "__init__", ("self", "loader"),
     ("_worker_loop", "_pin_memory_loop", "_worker_result_queue", "_index_queues", "_data_queue", "_drop_last")),
    ("dataloader._MultiProcessingDataLoaderIter", "_shutdown_workers", ("self",), ("_shutdown",)),
    ("worker", "_worker_loop", _LOOP, ("worker_id", "get", "fetch", "put")),
)
# Or threads: both kinds share a loop and what their iterators have in common. A thread pins its own batches.
_THREADS_TOO = (
    ("dataloader._ParallelDataLoaderIter", "_initialize_pin_memory", ("self",),
     ("_pin_memory_loop", "_worker_result_queue", "_data_queue")),
    ("dataloader._ParallelDataLoaderIter", "_shutdown_workers", ("self",), ("_shutdown",)),
    ("dataloader._MultiProcessingDataLoaderIter", "__init__", ("self", "loader"),
     ("_process_worker_loop", "_initialize_pin_memory", "_worker_result_queue", "_index_queues", "_drop_last")),
    ("dataloader._MultiProcessingDataLoaderIter", "_shutdown_workers", ("self",), ("_shutdown_workers",)),
    ("dataloader._ThreadingDataLoaderIter", "__init__", ("self", "loader"),
     ("_thread_worker_loop", "_initialize_pin_memory", "_worker_result_queue", "_index_queues", "_drop_last")),
    ("dataloader._ThreadingDataLoaderIter", "_try_get_data", ("self", "timeout"), ("_data_queue", "get")),
    ("dataloader._ThreadingDataLoaderIter", "_shutdown_workers", ("self",), ("_shutdown",)),
    ("worker", "_process_worker_loop", _LOOP, ("worker_id", "_base_worker_loop")),
    ("worker", "_thread_worker_loop", _LOOP, ("worker_id", "_base_worker_loop", "pin_memory")),
    ("worker", "_base_worker_loop", _LOOP, ("get", "fetch", "post_fetch_fn", "put")),
)


def has_thread_workers(dataloader):
    """Which of the two forms it is, if it is one of them."""
    return hasattr(dataloader, "_ThreadingDataLoaderIter")


def reason_to_refuse(dataloader):
    """What of PyTorch is not as it is known, or None."""
    utils = getattr(dataloader, "_utils", None)
    roots = {"dataloader": dataloader}
    for module in ("worker", "pin_memory", "fetch"):
        roots[module] = getattr(utils, module, None)
        if roots[module] is None:
            return "torch.utils.data._utils has no %s" % module
    threads = has_thread_workers(dataloader)
    for expected in _COMMON + (_THREADS_TOO if threads else _PROCESSES):
        reason = _reason(roots, *expected)
        if reason is not None:
            return reason
    for name in ("_MultiProcessingDataLoaderIter",) + (("_ThreadingDataLoaderIter",) if threads else ()):
        if "__next__" in vars(getattr(dataloader, name)):
            return "%s has a __next__ of its own" % name
    return None


def _reason(roots, place, name, parameters, uses):
    module, _, cls = place.partition(".")
    owner = getattr(roots[module], cls, None) if cls else roots[module]
    function = getattr(owner, name, None)
    title = ".".join((place, name))
    if function is None:
        return "there is no %s" % title
    if parameters is None:
        return None
    try:
        known = tuple(inspect.signature(function).parameters)[:len(parameters)]
        used = _names_used(function.__code__)
    except (TypeError, ValueError, AttributeError):
        return "%s is no plain function" % title
    if len(known) < len(parameters) or any(one not in each.split("|") for one, each in zip(known, parameters)):
        return "%s takes (%s)" % (title, ", ".join(known))
    for use in uses:
        if use not in used:
            return "%s does not use %s" % (title, use)
    return None


def _names_used(code):
    names = set(code.co_names) | set(code.co_varnames) | set(code.co_freevars)
    for constant in code.co_consts:
        if inspect.iscode(constant):
            names |= _names_used(constant)
    return names
