"""Small datasets on disk, and a server that serves them as badly as the network does."""

from __future__ import annotations

import io
import json
import socket
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

MakeFolder = Callable[..., Path]

DOCUMENTS = [
    {"_id": "d1", "title": "Tea", "text": "Leaves in hot water."},
    {"_id": "d2", "title": "Coffee", "text": "Roasted beans, ground."},
    {"_id": "0001", "text": "Cocoa with milk."},
]
QUERIES = [{"_id": "q1", "text": "hot drink"}, {"_id": "q2", "text": "beans"}]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\t0001\t2\nq2\td2\t1\n"


def jsonl(records: list[Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache folder of the test's own."""
    return tmp_path / "cache"


@pytest.fixture
def make_folder(tmp_path: Path) -> MakeFolder:
    """Write a dataset's folder; every file is a string, a list of records, bytes, or None."""

    def make(
        name: str = "drinks",
        *,
        corpus: Any = DOCUMENTS,
        queries: Any = QUERIES,
        **qrels: Any,
    ) -> Path:
        folder = tmp_path / name
        (folder / "qrels").mkdir(parents=True)
        files = {"corpus.jsonl": corpus, "queries.jsonl": queries}
        files |= {f"qrels/{split}.tsv": rows for split, rows in (qrels or {"test": QRELS}).items()}
        for path, content in files.items():
            if isinstance(content, bytes):
                (folder / path).write_bytes(content)
            elif content is not None:
                text = content if isinstance(content, str) else jsonl(content)
                (folder / path).write_bytes(text.encode())
        return folder

    return make


@dataclass
class Server:
    """Serves `content` under every path; `faults` are used up one a request, first to last.

    Faults: an int is a status, `("cut", n)` closes after n bytes, `("stall", n)` falls silent
    after n bytes, `("to", url)` redirects, `("other", bytes)` serves something else, `"no-range"`
    ignores the wish for a part, None does nothing.
    """

    content: bytes
    etag: str | None = '"v1"'
    faults: list[Any] = field(default_factory=list)
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    url: str = ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: Server

    def do_GET(self) -> None:
        served = self.served
        served.requests.append((self.path, self.headers.get("Range")))
        fault = served.faults.pop(0) if served.faults else None
        if isinstance(fault, int):
            self._head(fault, b"", {})
        elif isinstance(fault, tuple) and fault[0] == "to":
            self._head(302, b"", {"Location": fault[1]})
        else:
            self._content(served, fault)

    def _content(self, served: Server, fault: Any) -> None:
        content = served.content
        if isinstance(fault, tuple) and fault[0] == "other":
            content = fault[1]
        start, status, headers = 0, 200, {}
        wish, condition = self.headers.get("Range"), self.headers.get("If-Range")
        if wish and fault != "no-range" and condition in (None, served.etag):
            start = int(wish.removeprefix("bytes=").rstrip("-"))
            if start >= len(content):
                self._head(416, b"", {"Content-Range": f"bytes */{len(content)}"})
                return
            status = 206
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        if served.etag:
            headers["ETag"] = served.etag
        limit = fault[1] if isinstance(fault, tuple) and fault[0] in ("cut", "stall") else None
        body = content[start:]
        self._head(status, body, headers, limit)
        if limit is not None:
            if fault[0] == "stall":
                self.connection.settimeout(2)
                with suppress(OSError):
                    self.connection.recv(1)  # until the other side gives up
            self.close_connection = True

    def _head(
        self, status: int, body: bytes, headers: dict[str, str], limit: int | None = None
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:limit])
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's name
        """Say nothing."""


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away."""


def make_zip(files: dict[str, str | bytes]) -> bytes:
    """Give a zip with these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture
def scifact_zip() -> bytes:
    """A zip in the form of BEIR's, small, called scifact."""
    return make_zip(
        {
            "scifact/corpus.jsonl": jsonl(DOCUMENTS),
            "scifact/queries.jsonl": jsonl(QUERIES),
            "scifact/qrels/test.tsv": QRELS,
            "scifact/README": Random(1).randbytes(8000),  # noqa: S311 - only to be large
        }
    )


@pytest.fixture
def server(scifact_zip: bytes) -> Iterator[Server]:
    """A local server of that zip."""
    served = Server(scifact_zip)
    handler = type("Handler", (_Handler,), {"served": served})
    running = _QuietServer(("127.0.0.1", 0), handler)
    thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    served.url = f"http://127.0.0.1:{running.server_port}"
    yield served
    running.shutdown()
    running.server_close()


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every connection fail the test."""

    def refuse(*_args: Any, **_kwargs: Any) -> None:
        raise AssertionError("something tried to connect")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def md5_of() -> Callable[[bytes], str]:
    return lambda content: md5(content, usedforsecurity=False).hexdigest()
