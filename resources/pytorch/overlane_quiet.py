"""Errors of the recording stay here; what others raise in the program goes on to it.

A handler of signals runs wherever the main thread is, in the recording too, and what it raises (a timeout,
a preemption, PyTorch's own "worker is killed") is meant for the program. So may another thread's exception
be (PyThreadState_SetAsyncExc). An error is the recording's own where every frame below is the recording's
or the standard library's, its type is Python's own, and it says something, as the interpreter's errors do:
one that is raised from outside, without a frame, is made of its type alone.
"""

import functools
import os
import signal

_HERE = os.path.dirname(__file__) + os.sep
_STANDARD = os.path.dirname(os.__file__) + os.sep
_ELSEWHERE = (_STANDARD + "site-packages", _STANDARD + "dist-packages")
_TYPES = ("builtins", "struct", "queue", "_queue")


def is_own(error):
    """Whether an exception that was caught here comes from the recording itself."""
    if not isinstance(error, Exception) or type(error).__module__ not in _TYPES:
        return False
    if not error.args and not isinstance(error, MemoryError):
        return False
    at = error.__traceback__
    while at is not None:
        if not _is_own_code(at.tb_frame.f_code.co_filename):
            return False
        at = at.tb_next
    return True


def _is_own_code(path):
    if path.startswith(_STANDARD):
        return not path.startswith(_ELSEWHERE)
    return path.startswith((_HERE, "<frozen "))


class _Quiet:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return error is not None and is_own(error)


quiet = _Quiet()  # with quiet: what is recorded in here fails without a word to the program


def quietly(function):
    """For the recording of something: an error in it is nothing to the program."""

    @functools.wraps(function)
    def call(*args):
        try:
            return function(*args)
        except Exception as error:
            if not is_own(error):
                raise
            return None

    return call


def start(thread):
    """Starts a thread without a handler of signals in between, which would leave it half known to Python.

    Signals wait until then, and never run on the new thread, which keeps them blocked.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        thread.start()
    finally:
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        finally:  # a handler may raise in front of it, on behalf of another thread
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
