"""Stands for torch.utils.data._utils."""

import atexit

MP_STATUS_CHECK_INTERVAL = 1.0
python_exit_status = False


@atexit.register
def _set_python_exit_flag():
    global python_exit_status
    python_exit_status = True


from . import fetch, pin_memory, worker  # noqa: E402,F401
