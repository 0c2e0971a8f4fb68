"""As much of PyTorch as a DataLoader and the copies of its batches need, written for the tests of the hook."""

import os
import time

__version__ = os.environ.get("FAKE_TORCH_VERSION", "2.0.0+fake")
_COPY_SECONDS = 0.002


class _Device:
    def __init__(self, kind):
        self.type = kind


class _Storage:
    def __init__(self, address):
        self._address = address

    def data_ptr(self):
        return self._address


class cuda:  # noqa: N801, a module of PyTorch's
    _used = False

    @staticmethod
    def is_initialized():
        return cuda._used

    @staticmethod
    def synchronize():
        pass


class Tensor:
    """Memory on the host, page-locked or not, or on a GPU. A copy there takes its time where it waits."""

    def __init__(self, kind="cpu", pinned=False):
        self.device = _Device(kind)
        self.pinned = pinned

    def untyped_storage(self):
        return _Storage(id(self))

    def is_pinned(self):
        return self.pinned

    def numel(self):
        return 256

    def element_size(self):
        return 4

    def pin_memory(self):
        return Tensor(pinned=True)

    def to(self, device, non_blocking=False):
        cuda._used = True
        if not (self.pinned and non_blocking):
            time.sleep(_COPY_SECONDS)
        return Tensor(str(device).split(":")[0])

    def cuda(self, device=0, non_blocking=False):
        return self.to("cuda:%d" % device, non_blocking)


class compiler:  # noqa: N801, a module of PyTorch's
    @staticmethod
    def is_compiling():
        return False


from torch import optim  # noqa: E402, F401, as PyTorch does
