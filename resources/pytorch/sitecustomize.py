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
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
        for finder in sys.meta_path:
            find_spec = getattr(finder, "find_spec", None)
            spec = find_spec(name, path, target) if find_spec else None
            if spec is not None:
                self._watch(spec.loader)
                return spec
        return None

    def _watch(self, loader):
        execute = getattr(loader, "exec_module", None)

        def exec_module(module):
            del loader.exec_module
            try:
                execute(module)
            except BaseException:
                sys.meta_path.insert(0, self)  # the program may import it again
                raise
            self._hook(module)

        try:
            if execute is not None:
                loader.exec_module = exec_module
        except (AttributeError, TypeError):
            pass  # a loader that lets nothing be set

    def _hook(self, module):
        try:
            for name in ("quiet", "spool", "known", "queues", "pytorch"):
                self._load("overlane_" + name)
            sys.modules["overlane_pytorch"].install(module)
        except Exception as error:
            quiet = sys.modules.get("overlane_quiet")
            if quiet is not None and not quiet.is_own(error):
                raise

    def _load(self, name):
        from importlib.util import module_from_spec, spec_from_file_location

        spec = spec_from_file_location(name, "%s/%s.py" % (self.folder, name))
        sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])


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
