from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest

from pytest_beir.datasets import transfer
from pytest_beir.datasets.transfer import Patience
from pytest_beir.errors import DownloadError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URL = "https://beir.example/scifact.zip"
CONTENT = bytes(range(200))


def whole(**headers: str) -> httpx.Response:
    """A response that is still to be read, as one from a network is."""
    length = {"Content-Length": str(len(CONTENT))}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(200, headers={**length, **named}, stream=httpx.ByteStream(CONTENT))


def fetch(
    answer: httpx.MockTransport,
    part: Path,
    monkeypatch: pytest.MonkeyPatch,
    pauses: list[float],
    *,
    url: str = URL,
    most: int = 10_000,
    **patience: Any,
) -> list[tuple[int, int | None]]:
    seen: list[tuple[int, int | None]] = []
    client = httpx.Client
    settings = {"attempts": 3, "sleep": pauses.append, **patience}
    monkeypatch.setattr(httpx, "Client", lambda **options: client(transport=answer, **options))
    transfer.transfer(
        url,
        part,
        most=most,
        patience=Patience(**settings),
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
        fetch(answer, part, monkeypatch, [], most=1 << 61)


def test_a_server_that_cannot_be_reached_is_given_up(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route", request=request)

    pauses: list[float] = []
    with pytest.raises(DownloadError, match=r"given up after 3 attempts \(no route\)"):
        fetch(httpx.MockTransport(answer), part, monkeypatch, pauses)
    assert pauses == [1.0, 2.0]


def test_a_refused_connection_is_given_up_soon(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    pauses: list[float] = []
    with pytest.raises(DownloadError, match="given up after 3 attempts"):
        fetch(httpx.MockTransport(answer), part, monkeypatch, pauses, attempts=6)
    assert sum(pauses) < 10


@pytest.mark.parametrize("length", [True, False])
def test_more_than_the_file_can_have_is_refused(
    part: Path, monkeypatch: pytest.MonkeyPatch, *, length: bool
) -> None:
    headers = {"Content-Length": "200"} if length else {}
    answer = httpx.MockTransport(
        lambda _: httpx.Response(200, headers=headers, stream=httpx.ByteStream(CONTENT))
    )
    with pytest.raises(DownloadError, match=r"sends 200 bytes or more, .* at most 100"):
        fetch(answer, part, monkeypatch, [], most=100)
    assert not part.exists()


def test_a_trickle_is_given_up(part: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Trickle(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            while True:
                yield b"x"

    seconds = iter(range(1000))
    answer = httpx.MockTransport(lambda _: httpx.Response(200, stream=Trickle()))
    with pytest.raises(DownloadError, match="given up: slower than 1,000 bytes a second"):
        fetch(answer, part, monkeypatch, [], clock=lambda: float(next(seconds)))
    assert 0 < part.stat().st_size < 100


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://user:s3cret@beir.example/scifact.zip?sig=s3cret#s3cret", "HTTP 404"),
        ("https://s3cret@[::1", "Invalid"),
    ],
)
def test_no_password_of_an_address_is_shown(
    part: Path, monkeypatch: pytest.MonkeyPatch, address: str, words: str
) -> None:
    answer = httpx.MockTransport(lambda _: httpx.Response(404))
    with pytest.raises(DownloadError, match=words) as caught:
        fetch(answer, part, monkeypatch, [], url=address)
    assert "s3cret" not in str(caught.value)
    assert transfer.shown(URL) == URL


def test_what_is_kept_of_a_part_names_no_password(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = httpx.MockTransport(lambda _: whole(ETag='"v1"'))
    fetch(answer, part, monkeypatch, [], url=URL.replace("//", "//user:s3cret@") + "?s3cret")
    assert "s3cret" not in part.with_name(f"{part.name}.json").read_text()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ImportError("socksio"), r"is a SOCKS proxy, .*pip install 'httpx\[socks\]'"),
        (httpx.InvalidURL("bad"), "a proxy of the environment .* is not an address"),
        (FileNotFoundError(2, "No such file"), "the certificates cannot be read"),
    ],
)
def test_a_network_that_is_set_up_wrongly_is_one_error(
    part: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def client(**_: object) -> None:
        raise error

    monkeypatch.setattr(httpx, "Client", client)
    with pytest.raises(DownloadError, match=words):
        transfer.transfer(URL, part, most=1, patience=Patience(), progress=lambda *_: None)


@pytest.mark.parametrize("value", ["9" * 5000, "\u00b2", "-1", "1e3"])
def test_odd_numbers_in_headers_are_no_numbers(
    part: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    headers = [(b"Content-Length", value.encode("latin-1"))]
    answer = httpx.MockTransport(
        lambda _: httpx.Response(200, headers=headers, stream=httpx.ByteStream(CONTENT))
    )
    fetch(answer, part, monkeypatch, [])
    assert part.read_bytes() == CONTENT


def test_a_servers_words_are_shown_without_control_characters(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"reason_phrase": b"\x1b[31mHACK" + b"!" * 500}
    answer = httpx.MockTransport(lambda _: httpx.Response(404, extensions=words))
    with pytest.raises(DownloadError, match="HTTP 404") as caught:
        fetch(answer, part, monkeypatch, [])
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(("bytes_a_second", "is_given_up"), [(999, True), (1000, False)])
def test_a_thousand_bytes_a_second_over_twenty_seconds_are_enough(
    part: Path, monkeypatch: pytest.MonkeyPatch, bytes_a_second: int, is_given_up: bool
) -> None:
    class Steady(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            for _ in range(50):
                yield bytes(bytes_a_second)

    seconds = iter(range(1000))
    answer = httpx.MockTransport(lambda _: httpx.Response(200, stream=Steady()))
    options: dict[str, Any] = {"most": 100_000, "clock": lambda: float(next(seconds))}
    if is_given_up:
        with pytest.raises(DownloadError, match="given up: slower than 1,000 bytes a second"):
            fetch(answer, part, monkeypatch, [], **options)
        assert part.stat().st_size == 20 * bytes_a_second
    else:
        fetch(answer, part, monkeypatch, [], **options)
        assert part.stat().st_size == 50 * bytes_a_second


def test_a_server_that_breaks_off_is_asked_six_times_with_longer_and_longer_pauses(
    part: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    answer = httpx.MockTransport(lambda _request: httpx.Response(503))
    with pytest.raises(DownloadError, match="given up after 6 attempts"):
        fetch(answer, part, monkeypatch, pauses, attempts=Patience().attempts)
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0]
