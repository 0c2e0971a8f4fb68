"""Tables of a trace by the Arrow PyCapsule interface, and a small reader of them without dependencies.

https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

from __future__ import annotations

import array
import ctypes
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from ._library import Handle, Json, library
from ._library import table as _make

_ARRAY_CODES = {b"c": "b", b"i": "i", b"I": "I", b"l": "q", b"g": "d"}


class _ArrowSchema(ctypes.Structure):
    pass


_ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_ArrowSchema))),
    ("dictionary", ctypes.POINTER(_ArrowSchema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ("private_data", ctypes.c_void_p),
]


class _ArrowArray(ctypes.Structure):
    pass


_ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_ArrowArray))),
    ("dictionary", ctypes.POINTER(_ArrowArray)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ("private_data", ctypes.c_void_p),
]


class _ArrowStream(ctypes.Structure):
    _fields_ = [
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)),
        ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    ]


def _bits(address: Optional[int], count: int) -> List[bool]:
    raw = ctypes.string_at(address, (count + 7) // 8) if address else b""
    return [bool(raw[at >> 3] >> (at & 7) & 1) for at in range(count)]


def _numbers(code: str, address: Optional[int], count: int) -> "array.array[Any]":
    values: "array.array[Any]" = array.array(code)
    if count and address:
        values.frombytes(ctypes.string_at(address, count * values.itemsize))
    return values


def _texts(column: Any) -> List[str]:
    count = column.length
    offsets = _numbers("i", column.buffers[1], count + 1 if count else 0)
    size = offsets[count] if count else 0
    raw = ctypes.string_at(column.buffers[2], size) if size else b""
    return [raw[offsets[at] : offsets[at + 1]].decode("utf-8", "replace") for at in range(count)]


def _values(field: Any, column: Any) -> List[Any]:
    """A column of a batch as a list of Python objects; None for null."""
    values: Any
    if field.format == b"u":
        values = _texts(column)
    elif field.format == b"b":
        values = _bits(column.buffers[1], column.length)
    else:
        values = _numbers(_ARRAY_CODES[field.format], column.buffers[1], column.length).tolist()
    valid = _bits(column.buffers[0], column.length) if column.null_count else None
    if field.dictionary:
        texts = _texts(column.dictionary[0])
        if valid is None:
            return [texts[place] for place in values]
        return [texts[place] if there else None for place, there in zip(values, valid)]
    if valid is None:
        return list(values)
    return [value if there else None for value, there in zip(values, valid)]


def _capsule(pointer: int, name: bytes, destructor: str) -> Any:
    """A PyCapsule that the library itself frees: no Python code runs when it dies."""
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(pointer, name, ctypes.cast(getattr(library(), destructor), ctypes.c_void_p))


_STREAM_NAME = b"arrow_array_stream"
_SCHEMA_NAME = b"arrow_schema"
# A capsule keeps the address of its name, and may die after this module.
for _name in (_STREAM_NAME, _SCHEMA_NAME):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_name))


class Table:
    """A table of a trace: columns with names, times in nanoseconds since its start, sizes in bytes.

    polars, pyarrow, pandas and DuckDB take it as it is: ``polars.from_arrow(table)`` or ``polars.DataFrame(table)``,
    ``pyarrow.table(table)``, ``pyarrow.table(table).to_pandas()``, ``duckdb.sql("select ... from copies")``. Each
    reader gets a stream of batches of at most 65,536 rows; columns that a trace has as they stand are not copied.
    Without any of them, ``to_pylist()`` and ``column()`` make Python objects.
    """

    def __init__(self, trace: Handle, name: str, arguments: Json) -> None:
        self._trace = trace
        self._arguments = arguments
        shape = _make(trace, name, None, arguments)
        #: The table's name: "copies".
        self.name: str = shape["name"]
        #: The names of its columns, in order.
        self.column_names: Tuple[str, ...] = tuple(shape["columns"])
        self._rows: int = shape["rows"]

    def __len__(self) -> int:
        return self._rows

    def __repr__(self) -> str:
        return f"<overlane.Table {self.name}: {self._rows} rows of {', '.join(self.column_names)}>"

    def _stream(self) -> Handle:
        stream = Handle(library().overlane_stream_new(), "overlane_stream_free")
        _make(self._trace, self.name, stream, self._arguments)
        return stream

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A capsule ``arrow_array_stream``. A requested schema is not followed, as the protocol allows."""
        stream = self._stream()
        capsule = _capsule(stream.pointer.value or 0, _STREAM_NAME, "overlane_capsule_free_stream")
        stream.pointer = ctypes.c_void_p()  # the capsule's now
        return capsule

    def __arrow_c_schema__(self) -> Any:
        """A capsule ``arrow_schema``."""
        stream = self._stream()
        schema = library().overlane_schema_new(stream.pointer)
        if not schema:
            raise MemoryError
        return _capsule(schema, _SCHEMA_NAME, "overlane_capsule_free_schema")

    def _batches(self, names: Sequence[str]) -> Iterator[Dict[str, List[Any]]]:
        handle = self._stream()
        stream = ctypes.cast(handle.pointer, ctypes.POINTER(_ArrowStream))[0]
        schema = _ArrowSchema()
        if stream.get_schema(handle.pointer, ctypes.addressof(schema)):
            raise MemoryError
        try:
            while True:
                batch = _ArrowArray()
                if stream.get_next(handle.pointer, ctypes.addressof(batch)):
                    raise MemoryError((stream.get_last_error(handle.pointer) or b"").decode())
                if not batch.release:
                    return
                try:
                    columns = {}
                    for at in range(schema.n_children):
                        field = schema.children[at][0]
                        if field.name.decode() in names:
                            columns[field.name.decode()] = _values(field, batch.children[at][0])
                finally:
                    batch.release(ctypes.addressof(batch))
                yield columns
        finally:
            schema.release(ctypes.addressof(schema))

    def column(self, name: str) -> List[Any]:
        """One column as a list of Python objects; None where there is no value."""
        if name not in self.column_names:
            raise KeyError(f"There is no column {name!r} in {self.name}; it has {', '.join(self.column_names)}.")
        return [value for batch in self._batches((name,)) for value in batch[name]]

    def to_pydict(self) -> Dict[str, List[Any]]:
        """All columns as lists of Python objects."""
        columns: Dict[str, List[Any]] = {name: [] for name in self.column_names}
        for batch in self._batches(self.column_names):
            for name, values in batch.items():
                columns[name] += values
        return columns

    def to_pylist(self) -> List[Dict[str, Any]]:
        """All rows as dictionaries; for tables of up to some 100,000 rows."""
        rows: List[Dict[str, Any]] = []
        for batch in self._batches(self.column_names):
            rows += [dict(zip(batch, values)) for values in zip(*batch.values())]
        return rows
