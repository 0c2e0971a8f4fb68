"""Stands for torch.utils.data.dataloader: the same classes, functions and parameters, with less in them."""

import functools
import itertools
import multiprocessing
import os
import queue
import threading

from torch.utils.data import _utils


class _DatasetKind:
    Map = 0
    Iterable = 1

    @staticmethod
    def create_fetcher(kind, dataset, auto_collation, collate_fn, drop_last):
        if kind == _DatasetKind.Map:
            return _utils.fetch._MapDatasetFetcher(dataset, auto_collation, collate_fn, drop_last)
        return _utils.fetch._IterableDatasetFetcher(dataset, auto_collation, collate_fn, drop_last)


class DataLoader:
    _iterator = None

    def __init__(self, dataset, batch_size=1, num_workers=0, pin_memory=False, prefetch_factor=2,
                 persistent_workers=False, multiprocessing_context=None, worker_init_fn=None,
                 worker_method="multiprocessing", drop_last=False):
        self.dataset = dataset
        self.batch_size = batch_size
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.prefetch_factor = prefetch_factor
        self.persistent_workers = persistent_workers
        self.multiprocessing_context = multiprocessing.get_context(multiprocessing_context)
        self.worker_init_fn = worker_init_fn
        self.worker_method = worker_method
        self.collate_fn = list
        self.drop_last = drop_last
        self.dataset_kind = _DatasetKind.Map if hasattr(dataset, "__getitem__") else _DatasetKind.Iterable

    def __len__(self):
        return -(-len(self.dataset) // self.batch_size)

    def indices(self):
        if self.dataset_kind == _DatasetKind.Iterable:
            return itertools.repeat(range(self.batch_size))
        every = range(len(self.dataset))
        return iter([every[at:at + self.batch_size] for at in range(0, len(every), self.batch_size)])

    def _get_iterator(self):
        if not self.num_workers:
            return _SingleProcessDataLoaderIter(self)
        return (_ThreadingDataLoaderIter if self.worker_method == "thread" else _MultiProcessingDataLoaderIter)(self)

    def __iter__(self):
        if not (self.persistent_workers and self.num_workers):
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator


class _BaseDataLoaderIter:
    def __init__(self, loader):
        self._loader_indices = loader.indices
        self._dataset = loader.dataset
        self._dataset_kind = loader.dataset_kind
        self._collate_fn = loader.collate_fn
        self._drop_last = loader.drop_last
        self._num_workers = loader.num_workers
        self._persistent_workers = loader.persistent_workers
        self._pin_memory = loader.pin_memory
        self._sampler_iter = loader.indices()

    def __iter__(self):
        return self

    def _reset(self, loader, first_iter=False):
        self._sampler_iter = loader.indices()

    def _next_index(self):
        return next(self._sampler_iter)

    def _next_data(self):
        raise NotImplementedError

    def __next__(self):
        return self._next_data()


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    def __init__(self, loader):
        super().__init__(loader)
        self._fetcher = _DatasetKind.create_fetcher(self._dataset_kind, self._dataset, True, self._collate_fn,
                                                    self._drop_last)

    def _next_data(self):
        data = self._fetcher.fetch(self._next_index())
        if self._pin_memory:
            data = _utils.pin_memory.pin_memory(data, None)
        return data


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    def __init__(self, loader):
        super().__init__(loader)
        self._prefetch_factor = loader.prefetch_factor
        context = loader.multiprocessing_context
        self._worker_result_queue = context.Queue()
        self._workers_done_event = context.Event()
        self._shutdown = False
        self._index_queues = []
        self._workers = []
        for number in range(self._num_workers):
            indices = context.Queue()
            indices.cancel_join_thread()
            worker = context.Process(
                target=_utils.worker._worker_loop,
                args=(self._dataset_kind, _utils.worker.handed_over(self._dataset), indices,
                      self._worker_result_queue, self._workers_done_event, True, self._collate_fn, self._drop_last, 0,
                      loader.worker_init_fn, number, self._num_workers, self._persistent_workers, None), daemon=True)
            worker.start()
            self._index_queues.append(indices)
            self._workers.append(worker)
        self._data_queue = self._worker_result_queue
        if self._pin_memory:
            self._data_queue = queue.Queue()
            self._pin_done = threading.Event()
            self._pin_thread = threading.Thread(
                target=_utils.pin_memory._pin_memory_loop,
                args=(self._worker_result_queue, self._data_queue, 0, self._pin_done, None), daemon=True)
            self._pin_thread.start()
        self._reset(loader, first_iter=True)

    def _reset(self, loader, first_iter=False):
        _BaseDataLoaderIter._reset(self, loader, first_iter)
        self._send_idx = 0
        self._rcvd_idx = 0
        self._task_info = {}
        self._tasks_outstanding = 0
        self._workers_status = [True] * self._num_workers
        self._turn = itertools.cycle(range(self._num_workers))
        if not first_iter:
            for indices in self._index_queues:
                indices.put(_utils.worker._ResumeIteration())
            resumed = 0
            while resumed < self._num_workers:
                resumed += isinstance(self._get_data()[0], _utils.worker._ResumeIteration)
        for _ in range(self._prefetch_factor * self._num_workers):
            self._try_put_index()

    def _try_get_data(self, timeout=_utils.MP_STATUS_CHECK_INTERVAL):
        try:
            return True, self._data_queue.get(timeout=timeout)
        except queue.Empty:
            for number, worker in enumerate(self._workers):
                if self._workers_status[number] and not worker.is_alive():
                    raise RuntimeError("DataLoader worker %d is gone" % number) from None
            return False, None

    def _get_data(self):
        while True:
            success, data = self._try_get_data()
            if success:
                return data

    def _next_data(self):
        while True:
            while self._rcvd_idx < self._send_idx:
                info = self._task_info.get(self._rcvd_idx)
                if info is not None and (len(info) == 2 or self._workers_status[info[0]]):
                    break
                self._task_info.pop(self._rcvd_idx, None)
                self._rcvd_idx += 1
            else:
                if not self._persistent_workers:
                    self._shutdown_workers()
                raise StopIteration
            if len(info) == 2:
                return self._process_data(self._task_info.pop(self._rcvd_idx)[1])
            number, data = self._get_data()
            self._tasks_outstanding -= 1
            if isinstance(data, _utils.worker._IterableDatasetStopIteration):
                self._workers_status[data.worker_id] = False
                self._try_put_index()
                continue
            if number == self._rcvd_idx:
                self._task_info.pop(number)
                return self._process_data(data)
            self._task_info[number] += (data,)

    def _process_data(self, data):
        self._rcvd_idx += 1
        self._try_put_index()
        return data

    def _try_put_index(self):
        if not any(self._workers_status):
            return
        try:
            index = self._next_index()
        except StopIteration:
            return
        number = next(worker for worker in self._turn if self._workers_status[worker])
        self._index_queues[number].put((self._send_idx, index))
        self._task_info[self._send_idx] = (number,)
        self._tasks_outstanding += 1
        self._send_idx += 1

    def _shutdown_workers(self):
        if self._shutdown or _utils is None or _utils.python_exit_status:
            return
        self._shutdown = True
        if self._pin_memory:
            self._pin_done.set()
            self._worker_result_queue.put((None, None))
            self._pin_thread.join()
        self._workers_done_event.set()
        for indices in self._index_queues:
            indices.put(None)
        for worker in self._workers:
            worker.join(timeout=5)
        for indices in self._index_queues:
            indices.cancel_join_thread()
            indices.close()
        self._worker_result_queue.cancel_join_thread()

    def __del__(self):
        self._shutdown_workers()


if _utils.worker.FORM == "threads":
    from torch.utils.data._parallel import iterators

    _ParallelDataLoaderIter, _MultiProcessingDataLoaderIter, _ThreadingDataLoaderIter = iterators(
        _BaseDataLoaderIter, _MultiProcessingDataLoaderIter)

if os.environ.get("FAKE_TORCH_UNKNOWN"):
    # A version that does the same in another way.
    _poll = _MultiProcessingDataLoaderIter._try_get_data
    del _MultiProcessingDataLoaderIter._try_get_data

    def _getattr(self, name):
        if name == "_try_get_data":
            return functools.partial(_poll, self)
        raise AttributeError(name)

    _MultiProcessingDataLoaderIter.__getattr__ = _getattr
