"""What Dask loads in each process of a local cluster, before it has work."""

from __future__ import annotations

import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """Leaves Ctrl+C, which a terminal sends to all processes, to the scan: it ends the cluster."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
