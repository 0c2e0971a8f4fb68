"""What Dask loads in each process of a local cluster, before it has work."""

from __future__ import annotations

import logging
import os
import signal
from typing import Any


def quiet_stores() -> None:
    """Leaves out what packages of stores log on the way: what fails is in the rows."""
    os.environ.setdefault("HF_HUB_VERBOSITY", "critical")  # its package sets the level of its log when it is loaded
    for name in ("gcsfs", "s3fs", "botocore", "aiobotocore"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def dask_setup(worker: Any) -> None:
    """Leaves Ctrl+C, which a terminal sends to all processes, to the scan: it ends the cluster."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    quiet_stores()
