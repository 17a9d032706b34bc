"""Fetching a dataset: the official zip, verified, and unpacked whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import contextmanager, suppress
from hashlib import md5
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pytest_beir.datasets.archive import extract
from pytest_beir.datasets.cache import locked
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.folder import find_folder
from pytest_beir.datasets.transfer import Patience, discard, shown, transfer
from pytest_beir.errors import DatasetError, DownloadError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.datasets.catalog import Entry
    from pytest_beir.datasets.transfer import Progress

MIRROR = "BEIR_MIRROR"
MOST_BYTES = 8 << 30  # of a zip whose size nobody has noted; the largest of BEIR's has two


def fetch(
    entry: Entry,
    cache: Path,
    *,
    offline: bool = False,
    mirror: str | None = None,
    patience: Patience | None = None,
) -> Path:
    """The folder of a dataset in the cache, fetched first if it is not there.

    The folder appears when it is complete. Processes that ask at once wait for the first one.

    Raises:
        DownloadError: it cannot be fetched whole and verified, or must not be (`offline`).

    """
    target = cache / "datasets" / entry.name
    if target.is_dir():
        return target
    if entry.zip_md5 is None:
        raise DownloadError(f"{entry.name} is not for download. {entry.obtain or 'It is bundled.'}")
    if offline:
        raise DownloadError(
            f"{entry.name} is not at {target}, and nothing may be fetched offline; run "
            f"`pytest-beir fetch {entry.name}` where there is a network, or name a local folder: "
            f"{entry.name}=FOLDER"
        )
    url = address(entry, mirror)
    try:
        with locked(target):
            if not target.is_dir():
                _fetch(entry, url, target, cache / "downloads", patience or Patience())
    except OSError as error:
        raise DownloadError(
            f"{error.filename or cache}: cannot be written ({error.strerror or error}); "
            "name another folder with --beir-cache"
        ) from error
    return target


def address(entry: Entry, mirror: str | None = None) -> str:
    """Where the zip is fetched from: `mirror`, else `BEIR_MIRROR`, else the official place.

    A mirror is the folder of the zips, or an address with `{name}` in it.

    Raises:
        DownloadError: The mirror is not an address.

    """
    base = mirror or os.environ.get(MIRROR) or unquote(str(load_catalog().url))
    if not base.startswith(("https://", "http://")):
        raise DownloadError(
            f"the mirror {shown(base)!r} is not an address; it begins with https://"
        )
    template = base if "{name}" in base else f"{base.rstrip('/')}/{{name}}.zip"
    return template.replace("{name}", entry.name)


def _unseen(_done: int, _total: int | None) -> None:
    return None


@contextmanager
def bar(title: str) -> Iterator[Progress]:
    """What to call with bytes so far and in all; draws on a terminal, else does nothing."""
    if not sys.stderr.isatty():
        yield _unseen
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Display

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Display(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task(title, total=None)
        yield lambda done, total: display.update(task, completed=done, total=total)


def _fetch(entry: Entry, url: str, target: Path, downloads: Path, patience: Patience) -> None:
    downloads.mkdir(parents=True, exist_ok=True)
    part = downloads / f"{entry.name}.zip.part"
    with bar(entry.name) as progress:
        most = entry.zip_bytes or MOST_BYTES
        transfer(url, part, most=most, patience=patience, progress=progress)
    _verify(entry, url, part)
    for left in target.parent.glob(f".{entry.name}.*"):  # of a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{entry.name}.", dir=target.parent))
    try:
        extract(part, staging, entry.name)
        _check_content(entry, url, staging / entry.name)
        (staging / entry.name).rename(target)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        with suppress(OSError):
            discard(part)


def _verify(entry: Entry, url: str, part: Path) -> None:
    digest = md5(usedforsecurity=False)
    with part.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != entry.zip_md5:
        size = part.stat().st_size
        discard(part)
        raise DownloadError(
            f"{shown(url)}: expected a file with md5 {entry.zip_md5}, got {digest.hexdigest()} "
            f"({size:,} bytes); nothing of it is kept. Is it another version, or a page of a proxy?"
        )


def _check_content(entry: Entry, url: str, folder: Path) -> None:
    try:
        for path in [folder / part for part in entry.parts] or [folder]:
            find_folder(path).split(entry.split)
    except DatasetError as error:
        raise DownloadError(f"{shown(url)}: not what BEIR's archive holds ({error})") from error
