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

if TYPE_CHECKING:
    from pathlib import Path

Progress = Callable[[int, "int | None"], None]  # bytes so far, bytes in all (None: not told)

_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_RETRIED = {408, 425, 429, 500, 502, 503, 504}
_LONGEST_PAUSE = 60.0
_HOPELESS = (httpx.TooManyRedirects, httpx.UnsupportedProtocol, httpx.InvalidURL)


@dataclass(frozen=True)
class Patience:
    """How often a broken transfer is taken up again without getting further, and how fast.

    `timeout` is the longest silence in seconds; the pause doubles from `pause` on.
    """

    attempts: int = 6
    pause: float = 1.0
    timeout: float = 30.0
    sleep: Callable[[float], object] = time.sleep


class _BrokenOffError(Exception):
    """The server answered that it cannot now, or sent less than it said."""

    def __init__(self, text: str, pause: float = 0.0) -> None:
        super().__init__(text)
        self.pause = pause


def transfer(url: str, part: Path, *, patience: Patience, progress: Progress) -> None:
    """Fetch `url` into the file `part`, going on from what an earlier attempt left there.

    A part is only continued if the server says that its file is still the same one.

    Raises:
        DownloadError: the server refuses, or nothing more came in `patience.attempts` attempts.
        OSError: the file cannot be written.

    """
    furthest = failures = 0
    with httpx.Client(timeout=patience.timeout, follow_redirects=True) as client:
        while True:
            try:
                _attempt(client, url, part, progress)
            except _HOPELESS as error:  # noqa: PERF203 - one pass an attempt
                raise DownloadError(f"{url}: {error}") from error
            except (httpx.HTTPError, _BrokenOffError) as error:
                reached = _size(part)
                failures = 1 if reached > furthest else failures + 1
                furthest = max(furthest, reached)
                if failures >= patience.attempts:
                    raise DownloadError(
                        f"{url}: given up after {failures} attempts ({_text(error)}); "
                        f"{reached:,} bytes are kept for the next run to go on from"
                    ) from error
                asked = error.pause if isinstance(error, _BrokenOffError) else 0.0
                pause = max(asked, patience.pause * 2 ** (failures - 1))
                patience.sleep(min(pause, _LONGEST_PAUSE))
            else:
                return


def discard(part: Path) -> None:
    """Delete a part and what is known of it."""
    for path in (part, _note(part)):
        with suppress(FileNotFoundError):
            path.unlink()


def _attempt(client: httpx.Client, url: str, part: Path, progress: Progress) -> None:
    have, tag = _size(part), _read_tag(part, url)
    headers = {"Accept-Encoding": "identity"}
    if have and tag:
        headers |= {"Range": f"bytes={have}-", "If-Range": tag}
    with client.stream("GET", url, headers=headers) as response:
        _refuse(response, url, part)
        start, total = _extent(response, have)
        if total is not None and shutil.disk_usage(part.parent).free < total - start:
            raise DownloadError(
                f"{url}: {total - start:,} bytes are to come, and {part.parent} has less room; "
                "name another folder with --beir-cache"
            )
        _write_tag(part, url, response.headers)
        with part.open("r+b" if start else "wb") as out:
            out.truncate(start)
            out.seek(start)
            done = start
            progress(done, total)
            for chunk in response.iter_raw():  # as they come: what is gathered would be lost
                out.write(chunk)
                done += len(chunk)
                progress(done, total)
    if total is not None and done != total:
        raise _BrokenOffError(f"{done:,} of {total:,} bytes came")


def _refuse(response: httpx.Response, url: str, part: Path) -> None:
    """Raise unless the answer brings content."""
    status = response.status_code
    if response.history and url.startswith("https:") and response.url.scheme != "https":
        raise DownloadError(f"{url}: redirected to {response.url}, which is not HTTPS")
    if status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        discard(part)
        raise _BrokenOffError("the part at hand is longer than the server's file")
    if status in _RETRIED:
        wait = response.headers.get("Retry-After", "")
        raise _BrokenOffError(f"HTTP {status}", float(wait) if wait.isdigit() else 0.0)
    if status not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
        raise DownloadError(
            f"{url}: HTTP {status} {response.reason_phrase}; the server does not offer this file. "
            "Name a mirror (`mirror:` in beir.yaml, or BEIR_MIRROR), or a local folder: NAME=FOLDER"
        )


def _extent(response: httpx.Response, have: int) -> tuple[int, int | None]:
    """Give where the answer's content belongs, and the whole file's size."""
    if response.status_code == HTTPStatus.PARTIAL_CONTENT:
        match = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
        if match is None or int(match[1]) != have:
            raise DownloadError(
                f"{response.url}: asked for bytes from {have:,} on, the server sent "
                f"{response.headers.get('Content-Range', 'something else')!r}; name another mirror"
            )
        return have, None if match[2] == "*" else int(match[2])
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isdigit() else None


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
        return str(note["tag"]) if note["url"] == url and note["tag"] else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _write_tag(part: Path, url: str, headers: httpx.Headers) -> None:
    etag = headers.get("ETag", "")
    tag = headers.get("Last-Modified") if not etag or etag.startswith("W/") else etag
    _note(part).write_text(json.dumps({"url": url, "tag": tag}), "utf-8")


def _text(error: Exception) -> str:
    return str(error) or type(error).__name__
