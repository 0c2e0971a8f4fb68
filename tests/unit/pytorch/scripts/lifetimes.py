"""Objects end when the function that has them returns, in its own thread, whoever looks at the stacks meanwhile."""

import os
import sys
import threading
import time

import torch  # noqa: F401


class Watched:
    def __init__(self, ended):
        self.ended = ended
        self.thread = threading.get_ident()

    def __del__(self):
        self.ended.append(threading.get_ident() == self.thread)


def work(ended):
    watched = Watched(ended)
    for _ in range(20):
        sum(range(50))
    return watched is not None


def works(until, wrong):
    calls = 0
    ended = []
    while time.perf_counter() < until:
        work(ended)
        calls += 1
        wrong[0] += len(ended) != calls
        wrong[1] += not all(ended[-1:])
        if calls % 20 == 0:
            time.sleep(0.0002)


def main():
    wrong = [0, 0]
    until = time.perf_counter() + float(sys.argv[1])
    while time.perf_counter() < until:  # threads come, get lanes, and go
        threads = [threading.Thread(target=works, args=(time.perf_counter() + 0.1, wrong)) for _ in range(3)]
        for thread in threads:
            thread.start()
        works(time.perf_counter() + 0.1, wrong)
        for thread in threads:
            thread.join()
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
    print("late: %d elsewhere: %d" % tuple(wrong))


main()
