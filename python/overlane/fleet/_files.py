"""Which files are traces: listings of folders, patterns and object stores through fsspec."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, NamedTuple, Optional, Pattern, Tuple

from .._errors import Error, UsageError
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


def _is_trace(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name.endswith(ENDINGS) and not name.startswith(".") and name != _OWN


def _below(files: Any, folder: str) -> Iterator[Dict[str, Any]]:
    """What lies below a folder, each of its folders listed as a whole: no listing holds all of a large store."""
    folders = []
    for one in files.ls(folder, detail=True):
        if one["type"] == "directory":
            if one["name"].rstrip("/") != folder.rstrip("/"):
                folders.append(one["name"])
        else:
            yield one
    for inner in sorted(folders):
        if not inner.rstrip("/").rsplit("/", 1)[-1].startswith("."):
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


def find(url: str, options: Dict[str, Any], only: Optional[Pattern[str]]) -> Iterator[File]:
    """The traces of a URL: the file, all below the folder, or what matches the pattern.

    Raises Error where there is none such.
    """
    files, path = _opened(url, options)
    try:
        if _MAGIC.search(path):
            base = path[: _MAGIC.search(path).start()].rpartition("/")[0]  # type: ignore[union-attr]
            matches = files.glob(path, detail=True)
            informations: Iterator[Dict[str, Any]] = iter([matches[name] for name in sorted(matches)])
            named = False
        else:
            own = files.info(path)
            named = own["type"] != "directory"
            base = path.rpartition("/")[0] if named else path
            informations = iter([own]) if named else _below(files, path)
        root = files.unstrip_protocol(base)
        count = 0
        for one in informations:
            if one["type"] == "directory" or not (named or _is_trace(one["name"])):
                continue
            where = files.unstrip_protocol(one["name"])
            if only is not None and not named and not only.search(where):
                continue
            count += 1
            yield File(where, root, int(one.get("size") or 0), _stamp(one))
    except FileNotFoundError:
        raise Error(
            f"{url}: There is no such file or folder; check the name.", "There is no such file or folder.", url,
            "Check the name.",
        ) from None  # fmt: skip
    except OSError as error:
        what = f"The store cannot be listed ({error.strerror or error})."
        raise Error(f"{url}: {what}", what, url, "") from None
    if count == 0:
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
