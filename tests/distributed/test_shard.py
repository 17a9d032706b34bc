"""Parts of a corpus as file and byte offsets."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.corpus import Corpus
from pytest_beir.distributed.shard import cut, read
from pytest_beir.distributed.shard_corpus import ShardCorpus, read_here

if TYPE_CHECKING:
    from pathlib import Path

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Documents of growing length, with line separators in them and blank lines between."""
    lines = [
        json.dumps({"_id": f"d{n}", "title": "é", "text": "a\u2028b " * n}, ensure_ascii=False)
        for n in range(50)
    ]
    file = tmp_path / "corpus.jsonl"
    file.write_bytes(BYTE_ORDER_MARK + "\r\n\n".join(lines).encode())
    return Corpus.open((file,), "made", "test", tmp_path / "cache")


@pytest.mark.parametrize("shards", [1, 2, 7, 50, 80])
def test_parts_hold_every_document_once_and_in_order(corpus: Corpus, shards: int) -> None:
    parts = cut(corpus, shards)
    assert shards // 2 <= len(parts) <= shards
    documents = []
    for part in parts:
        lines = read_here(part)
        assert lines is not None
        assert lines == read(part, corpus)
        held = ShardCorpus(part, lines)
        assert len(held) == part.count == len(list(held))
        documents += list(held.items())
    assert documents == list(corpus.items())


def test_parts_are_about_equal_in_bytes(corpus: Corpus) -> None:
    sizes = [part.end - part.start for part in cut(corpus, 4)]
    longest = max(end - start for start, end in (corpus.span(n, n + 1) for n in range(50)))
    assert max(sizes) - min(sizes) <= 2 * longest


def test_parts_begin_at_multiples_where_that_is_asked_for(corpus: Corpus) -> None:
    assert {part.first % 10 for part in cut(corpus, 3, 10)} == {0}


def test_a_part_finds_its_documents_by_id(corpus: Corpus) -> None:
    part = cut(corpus, 3)[1]
    held = ShardCorpus(part, read(part, corpus))
    for document in held:
        assert held[document] == corpus[document]
    assert "d0" not in held
    with pytest.raises(KeyError):
        held["d0"]


def test_a_file_of_another_size_or_content_is_not_read(corpus: Corpus, tmp_path: Path) -> None:
    part = cut(corpus, 2)[1]
    file = tmp_path / "corpus.jsonl"
    lines = file.read_bytes()
    file.write_bytes(lines[:-9] + b"x" + lines[-8:])
    assert read_here(part) is None
    file.write_bytes(lines + b"\n")
    assert read_here(part) is None
    assert read_here(replace(part, file=str(tmp_path / "nowhere"))) is None
    file.write_bytes(lines)
    assert read_here(part) is not None


def test_what_a_retriever_keeps_of_a_part_lies_in_a_folder_of_its_own(
    corpus: Corpus, tmp_path: Path
) -> None:
    folders = []
    for part in cut(corpus, 2):
        held = ShardCorpus(replace(part, dataset="forums/android"), b"", tmp_path / "worker")
        folder = held.cache_dir
        assert folder.is_dir()
        assert folder.parent == tmp_path / "worker" / "retrievers"
        name, _, digits = folder.name.rpartition("-")
        assert (name, digits) == ("forums-android", part.fingerprint[:16])
        folders.append(folder)
    assert len({*folders}) == 2
