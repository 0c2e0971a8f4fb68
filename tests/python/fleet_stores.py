"""Object stores for tests of overlane.fleet: one server of this machine that speaks enough of S3, Cloud Storage and Hub.

Listings come in pages of two, so that a client has to ask for the next. A fault, by the name of an object: "cut" ends
its first answer in the middle, "denied" and "gone" answer with 403 and 404, "down" with 503, and "flaky" does so once.
"""

import contextlib
import hashlib
import http.server
import json
import pathlib
import re
import threading
import urllib.parse
from typing import Dict, List, NamedTuple
from xml.sax.saxutils import escape

_PAGE = 2
_TIME = "2026-11-01T00:00:00.000Z"
_COMMIT = "c" * 40


class Answer(NamedTuple):
    status: int
    body: bytes = b""
    kind: str = "application/json"
    headers: Dict[str, str] = {}


def _json(value, status=200, **headers):
    return Answer(status, json.dumps(value).encode(), headers=headers)


def _tag(content):
    return hashlib.md5(content).hexdigest()


class Store:
    """The objects, by name without their bucket or repository, and what clients asked for."""

    def __init__(self) -> None:
        self.objects: Dict[str, bytes] = {}
        self.asked: List[str] = []
        #: Denies every key.
        self.locked = False
        self._failed = set()
        self.cut = set()
        self.url = ""

    def clear(self) -> None:
        """As it was at first."""
        self.objects, self.asked, self.locked = {}, [], False
        self._failed.clear()
        self.cut.clear()

    def _page(self, prefix, delimiter, token):
        """Names and folders (with a slash at the end) of a page, and where the next begins."""
        found = {}
        for name in self.objects:
            if name.startswith(prefix):
                inner = name[len(prefix) :]
                cut = inner.find(delimiter) if delimiter else -1
                found[name if cut < 0 else prefix + inner[: cut + 1]] = cut >= 0
        rest = [one for one in sorted(found.items()) if one[0] > token]
        page = rest[:_PAGE]
        return (
            [name for name, is_folder in page if not is_folder],
            [name for name, is_folder in page if is_folder],
            page[-1][0] if len(rest) > _PAGE else "",
        )

    def fault(self, name):
        """The answer in place of the object, where there is one."""
        if "denied" in name:
            return _json({"error": {"code": 403, "message": "denied"}}, 403)
        if "down" in name or ("flaky" in name and name not in self._failed):
            self._failed.add(name)
            return _json({"error": {"code": 503, "message": "try later"}}, 503)
        return None if name in self.objects and "gone" not in name else _json({"error": {"code": 404}}, 404)

    def content(self, name, span):
        """The bytes of an object; ``span``: of a header Range."""
        wrong = self.fault(name)
        if wrong is not None:
            return wrong
        content = self.objects[name]
        headers = {"ETag": f'"{_tag(content)}"', "Accept-Ranges": "bytes", "Last-Modified": _HTTP_TIME}
        kind = "application/octet-stream"
        match = re.match(r"bytes=(\d+)-(\d*)", span or "")
        if not match:
            return Answer(200, content, kind, headers)
        first, last = int(match[1]), min(int(match[2] or len(content)), len(content) - 1)
        if first > last:
            return Answer(416, b"", kind, headers)
        headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
        return Answer(206, content[first : last + 1], kind, headers)

    # Cloud Storage, https://docs.cloud.google.com/storage/docs/json_api: bucket "bucket"

    def _gs_object(self, name):
        content = self.objects[name]
        generation = str(int(_tag(content)[:12], 16))
        return {
            "kind": "storage#object", "name": name, "bucket": "bucket", "size": str(len(content)),
            "generation": generation, "updated": _TIME, "timeCreated": _TIME, "etag": _tag(content),
        }  # fmt: skip

    def gs(self, path, query, span):
        if self.locked:
            return _json({"error": {"code": 401, "message": "Anonymous caller does not have storage.objects.list"}}, 401)
        match = re.fullmatch(r"(?:/download)?/storage/v1/b/([^/]+)(?:/o(?:/(.+))?|/storageLayout)?", path)
        if not match or match[1] != "bucket":
            return _json({"error": {"code": 404, "message": "The specified bucket does not exist."}}, 404)
        if path.endswith("/storageLayout"):
            return _json({"bucket": "bucket", "locationType": "region", "hierarchicalNamespace": {"enabled": False}})
        if match[2]:
            name = urllib.parse.unquote(match[2])
            if query.get("alt") == "media":
                return self.content(name, span)
            wrong = None if name in self.objects else _json({"error": {"code": 404}}, 404)
            return wrong or _json(self._gs_object(name))
        if not path.endswith("/o"):
            return _json({"kind": "storage#bucket", "name": "bucket", "location": "EU"})
        names, folders, token = self._page(query.get("prefix", ""), query.get("delimiter"), query.get("pageToken", ""))
        page = {"kind": "storage#objects", "items": [self._gs_object(name) for name in names], "prefixes": folders}
        return _json({**page, "nextPageToken": token} if token else page)

    # S3, https://docs.aws.amazon.com/AmazonS3/latest/API: bucket "bucket", addressed by its path

    def s3(self, path, query, span):
        if self.locked:
            return Answer(403, b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>", "text/xml")
        _, bucket, *rest = path.split("/", 2)
        if bucket != "bucket":
            return Answer(404, b"<Error><Code>NoSuchBucket</Code><Message>none</Message></Error>", "text/xml")
        if rest and rest[0]:
            return self.content(urllib.parse.unquote(rest[0]), span)
        names, folders, token = self._page(
            query.get("prefix", ""), query.get("delimiter"), query.get("continuation-token", "")
        )
        text = [f"<ListBucketResult><IsTruncated>{str(bool(token)).lower()}</IsTruncated>"]
        text += [f"<NextContinuationToken>{escape(token)}</NextContinuationToken>"] if token else []
        for name in names:
            content = self.objects[name]
            text.append(
                f"<Contents><Key>{escape(name)}</Key><LastModified>{_TIME}</LastModified>"
                f"<ETag>&quot;{_tag(content)}&quot;</ETag><Size>{len(content)}</Size></Contents>"
            )
        text += [f"<CommonPrefixes><Prefix>{escape(name)}</Prefix></CommonPrefixes>" for name in folders]
        return Answer(200, "".join([*text, "</ListBucketResult>"]).encode(), "text/xml")

    # The Hub, https://huggingface.co/docs/hub/api: data set "team/runs"

    def _hf_entry(self, name):
        if name not in self.objects:
            return {"type": "directory", "oid": "d" * 40, "size": 0, "path": name.rstrip("/")}
        content = self.objects[name]
        return {"type": "file", "oid": _tag(content), "size": len(content), "path": name}

    def hf(self, path, query, span, body=b""):
        if self.locked:
            return _json({"error": "Invalid username or password."}, 401, **{"X-Error-Message": "Invalid username."})
        match = re.match(r"/(api/)?datasets/team/runs(?:/(tree|revision|resolve|paths-info)/[^/]+)?(?:/(.*))?$", path)
        if not match:
            return _json({"error": "Repository not found"}, 404, **{"X-Error-Code": "RepoNotFound"})
        kind, inner = match[2], urllib.parse.unquote(match[3] or "")
        if kind == "resolve":
            answer = self.content(inner, span)
            return answer._replace(headers={**answer.headers, "X-Repo-Commit": _COMMIT})
        if kind == "paths-info":
            paths = dict(urllib.parse.parse_qsl(body.decode())).get("paths") or json.loads(body)["paths"]
            paths = [paths] if isinstance(paths, str) else paths
            known = [one for one in paths if any(name == one or name.startswith(one + "/") for name in self.objects)]
            return _json([self._hf_entry(one) for one in known])
        if kind == "tree":
            prefix = inner + "/" if inner else ""
            delimiter = None if query.get("recursive", "").lower() == "true" else "/"
            names, folders, token = self._page(prefix, delimiter, query.get("cursor", ""))
            if not names and not folders and inner:
                return _json({"error": "no such entry"}, 404, **{"X-Error-Code": "EntryNotFound"})
            more = urllib.parse.urlencode({**query, "cursor": token})
            headers = {"Link": f'<{self.url}{path}?{more}>; rel="next"'} if token else {}
            return _json([self._hf_entry(name) for name in (*folders, *names)], **headers)
        return _json({"id": "team/runs", "sha": _COMMIT, "private": False, "siblings": []})


_HTTP_TIME = "Sun, 01 Nov 2026 00:00:00 GMT"


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def _answer(self):
        store = self.server.store
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        pairs = dict(urllib.parse.parse_qsl(query))
        store.asked.append(f"{self.command} {self.path}")
        span = self.headers.get("Range")
        dialect = "hf" if "/datasets/" in path else "gs" if "/storage/v1/" in path else "s3"
        more = (body,) if dialect == "hf" else ()
        answer = getattr(store, dialect)(path, pairs, span, *more)
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        for key, value in answer.headers.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        if "cut" in path and answer.kind == "application/octet-stream" and path not in store.cut:
            store.cut.add(path)
            self.wfile.write(answer.body[: len(answer.body) // 2])
            self.close_connection = True
            self.connection.close()
            return
        self.wfile.write(answer.body)

    do_GET = do_HEAD = do_POST = _answer


@contextlib.contextmanager
def served():
    """A Store that answers at ``url`` for as long."""
    store = Store()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # of an answer that was cut
    server.store = store
    store.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield store
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def add(store, name, path):
    """Puts a file of this machine there."""
    store.objects[name] = pathlib.Path(path).read_bytes()
