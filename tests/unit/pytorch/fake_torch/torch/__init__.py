"""As much of PyTorch as a DataLoader needs, written for the tests of the loader's hook."""

import os

__version__ = os.environ.get("FAKE_TORCH_VERSION", "2.0.0+fake")
