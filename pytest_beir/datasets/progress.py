"""A bar for a long download, where somebody watches."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.datasets.transfer import Progress


def _unseen(_done: int, _total: int | None) -> None:
    return None


@contextmanager
def bar(title: str) -> Iterator[Progress]:
    """Give what to call with bytes so far and in all; draws on a terminal, else does nothing."""
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
