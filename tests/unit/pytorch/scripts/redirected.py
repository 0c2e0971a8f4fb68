"""A package found by a finder that asks all the others, as numba-cuda's does: once for each that is asked."""

import sys


class AsksAll:
    asking = False

    def find_spec(self, name, path=None, target=None):
        if name != "torch" or self.asking:
            return None
        self.asking = True
        try:
            specs = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
            return next(filter(None, specs), None)
        finally:
            self.asking = False


sys.meta_path.insert(1, AsksAll())

import torch  # noqa: E402

print("imported %s, sampled: %s" % (torch.__name__, "overlane_stacks" in sys.modules))
