"""Rankings in other forms than TREC's six columns, each form in a file of its own.

A new one is a file with a `RunForm`, a line in `FORMS` and a test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.errors import RunFileError
from pytest_beir.files.lines import opened, opened_pieces
from pytest_beir.retrieval.run_forms.json_run import JSON_RUN
from pytest_beir.retrieval.run_forms.packed import unpacked
from pytest_beir.retrieval.run_forms.table import TABLE
from pytest_beir.retrieval.run_forms.three_columns import THREE_COLUMNS

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.retrieval.run_forms.form import Run, RunForm

FORMS: tuple[RunForm, ...] = (JSON_RUN, TABLE, THREE_COLUMNS)

_COLUMNS = 6
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def other_run(path: Path) -> tuple[Run | None, bytes | None]:
    """The run of a file in another form than TREC's, else its unpacked content where it is packed.

    Raises:
        RunFileError: The file is damaged, or malformed in its form.

    """
    content = unpacked(path)
    if content is None:
        first = b"" if path.suffix == ".parquet" else _first_line(path)
    else:
        first = _first_of(content)
    inner = path if content is None else path.with_suffix("")
    form = None
    if inner.suffix == ".json" or not _is_trec(first):
        form = next((form for form in FORMS if form.recognises(inner, first)), None)
    if form is None:
        return None, content
    if content is None and path.suffix != ".parquet":
        with opened_pieces(path, RunFileError, by_content=True) as pieces:
            content = b"".join(pieces)
    return form.read(path, content or b""), None


def _is_trec(line: bytes) -> bool:
    """Whether a line has TREC's six columns, whatever its ids begin with."""
    tabs = line.count(b"\t") == _COLUMNS - 1
    cells = line.split(b"\t") if tabs else line.split()
    if len(cells) != _COLUMNS:
        return False
    try:
        float(cells[4])
    except ValueError:
        return False
    return True


def _first_line(path: Path) -> bytes:
    with opened(path, RunFileError, by_content=True) as lines:
        return next((line for each in lines if (line := _plain(each))), b"")


def _first_of(content: bytes) -> bytes:
    return next((line for each in content[: 1 << 16].split(b"\n") if (line := _plain(each))), b"")


def _plain(line: bytes) -> bytes:
    return line.removeprefix(_BYTE_ORDER_MARK).strip()
