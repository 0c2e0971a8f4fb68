"""Counts the iterations that this process began, for a recording of some of them (core/spool/record_control.h).

Counted are the batches of each DataLoader and the steps of each optimizer; the one with most counts. The count goes to
the recorder's page, whose readers begin and stop the recording.
"""

import os
import struct
import sys

from overlane_quiet import quietly
from overlane_spool import map_control

_PAGE = struct.Struct("<IIIIQQIIIIII")
_MAGIC, _WANTED, _BEGUN = 0, 9, 10  # fields of it
_BEGUN_AT = slice(48, 52)
_UINT = struct.Struct("<I")
_MOST_OPTIMIZERS = 1024

_page = None  # None: nothing is to be counted
_optimizer_steps = {}  # identity of an optimizer -> its steps
_is_compiling = None


def are_wanted():
    """Whether some iterations are to be recorded; asked before anything is counted."""
    global _page
    page = map_control(os.environ.get("OVERLANE_SPOOL_DIR", ""))
    if page is not None and len(page) >= _PAGE.size and _PAGE.unpack_from(page)[_WANTED]:
        _page = page
    return _page is not None


def tell(begun):
    """As many iterations began by one way of counting; whether the recorder was told."""
    if _page is None:
        return False
    # Another process may write as well: a count that is lost is told again with the next iteration.
    if _PAGE.unpack_from(_page)[_BEGUN] < begun:
        _page[_BEGUN_AT] = _UINT.pack(min(begun, 0xFFFFFFFF))
    return True


def watch_optimizers(torch):
    """Called once PyTorch is there. Older versions know no hook for all optimizers."""
    global _is_compiling
    register = getattr(sys.modules.get("torch.optim.optimizer"), "register_optimizer_step_post_hook", None)
    _is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", None)
    if register is not None and _is_compiling is not None and are_wanted():
        register(_after_step)


def _after_step(optimizer, args, kwargs):
    # A step that is compiled is not counted: nothing of this is to be compiled into it.
    if not _is_compiling():
        _note_step(optimizer)


@quietly
def _note_step(optimizer):
    known = id(optimizer)
    if known not in _optimizer_steps and len(_optimizer_steps) >= _MOST_OPTIMIZERS:
        return
    _optimizer_steps[known] = steps = _optimizer_steps.get(known, 0) + 1
    tell(steps)
