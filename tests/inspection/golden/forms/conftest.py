"""A file of judgements, written and read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.inspection.golden.judgements import Judgements, read_judgements

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Judgements]:
    """Write text, or a value as JSON, under a name, and read it with `read_judgements`."""

    def write_and_read(name: str, content: Any, *args: Any, **options: Any) -> Judgements:
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return read_judgements(tmp_path / name, *args, **options)

    return write_and_read


@pytest.fixture
def rows() -> Callable[[Judgements], list[tuple[str, str, Any]]]:
    """(query, document or reference text, rating) of each row."""

    def triples(judgements: Judgements) -> list[tuple[str, str, Any]]:
        return [
            (row.query, row.document or row.reference or "", row.rating) for row in judgements.rows
        ]

    return triples
