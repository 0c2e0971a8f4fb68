"""A program that records more than is written: first beside a writer that works, then beside none.

Usage: too_many.py HOOK FOLDER. Prints what was recorded and what is in the spool.
"""

import glob
import sys

sys.path.insert(0, sys.argv[1])

import overlane_spool  # noqa: E402
from spool_events import names_in  # noqa: E402


def main():
    folder = sys.argv[2]
    lane = overlane_spool.lane("steps", overlane_spool.ANNOTATIONS)
    overlane_spool.FLUSH_NS = 10**18  # the writer is woken, or does nothing
    overlane_spool._MANY_WAITING = 50
    spool = overlane_spool.Spool(folder)
    for each in range(50):
        spool.event(lane, 0, "woken", each, each + 1)
    spool._begun.join(0.5)
    print("waiting:", len(spool._recorded), end=" ")
    spool.stop_thread()
    spool._start_thread = lambda: None  # no writer
    overlane_spool._MOST_WAITING = 100
    for each in range(300):
        spool.event(lane, 0, "kept", each, each + 1)
    print("recording:", spool.recording, end=" ")
    spool.flush()
    spool.event(lane, 0, "later", 1, 2)
    spool.flush()
    spool._flushed_ns -= 60_000_000_000  # the writer hangs
    for each in range(300):
        spool.event(lane, 0, "lost", each, each + 1)
    print("recording:", spool.recording, "kept:", len(spool._recorded), end=" ")
    (path,) = glob.glob(folder + "/*.spool")
    names = names_in(path)
    print(*(("%s: %d" % (name, names.count(name))) for name in ("woken", "kept", "later", "lost")))


main()
