"""Stands for torch.utils.data._utils.pin_memory: a copy, and the thread that makes it."""

import queue

from . import MP_STATUS_CHECK_INTERVAL


def pin_memory(data, device=None):
    return [one.pin_memory() if hasattr(one, "pin_memory") else one for one in data]


def _pin_memory_loop(in_queue, out_queue, device_id, done_event, device):
    def pin_one():
        try:
            number, data = in_queue.get(timeout=MP_STATUS_CHECK_INTERVAL)
        except queue.Empty:
            return
        if not done_event.is_set() and data is not None:
            data = pin_memory(data, device)
        if not done_event.is_set():
            out_queue.put((number, data), timeout=MP_STATUS_CHECK_INTERVAL)

    while not done_event.is_set():
        pin_one()
