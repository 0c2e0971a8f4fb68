"""Folders for fetched traces, gone when they were read, also where the process that fetched them was killed.

They lie in a folder of this person below the worker's own folder, where Dask gives it one, or below TMPDIR. Each is
locked for as long as its process lives; the lock ends with the process, so that the next one to fetch there removes what
is left. Machines that share a folder see each other's locks only where the file system carries them: a name begins with
the host, and each removes its own.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import socket
import stat
import sys
import tempfile
from typing import Any, Iterator, Set

_PREFIX = "overlane-fleet-"
_LOCK = ".lock"
_swept: Set[str] = set()


def _host() -> str:
    return hashlib.blake2b(socket.gethostname().encode(), digest_size=4).hexdigest()


def _base() -> str:
    """The worker's own folder, which its engine removes with it; else that for temporary files."""
    worker: Any = sys.modules.get("distributed.worker")
    if worker is not None:
        with contextlib.suppress(Exception):  # no task runs in this thread
            return str(worker.get_worker().local_directory)
    return tempfile.gettempdir()


def _is_own(path: str) -> bool:
    """A folder and no link, and of this person."""
    try:
        state = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid()


def _remove_if_left(path: str) -> None:
    try:
        lock = os.open(os.path.join(path, _LOCK), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:  # its process makes it, or removes it
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return
    else:
        shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(lock)


def sweep(base: str) -> None:
    """Removes what processes of this machine and person left below ``base`` when they were killed."""
    try:
        names = os.listdir(base)
    except OSError:
        return
    for name in names:
        path = os.path.join(base, name)
        if name.startswith(f"{_PREFIX}{_host()}-") and _is_own(path):
            _remove_if_left(path)


def sweep_here() -> None:
    """Removes what was left in TMPDIR; at the start of a scan."""
    sweep(tempfile.gettempdir())


def _claim(folder: str) -> int:
    """Locks a new folder; a descriptor that holds the lock, or -1 where another process swept it before."""
    path = os.path.join(folder, _LOCK)
    lock = -1
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with contextlib.suppress(OSError):  # a file system without locks is never swept
            fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.samestat(os.fstat(lock), os.stat(path)):
            return lock
    except FileNotFoundError:
        pass
    if lock >= 0:
        os.close(lock)
    return -1


@contextlib.contextmanager
def place() -> Iterator[str]:
    """A folder for one trace, or for what the processes of a scan fetch and spill."""
    base = _base()
    if base not in _swept:  # workers of a cluster: once for each process
        _swept.add(base)
        sweep(base)
    while True:
        with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{_host()}-", dir=base) as folder:
            lock = _claim(folder)
            if lock < 0:
                continue
            try:
                yield folder
            finally:
                os.close(lock)
            return
