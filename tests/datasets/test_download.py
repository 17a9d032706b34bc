from __future__ import annotations

import io
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.datasets.catalog import Entry, load_catalog
from pytest_beir.datasets.download import address, bar, fetch
from pytest_beir.datasets.reader import load_dataset
from pytest_beir.datasets.transfer import Patience
from pytest_beir.errors import DatasetError, DownloadError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SMALL = 3000  # bytes, less than the zip has


@pytest.fixture
def entry(scifact_zip: bytes, md5_of: Callable[[bytes], str]) -> Entry:
    """The entry of SciFact, with the checksum of the test's own zip."""
    assert len(scifact_zip) > SMALL
    official = load_catalog().entries["scifact"]
    return official.model_copy(update={"zip_md5": md5_of(scifact_zip)})


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def get(entry: Entry, cache: Path, server: Any, pauses: list[float]) -> Callable[..., Path]:
    """Fetch from the local server, with pauses that are noted and not slept."""

    def get(**options: Any) -> Path:
        patience = Patience(attempts=4, timeout=0.3, sleep=pauses.append)
        settings = {"mirror": server.url, "patience": patience, **options}
        return fetch(settings.pop("entry", entry), cache, **settings)

    return get


def nothing_left(cache: Path) -> bool:
    files = [path for path in cache.rglob("*") if path.is_file() and path.suffix != ".lock"]
    return not files


def test_a_fetched_dataset_is_unpacked_and_the_zip_is_gone(
    get: Callable[..., Path], cache: Path, server: Any
) -> None:
    folder = get()
    assert folder == cache / "datasets" / "scifact"
    assert (folder / "corpus.jsonl").is_file()
    assert not list((cache / "downloads").iterdir())
    assert server.requests == [("/scifact.zip", None)]


def test_a_dataset_in_the_cache_is_not_fetched_again(get: Callable[..., Path], server: Any) -> None:
    assert get() == get()
    assert len(server.requests) == 1


def test_a_truncated_transfer_goes_on_where_it_broke_off(
    get: Callable[..., Path], server: Any, pauses: list[float]
) -> None:
    server.faults = [("cut", SMALL)]
    assert (get() / "corpus.jsonl").is_file()
    assert [wish for _, wish in server.requests] == [None, f"bytes={SMALL}-"]
    assert pauses == [1.0]


def test_a_stalled_transfer_is_taken_up_again(get: Callable[..., Path], server: Any) -> None:
    server.faults = [("stall", SMALL)]
    assert (get() / "corpus.jsonl").is_file()
    assert [wish for _, wish in server.requests] == [None, f"bytes={SMALL}-"]


def test_a_later_process_goes_on_where_an_earlier_one_gave_up(
    get: Callable[..., Path], server: Any
) -> None:
    server.faults = [("cut", SMALL), 500, 500, 500]
    with pytest.raises(DownloadError, match="given up after 4 attempts"):
        get()
    assert (get() / "corpus.jsonl").is_file()
    assert server.requests[-1][1] == f"bytes={SMALL}-"


def test_a_server_that_ignores_ranges_is_read_from_the_start(
    get: Callable[..., Path], server: Any
) -> None:
    server.faults = [("cut", SMALL), "no-range"]
    assert (get() / "corpus.jsonl").is_file()


def test_a_file_that_changed_on_the_server_is_read_from_the_start(
    get: Callable[..., Path], server: Any
) -> None:
    server.faults = [("cut", SMALL), 500, 500, 500]
    with pytest.raises(DownloadError):
        get()
    server.etag = '"v2"'
    assert (get() / "corpus.jsonl").is_file()


def test_a_server_without_tags_is_never_asked_for_a_part(
    get: Callable[..., Path], server: Any
) -> None:
    server.etag = None
    server.faults = [("cut", SMALL)]
    assert (get() / "corpus.jsonl").is_file()
    assert [wish for _, wish in server.requests] == [None, None]


def test_a_part_longer_than_the_file_is_thrown_away(
    get: Callable[..., Path], cache: Path, server: Any
) -> None:
    server.faults = [("cut", SMALL), 500, 500, 500]
    with pytest.raises(DownloadError):
        get()
    part = cache / "downloads" / "scifact.zip.part"
    part.write_bytes(part.read_bytes() + bytes(len(server.content)))
    assert (get() / "corpus.jsonl").is_file()


def test_errors_of_the_server_are_retried_with_growing_pauses(
    get: Callable[..., Path], server: Any, pauses: list[float]
) -> None:
    server.faults = [500, 503, 502]
    assert (get() / "corpus.jsonl").is_file()
    assert pauses == [1.0, 2.0, 4.0]


def test_a_server_that_always_breaks_off_at_one_place_is_given_up(
    get: Callable[..., Path], server: Any
) -> None:
    server.etag = None
    server.faults = [("cut", SMALL)] * 20
    with pytest.raises(DownloadError, match=r"given up after 4 attempts .*3,000 bytes are kept"):
        get()
    assert len(server.requests) == 4


def test_a_missing_file_is_an_error_at_once(
    get: Callable[..., Path], server: Any, pauses: list[float]
) -> None:
    server.faults = [404]
    with pytest.raises(DownloadError, match=r"HTTP 404 .*BEIR_MIRROR"):
        get()
    assert pauses == []


def test_redirects_are_followed(get: Callable[..., Path], server: Any) -> None:
    server.faults = [("to", f"{server.url}/elsewhere.zip")]
    assert (get() / "corpus.jsonl").is_file()
    assert [path for path, _ in server.requests] == ["/scifact.zip", "/elsewhere.zip"]


def test_endless_redirects_are_an_error_at_once(get: Callable[..., Path], server: Any) -> None:
    server.faults = [("to", server.url)] * 50
    with pytest.raises(DownloadError, match="redirects"):
        get()


def test_a_wrong_checksum_says_what_was_expected_and_what_came_and_keeps_nothing(
    get: Callable[..., Path],
    cache: Path,
    server: Any,
    entry: Entry,
    md5_of: Callable[[bytes], str],
) -> None:
    server.faults = [("other", b"<html>log in first</html>")]
    with pytest.raises(DownloadError) as caught:
        get()
    assert f"expected a file with md5 {entry.zip_md5}" in str(caught.value)
    assert f"got {md5_of(b'<html>log in first</html>')} (25 bytes)" in str(caught.value)
    assert nothing_left(cache)


def test_a_damaged_archive_leaves_nothing_behind(
    get: Callable[..., Path],
    cache: Path,
    server: Any,
    entry: Entry,
    md5_of: Callable[[bytes], str],
) -> None:
    at = server.content.index(b"scifact/README") + 200  # inside a member's content
    broken = server.content[:at] + bytes(20) + server.content[at + 20 :]
    server.content = broken
    with pytest.raises(DownloadError, match="damaged archive"):
        get(entry=entry.model_copy(update={"zip_md5": md5_of(broken)}))
    assert nothing_left(cache)
    assert not (cache / "datasets" / "scifact").exists()


def test_an_archive_without_the_split_is_refused(
    get: Callable[..., Path], cache: Path, entry: Entry
) -> None:
    with pytest.raises(DownloadError, match="no judgements of split 'dev'"):
        get(entry=entry.model_copy(update={"split": "dev"}))
    assert nothing_left(cache)


def test_what_a_killed_process_left_is_cleared_away(get: Callable[..., Path], cache: Path) -> None:
    left = cache / "datasets" / ".scifact.abc"
    left.mkdir(parents=True)
    get()
    assert not left.exists()


@pytest.mark.usefixtures("no_network")
def test_offline_never_connects_and_names_the_remedy(entry: Entry, cache: Path) -> None:
    with pytest.raises(DownloadError, match="pytest-beir fetch scifact"):
        fetch(entry, cache, offline=True)


@pytest.mark.usefixtures("no_network")
def test_load_dataset_offline_never_connects(cache: Path) -> None:
    with pytest.raises(DownloadError, match="offline"):
        load_dataset("scifact", cache_dir=cache, offline=True)


@pytest.mark.parametrize("name", ["bioasq", "signal1m", "trec-news", "robust04", "nano-scifact"])
@pytest.mark.usefixtures("no_network")
def test_a_restricted_dataset_says_how_to_obtain_it(name: str, cache: Path) -> None:
    obtain = load_catalog().entries[name].obtain
    assert obtain
    with pytest.raises(DatasetError) as caught:
        load_dataset(name, cache_dir=cache)
    assert obtain in str(caught.value)
    assert f"{name}=FOLDER" in str(caught.value)


def test_load_dataset_reads_what_it_fetched(
    get: Callable[..., Path], cache: Path, server: Any
) -> None:
    get()
    dataset = load_dataset("scifact", cache_dir=cache, offline=True)
    assert (dataset.name, dataset.split, len(dataset.queries)) == ("scifact", "test", 2)
    assert dataset.flags == ("differs-from-catalogue",)


def test_the_mirror_of_the_environment_is_used(
    monkeypatch: pytest.MonkeyPatch, entry: Entry
) -> None:
    official = "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/scifact.zip"
    monkeypatch.delenv("BEIR_MIRROR", raising=False)
    assert address(entry) == official
    monkeypatch.setenv("BEIR_MIRROR", "https://inside.example/beir/")
    assert address(entry) == "https://inside.example/beir/scifact.zip"
    assert address(entry, "https://other.example/{name}/all") == "https://other.example/scifact/all"


def test_a_mirror_without_a_scheme_is_an_error(entry: Entry) -> None:
    with pytest.raises(DownloadError, match="begins with https://"):
        address(entry, "inside.example/beir")


def test_a_cache_that_is_a_file_is_an_error_with_a_remedy(entry: Entry, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    with pytest.raises(DownloadError, match="--beir-cache"):
        fetch(entry, tmp_path / "cache", mirror="http://127.0.0.1:1")


def test_processes_that_ask_at_once_fetch_once(
    entry: Entry, cache: Path, server: Any, tmp_path: Path
) -> None:
    script = tmp_path / "fetch_it.py"
    script.write_text(
        textwrap.dedent(f"""
            from pathlib import Path
            from pytest_beir.datasets.catalog import Entry
            from pytest_beir.datasets.download import fetch
            entry = Entry.model_validate_json({entry.model_dump_json()!r})
            folder = fetch(entry, Path({str(cache)!r}), mirror={server.url!r})
            assert (folder / "corpus.jsonl").read_bytes().count(b"\\n") == 3
        """)
    )
    both = [subprocess.Popen([sys.executable, str(script)]) for _ in range(3)]
    assert [one.wait(60) for one in both] == [0, 0, 0]
    assert len(server.requests) == 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with bar("scifact") as progress:
        progress(500_000, None)
        progress(1_000_000, 2_000_000)
    assert "scifact" in terminal.getvalue()
    assert "1.0/2.0 MB" in terminal.getvalue()


def test_anything_else_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.StringIO()
    monkeypatch.setattr(sys, "stderr", output)
    with bar("scifact") as progress:
        progress(1, 2)
    assert output.getvalue() == ""


def test_a_cache_whose_folder_is_not_there_yet_is_made(
    entry: Entry, tmp_path: Path, server: Any
) -> None:
    cache = tmp_path / "not" / "yet" / "there"
    assert fetch(entry, cache, mirror=server.url).is_relative_to(cache)
