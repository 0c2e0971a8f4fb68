"""Engines that run the reading of traces in many processes: Dask and Ray. They schedule, retry and talk; we hand out.

``results(engine, workers, jobs, count)`` hands jobs to the engine, a few for each of its processes at a time, and yields
each with its row in the order in which they end.
"""

from __future__ import annotations

import collections
import contextlib
import logging
import os
import sys
import time
import uuid
from typing import Any, Callable, Deque, Dict, Generator, Iterator, List, Optional, Tuple

from .._errors import Error, UsageError
from ._needs import need
from ._places import place
from ._row import Job, Row, failed_row, read_traces

#: Tries of a task whose process ends.
TRIES = 3
_LEAST_AHEAD = 16
_AHEAD_PER_PROCESS = 4
_LOOK_AGAIN_S = 5.0
#: Until then a scheduler that only starts may answer.
ANSWERS_WITHIN_S = 10.0
# Files of one task: a task costs some milliseconds, a small trace as much.
_MOST_TOGETHER = 16
_MOST_TOGETHER_BYTES = 4 << 20
_DIED = "Each process that read this trace ended, at last reading it alone; open the file alone to see why."
_LOST = "The engine ended before the scan; start it and scan again: what was read is kept."

Outcome = Tuple[Job, Row]
Outcomes = Generator[Outcome, None, None]


class _Work:
    """What is handed out: lists of files that an engine takes as one task, small files together.

    An engine blames all tasks of a process that died. So a list is handed out again file by file, and a file that is
    still blamed once more at the end, while nothing else is read.
    """

    def __init__(self, jobs: Iterator[Job], count: int, processes: int) -> None:
        self._jobs = jobs
        self._most = max(1, min(_MOST_TOGETHER, count // (4 * max(1, processes))))
        self._singles: Deque[Job] = collections.deque()
        self._blamed: Deque[Job] = collections.deque()
        self._last_url = ""

    def _next(self) -> List[Job]:
        together: List[Job] = []
        if self._singles:
            return [self._singles.popleft()]
        size = 0
        while len(together) < self._most and size < _MOST_TOGETHER_BYTES:
            job = next(self._jobs, None)
            if job is None:
                break
            together.append(job)
            size += job["size"]
        return together

    def hand(self, most: int, idle: bool) -> List[List[Job]]:
        """At most so many tasks; ``idle``: none is out. Empty and idle: all is done."""
        given: List[List[Job]] = []
        while len(given) < most:
            task = self._next()
            if not task:
                break
            given.append(task)
        if idle and not given and self._blamed:
            job = self._blamed.popleft()
            self._last_url = job["url"]
            given.append([job])
        return given

    def outcomes(self, given: List[Job], answer: Any, died: bool) -> Iterator[Outcome]:
        """Each file that is done with its row; ``answer`` is the engine's: rows, or an exception."""
        if isinstance(answer, ImportError):
            what = f"The workers lack a package ({answer})."
            raise Error(f"{what[:-1]}; pip install overlane[fleet] where they run.", what, "", "Install it there.")
        if not died and not isinstance(answer, BaseException):
            yield from zip(given, answer)
        elif len(given) > 1:
            self._singles.extend(given)
        elif not died:
            yield given[0], failed_row(given[0], f"The trace was not read ({type(answer).__name__}: {answer}).")
        elif given[0]["url"] != self._last_url:
            self._blamed.append(given[0])
        else:
            yield given[0], failed_row(given[0], _DIED)


class _Known:
    """A number that is asked for again after a while: clusters grow."""

    def __init__(self, ask: Callable[[], int]) -> None:
        self._ask = ask
        self._until_s = 0.0
        self._number = 0

    def __call__(self) -> int:
        if time.monotonic() >= self._until_s:
            self._number = self._ask()
            self._until_s = time.monotonic() + _LOOK_AGAIN_S
        return self._number


def _ahead(processes: int) -> int:
    return max(_LEAST_AHEAD, _AHEAD_PER_PROCESS * processes)


def _own_packages() -> Dict[str, str]:
    """Variables with which processes of this machine find the same package and library."""
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    there = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != folder]
    variables = {"PYTHONPATH": os.pathsep.join([folder, *there])}
    if "OVERLANE_LIBRARY" in os.environ:
        variables["OVERLANE_LIBRARY"] = os.path.abspath(os.environ["OVERLANE_LIBRARY"])
    return variables


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def _dask_client(address: Optional[str], workers: Optional[int]) -> Iterator[Tuple[Any, Any]]:
    """The client, and the cluster where it is one of this machine."""
    distributed = need("distributed")
    if address is not None:
        try:
            client = distributed.Client(address, timeout=ANSWERS_WITHIN_S)
        except (OSError, ValueError) as error:
            what = f"The Dask scheduler does not answer ({error or type(error).__name__})."
            raise Error(f"{address}: {what}", what, address, "Check the address.") from None
        with client:
            yield client, None
        return
    with place() as scratch, _local_dask(workers or _cores(), scratch) as cluster:
        with distributed.Client(cluster) as client:
            yield client, cluster


@contextlib.contextmanager
def _local_dask(workers: int, scratch: str) -> Iterator[Any]:
    settings = {
        # A process has one trace at a time, so that only the one it reads is blamed for its end.
        "distributed.scheduler.worker-saturation": 1.0,
        "distributed.scheduler.work-stealing": False,
        "distributed.scheduler.allowed-failures": TRIES - 1,
        # Longer than a process takes to start, which would be ended by this else.
        "distributed.deploy.lost-worker-timeout": "30s",
        # Processes are forked from one that has loaded Dask: a tenth of a start, also after a death or in a later scan,
        # for which the variables are passed on as they are by then.
        "distributed.worker.multiprocessing-method": "forkserver" if sys.platform == "linux" else "spawn",
        "distributed.nanny.environ": {**os.environ, **_own_packages()},
        # Its limits of malloc make reading a trace cost 1.7 times as much.
        "distributed.nanny.pre-spawn-environ": {},
        "distributed.admin.log-length": 0,
        "temporary-directory": scratch,
    }
    with need("dask").config.set(settings):
        with need("distributed").LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL, preload=["overlane.fleet._preload"],
        ) as cluster:  # fmt: skip
            yield cluster


def _dask(address: Optional[str], workers: Optional[int], jobs: Iterator[Job], count: int) -> Outcomes:
    with _dask_client(address, workers) as (client, cluster):
        distributed = need("distributed")
        processes = _Known(lambda: sum(client.nthreads().values()))
        work = _Work(jobs, count, processes())
        scan, number = uuid.uuid4().hex, 0
        out: Dict[Any, List[Job]] = {}
        while True:
            if cluster is not None:
                # A process that ends while it starts is given up by Dask's nanny; the cluster starts another.
                cluster.scale(workers or _cores())
            if len(out) <= _ahead(processes()) // 2:  # many at once: each hand-over costs about as much as a task
                given = work.hand(_ahead(processes()) - len(out), idle=not out)
                keys = [f"overlane-{scan}-{number + at}" for at in range(len(given))]
                number += len(given)
                out.update(zip(client.map(read_traces, given, key=keys, pure=False) if given else (), given))
            if not out:
                return
            with contextlib.suppress(distributed.TimeoutError):  # then the cluster is looked after
                for future in distributed.wait(list(out), _LOOK_AGAIN_S, "FIRST_COMPLETED").done:
                    if future.status == "cancelled":
                        raise Error(_LOST, _LOST)
                    if future.status == "lost":  # its process died with the rows, and the files are read again
                        continue
                    answer: Any
                    try:
                        answer = future.result(timeout=_LOOK_AGAIN_S)
                    except distributed.TimeoutError:  # the same
                        continue
                    except Exception as error:
                        answer = error
                    yield from work.outcomes(out.pop(future), answer, isinstance(answer, distributed.KilledWorker))


def _ray(address: Optional[str], workers: Optional[int], jobs: Iterator[Job], count: int) -> Outcomes:
    ray = need("ray")
    errors = need("ray.exceptions")
    options: Dict[str, Any] = {"logging_level": logging.CRITICAL, "log_to_driver": False}
    if address is None:
        options.update(num_cpus=workers or _cores(), include_dashboard=False, runtime_env={"env_vars": _own_packages()})
    else:
        options["address"] = address
    try:
        ray.init(**options)
    except (OSError, RuntimeError, ValueError) as error:
        what = f"Ray does not start ({error})." if address is None else f"The Ray cluster does not answer ({error})."
        raise Error(what, what, address or "", "") from None
    try:
        read = ray.remote(num_cpus=1, max_retries=TRIES - 1)(read_traces)
        out: Dict[Any, List[Job]] = {}
        processes = int(ray.cluster_resources().get("CPU", 1))
        work = _Work(jobs, count, processes)
        while True:
            for given in work.hand(_ahead(processes) - len(out), idle=not out):
                out[read.remote(given)] = given
            if not out:
                return
            ended, _ = ray.wait(list(out), num_returns=1)
            for reference in ended:
                answer: Any = None
                died = False
                try:
                    answer = ray.get(reference)
                except (errors.WorkerCrashedError, errors.OutOfMemoryError):
                    died = True
                except errors.RayTaskError as error:
                    answer = error.cause if isinstance(error.cause, ImportError) else error
                except errors.RayError as error:
                    raise Error(f"{_LOST[:-1]} ({error}).", _LOST) from None
                yield from work.outcomes(out.pop(reference), answer, died)
    finally:
        ray.shutdown()


def results(engine: str, workers: Optional[int], jobs: Iterator[Job], count: int = 0) -> Outcomes:
    """Each of so many jobs with its row, in the order in which they end. UsageError where there is no such engine."""
    kind, _, place = engine.partition("://")
    if engine == "local":
        return _dask(None, workers, jobs, count)
    if engine == "ray":
        return _ray(None, workers, jobs, count)
    if workers is not None:
        raise UsageError(f"{engine}: A cluster has its own number of workers; leave --workers out.")
    if kind == "dask" and place:
        return _dask(f"tcp://{place}", None, jobs, count)
    if kind in ("tcp", "tls") and place:
        return _dask(engine, None, jobs, count)
    if kind == "ray" and place:
        return _ray("auto" if place == "auto" else engine, None, jobs, count)
    raise UsageError(f"There is no engine {engine!r}: give local, dask://HOST:PORT, ray or ray://HOST:PORT.")
