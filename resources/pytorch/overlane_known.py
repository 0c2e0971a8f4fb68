"""What the hook knows of torch.utils.data: the functions it wraps, and what it relies on in them."""

import inspect

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
