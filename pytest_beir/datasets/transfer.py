"""One file over HTTP: resumed where it broke off, retried with growing pauses, never short."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx

from pytest_beir.errors import DownloadError
from pytest_beir.text_layout import clean, cut

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Progress = Callable[[int, "int | None"], None]  # bytes so far, bytes in all (None: not told)

_NUMBER = re.compile(r"[0-9]{1,19}")
_RANGE = re.compile(r"bytes ([0-9]{1,19})-[0-9]{1,19}/([0-9]{1,19}|\*)")
_RETRIED = {408, 425, 429, 500, 502, 503, 504}
_LONGEST_PAUSE = 60.0
_LONGEST_REASON = 60
_HOPELESS = (
    httpx.TooManyRedirects,
    httpx.UnsupportedProtocol,
    httpx.InvalidURL,
    UnicodeError,
)
_REFUSALS = 3  # a connection refused as often as this will not be accepted a moment later


@dataclass(frozen=True)
class Patience:
    """How often a broken transfer is taken up again without getting further, and how fast.

    `timeout` is the longest silence in seconds; the pause doubles from `pause` on. What comes more
    slowly than `slowest` bytes a second for `window` seconds is given up.
    """

    attempts: int = 6
    pause: float = 1.0
    timeout: float = 30.0
    sleep: Callable[[float], object] = time.sleep
    slowest: float = 1000.0
    window: float = 20.0
    clock: Callable[[], float] = time.monotonic


class _BrokenOffError(Exception):
    """The server answered that it cannot now, or sent less than it said."""

    def __init__(self, text: str, pause: float = 0.0) -> None:
        super().__init__(text)
        self.pause = pause


def transfer(url: str, part: Path, *, most: int, patience: Patience, progress: Progress) -> None:
    """Fetch `url`, of at most `most` bytes, into `part`, going on from what is left there.

    A part is only continued if the server says that its file is still the same one.

    Raises:
        DownloadError: the server refuses, sends too much or too slowly, or nothing more came in
            `patience.attempts` attempts.
        OSError: the file cannot be written.

    """
    furthest = failures = 0
    fetching = _Fetching(url, part, most, patience, progress)
    with _client(url, patience) as client:
        while True:
            try:
                fetching.attempt(client)
            except _HOPELESS as error:  # noqa: PERF203 - one pass an attempt
                raise DownloadError(f"{shown(url)}: {_text(error, url)}") from None
            except (httpx.HTTPError, _BrokenOffError) as error:
                reached = _size(part)
                failures = 1 if reached > furthest else failures + 1
                furthest = max(furthest, reached)
                refusals = _REFUSALS if isinstance(error, httpx.ConnectError) else failures + 1
                if failures >= min(refusals, patience.attempts):
                    raise DownloadError(
                        f"{shown(url)}: given up after {failures} attempts ({_text(error, url)}); "
                        f"{reached:,} bytes are kept for the next run to go on from"
                    ) from error
                asked = error.pause if isinstance(error, _BrokenOffError) else 0.0
                pause = max(asked, patience.pause * 2 ** (failures - 1))
                patience.sleep(min(pause, _LONGEST_PAUSE))
            else:
                return


def shown(url: str) -> str:
    """An address as it may be shown and stored: without user, password, query and fragment."""
    address = url.partition("#")[0].partition("?")[0]
    scheme, separator, rest = address.partition("://")
    if not separator:
        scheme, rest = "", address
    host, slash, path = rest.partition("/")
    return clean(f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}")


def _client(url: str, patience: Patience) -> httpx.Client:
    try:
        return httpx.Client(timeout=patience.timeout, follow_redirects=True)
    except ImportError:
        raise DownloadError(
            f"{shown(url)}: the proxy of the environment (ALL_PROXY, HTTPS_PROXY) is a SOCKS proxy,"
            " which needs another package: pip install 'httpx[socks]'"
        ) from None
    except (httpx.InvalidURL, ValueError):
        raise DownloadError(
            f"{shown(url)}: a proxy of the environment (ALL_PROXY, HTTPS_PROXY, HTTP_PROXY) is not"
            " an address; write http://HOST:PORT"
        ) from None
    except OSError as error:
        raise DownloadError(
            f"{shown(url)}: the certificates cannot be read ({error.strerror or error}); do"
            " SSL_CERT_FILE and SSL_CERT_DIR name what exists?"
        ) from None


def discard(part: Path) -> None:
    """Delete a part and what is known of it."""
    for path in (part, _note(part)):
        with suppress(FileNotFoundError):
            path.unlink()


@dataclass(frozen=True)
class _Fetching:
    """One file that is fetched, in as many attempts as it takes."""

    url: str
    part: Path
    most: int
    patience: Patience
    progress: Progress

    def attempt(self, client: httpx.Client) -> None:
        have, tag = _size(self.part), _read_tag(self.part, self.url)
        headers = {"Accept-Encoding": "identity"}
        if have and tag:
            headers |= {"Range": f"bytes={have}-", "If-Range": tag}
        with client.stream("GET", self.url, headers=headers) as response:
            self._refuse(response)
            start, total = _extent(response, have)
            if total is not None:
                self._check_size(total)
                self._check_room(total - start)
            _write_tag(self.part, self.url, response.headers)
            with self.part.open("r+b" if start else "wb") as out:
                out.truncate(start)
                out.seek(start)
                done = start
                self.progress(done, total)
                for chunk in self._chunks(response):
                    done += len(chunk)
                    self._check_size(done)
                    out.write(chunk)
                    self.progress(done, total)
        if total is not None and done != total:
            raise _BrokenOffError(f"{done:,} of {total:,} bytes came")

    def _chunks(self, response: httpx.Response) -> Iterator[bytes]:
        """The answer's bytes as they come (what is gathered would be lost), if they do come."""
        since, came = self.patience.clock(), 0
        for chunk in response.iter_raw():
            yield chunk
            came += len(chunk)
            passed = self.patience.clock() - since
            if passed < self.patience.window:
                continue
            if came < self.patience.slowest * passed:
                raise DownloadError(
                    f"{shown(self.url)}: given up: slower than {self.patience.slowest:,.0f} bytes"
                    " a second; what came is kept for the next run to go on from, and a mirror may"
                    " be faster (`mirror:` in beir.yaml, or BEIR_MIRROR)"
                )
            since, came = self.patience.clock(), 0

    def _check_size(self, size: int) -> None:
        if size > self.most:
            discard(self.part)
            raise DownloadError(
                f"{shown(self.url)}: the server sends {size:,} bytes or more, where the file has"
                f" at most {self.most:,}; nothing of it is kept. Is it the right address?"
            )

    def _check_room(self, size: int) -> None:
        if shutil.disk_usage(self.part.parent).free < size:
            raise DownloadError(
                f"{shown(self.url)}: {size:,} bytes are to come, and {self.part.parent} has less"
                " room; name another folder with --beir-cache"
            )

    def _refuse(self, response: httpx.Response) -> None:
        """Raise unless the answer brings content."""
        status, url = response.status_code, shown(self.url)
        if response.history and url.startswith("https:") and response.url.scheme != "https":
            target = shown(str(response.url))
            raise DownloadError(f"{url}: redirected to {target}, which is not HTTPS")
        if status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            discard(self.part)
            raise _BrokenOffError("the part at hand is longer than the server's file")
        if status in _RETRIED:
            wait = response.headers.get("Retry-After", "")
            raise _BrokenOffError(f"HTTP {status}", float(wait) if _NUMBER.fullmatch(wait) else 0.0)
        if status not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
            reason = cut(clean(response.reason_phrase), _LONGEST_REASON)
            raise DownloadError(
                f"{url}: HTTP {status} {reason}; the server does not offer this file. Name a mirror"
                " (`mirror:` in beir.yaml, or BEIR_MIRROR), or a local folder: NAME=FOLDER"
            )


def _extent(response: httpx.Response, have: int) -> tuple[int, int | None]:
    """Where the answer's content belongs, and the whole file's size."""
    if response.status_code == HTTPStatus.PARTIAL_CONTENT:
        match = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
        if match is None or int(match[1]) != have:
            raise DownloadError(
                f"{shown(str(response.url))}: asked for bytes from {have:,} on, the server sent "
                f"{response.headers.get('Content-Range', 'something else')[:60]!r}; name another"
                " mirror"
            )
        return have, None if match[2] == "*" else int(match[2])
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if _NUMBER.fullmatch(length) else None


def _size(part: Path) -> int:
    try:
        return part.stat().st_size
    except FileNotFoundError:
        return 0


def _note(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _read_tag(part: Path, url: str) -> str | None:
    try:
        note = json.loads(_note(part).read_text("utf-8"))
        return str(note["tag"]) if note["url"] == shown(url) and note["tag"] else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _write_tag(part: Path, url: str, headers: httpx.Headers) -> None:
    etag = headers.get("ETag", "")
    tag = headers.get("Last-Modified") if not etag or etag.startswith("W/") else etag
    _note(part).write_text(json.dumps({"url": shown(url), "tag": tag}), "utf-8")


def _text(error: Exception, url: str) -> str:
    return clean(str(error).replace(url, shown(url))) or type(error).__name__
