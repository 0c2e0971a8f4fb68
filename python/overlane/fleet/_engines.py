"""Engines that run the reading of traces in many processes: Dask and Ray. They schedule, retry and talk; we hand out.

``results(engine, workers, jobs)`` hands jobs to the engine, a few for each of its processes at a time, and yields each
with its row, or with the exception of a process that died on it, in the order in which they end.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import time
import uuid
from typing import Any, Dict, Generator, Iterator, Optional, Tuple, Union

from .._errors import Error, UsageError
from ._needs import need
from ._row import Job, Row, failed_row, read_trace

#: Tries of a file that ends the process that reads it.
TRIES = 3
_LEAST_AHEAD = 64
_AHEAD_PER_PROCESS = 4
_LOOK_AGAIN_S = 10.0
_DIED = f"The process that read this trace ended {TRIES} times; open the file alone to see why."
_LOST = "The engine ended before the scan; start it and scan again: what was read is kept."

Outcome = Tuple[Job, Row]
Outcomes = Generator[Outcome, None, None]


def _outcome(job: Job, answer: Union[Row, BaseException]) -> Outcome:
    if not isinstance(answer, BaseException):
        return job, answer
    if isinstance(answer, ImportError):
        what = f"The workers lack a package ({answer})."
        raise Error(f"{what[:-1]}; pip install overlane[fleet] where they run.", what, "", "Install it there.")
    return job, failed_row(job, f"The trace was not read ({type(answer).__name__}: {answer}).")


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
def _dask_client(address: Optional[str], workers: Optional[int]) -> Iterator[Any]:
    distributed = need("distributed")
    if address is not None:
        try:
            client = distributed.Client(address, timeout="10s")
        except (OSError, ValueError) as error:
            what = f"The Dask scheduler does not answer ({error or type(error).__name__})."
            raise Error(f"{address}: {what}", what, address, "Check the address.") from None
        with client:
            yield client
        return
    settings = {
        # A process has one trace at a time, so that only the one it reads is blamed for its end.
        "distributed.scheduler.worker-saturation": 1.0,
        "distributed.scheduler.work-stealing": False,
        "distributed.scheduler.allowed-failures": TRIES - 1,
        "distributed.nanny.environ": _own_packages(),
        "distributed.admin.log-length": 0,
    }
    with need("dask").config.set(settings):
        cluster = distributed.LocalCluster(
            n_workers=workers or _cores(), threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL, preload=["overlane.fleet._preload"],
        )  # fmt: skip
        with cluster, distributed.Client(cluster) as client:
            yield client


def _dask(address: Optional[str], workers: Optional[int], jobs: Iterator[Job]) -> Outcomes:
    with _dask_client(address, workers) as client:
        distributed = need("distributed")
        killed = distributed.KilledWorker
        scan, number = uuid.uuid4().hex, 0
        out: Dict[str, Job] = {}
        completed = distributed.as_completed([], with_results=True, raise_errors=False)
        ahead, looked = 0, 0.0

        def hand_out() -> None:
            """Many at once: each hand-over costs the scheduler about as much as a task."""
            nonlocal number, ahead, looked
            if not looked or time.monotonic() - looked > _LOOK_AGAIN_S:
                ahead = max(_LEAST_AHEAD, _AHEAD_PER_PROCESS * sum(client.nthreads().values()))
                looked = time.monotonic()
            if len(out) > ahead // 2:
                return
            given = list(itertools.islice(jobs, ahead - len(out)))
            if given:
                keys = [f"overlane-{scan}-{number + at}" for at in range(len(given))]
                number += len(given)
                out.update(zip(keys, given))
                completed.update(client.map(read_trace, given, key=keys, pure=False))

        hand_out()
        while out:
            for future, answer in completed.next_batch():
                job = out.pop(future.key)
                if isinstance(answer, tuple):
                    answer = answer[1]  # of an exception: its type, itself, its trace
                if future.status == "cancelled" or future.status == "lost":
                    raise Error(_LOST, _LOST)
                if isinstance(answer, killed):
                    yield job, failed_row(job, _DIED)
                else:
                    yield _outcome(job, answer)
            hand_out()


def _ray(address: Optional[str], workers: Optional[int], jobs: Iterator[Job]) -> Outcomes:
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
        read = ray.remote(num_cpus=1, max_retries=TRIES - 1)(read_trace)
        out: Dict[Any, Job] = {}
        ahead = max(_LEAST_AHEAD, _AHEAD_PER_PROCESS * int(ray.cluster_resources().get("CPU", 1)))
        while True:
            while len(out) < ahead:
                job = next(jobs, None)
                if job is None:
                    break
                out[read.remote(job)] = job
            if not out:
                return
            ended, _ = ray.wait(list(out), num_returns=1)
            for reference in ended:
                job = out.pop(reference)
                try:
                    answer: Union[Row, BaseException] = ray.get(reference)
                except (errors.WorkerCrashedError, errors.OutOfMemoryError):
                    yield job, failed_row(job, _DIED)
                    continue
                except errors.RayTaskError as error:
                    answer = error.cause if isinstance(error.cause, ImportError) else error
                except errors.RayError as error:
                    raise Error(f"{_LOST[:-1]} ({error}).", _LOST) from None
                yield _outcome(job, answer)
    finally:
        ray.shutdown()


def results(engine: str, workers: Optional[int], jobs: Iterator[Job]) -> Outcomes:
    """Each job with its row, in the order in which they end. UsageError where there is no such engine."""
    kind, _, place = engine.partition("://")
    if engine == "local":
        return _dask(None, workers, jobs)
    if engine == "ray":
        return _ray(None, workers, jobs)
    if workers is not None:
        raise UsageError(f"{engine}: A cluster has its own number of workers; leave --workers out.")
    if kind == "dask" and place:
        return _dask(f"tcp://{place}", None, jobs)
    if kind in ("tcp", "tls") and place:
        return _dask(engine, None, jobs)
    if kind == "ray" and place:
        return _ray("auto" if place == "auto" else engine, None, jobs)
    raise UsageError(f"There is no engine {engine!r}: give local, dask://HOST:PORT, ray or ray://HOST:PORT.")
