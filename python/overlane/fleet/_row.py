"""One trace, read by a worker of any engine: from its URL to its row."""

from __future__ import annotations

import contextlib
import importlib
import os
import time
import warnings
from typing import Any, Dict, Iterator, List, Tuple

from ._faults import status_of, why
from ._places import place

Row = Dict[str, Any]
#: "url", "root", "size", "stamp", "grouping", "version", "options" (of fsspec), "easiest".
Job = Dict[str, Any]

_LONGEST_ERROR = 500
_AGAIN_AFTER_S = (1.0, 4.0)


def empty_row(job: Job) -> Row:
    """The row of a file of which nothing is known but where it lies."""
    return {
        "url": job["url"],
        "name": job["url"].rsplit("/", 1)[-1],
        "grouping": job["grouping"],
        "version": job["version"],
        "size_bytes": job["size"],
        "stamp": job["stamp"],
        "root": job["root"],
        "read_at_ns": time.time_ns(),
    }


def failed_row(job: Job, error: str) -> Row:
    """The row of a file that was not read."""
    line = " ".join(error.split())
    return {**empty_row(job), "error": line[:_LONGEST_ERROR] or "The file was not read."}


def figures(trace: Any, easiest: bool) -> Row:
    """The columns that a trace itself fills: figures of ``overlane info --json`` and ``overlane digest``."""
    info, digest = trace.info(), trace.digest()
    verdict = info["verdict"]
    work = ("kernels", "h2d", "d2h", "other_copies", "communications")
    devices = [device for device in info["devices"] if any(device[key] for key in work)]

    def of_all(key: str) -> int:
        return sum(int(device[key]) for device in devices)

    copies_ns = of_all("h2d_busy_ns")
    return {
        "recorded": trace.start_epoch_ns // 1_000_000_000 or None,
        "gpu": ", ".join(dict.fromkeys(device["name"] for device in devices if device["name"])) or None,
        "host": digest["host"] or None,
        "rank": digest["rank"],
        "steps": info["steps"]["count"],
        "step_ns": info["step_ns"] or None,
        "span_ns": info["span_ns"],
        "gpus": len(devices),
        "copies_ns": copies_ns,
        "exposed_ns": of_all("exposed_copy_ns"),
        "overlap": of_all("h2d_hidden_ns") / copies_ns if copies_ns else None,
        "idle_ns": of_all("device_idle_ns"),
        "communication_ns": of_all("communication_busy_ns"),
        "exposed_communication_ns": of_all("exposed_communication_ns"),
        "verdict": verdict["sentence"],
        "verdict_id": digest["bound"] or None,
        "easiest": (trace.easiest() or None) if easiest else None,
        "tone": verdict["tone"],
        "advice": verdict["advice"] or None,
        "format": info["format"],
        "program": digest["program"] or None,
        "events": info["events"],
        "damage": trace.damage or None,
        "causes": [
            {"cause": loss["id"], "label": loss["name"], "lost_ns": loss["lost_ns"]} for loss in verdict["losses"]
        ],
        "gpu_losses": [
            {"gpu": device["id"], "cause": loss["id"], "label": loss["name"], "lost_ns": loss["lost_ns"]}
            for device in verdict.get("devices", ())
            for loss in device["losses"]
        ],
        "findings": [
            {"rule": one["rule"], "severity": one["severity"], "title": one["title"], "lost_ns": one["gpu_idle_ns"]}
            for one in info["findings"]["list"]
        ],
    }


def _fetch(files: Any, path: str, local: str) -> None:
    """Again where the store is busy for a moment; s3fs and gcsfs do so themselves, the Hub's package does not."""
    for after_s in (*_AGAIN_AFTER_S, None):
        try:
            files.get_file(path, local)
            return
        except Exception as error:
            if after_s is None or not _is_of_hub(files) or not (status_of(error) >= 500 or status_of(error) == 429):
                raise
            time.sleep(after_s)


def _is_of_hub(files: Any) -> bool:
    return "hf" in ((files.protocol,) if isinstance(files.protocol, str) else files.protocol)


@contextlib.contextmanager
def _fetched(job: Job) -> Iterator[str]:
    """A path of this machine with the file; where that lies elsewhere, it is fetched for as long."""
    files, path = importlib.import_module("fsspec.core").url_to_fs(job["url"], **job["options"])
    if "file" in ((files.protocol,) if isinstance(files.protocol, str) else files.protocol):
        yield str(path)
        return
    with place() as folder:
        local = os.path.join(folder, os.path.basename(path) or "trace")
        _fetch(files, path, local)
        yield local


def _read(job: Job) -> Row:
    import overlane

    path = ""
    try:
        with _fetched(job) as path, warnings.catch_warnings():
            warnings.simplefilter("ignore", overlane.DamagedTraceWarning)  # a column
            return {**empty_row(job), **figures(overlane.open(path), job["easiest"])}
    except ImportError:
        raise
    except overlane.Error as error:
        return failed_row(job, str(error).replace(path, job["url"]) if path else str(error))
    except MemoryError:
        return failed_row(job, "There is not enough memory to read this trace; read it on a larger machine.")
    except Exception as error:  # of a store: anything may come
        return failed_row(job, f"The file cannot be fetched: {why(error)}.")


def read_trace(job: Job) -> Row:
    """Reads one trace. An error is a row, too; only a package that this worker lacks is raised (ImportError)."""
    from .._library import version

    started: Tuple[int, int] = (time.perf_counter_ns(), time.process_time_ns())
    row = _read(job)
    row["took_ns"] = time.perf_counter_ns() - started[0]
    row["cpu_ns"] = time.process_time_ns() - started[1]
    row["overlane"] = version()
    return row


def read_traces(jobs: List[Job]) -> List[Row]:
    """Reads traces one after the other; their rows in that order."""
    return [read_trace(job) for job in jobs]
