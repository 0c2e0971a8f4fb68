"""The packages of the extra ``fleet``, loaded when they are first needed."""

from __future__ import annotations

import importlib
from typing import Any

from .._errors import Error

_EXTRA = {"ray": "ray"}


def need(module: str) -> Any:
    """The module, or an Error that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        if error.name is not None and error.name.split(".")[0] != package:
            package = error.name.split(".")[0]
        wanted = _EXTRA.get(package, "overlane[fleet]")
        what = f"The Python package {package} is missing."
        advice = f"Install it: pip install {wanted}."
        raise Error(f"The Python package {package} is missing; pip install {wanted}.", what, "", advice) from None
