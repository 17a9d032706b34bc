"""MS MARCO's three columns: query id, document id, rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.errors import RunFileError
from pytest_beir.retrieval.run_forms.form import Run, RunForm, add

if TYPE_CHECKING:
    from pathlib import Path

_COLUMNS = 3


def _cells(line: bytes) -> list[bytes]:
    return line.split(b"\t") if line.count(b"\t") == _COLUMNS - 1 else line.split()


def _recognises(_: Path, first: bytes) -> bool:
    cells = _cells(first)
    return len(cells) == _COLUMNS and cells[2].strip().isdigit()


def _read(path: Path, content: bytes) -> Run:
    run: Run = {}
    for number, line in enumerate(content.split(b"\n"), 1):
        cells = _cells(line.rstrip(b"\r"))
        if not b"".join(cells).strip():
            continue
        if len(cells) != _COLUMNS or not cells[2].strip().isdigit():
            raise RunFileError(
                f"{path}:{number}: expected the three columns query-id document-id rank:"
                f" {line[:80]!r}"
            )
        try:
            query, document = (cell.strip().decode() for cell in cells[:2])
        except UnicodeDecodeError:
            raise RunFileError(f"{path}:{number}: not UTF-8: {line[:80]!r}") from None
        add(run, f"{path}:{number}", query, document, -int(cells[2]))
    return run


THREE_COLUMNS = RunForm(
    describes="three columns without a header: query id, document id, rank (MS MARCO)",
    recognises=_recognises,
    read=_read,
)
