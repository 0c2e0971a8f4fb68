"""Found first in PYTHONPATH by every Python that `overlane record` and `overlane try` start.

Leaves a note for the moments when a package that uses GPUs and PyTorch's DataLoader are imported, takes this
folder out of sys.path again, and then runs the sitecustomize that would have been found without it. Prints
nothing, and where anything goes wrong the program runs as it would have run.
"""

import sys

_LOADER = "torch.utils.data.dataloader"
_PYTORCH = "torch"
_PACKAGES = ("torch", "jax", "tensorflow", "cupy", "numba.cuda", "pycuda", "cuda")


class _ImportWatch:
    """Stands first in sys.meta_path while it waits for a module."""

    is_overlane_watch = True

    def __init__(self, folder, loader, stacks, trial):
        self.folder = folder
        self.waits = {}  # module -> what to do once it is there
        # Recording looks at the loader as PyTorch made it, so that it comes first.
        if loader:
            self.waits.setdefault(_LOADER, []).append(self._hook_loader)
            self.waits[_PYTORCH] = [self._watch_optimizers]
        if trial:
            self.waits.setdefault(_LOADER, []).append(self._try_settings)
        if stacks:
            for name in _PACKAGES:
                self.waits.setdefault(name, []).append(self._sample_stacks)

    def find_spec(self, name, path=None, target=None):
        if name not in self.waits:
            return None
        for finder in sys.meta_path:
            find_spec = getattr(finder, "find_spec", None) if finder is not self else None
            spec = find_spec(name, path, target) if find_spec else None
            if spec is not None:
                self._watch(name, spec.loader)
                return spec
        return None

    def _watch(self, name, loader):
        execute = getattr(loader, "exec_module", None)

        def exec_module(module):
            # A finder that asks all the others, as numba-cuda's does, has one loader watched twice.
            if getattr(loader, "__dict__", {}).get("exec_module") is exec_module:
                del loader.exec_module
            execute(module)  # where it fails, the program may import it again
            for hook in self.waits.pop(name, ()):
                self._hook(hook, module)

        try:
            if execute is not None:
                loader.exec_module = exec_module
        except (AttributeError, TypeError):
            pass  # a loader that lets nothing be set

    def _hook(self, hook, module):
        try:
            hook(module)
            if not self.waits:
                sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
        except Exception as error:
            quiet = sys.modules.get("overlane_quiet")
            if quiet is not None and not quiet.is_own(error):
                raise

    def _hook_loader(self, module):
        self._recorder().install(module)

    def _watch_optimizers(self, module):
        self._recorder()
        self._load("iterations").watch_optimizers(module)

    def _sample_stacks(self, module):
        for name in _PACKAGES:
            if self._sample_stacks in self.waits.get(name, ()):
                self.waits[name].remove(self._sample_stacks)
                if not self.waits[name]:
                    del self.waits[name]
        self._recorder().sample_stacks()

    def _try_settings(self, module):
        self._load("quiet")
        self._load("trial").install(module)

    def _recorder(self):
        for name in ("quiet", "spool", "known", "queues", "stacks", "iterations"):
            self._load(name)
        return self._load("pytorch")

    def _load(self, name):
        name = "overlane_" + name
        if name not in sys.modules:
            from importlib.util import module_from_spec, spec_from_file_location

            spec = spec_from_file_location(name, "%s/%s.py" % (self.folder, name))
            sys.modules[name] = module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
        return sys.modules[name]


def _install():
    import os

    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != folder]
    records = bool(os.environ.get("OVERLANE_SPOOL_DIR"))
    watch = _ImportWatch(folder, records and os.environ.get("OVERLANE_LOADER") == "1",
                         records and "OVERLANE_PYTHON_STACKS" in os.environ, "OVERLANE_TRIAL" in os.environ)
    # Where the folder is in PYTHONPATH twice, this is run twice.
    is_there = any(getattr(finder, "is_overlane_watch", False) for finder in sys.meta_path)
    if sys.version_info >= (3, 8) and watch.waits and not is_there:
        sys.meta_path.insert(0, watch)


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
