"""trap://: files of this machine for fsspec, some of which end the process that fetches them.

Python loads this by itself where its folder is in PYTHONPATH. A file with "kills" in its name ends each process, one
with "once" the first. One with "locked" cannot be read without the variable TRAP_KEY.
"""

import os
import signal

try:
    import fsspec
    from fsspec.implementations.local import LocalFileSystem
except ImportError:
    pass
else:

    class TrapFileSystem(LocalFileSystem):
        protocol = "trap"

        @classmethod
        def _strip_protocol(cls, path):
            return LocalFileSystem._strip_protocol(str(path).replace("trap://", "file://", 1))

        def unstrip_protocol(self, name):
            return "trap://" + self._strip_protocol(name)

        def get_file(self, path, local, **options):
            if "kills" in path:
                super().get_file(path, local, **options)
                os.kill(os.getpid(), signal.SIGKILL)
            if "once" in path and not os.path.exists(path + ".met"):
                open(path + ".met", "w").close()
                os.kill(os.getpid(), signal.SIGKILL)
            if "locked" in path and "TRAP_KEY" not in os.environ:
                raise PermissionError(path)
            super().get_file(path, local, **options)

    fsspec.register_implementation("trap", TrapFileSystem, clobber=True)
