"""Recordings: of a command, and of a part of the own program.

Both are made by the program ``overlane record``, which is looked for in the package, beside the library and in PATH.
"""

from __future__ import annotations

import ctypes
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path as FilePath
from types import TracebackType
from typing import IO, Dict, List, Optional, Sequence, Type, Union

from ._errors import Error, UsageError
from ._library import library_path
from ._marks import Marks
from ._trace import Path, Trace

_SPOOL_DIRECTORY = "OVERLANE_SPOOL_DIR"
_VARIABLES = ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", _SPOOL_DIRECTORY, "OVERLANE_RECORD_KINDS")
_INJECTED = "liboverlane-inject.so"
_DRIVER = "libcuda.so.1"
_NOT_INITIALIZED = 3  # CUDA_ERROR_NOT_INITIALIZED


def program_path() -> str:
    """The program ``overlane``: ``OVERLANE_PROGRAM``, else the one of the package, the library or PATH."""
    named = os.environ.get("OVERLANE_PROGRAM")
    if named:
        return named
    package = FilePath(__file__).resolve().parent
    library = library_path().resolve().parent
    for path in (
        package / "_bin" / "overlane",
        library.parent / "bin" / "overlane",
        library.parent / "core" / "cli" / "overlane",
        FilePath(sysconfig.get_path("scripts")) / "overlane",
    ):
        if os.access(path, os.X_OK):
            return str(path)
    found = shutil.which("overlane")
    if found:
        return found
    raise _error("The program overlane was not found.", "", "Install it, or set OVERLANE_PROGRAM to its path.")


def _error(what: str, where: str, advice: str) -> Error:
    sentence = f"{where}: {what}" if where else what
    return Error(f"{sentence.rstrip('.')}; {advice[:1].lower()}{advice[1:]}", what, where, advice)


class _Recorder:
    """The running program, whose words go on to this program's standard error and are kept."""

    def __init__(self, arguments: Sequence[str], **options: object) -> None:
        self.said: List[str] = []
        self.process: "subprocess.Popen[bytes]" = subprocess.Popen(  # type: ignore[call-overload]
            [program_path(), "record", *arguments], stderr=subprocess.PIPE, **options
        )
        assert self.process.stderr is not None
        self._listener = threading.Thread(target=self._listen, args=(self.process.stderr,), daemon=True)
        self._listener.start()

    def _listen(self, stream: IO[bytes]) -> None:
        for line in iter(stream.readline, b""):
            text = line.decode("utf-8", "replace")
            if text.startswith("overlane: "):
                self.said.append(text[len("overlane: ") :].strip())
            sys.stderr.write(text)
        sys.stderr.flush()

    def wait(self) -> int:
        """How it ended. Ctrl+C goes to the program, is waited for, and goes on."""
        try:
            code = self.process.wait()
        except KeyboardInterrupt:
            if not sys.stdin or not sys.stdin.isatty():  # a terminal has sent it to all already
                self.process.send_signal(signal.SIGINT)
            self.process.wait()
            self._listener.join()
            raise
        self._listener.join()
        return code


def _options(
    kinds: Optional[str], light: bool, pytorch: bool, overwrite: bool, gauges: bool, max_size: Optional[str]
) -> List[str]:
    arguments: List[str] = []
    if kinds is not None:
        arguments += ["--kinds", kinds]
    if max_size is not None:
        arguments += ["--max-size", max_size]
    for given, option in ((light, "--light"), (pytorch, "--pytorch"), (overwrite, "--overwrite")):
        arguments += [option] if given else []
    return arguments if gauges else [*arguments, "--no-gauges"]


def record(
    command: Union[str, Sequence[Path]],
    output: Optional[Path] = None,
    *,
    check: bool = True,
    delay: float = 0,
    duration: float = 0,
    iterations: int = 0,
    after: Optional[int] = None,
    kinds: Optional[str] = None,
    light: bool = False,
    pytorch: bool = False,
    stacks: bool = True,
    overwrite: bool = False,
    gauges: bool = True,
    max_size: Optional[str] = None,
    cwd: Optional[Path] = None,
    env: Optional[Dict[str, str]] = None,
) -> Trace:
    """Runs a program under ``overlane record`` and opens what was recorded.

    command: words, or a text that is split as a shell does. output: the file, or a folder with a slash at its end;
    named after program and time where it is left out, and after rank and host below a launcher. check: raise Error where the program fails; the file is kept. delay, duration: seconds.
    iterations, after: so many iterations are recorded, behind the first ones. The other options are those of
    ``overlane record --help``.
    """
    words = shlex.split(command) if isinstance(command, str) else [os.fspath(word) for word in command]
    if not words:
        raise UsageError("There is no command to record; give the program and its arguments.")
    arguments = _options(kinds, light, pytorch, overwrite, gauges, max_size)
    if output is not None:
        arguments = ["-o", os.fspath(output), *arguments]
    for seconds, option in ((delay, "--delay"), (duration, "--duration")):
        arguments += [option, str(seconds)] if seconds else []
    arguments += ["--iterations", str(iterations)] if iterations else []
    arguments += ["--after", str(after)] if after is not None else []
    if not stacks:
        arguments.append("--no-stacks")
    names, names_in = os.pipe()
    try:
        arguments += ["--name-to", str(names_in)]
        try:
            recorder = _Recorder([*arguments, "--", *words], cwd=cwd, env=env, pass_fds=[names_in])
        finally:
            os.close(names_in)
        code = recorder.wait()
        file = _read_line(names)
    finally:
        os.close(names)
    if not file:  # nothing was written
        reason = recorder.said[-1] if recorder.said else f"The recorder ended with exit code {code}."
        raise Error(reason, reason, "" if output is None else os.fspath(output), "")
    written = os.path.join(cwd, file) if cwd is not None else file
    if code != 0 and check:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        raise _error(f"The program {how}.", written, "Open the file for what was recorded, or pass check=False.")
    return Trace._open(written)


def _read_line(descriptor: int) -> str:
    data = b""
    while not data.endswith(b"\n"):
        part = os.read(descriptor, 65536)
        if not part:
            break
        data += part
    return os.fsdecode(data.rstrip(b"\n"))


def _recorded_file(spools: str) -> str:
    """The file that is made of the spools in this folder."""
    return re.sub(r"\.parts$", "", spools)


def _mapped() -> str:
    try:
        return FilePath("/proc/self/maps").read_text(errors="replace")
    except OSError:
        return ""


def _uses_cuda() -> bool:
    """The driver was initialized in this process: it has looked for a recorder already."""
    if "libcuda.so" not in _mapped():
        return False
    try:
        count = ctypes.c_int()
        code: int = ctypes.CDLL(_DRIVER).cuDeviceGetCount(ctypes.byref(count))
        return code != _NOT_INITIALIZED
    except (OSError, AttributeError):
        return False


class recording:
    """Records a part of the own program: ``with overlane.recording("x.overlane") as part: ...``, then ``part.trace``.

    The CUDA driver looks for a recorder once, when it is initialized. So the part must be entered before the first use
    of CUDA in this process (importing PyTorch is none, torch.cuda.is_available() is), and a process is recorded once.
    Work that is issued in the part counts as far as it has ended; with PyTorch it is waited for. Stacks of Python are
    not recorded this way.

    Where the whole program runs under ``overlane record``, nothing is written: the part becomes an NVTX range named
    after the file, in the recording of the whole, and ``overlane.open(whole).part("x.overlane")`` judges it alone.

    Raises Error, with what to do, where recording is not possible.
    """

    def __init__(
        self,
        path: Path,
        *,
        kinds: Optional[str] = None,
        light: bool = False,
        overwrite: bool = False,
        gauges: bool = True,
        max_size: Optional[str] = None,
    ) -> None:
        #: The file that is written.
        self.path: str = os.fspath(path)
        #: The recorder's sentences, once it has ended: what was recorded, and what could not be.
        self.messages: List[str] = []
        self._arguments = _options(kinds, light, False, overwrite, gauges, max_size)
        self._recorder: Optional[_Recorder] = None
        self._before: Dict[str, Optional[str]] = {}
        self._marks = Marks()
        self._whole = ""
        self._trace: Optional[Trace] = None

    @property
    def trace(self) -> Trace:
        """What was recorded; behind the ``with``."""
        if self._whole:
            raise _error(
                f"The program is recorded as a whole, into {self._whole}.", self.path,
                "Open that file once the program has ended; trace.part(name of the file) is this part.",
            )  # fmt: skip
        if self._recorder is None or self._recorder.process.poll() is None:
            raise _error("The recording has not ended.", self.path, "Ask for the trace behind the with block.")
        if self._trace is None:
            self._trace = Trace._open(self.path)
        return self._trace

    def __enter__(self) -> "recording":
        spools = os.environ.get(_SPOOL_DIRECTORY)
        if spools:
            self._enter_whole(spools)
            return self
        if _INJECTED in _mapped():
            raise _error(
                "This process was recorded once, and the driver takes no second recorder.", self.path,
                "Record further parts in one block, or the whole program with overlane record.",
            )  # fmt: skip
        if _uses_cuda():
            raise _error(
                "CUDA is in use in this process, and the driver takes a recorder only before.", self.path,
                "Enter the block before the first tensor or call on the GPU, or run the program under overlane record.",
            )  # fmt: skip
        self._start()
        return self

    def _enter_whole(self, spools: str) -> None:
        if not self._marks.work:
            raise _error(
                "The program runs under overlane record, and there is no NVTX to mark a part of it.", self.path,
                "Install the package nvtx, import torch first, or leave the block out.",
            )  # fmt: skip
        self._whole = _recorded_file(spools)
        self._marks.open(self.path)

    def _start(self) -> None:
        """Starts the recorder with a program that hands its environment to this process and waits for its end."""
        script = "; ".join(f'printf "%s\\n" "${name}"' for name in _VARIABLES) + "; read -r _ || :"
        title = shlex.join(sys.orig_argv if sys.version_info >= (3, 10) else [sys.executable, *sys.argv])
        arguments = ["-o", self.path, "--no-stacks", "--title", title, "--gauges-of", str(os.getpid())]
        recorder = _Recorder(
            [*arguments, *self._arguments, "--", "/bin/sh", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl+C is for this program
        )
        assert recorder.process.stdout is not None
        values = [os.fsdecode(recorder.process.stdout.readline().rstrip(b"\n")) for _ in _VARIABLES]
        recorder.process.stdout.close()
        if not all(values):
            recorder.wait()
            reason = recorder.said[-1] if recorder.said else "The recorder did not start."
            raise Error(reason, reason, self.path, "")
        self._recorder = recorder
        written = _recorded_file(values[_VARIABLES.index(_SPOOL_DIRECTORY)])
        if not os.path.exists(self.path) or not os.path.samefile(self.path, written):
            self.path = written  # below a launcher the recorder adds rank and host
        for name, value in zip(_VARIABLES, values):
            self._before[name] = os.environ.get(name)
            os.environ[name] = value  # the environment of the process, too: the driver reads that

    def _end_program(self) -> None:
        """Lets the recorder's program end: by a line, since forked children may hold its input open."""
        assert self._recorder is not None and self._recorder.process.stdin is not None
        try:
            self._recorder.process.stdin.write(b"\n")
            self._recorder.process.stdin.close()
        except OSError:  # it has ended
            return

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self._marks.close()
        if self._recorder is None:
            return
        _finish_gpu_work()
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._end_program()
        code = self._recorder.wait()
        self.messages = list(self._recorder.said)
        if code != 0 and kind is None:
            reason = self.messages[-1] if self.messages else f"The recorder ended with exit code {code}."
            raise Error(reason, reason, self.path, "")


def _finish_gpu_work() -> None:
    """What was issued ends, so that it is in the recording."""
    torch = sys.modules.get("torch")
    try:
        if torch is not None and torch.cuda.is_initialized():
            torch.cuda.synchronize()
    except Exception:  # the program sees the error of its GPU itself
        return
