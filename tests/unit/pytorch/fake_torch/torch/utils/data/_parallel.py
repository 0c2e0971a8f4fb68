"""Stands for the iterators of a PyTorch whose workers may be threads: what both kinds share, and the rest."""

import queue
import threading

from torch.utils.data import _utils


def iterators(base, processes):
    """Of the base of all iterators and of the one in which workers can only be processes."""

    class _ParallelDataLoaderIter(base):
        def __init__(self, loader):
            super().__init__(loader)
            self._prefetch_factor = loader.prefetch_factor
            self._worker_method = loader.worker_method
            self._worker_result_queue = None
            self._workers_done_event = None
            self._shutdown = False
            self._index_queues = []
            self._workers = []
            self._data_queue = None

        def _initialize_pin_memory(self):
            self._data_queue = self._worker_result_queue
            if self._pin_memory and self._worker_method == "multiprocessing":
                self._data_queue = queue.Queue()
                self._pin_memory_thread_done_event = threading.Event()
                self._pin_memory_thread = threading.Thread(
                    target=_utils.pin_memory._pin_memory_loop,
                    args=(self._worker_result_queue, self._data_queue, 0, self._pin_memory_thread_done_event, None),
                    daemon=True)
                self._pin_memory_thread.start()

        def _try_get_data(self, timeout=_utils.MP_STATUS_CHECK_INTERVAL):
            try:
                return True, self._data_queue.get(timeout=timeout)
            except queue.Empty:
                return False, None

        _reset = processes._reset
        _get_data = processes._get_data
        _next_data = processes._next_data
        _process_data = processes._process_data
        _try_put_index = processes._try_put_index

        def _shutdown_workers(self):
            if not self._shutdown:
                self._shutdown = True
                if hasattr(self, "_pin_memory_thread"):
                    self._pin_memory_thread_done_event.set()
                    self._worker_result_queue.put((None, None))
                    self._pin_memory_thread.join()
                self._workers_done_event.set()
                for indices in self._index_queues:
                    indices.put(None)
                for worker in self._workers:
                    worker.join(timeout=5)

        def __del__(self):
            self._shutdown_workers()

    class _ThreadingDataLoaderIter(_ParallelDataLoaderIter):
        def __init__(self, loader):
            super().__init__(loader)
            self._worker_result_queue = queue.SimpleQueue()
            self._workers_done_event = threading.Event()
            for number in range(self._num_workers):
                indices = queue.SimpleQueue()
                worker = threading.Thread(
                    target=_utils.worker._thread_worker_loop,
                    args=(self._dataset_kind, self._dataset, indices, self._worker_result_queue,
                          self._workers_done_event, True, self._collate_fn, self._drop_last, 0, loader.worker_init_fn,
                          number, self._num_workers, self._persistent_workers, self._pin_memory), daemon=True)
                worker.start()
                self._index_queues.append(indices)
                self._workers.append(worker)
            self._initialize_pin_memory()
            self._reset(loader, first_iter=True)

    class _MultiProcessingDataLoaderIter(_ParallelDataLoaderIter):
        def __init__(self, loader):
            super().__init__(loader)
            context = loader.multiprocessing_context
            self._worker_result_queue = context.Queue()
            self._workers_done_event = context.Event()
            for number in range(self._num_workers):
                indices = context.Queue()
                indices.cancel_join_thread()
                worker = context.Process(
                    target=_utils.worker._process_worker_loop,
                    args=(self._dataset_kind, self._dataset, indices, self._worker_result_queue,
                          self._workers_done_event, True, self._collate_fn, self._drop_last, 0, loader.worker_init_fn,
                          number, self._num_workers, self._persistent_workers, None), daemon=True)
                worker.start()
                self._index_queues.append(indices)
                self._workers.append(worker)
            self._initialize_pin_memory()
            self._reset(loader, first_iter=True)

        _try_get_data = processes._try_get_data

        def _shutdown_workers(self):
            if _utils is None or _utils.python_exit_status:
                return
            super()._shutdown_workers()
            for indices in self._index_queues:
                indices.cancel_join_thread()
                indices.close()
            self._worker_result_queue.cancel_join_thread()

    return _ParallelDataLoaderIter, _MultiProcessingDataLoaderIter, _ThreadingDataLoaderIter
