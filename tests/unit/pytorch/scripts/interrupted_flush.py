"""Events written by the thread that records them, with a handler of signals that raises in the middle of it.

Usage: interrupted_flush.py HOOK FOLDER COUNT. Prints what the spool has of the events whose recording returned.
"""

import collections
import glob
import random
import signal
import sys

sys.path.insert(0, sys.argv[1])

import overlane_spool  # noqa: E402
from spool_events import names_in  # noqa: E402


class Preempted(Exception):
    pass


def on_alarm(number, frame):
    raise Preempted()


def main():
    folder, count = sys.argv[2], int(sys.argv[3])
    random.seed(1)
    signal.signal(signal.SIGALRM, on_alarm)
    spool = overlane_spool.Spool(folder)
    spool.close()  # from here on every event is written at once
    lane = overlane_spool.lane("steps", overlane_spool.ANNOTATIONS)
    recorded, tried, interrupted = [], 0, 0
    while interrupted < count:
        try:
            signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-6, 2e-4))
            try:
                for _ in range(20):
                    tried += 1
                    name = "event %d" % tried
                    spool.event(lane, 0, name, tried, tried + 1)
                    recorded.append(name)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except Preempted:
            interrupted += 1
    spool.event(lane, 0, "last", 1, 2)
    (path,) = glob.glob(folder + "/*.spool")
    written = collections.Counter(names_in(path))
    print("missing:", sum(name not in written for name in recorded), "doubled:",
          sum(times > 1 for times in written.values()), "last:", written["last"])


main()
