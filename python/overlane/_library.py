"""liboverlane by ctypes: finding it, its functions with their types, and calls that Ctrl+C interrupts.

ctypes and not an extension module: one wheel then serves every CPython from 3.8 on.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, TypeVar, Union

from ._errors import Error, UsageError

#: JSON objects, as the command line prints them with --json.
Json = Dict[str, Any]

_LIBRARY = "liboverlane.so"
_ABI = 1
_OK, _USAGE, _CANCELLED = 0, 2, 130
_T = TypeVar("_T")


def _candidates() -> Iterator[Path]:
    """Where the library may lie, the most wanted place first."""
    here = Path(__file__).resolve().parent
    yield here / "_lib" / _LIBRARY
    for preset in ("release", "dev", "no-app"):
        yield here.parents[1] / "build" / preset / "lib" / _LIBRARY
    program = shutil.which("overlane")
    if program:
        yield Path(program).resolve().parent.parent / "lib" / _LIBRARY


def library_path() -> Path:
    """The library that is used: ``OVERLANE_LIBRARY``, else the one in the package, else that of a build or program."""
    named = os.environ.get("OVERLANE_LIBRARY")
    if named:
        return Path(named)
    for path in _candidates():
        if path.is_file():
            return path
    raise Error(
        f"{_LIBRARY} was not found; install overlane with its library, or set OVERLANE_LIBRARY to its path.",
        f"{_LIBRARY} was not found.",
        "",
        "Install overlane with its library, or set OVERLANE_LIBRARY to its path.",
    )


def _load() -> ctypes.CDLL:
    path = library_path()
    try:
        library = ctypes.CDLL(str(path.absolute()))
        abi: int = library.overlane_abi()
    except (OSError, AttributeError) as error:
        raise Error(
            f"{path}: The library cannot be loaded ({error}); build or install overlane again.",
            f"The library cannot be loaded ({error}).",
            str(path),
            "Build or install overlane again.",
        ) from None
    if abi < _ABI:
        raise Error(
            f"{path}: The library is older than this package (interface {abi}, not {_ABI}); install both together.",
            f"The library is older than this package (interface {abi}, not {_ABI}).",
            str(path),
            "Install both together.",
        )
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in (
        ("overlane_version", text, []),
        ("overlane_text_free", None, [pointer]),
        ("overlane_progress_new", pointer, []),
        ("overlane_progress_fraction", ctypes.c_double, [pointer]),
        ("overlane_progress_cancel", None, [pointer]),
        ("overlane_progress_free", None, [pointer]),
        ("overlane_open", ctypes.c_int, [text, pointer, pointer, pointer]),
        ("overlane_trace_free", None, [pointer]),
        ("overlane_ask", ctypes.c_int, [pointer, pointer, text, text, pointer, pointer, pointer]),
        ("overlane_table", ctypes.c_int, [pointer, text, text, pointer, pointer, pointer]),
        ("overlane_stream_new", pointer, []),
        ("overlane_stream_free", None, [pointer]),
        ("overlane_capsule_reader", None, [pointer]),
        ("overlane_schema_new", pointer, [pointer]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    reader = ctypes.cast(ctypes.pythonapi.PyCapsule_GetPointer, ctypes.c_void_p)
    library.overlane_capsule_reader(reader)
    return library


_library: Optional[ctypes.CDLL] = None
_library_lock = threading.Lock()


def library() -> ctypes.CDLL:
    """The loaded library; loaded at the first call."""
    global _library
    with _library_lock:
        if _library is None:
            _library = _load()
        return _library


class Handle:
    """A pointer of the library that is freed with this object."""

    def __init__(self, pointer: int, free: str) -> None:
        self.pointer = ctypes.c_void_p(pointer)
        self._free: Callable[[ctypes.c_void_p], None] = getattr(library(), free)

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self._free(self.pointer)
            self.pointer = ctypes.c_void_p()


def _interruptible(work: Callable[[ctypes.c_void_p], _T]) -> _T:
    """Does long work, which gets the progress that cancels it.

    On the main thread the work runs on a second one: the signal of Ctrl+C is then seen at once, cancels the work and
    goes on as the exception that the program's handler raised, KeyboardInterrupt as a rule.
    """
    progress = Handle(library().overlane_progress_new(), "overlane_progress_free")
    if threading.current_thread() is not threading.main_thread():
        return work(progress.pointer)
    answer: List[Tuple[Optional[_T], Optional[BaseException]]] = []
    ended = threading.Event()

    def run() -> None:
        try:
            answer.append((work(progress.pointer), None))
        except BaseException as error:  # handed on below
            answer.append((None, error))
        finally:
            ended.set()

    worker = threading.Thread(target=run, name="overlane", daemon=True)
    try:
        worker.start()
        ended.wait()
    except BaseException:
        library().overlane_progress_cancel(progress.pointer)
        raise
    value, error = answer[0]
    if error is not None:
        raise error
    return value  # type: ignore[return-value]


def _taken(text: ctypes.c_void_p) -> Json:
    """The JSON behind a text of the library, which is freed."""
    if not text:
        return {}
    try:
        raw = ctypes.string_at(text)
    finally:
        library().overlane_text_free(text)
    answer: Json = json.loads(raw.decode("utf-8", "replace"))
    return answer


def _checked(code: int, answer: Json) -> Json:
    if code == _OK:
        return answer
    if code == _CANCELLED:
        raise KeyboardInterrupt
    message = answer.get("message", "There is not enough memory for this; close other programs.")
    kind = UsageError if code == _USAGE else Error
    raise kind(message, answer.get("what", ""), answer.get("where", ""), answer.get("advice", ""))


def _arguments(arguments: Json) -> bytes:
    given = {name: value for name, value in arguments.items() if value is not None}
    try:
        return json.dumps(given).encode()
    except (TypeError, ValueError) as error:
        message = f"An argument is neither text nor number ({error}); give text, numbers, lists or true and false."
        raise UsageError(message) from None


def _in(pointer: Optional[Handle]) -> Optional[ctypes.c_void_p]:
    return None if pointer is None else pointer.pointer


def open_trace(path: Union[str, "os.PathLike[str]"]) -> Tuple[Handle, Json]:
    """Opens a file; a handle and the facts about it."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise UsageError("The name of the file holds a zero byte; give another name.")

    def work(progress: ctypes.c_void_p) -> Tuple[Handle, Json]:
        trace, text = ctypes.c_void_p(), ctypes.c_void_p()
        code = library().overlane_open(name, progress, ctypes.byref(trace), ctypes.byref(text))
        handle = Handle(trace.value, "overlane_trace_free") if trace.value else None
        facts = _checked(code, _taken(text))
        assert handle is not None
        return handle, facts

    return _interruptible(work)


def ask_for_trace(
    question: str, trace: Optional[Handle] = None, other: Optional[Handle] = None, **arguments: Any
) -> Tuple[Json, Optional[Handle]]:
    """Asks a question of none, one or two traces; the answer, and the trace that a run made."""
    given = _arguments(arguments)

    def work(progress: ctypes.c_void_p) -> Tuple[Json, Optional[Handle]]:
        made, text = ctypes.c_void_p(), ctypes.c_void_p()
        code = library().overlane_ask(
            _in(trace), _in(other), question.encode(), given, progress, ctypes.byref(made), ctypes.byref(text)
        )
        handle = Handle(made.value, "overlane_trace_free") if made.value else None
        return _checked(code, _taken(text)), handle

    return _interruptible(work)


def ask(question: str, trace: Optional[Handle] = None, other: Optional[Handle] = None, **arguments: Any) -> Json:
    """Asks a question; the JSON of the command line."""
    return ask_for_trace(question, trace, other, **arguments)[0]


def table(trace: Handle, name: str, stream: Optional[Handle], arguments: Json) -> Json:
    """Makes a table; fills the stream where there is one. The shape of the table."""
    given = _arguments(arguments)

    def work(progress: ctypes.c_void_p) -> Json:
        text = ctypes.c_void_p()
        code = library().overlane_table(trace.pointer, name.encode(), given, progress, _in(stream), ctypes.byref(text))
        return _checked(code, _taken(text))

    return _interruptible(work)


def version() -> str:
    """The version of the library."""
    text: bytes = library().overlane_version()
    return text.decode()
