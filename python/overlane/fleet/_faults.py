"""What a store did wrong, in a few words: each package of fsspec has exceptions of its own."""

from __future__ import annotations

import errno
import re
from typing import Any

_LONGEST = 200
_DENIED = "access is denied; check the keys for this store"
_GONE = "it is not there any more"
_KEYS = ("NoCredentialsError", "DefaultCredentialsError", "TokenRetrievalError", "RefreshError")
_UNREACHED = (
    "ConnectError", "EndpointConnectionError", "ClientConnectorError", "ConnectTimeoutError", "ReadTimeoutError",
    "TimeoutException", "FSTimeoutError", "ServerTimeoutError",
)  # fmt: skip


def status_of(error: BaseException) -> int:
    """The status of HTTP that the exception is of; 0 where it is of none."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code"):
            value: Any = getattr(holder, name, None)
            if isinstance(value, (int, str)) and re.fullmatch(r"[1-5]\d\d", str(value)):
                return int(value)
    return 0


def why(error: BaseException) -> str:
    """One clause without a full stop."""
    status, names = status_of(error), {kind.__name__ for kind in type(error).__mro__}
    text = str(error)
    if names.intersection(_KEYS):
        return "there are no keys for this store; set them as its package says"
    if isinstance(error, PermissionError) or status in (401, 403) or text.startswith("Forbidden"):
        return _DENIED
    if getattr(error, "errno", None) == errno.ENOSPC:
        return "there is no room for it here; set TMPDIR to a larger folder"
    if isinstance(error, FileNotFoundError) or status == 404:
        return _GONE
    if names.intersection(_UNREACHED) or isinstance(error, (ConnectionError, TimeoutError)):
        return "the store does not answer; check its address and the network"
    if status >= 500 or status == 429:
        return f"the store answers with status {status}; try again later"
    line = getattr(error, "strerror", None) or next(iter(text.strip().splitlines()), "")
    return f"{type(error).__name__}: {line}"[:_LONGEST].rstrip(" .:") if line else type(error).__name__
