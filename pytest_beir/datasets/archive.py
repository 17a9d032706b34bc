"""Unpacking a zip that was made elsewhere: only plain files, only inside, only sane sizes."""

from __future__ import annotations

import lzma
import shutil
import stat
import zipfile
import zlib
from contextlib import ExitStack
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING

from pytest_beir.errors import DownloadError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_MEMBERS = 10_000
MOST_BYTES = 64 << 30  # the largest of BEIR's archives unpacks to some 10 GB
MOST_RATIO = 200  # text packs four to one; deflate's limit is a thousand
_SMALL = 1 << 20  # bytes below which the ratio says nothing


def extract(archive: Path, into: Path, name: str) -> None:
    """Unpack the folder `name` of a zip into `into`; whatever else is in it stays there.

    Raises:
        DownloadError: the zip is damaged, or holds what no archive of texts does: a path that
            leads outside, a link, an encrypted member, an absurd size.
        OSError: a file cannot be written.

    """
    try:
        with zipfile.ZipFile(archive) as packed:
            members = packed.infolist()
            _check(archive, members)
            wanted = [member for member in members if member.filename.startswith(f"{name}/")]
            if not any(not member.is_dir() for member in wanted):
                raise DownloadError(f"{archive}: holds no folder {name}/")
            for member in wanted:
                target = into / member.filename
                if member.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("xb") as out:
                    for block in _blocks(archive, packed, member):
                        out.write(block)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DownloadError(f"{archive}: damaged archive ({error}); fetch it again") from error


def _blocks(archive: Path, packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """A member's content; what goes wrong here is the archive's fault, not the disk's."""
    with ExitStack() as stack:
        source: IO[bytes] | None = None
        while True:
            try:
                source = source or stack.enter_context(packed.open(member))
                block = source.read(1 << 20)
            except (OSError, ValueError, RuntimeError, lzma.LZMAError) as error:
                raise DownloadError(
                    f"{archive}: damaged archive ({error}); fetch it again"
                ) from error
            if not block:
                return
            yield block


def _check(archive: Path, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MOST_MEMBERS:
        raise DownloadError(f"{archive}: {len(members):,} members, refused")
    files = {PurePosixPath(each.filename.casefold()) for each in members if not each.is_dir()}
    seen: set[PurePosixPath] = set()
    for member in members:
        complaint = _complaint(member)
        path = PurePosixPath(member.filename.casefold())  # without `.` and doubled slashes
        if complaint is None and path in seen:
            complaint = "is in it twice"
        if complaint is None and not files.isdisjoint(path.parents):
            complaint = "is below another member, which is a file"
        if complaint is not None:
            raise DownloadError(f"{archive}: member {member.filename!r} {complaint}; refused")
        seen.add(path)
    total = sum(member.file_size for member in members)
    free = shutil.disk_usage(archive.parent).free
    if total > MOST_BYTES:
        raise DownloadError(f"{archive}: unpacks to {total:,} bytes; refused")
    if total > free:
        raise DownloadError(
            f"{archive}: unpacks to {total:,} bytes, and {free:,} are free; "
            "name another folder with --beir-cache"
        )


def _complaint(member: zipfile.ZipInfo) -> str | None:
    path = PurePosixPath(member.filename)
    kind = stat.S_IFMT(member.external_attr >> 16)
    if path.is_absolute() or ".." in path.parts:
        return "leads outside the folder"
    if any(sign in member.filename for sign in "\\:\0"):
        return "has a name that leads elsewhere on some systems"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link or a device"
    if member.flag_bits & 1:
        return "is encrypted"
    if member.file_size > max(_SMALL, MOST_RATIO * member.compress_size):
        return f"unpacks from {member.compress_size:,} to {member.file_size:,} bytes"
    return None
