"""A training loop with a limit on how long a file may be. Prints what the recording still keeps in memory."""

import resource
import signal
import sys
import time

from torch.utils.data import DataLoader


def main():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # a write beyond the limit ends the program
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
    count = 0
    loader = DataLoader(range(4000), batch_size=4)
    end = time.monotonic() + 60
    hook = sys.modules["overlane_pytorch"]
    while time.monotonic() < end and (hook._spool is None or hook._spool._directory is not None):
        count += sum(1 for _ in loader)
    for _ in range(3):
        sum(1 for _ in loader)
    print("ended:", hook._spool._directory is None, "kept:", len(hook._spool._recorded))


if __name__ == "__main__":
    main()
