"""A program whose time goes to one function; prints how often it was called."""

import os
import sys
import threading
import time
import warnings

import torch  # noqa: F401


def late(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        sum(range(500))


def main():
    calls = 0
    if "--forks" in sys.argv:  # a program that uses a GPU has threads of the driver
        warnings.simplefilter("ignore", DeprecationWarning)
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    end = time.perf_counter() + float(sys.argv[1])
    while time.perf_counter() < end:
        late(0.004)
        calls += 1
        if "--forks" in sys.argv and calls % 10 == 0:
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
    print("calls" if calls else "none")


main()
