"""Stands for torch.utils.data._utils.worker: what a loader's process does.

FAKE_TORCH_FORM: as PyTorch has it up to 2.13; "holder": 2.14 and later; "threads": where workers may be threads.
"""

import inspect
import os
import queue

from . import MP_STATUS_CHECK_INTERVAL


FORM = os.environ.get("FAKE_TORCH_FORM", "")


def handed_over(dataset):
    return [dataset] if FORM == "holder" else dataset


class _ResumeIteration:
    """Asks a worker that is kept for its next epoch."""


class _IterableDatasetStopIteration:
    def __init__(self, worker_id):
        self.worker_id = worker_id


def _worker_loop(dataset_kind, dataset, index_queue, data_queue, done_event, auto_collation, collate_fn, drop_last,
                 base_seed, init_fn, worker_id, num_workers, persistent_workers, shared_seed):
    from torch.utils.data import _DatasetKind

    if FORM == "holder":
        dataset = dataset.pop()
    if init_fn is not None:
        init_fn(worker_id)
    parent = os.getppid()
    make = lambda: _DatasetKind.create_fetcher(dataset_kind, dataset, auto_collation, collate_fn, drop_last)
    fetcher = make()
    at_end = False
    while os.getppid() == parent:
        try:
            task = index_queue.get(timeout=MP_STATUS_CHECK_INTERVAL)
        except queue.Empty:
            continue
        if task is None:
            break
        if isinstance(task, _ResumeIteration):
            data_queue.put((task, None))
            fetcher, at_end = make(), False
            continue
        if done_event.is_set() or at_end:
            continue
        number, index = task
        try:
            data = fetcher.fetch(index)
        except StopIteration:
            data, at_end = _IterableDatasetStopIteration(worker_id), True
        data_queue.put((number, data))
    if done_event.is_set():
        data_queue.cancel_join_thread()
        data_queue.close()


if FORM == "holder":
    _parameters = list(inspect.signature(_worker_loop).parameters.values())
    _parameters[1] = _parameters[1].replace(name="dataset_holder")
    _worker_loop.__signature__ = inspect.Signature(_parameters)


def _base_worker_loop(dataset_kind, dataset, index_queue, data_queue, done_event, auto_collation, collate_fn,
                      drop_last, init_fn, worker_id, watchdog=None, post_fetch_fn=None):
    from torch.utils.data import _DatasetKind

    if init_fn is not None:
        init_fn(worker_id)
    make = lambda: _DatasetKind.create_fetcher(dataset_kind, dataset, auto_collation, collate_fn, drop_last)
    fetcher = make()
    at_end = False
    while watchdog is None or watchdog():
        try:
            task = index_queue.get(timeout=MP_STATUS_CHECK_INTERVAL)
        except queue.Empty:
            continue
        if task is None:
            break
        if isinstance(task, _ResumeIteration):
            data_queue.put((task, None))
            fetcher, at_end = make(), False
            continue
        if done_event.is_set() or at_end:
            continue
        number, index = task
        try:
            data = fetcher.fetch(index)
            if post_fetch_fn is not None:
                data = post_fetch_fn(data)
        except StopIteration:
            data, at_end = _IterableDatasetStopIteration(worker_id), True
        data_queue.put((number, data))


def _process_worker_loop(dataset_kind, dataset, index_queue, data_queue, done_event, auto_collation, collate_fn,
                         drop_last, base_seed, init_fn, worker_id, num_workers, persistent_workers, shared_seed):
    parent = os.getppid()
    _base_worker_loop(dataset_kind=dataset_kind, dataset=dataset, index_queue=index_queue, data_queue=data_queue,
                      done_event=done_event, auto_collation=auto_collation, collate_fn=collate_fn,
                      drop_last=drop_last, init_fn=init_fn, worker_id=worker_id,
                      watchdog=lambda: os.getppid() == parent)
    if done_event.is_set():
        data_queue.cancel_join_thread()
        data_queue.close()


def _thread_worker_loop(dataset_kind, dataset, index_queue, data_queue, done_event, auto_collation, collate_fn,
                        drop_last, base_seed, init_fn, worker_id, num_workers, persistent_workers, pin_memory=False):
    from . import pin_memory as pin_memory_module

    _base_worker_loop(dataset_kind=dataset_kind, dataset=dataset, index_queue=index_queue, data_queue=data_queue,
                      done_event=done_event, auto_collation=auto_collation, collate_fn=collate_fn,
                      drop_last=drop_last, init_fn=init_fn, worker_id=worker_id,
                      post_fetch_fn=pin_memory_module.pin_memory if pin_memory else None)


if FORM == "threads":
    del _worker_loop
