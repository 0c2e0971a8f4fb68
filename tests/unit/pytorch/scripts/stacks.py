"""A program whose time goes to one function; prints how often it was called."""

import os
import sys
import time

import torch  # noqa: F401


def late(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        sum(range(500))


def main():
    calls = 0
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
