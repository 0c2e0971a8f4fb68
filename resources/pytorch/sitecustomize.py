"""Found first in PYTHONPATH by every Python that `overlane record --pytorch` starts.

Leaves a note for the moment when PyTorch's DataLoader is imported, takes this folder out of sys.path
again, and then runs the sitecustomize that would have been found without it. Prints nothing, and where
anything goes wrong the program runs as it would have run.
"""

import sys


class _DataLoaderFinder:
    """Stands first in sys.meta_path until torch.utils.data.dataloader is imported."""

    module = "torch.utils.data.dataloader"

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        if name != self.module:
            return None
        try:
            sys.meta_path.remove(self)
            for finder in sys.meta_path:
                find_spec = getattr(finder, "find_spec", None)
                spec = find_spec(name, path, target) if find_spec else None
                if spec is not None:
                    self._watch(spec.loader)
                    return spec
        except Exception:
            pass
        return None

    def _watch(self, loader):
        execute = loader.exec_module

        def exec_module(module):
            del loader.exec_module
            execute(module)
            self._hook(module)

        loader.exec_module = exec_module

    def _hook(self, module):
        try:
            from importlib.util import module_from_spec, spec_from_file_location

            for name in ("overlane_spool", "overlane_known", "overlane_queues", "overlane_pytorch"):
                spec = spec_from_file_location(name, "%s/%s.py" % (self.folder, name))
                sys.modules[name] = module_from_spec(spec)
                spec.loader.exec_module(sys.modules[name])
            sys.modules["overlane_pytorch"].install(module)
        except Exception:
            pass


def _install():
    import os

    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != folder]
    if sys.version_info >= (3, 8) and os.environ.get("OVERLANE_SPOOL_DIR"):
        sys.meta_path.insert(0, _DataLoaderFinder(folder))


def _run_hidden():
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


try:
    _install()
except Exception:
    pass
_run_hidden()
