from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest

from pytest_beir.datasets import transfer
from pytest_beir.datasets.transfer import Patience
from pytest_beir.errors import DownloadError

if TYPE_CHECKING:
    from pathlib import Path

URL = "https://beir.example/scifact.zip"
CONTENT = bytes(range(200))


def whole(**headers: str) -> httpx.Response:
    """A response that is still to be read, as one from a network is."""
    length = {"Content-Length": str(len(CONTENT))}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(200, headers={**length, **named}, stream=httpx.ByteStream(CONTENT))


def fetch(
    answer: httpx.MockTransport, part: Path, monkeypatch: pytest.MonkeyPatch, pauses: list[float]
) -> list[tuple[int, int | None]]:
    seen: list[tuple[int, int | None]] = []
    client = httpx.Client
    monkeypatch.setattr(httpx, "Client", lambda **options: client(transport=answer, **options))
    transfer.transfer(
        URL,
        part,
        patience=Patience(attempts=3, sleep=pauses.append),
        progress=lambda done, total: seen.append((done, total)),
    )
    return seen


@pytest.fixture
def part(tmp_path: Path) -> Path:
    return tmp_path / "scifact.zip.part"


def test_progress_is_told_from_the_first_byte_to_the_last(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = httpx.MockTransport(lambda _request: whole())
    seen = fetch(answer, part, monkeypatch, [])
    assert seen[0] == (0, 200)
    assert seen[-1] == (200, 200)
    assert part.read_bytes() == CONTENT


def test_a_server_that_asks_for_patience_gets_it(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [
        httpx.Response(429, headers={"Retry-After": "7"}),
        httpx.Response(503, headers={"Retry-After": "9999"}),
        whole(),
    ]
    pauses: list[float] = []
    fetch(httpx.MockTransport(lambda _request: answers.pop(0)), part, monkeypatch, pauses)
    assert pauses == [7.0, 60.0]


def test_a_redirect_away_from_https_is_refused(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.scheme == "https":
            return httpx.Response(302, headers={"Location": "http://beir.example/scifact.zip"})
        return whole()

    with pytest.raises(DownloadError, match="is not HTTPS"):
        fetch(httpx.MockTransport(answer), part, monkeypatch, [])
    assert not part.exists()


def test_a_part_from_elsewhere_in_the_file_is_refused(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part.write_bytes(CONTENT[:50])
    part.with_name(f"{part.name}.json").write_text(f'{{"url": "{URL}", "tag": "\\"v1\\""}}')
    headers = {"Content-Range": "bytes 10-199/200"}
    answer = httpx.MockTransport(
        lambda _request: httpx.Response(206, headers=headers, content=CONTENT[10:])
    )
    with pytest.raises(DownloadError, match="asked for bytes from 50 on"):
        fetch(answer, part, monkeypatch, [])


def test_a_weak_tag_is_no_tag(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = httpx.MockTransport(
        lambda _request: whole(ETag='W/"v1"', Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT")
    )
    fetch(answer, part, monkeypatch, [])
    assert "Mon, 01 Jan 2024" in part.with_name(f"{part.name}.json").read_text()


def test_a_download_larger_than_the_disk_is_refused_at_once(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = httpx.MockTransport(
        lambda _request: httpx.Response(200, headers={"Content-Length": str(1 << 60)})
    )
    with pytest.raises(DownloadError, match="has less room; name another folder"):
        fetch(answer, part, monkeypatch, [])


def test_a_server_that_cannot_be_reached_is_given_up(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route", request=request)

    pauses: list[float] = []
    with pytest.raises(DownloadError, match=r"given up after 3 attempts \(no route\)"):
        fetch(httpx.MockTransport(answer), part, monkeypatch, pauses)
    assert pauses == [1.0, 2.0]
