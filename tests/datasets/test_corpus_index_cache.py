from __future__ import annotations

import gzip
import os
import shutil
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.datasets import corpus_index_cache
from pytest_beir.datasets.corpus import Corpus
from pytest_beir.datasets.corpus_index_cache import open_corpus
from pytest_beir.datasets.scan import scan_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.errors import DatasetError

LINES = b'{"_id": "1", "text": "a"}\n{"_id": "2", "text": "b"}\n'
OLD = 1_500_000_000  # seconds; a file of this age cannot change under an equal time stamp


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were read through, in order."""
    seen: list[Path] = []
    scan = scan_corpus

    def noted(path: Path, *args: Any) -> Any:
        seen.append(path)
        return scan(path, *args)

    monkeypatch.setattr(corpus_index_cache, "scan_corpus", noted)
    return seen


def write(path: Path, content: bytes = LINES, time: int = OLD) -> tuple[Path]:
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    os.utime(path, (time, time))
    return (path,)


def read(files: tuple[Path], cache: Path) -> dict[str, dict[str, str]]:
    return dict(Corpus.open(files, "n", "test", cache))


@pytest.mark.parametrize("name", ["corpus.jsonl", "corpus.jsonl.gz"])
def test_a_corpus_is_read_through_once(
    tmp_path: Path, cache: Path, scans: list[Path], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus_index_cache, "_RACY_NS", 0)  # as if it had been there for long
    files = write(tmp_path / name)
    assert read(files, cache) == read(files, cache)
    assert scans == [files[0]]


def test_a_changed_size_or_time_is_read_again(
    tmp_path: Path, cache: Path, scans: list[Path]
) -> None:
    read(write(tmp_path / "corpus.jsonl"), cache)
    longer = write(tmp_path / "corpus.jsonl", LINES + b'{"_id": "3", "text": "c"}\n')
    assert len(read(longer, cache)) == 3
    later = write(tmp_path / "corpus.jsonl", LINES.replace(b'"b"', b'"c"'), OLD + 1)
    assert read(later, cache)["2"]["text"] == "c"
    assert len(scans) == 3


def test_a_file_written_a_moment_ago_is_not_trusted_to_stay(
    tmp_path: Path, cache: Path, scans: list[Path]
) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(LINES)
    state = path.stat()
    read((path,), cache)
    path.write_bytes(LINES.replace(b'"b"', b'"c"'))  # same size
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))  # and same time
    assert read((path,), cache)["2"]["text"] == "c"


def test_a_text_changed_under_the_old_size_and_time_is_read_again(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus_index_cache, "_RACY_NS", 0)
    files = write(tmp_path / "corpus.jsonl")
    before = read(files, cache)
    changed = write(tmp_path / "corpus.jsonl", LINES.replace(b'"b"', b'"c"'))
    after = read(changed, cache)
    assert files[0].stat().st_mtime_ns == changed[0].stat().st_mtime_ns
    assert after["2"]["text"] == "c"
    assert before != after


def test_the_copy_of_a_private_corpus_is_private(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "corpus.jsonl.gz"
    write(path)
    path.chmod(0o600)
    read((path,), cache)
    copies = [file for file in cache.rglob("*") if file.name in ("corpus.jsonl", "index")]
    assert [stat.S_IMODE(file.stat().st_mode) for file in copies] == [0o600, 0o600]


def test_the_cache_may_be_deleted_while_a_corpus_is_open(tmp_path: Path, cache: Path) -> None:
    files = write(tmp_path / "corpus.jsonl.gz")
    corpus = Corpus.open(files, "drinks", "test", cache)
    shutil.rmtree(cache)
    assert corpus["2"]["text"] == "b"
    assert len(list(corpus.items())) == 2


def test_a_copy_that_vanishes_while_it_is_made_is_held_in_memory(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deleted(path: Path) -> None:
        shutil.rmtree(cache)
        raise FileNotFoundError(path)

    files = write(tmp_path / "corpus.jsonl.gz")
    monkeypatch.setattr(corpus_index_cache, "_copied_lines", deleted)
    assert read(files, cache)["2"]["text"] == "b"


def test_the_users_folder_is_never_written_to(tmp_path: Path, cache: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    files = write(data / "corpus.jsonl.gz")
    data.chmod(0o500)
    try:
        read(files, cache)
        assert list(data.iterdir()) == [files[0]]
    finally:
        data.chmod(0o700)


@pytest.mark.parametrize("name", ["corpus.jsonl", "corpus.jsonl.gz"])
def test_a_cache_that_cannot_be_written_to_is_done_without(tmp_path: Path, name: str) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    files = write(tmp_path / name)
    corpus = Corpus.open(files, "n", "test", tmp_path / "cache")
    assert corpus["2"] == {"title": "", "text": "b"}
    assert list(corpus) == ["1", "2"]
    assert dict(corpus)


@pytest.mark.parametrize("damage", [b"", b"{}", b"nonsense" * 500, None])
def test_a_damaged_index_is_made_again(
    tmp_path: Path, cache: Path, damage: bytes | None, scans: list[Path]
) -> None:
    files = write(tmp_path / "corpus.jsonl")
    read(files, cache)
    (index,) = cache.rglob("index")
    index.write_bytes(index.read_bytes()[:-40] if damage is None else damage)
    assert len(read(files, cache)) == 2
    assert len(scans) == 2


def test_an_unpacked_copy_that_went_missing_is_made_again(tmp_path: Path, cache: Path) -> None:
    files = write(tmp_path / "corpus.jsonl.gz")
    read(files, cache)
    (copy,) = cache.rglob("corpus.jsonl")
    copy.unlink()
    assert len(read(files, cache)) == 2


def test_errors_are_collected_and_nothing_is_kept(tmp_path: Path, cache: Path) -> None:
    files = write(tmp_path / "corpus.jsonl", LINES + b"{}\n[]\n" + LINES)
    found: list[DatasetError] = []
    opened = open_corpus(files, cache, found.append)
    assert [(one.kind, one.line) for one in found] == [
        ("missing-field", 3),
        ("not-an-object", 4),
        ("duplicate-id", 5),
        ("duplicate-id", 6),
    ]
    assert len(opened.index) == 4
    assert not list(cache.rglob("index"))


def test_ids_that_stand_twice_are_told_in_the_order_of_the_file(
    tmp_path: Path, cache: Path
) -> None:
    once = b"".join(b'{"_id": "d%d", "text": "a"}\n' % number for number in range(12))
    found: list[DatasetError] = []
    open_corpus(write(tmp_path / "corpus.jsonl", once + once), cache, found.append)
    assert [one.line for one in found] == list(range(13, 25))
    assert all(f"line {(one.line or 0) - 12} too" in str(one) for one in found)


def test_no_half_written_file_stays(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert len(read(write(tmp_path / "corpus.jsonl.gz"), cache)) == 2
    assert [path.name for path in cache.rglob("*") if path.is_file()] == ["index.lock"]


def test_processes_that_open_at_once_agree(tmp_path: Path, cache: Path) -> None:
    records = b"".join(b'{"_id": "%d", "text": "a"}\n' % n for n in range(5000))
    (path,) = write(tmp_path / "corpus.jsonl.gz", records)
    script = (
        "from pathlib import Path; from pytest_beir.datasets.corpus import Corpus;"
        f"c = Corpus.open((Path({str(path)!r}),), 'n', 'test', Path({str(cache)!r}));"
        "print(len(dict(c)), c.fingerprint)"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = {one.communicate(timeout=60)[0] for one in both}
    assert len(outputs) == 1
    assert outputs.pop().startswith("5000 ")
