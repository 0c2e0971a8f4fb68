"""A loop that is watched while a process has CUPTI started, and once that has begun to record.

Usage: begins_late.py FOLDER, which has the control page. Prints whether the hook records at these two times.
"""

import pathlib
import struct
import sys

from torch.utils.data import DataLoader

PROCESSES, WAITED = 32, 56  # of the control page (core/spool/record_control.h)


def main():
    page = pathlib.Path(sys.argv[1]) / "control"
    hook = sys.modules["overlane_pytorch"]

    def epoch():
        sum(1 for _ in DataLoader(range(8), batch_size=4))
        hook._spool.look()
        return hook._spool.recording

    def tell(offset, value):
        with open(page, "r+b") as file:
            file.seek(offset)
            file.write(struct.pack("<I", value))

    tell(WAITED, 1)
    starting = epoch()
    tell(PROCESSES, 1)
    print("starting:", starting, "begun:", epoch())


if __name__ == "__main__":
    main()
