from __future__ import annotations

import io
import random
import stat
import zipfile
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.archive import extract
from pytest_beir.errors import DownloadError

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("drinks/queries.jsonl", "{}")
        for name, content in members:
            packed.writestr(name, content)
    return path


def test_only_the_named_folder_is_unpacked(tmp_path: Path) -> None:
    archive = write(tmp_path / "a.zip", ("drinks/a/b.txt", b"tea"), ("__MACOSX/x", b""))
    extract(archive, tmp_path / "out", "drinks")
    files = {path.relative_to(tmp_path / "out").as_posix() for path in tmp_path.rglob("out/**/*.*")}
    assert files == {"drinks/queries.jsonl", "drinks/a/b.txt"}


@pytest.mark.parametrize(
    "name",
    ["../evil", "drinks/../../evil", "/etc/evil", "drinks/..\\evil", "C:/evil", "drinks/c:evil"],
)
def test_a_member_that_leads_outside_is_refused(tmp_path: Path, name: str) -> None:
    archive = write(tmp_path / "a.zip", (name, b"evil"))
    with pytest.raises(DownloadError, match="refused"):
        extract(archive, tmp_path / "out", "drinks")
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.rglob("evil*"))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_a_link_or_a_device_is_refused(tmp_path: Path, kind: int) -> None:
    link = zipfile.ZipInfo("drinks/link")
    link.external_attr = (kind | 0o777) << 16
    archive = write(tmp_path / "a.zip", (link, b"/etc/passwd"))
    with pytest.raises(DownloadError, match="is a link or a device"):
        extract(archive, tmp_path / "out", "drinks")


def test_files_and_folders_with_their_unix_modes_are_unpacked(tmp_path: Path) -> None:
    folder, file = zipfile.ZipInfo("drinks/qrels/"), zipfile.ZipInfo("drinks/qrels/test.tsv")
    folder.external_attr = (stat.S_IFDIR | 0o755) << 16
    file.external_attr = (stat.S_IFREG | 0o644) << 16
    archive = write(tmp_path / "a.zip", (folder, b""), (file, b"q1\td1\t1\n"))
    extract(archive, tmp_path / "out", "drinks")
    assert (tmp_path / "out/drinks/qrels/test.tsv").read_bytes() == b"q1\td1\t1\n"


def test_a_member_of_absurd_size_is_refused(tmp_path: Path) -> None:
    archive = write(tmp_path / "a.zip", ("drinks/corpus.jsonl", bytes(5 << 20)))
    with pytest.raises(DownloadError, match="unpacks from"):
        extract(archive, tmp_path / "out", "drinks")


def test_members_of_absurd_total_size_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_beir.datasets.archive.MOST_BYTES", 10)
    archive = write(tmp_path / "a.zip", ("drinks/corpus.jsonl", b"eleven bytes"))
    with pytest.raises(DownloadError, match="unpacks to 14 bytes"):
        extract(archive, tmp_path / "out", "drinks")


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_beir.datasets.archive.MOST_MEMBERS", 1)
    archive = write(tmp_path / "a.zip", ("drinks/a", b""))
    with pytest.raises(DownloadError, match="2 members"):
        extract(archive, tmp_path / "out", "drinks")


def test_a_name_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    archive = write(tmp_path / "a.zip", ("drinks/Queries.jsonl", b""))
    with pytest.raises(DownloadError, match="is in it twice"):
        extract(archive, tmp_path / "out", "drinks")


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    archive = write(tmp_path / "a.zip")
    content = bytearray(archive.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 8] |= 1  # the flag in the central directory
    archive.write_bytes(content)
    with pytest.raises(DownloadError, match="is encrypted"):
        extract(archive, tmp_path / "out", "drinks")


def test_a_zip_without_the_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="holds no folder food/"):
        extract(write(tmp_path / "a.zip"), tmp_path / "out", "food")


def test_a_file_that_is_no_zip_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"not a zip")
    with pytest.raises(DownloadError, match="damaged archive"):
        extract(tmp_path / "a.zip", tmp_path / "out", "drinks")


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("drinks/x/./y", "drinks/x/y"), "is in it twice"),
        (("drinks/x//y", "drinks/x/y"), "is in it twice"),
        (("drinks/x", "drinks/x/y"), "is below another member, which is a file"),
    ],
)
def test_members_that_cannot_both_be_written_are_refused(
    tmp_path: Path, names: tuple[str, ...], words: str
) -> None:
    archive = write(tmp_path / "a.zip", *((name, b"") for name in names))
    with pytest.raises(DownloadError, match=words):
        extract(archive, tmp_path / "out", "drinks")


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_a_damaged_member_is_the_archives_fault(tmp_path: Path, method: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as packed:
        packed.writestr("x/corpus.jsonl", random.Random(7).randbytes(5000))  # noqa: S311
    for place in range(60, 1000, 50):
        content = bytearray(buffer.getvalue())
        content[place] ^= 0xFF
        archive = tmp_path / "a.zip"
        archive.write_bytes(content)
        with pytest.raises(DownloadError, match="damaged archive"):
            extract(archive, tmp_path / f"out{place}", "x")


def test_a_member_that_is_said_to_be_before_the_archive_is_damage(tmp_path: Path) -> None:
    archive = write(tmp_path / "a.zip")
    content = bytearray(archive.read_bytes())
    place = content.rindex(b"PK\5\6") + 16  # where the directory is said to begin
    begin = int.from_bytes(content[place : place + 4], "little")
    content[place : place + 4] = (begin + 40).to_bytes(4, "little")
    archive.write_bytes(content)
    with pytest.raises(DownloadError, match="damaged archive"):
        extract(archive, tmp_path / "out", "drinks")
