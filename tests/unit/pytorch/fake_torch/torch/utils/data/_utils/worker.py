"""Stands for torch.utils.data._utils.worker: what a loader's process does."""

import os
import queue

from . import MP_STATUS_CHECK_INTERVAL


class _ResumeIteration:
    """Asks a worker that is kept for its next epoch."""


class _IterableDatasetStopIteration:
    def __init__(self, worker_id):
        self.worker_id = worker_id


def _worker_loop(dataset_kind, dataset, index_queue, data_queue, done_event, auto_collation, collate_fn, drop_last,
                 base_seed, init_fn, worker_id, num_workers, persistent_workers, shared_seed):
    from torch.utils.data import _DatasetKind

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
