"""Processes of a fork server that imports the package for them ahead, as the program itself from Python 3.14 on."""

import multiprocessing
import time

import torch  # noqa: F401


def late(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        sum(range(500))


def main():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", "torch"])
    children = [context.Process(target=late, args=(1.2,)) for _ in range(2)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    print("ended:", *(child.exitcode for child in children))


if __name__ == "__main__":
    main()
