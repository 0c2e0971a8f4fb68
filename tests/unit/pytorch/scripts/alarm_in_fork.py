"""A handler of signals that raises while the recording gets out of the way of a fork, where Python drops exceptions."""

import signal
import sys
import time

from torch.utils.data import DataLoader


class Preempted(Exception):
    pass


def on_alarm(number, frame):
    raise Preempted()


def main():
    signal.signal(signal.SIGALRM, on_alarm)
    for _ in DataLoader(range(4)):
        pass
    sys.modules["overlane_pytorch"]._spool.stop_thread = lambda: time.sleep(1)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        loader = iter(DataLoader(range(4), num_workers=1, multiprocessing_context="fork"))
        print("not raised", len(list(loader)))
    except Preempted:
        print("reached the program")


if __name__ == "__main__":
    main()
