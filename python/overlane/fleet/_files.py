"""Which files are traces: listings of folders, patterns and object stores through fsspec."""

from __future__ import annotations

import os
import re
import stat
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Pattern, Tuple

from .._errors import Error, UsageError
from ._faults import why
from ._needs import need

#: Endings of what the program reads (core/io/format.h), for folders; a file that is named is read whatever its ending.
ENDINGS = (".overlane", ".json", ".json.gz", ".sqlite")
_OWN = "fleet.sqlite"
# Where an information of fsspec says which state of the file it is of, the surest first.
_STAMPS = ("ETag", "etag", "generation", "blob_id", "md5Hash", "mtime", "LastModified", "last_modified", "updated")
_MAGIC = re.compile(r"[*?\[]")


class File(NamedTuple):
    """A file that may be a trace."""

    url: str
    #: The URL that it was found below.
    root: str
    size: int
    #: Of its state: a time or a tag of the store.
    stamp: str


def _stamp(information: Dict[str, Any]) -> str:
    for key in _STAMPS:
        value = information.get(key)
        if value:
            return str(value).strip('"')
    return ""


def printable(url: str) -> str:
    """The URL as text that a table may hold: bytes of a name that are no UTF-8 become marks."""
    return url.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _is_trace(path: str, base: str) -> bool:
    inner = "/" + (path[len(base) :] if path.startswith(base) else path).lstrip("/")
    return inner.endswith(ENDINGS) and "/." not in inner and not inner.endswith("/" + _OWN)


def _on_this_machine(files: Any) -> bool:
    return "file" in ((files.protocol,) if isinstance(files.protocol, str) else files.protocol)


def _local_information(path: str) -> Dict[str, Any]:
    """As fsspec gives it, but of what a link leads to, and with the time in ns."""
    try:
        state = os.stat(path)
    except OSError:  # a link to nothing: reading it says so
        return {"name": path, "size": 0, "type": "file"}
    kind = "file" if stat.S_ISREG(state.st_mode) else "directory" if stat.S_ISDIR(state.st_mode) else "other"
    return {"name": path, "size": state.st_size, "type": kind, "mtime": state.st_mtime_ns}


def _below_local(folder: str, unlisted: List[str]) -> Iterator[Dict[str, Any]]:
    for inner, folders, names in os.walk(folder, onerror=lambda error: unlisted.append(str(error.filename))):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(ENDINGS):
                yield _local_information(os.path.join(inner, name))


def _below(files: Any, folder: str) -> Iterator[Dict[str, Any]]:
    """What lies below a folder, each of its folders listed as a whole: no listing holds all of a large store."""
    folders = []
    for one in files.ls(folder, detail=True):
        if one["type"] == "directory":
            inner = one["name"].rstrip("/")
            if inner != folder.rstrip("/") and not inner.rpartition("/")[2].startswith("."):
                folders.append(one["name"])
        else:
            yield one
    for inner in sorted(folders):
        found = files.find(inner, detail=True)
        for path in sorted(found):
            yield found[path]


def _opened(url: str, options: Dict[str, Any]) -> Tuple[Any, str]:
    try:
        files, path = need("fsspec.core").url_to_fs(url, **options)
    except ImportError as error:
        what = f"A package for this kind of store is missing ({error})."
        raise Error(f"{url}: {what}", what, url, "Install it with pip.") from None
    except ValueError as error:
        raise UsageError(f"{url}: {error}; give a path, or a URL such as s3://bucket/folder.") from None
    files.invalidate_cache()
    return files, path


def _listed(files: Any, path: str, unlisted: List[str]) -> Tuple[str, bool, Iterator[Dict[str, Any]]]:
    """The folder of what is named, whether that is one file, and what lies there."""
    local = _on_this_machine(files)
    magic = _MAGIC.search(path)
    if magic and not files.exists(path):
        matches = files.glob(path, detail=True)
        found = (_local_information(name) if local else matches[name] for name in sorted(matches))
        return path[: magic.start()].rpartition("/")[0], False, found
    own = files.info(path)
    if own["type"] == "directory":
        return path, False, _below_local(path, unlisted) if local else _below(files, path)
    return path.rpartition("/")[0], True, iter([_local_information(path) if local else own])


def find(
    url: str, options: Dict[str, Any], only: Optional[Pattern[str]] = None, unlisted: Optional[List[str]] = None
) -> Iterator[File]:
    """The traces of a URL: the file, all below the folder, or what matches the pattern.

    Folders that cannot be listed go into ``unlisted``. Raises Error where there is no trace.
    """
    files, path = _opened(url, options)
    count = 0
    missed: List[str] = [] if unlisted is None else unlisted
    try:
        base, named, found = _listed(files, path, missed)
        root = files.unstrip_protocol(base)
        for one in found:
            if not named and (one["type"] != "file" or not _is_trace(one["name"], base)):
                continue
            where = files.unstrip_protocol(one["name"])
            if only is not None and not named and not only.search(where):
                continue
            count += 1
            yield File(where, root, int(one.get("size") or 0), _stamp(one))
    except FileNotFoundError:
        what = "There is no such file or folder."
        raise Error(f"{url}: {what[:-1]}; check the name.", what, url, "Check the name.") from None
    except (ImportError, MemoryError):
        raise
    except Exception as error:  # of a store: anything may come
        what = f"The store cannot be listed: {why(error)}."
        raise Error(f"{url}: {what}", what, url, "") from None
    if count == 0 and not missed:
        what = f"There is no trace in it ({', '.join(ENDINGS)})."
        raise Error(f"{url}: {what}", what, url, "Name the folder of the traces.")


def grouping_of(url: str, root: str) -> Optional[str]:
    """The folder of a file below the URL that was scanned; None for those directly in it."""
    inner = url[len(root) :] if url.startswith(root) else url
    return inner.strip("/").rpartition("/")[0] or None


def captured(pattern: Pattern[str], url: str) -> Optional[str]:
    """What the first group of the expression finds in the URL; the whole match where it has no group."""
    found = pattern.search(url)
    if found is None:
        return None
    text: Optional[str] = found.group(1 if pattern.groups else 0)
    return text
