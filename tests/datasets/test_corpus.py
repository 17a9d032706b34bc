from __future__ import annotations

import gzip
import json
import os
import pickle
import tracemalloc
from collections.abc import Callable, Mapping
from hashlib import sha256
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.datasets.corpus import Corpus
from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from pathlib import Path

Open = Callable[..., Corpus]

RECORDS: list[dict[str, Any]] = [
    {"_id": "d1", "title": "Tea", "text": "Leaves in hot water."},
    {"_id": "0001", "text": "Cocoa\r\nwith milk."},
    {"_id": '"Heroes"_(album)', "title": None, "text": "  "},
    {"_id": "Ünï cødé", "title": "Ü", "text": "日本語 \U0001f600"},
]
RIGHT = {
    "d1": {"title": "Tea", "text": "Leaves in hot water."},
    "0001": {"title": "", "text": "Cocoa\r\nwith milk."},
    '"Heroes"_(album)': {"title": "", "text": "  "},
    "Ünï cødé": {"title": "Ü", "text": "日本語 \U0001f600"},
}


def lines(records: list[Any], *, ascii_only: bool = False, end: str = "\n") -> bytes:
    return "".join(json.dumps(one, ensure_ascii=ascii_only) + end for one in records).encode()


FORMS = {
    "plain": lines(RECORDS),
    "escapes": lines(RECORDS, ascii_only=True),
    "CRLF": lines(RECORDS, end="\r\n"),
    "byte order mark": b"\xef\xbb\xbf" + lines(RECORDS),
    "blank lines": b"\n" + lines(RECORDS, end="\n \n") + b"\n",
    "no last line feed": lines(RECORDS).rstrip(b"\n"),
}


@pytest.fixture
def open_corpus(tmp_path: Path, cache: Path) -> Open:
    """Write a corpus and open it."""

    def open_(content: bytes, name: str = "corpus.jsonl", *, cache: Path = cache) -> Corpus:
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return Corpus.open((path,), "drinks", "test", cache)

    return open_


@pytest.mark.parametrize("name", ["corpus.jsonl", "corpus.jsonl.gz"])
@pytest.mark.parametrize("content", FORMS.values(), ids=FORMS)
def test_the_form_of_the_file_changes_neither_documents_nor_fingerprint(
    open_corpus: Open, content: bytes, name: str
) -> None:
    corpus = open_corpus(content, name)
    assert {identifier: corpus[identifier] for identifier in corpus} == RIGHT
    assert corpus.fingerprint == open_corpus(FORMS["plain"], "other.jsonl").fingerprint


def test_it_is_a_mapping_in_the_order_of_the_file(open_corpus: Open) -> None:
    corpus = open_corpus(FORMS["plain"])
    assert isinstance(corpus, Mapping)
    assert list(corpus) == list(corpus.keys()) == list(RIGHT)
    assert list(corpus.items()) == list(RIGHT.items())
    assert list(corpus.values()) == list(RIGHT.values())
    assert (len(corpus), len(corpus.items()), len(corpus.values())) == (4, 4, 4)
    assert ("d1", RIGHT["d1"]) in corpus.items()
    assert dict(corpus) == RIGHT
    assert corpus == RIGHT


def test_unknown_ids_are_not_in_it(open_corpus: Open) -> None:
    corpus = open_corpus(FORMS["plain"])
    for unknown in ("1", "d1 ", "D1", "", "\ud800", 1, None):
        assert unknown not in corpus
        with pytest.raises(KeyError):
            corpus[unknown]  # type: ignore[index]
        assert corpus.get(unknown) is None  # type: ignore[arg-type]


def test_it_bears_what_picks_a_prompt_or_an_index(open_corpus: Open, cache: Path) -> None:
    corpus = open_corpus(FORMS["plain"])
    assert (corpus.name, corpus.split) == ("drinks", "test")
    assert corpus.cache_dir.is_dir()
    assert corpus.cache_dir.parent == cache / "retrievers"
    assert corpus.cache_dir.name == f"drinks-{corpus.fingerprint[:16]}"


def test_it_counts_documents_without_text_and_repeated_ones(open_corpus: Open) -> None:
    records = [{"_id": str(number), "title": "a", "text": "b"} for number in range(3)]
    records += [{"_id": f"e{number}", "title": " ", "text": ""} for number in range(4)]
    records += [{"_id": "x", "title": "", "text": "ab"}, {"_id": "y", "title": "ab", "text": ""}]
    corpus = open_corpus(lines(records))
    assert (corpus.empty, corpus.repeated) == (4, 2)


def change(records: list[dict[str, Any]], **fields: Any) -> list[dict[str, Any]]:
    return [{**records[0], **fields}, *records[1:]]


@pytest.mark.parametrize(
    "records",
    [
        change(RECORDS, _id="d2"),
        change(RECORDS, text="Leaves in hot water"),
        change(RECORDS, title="tea"),
        change(RECORDS, title="TeaLeaves", text=" in hot water."),
        RECORDS[1:],
        [*RECORDS, {"_id": "new", "text": ""}],
    ],
)
def test_another_content_has_another_fingerprint(open_corpus: Open, records: list[Any]) -> None:
    assert open_corpus(lines(records)).fingerprint != open_corpus(FORMS["plain"], "b").fingerprint


def test_order_and_unread_fields_do_not_change_the_fingerprint(open_corpus: Open) -> None:
    records = [{"metadata": {"n": 1}, **record} for record in reversed(RECORDS)]
    corpus, other = open_corpus(lines(records)), open_corpus(FORMS["plain"], "b")
    assert corpus.fingerprint == other.fingerprint
    assert corpus == other
    assert hash(corpus) == hash(other)


def test_the_fingerprint_is_made_of_documents_sorted_by_the_digest_of_their_ids(
    open_corpus: Open,
) -> None:
    def digest(text: str) -> bytes:
        return sha256(text.encode()).digest()[:16]

    contents = {
        "d1": "3:TeaLeaves in hot water.",
        "0001": "0:Cocoa\r\nwith milk.",
        '"Heroes"_(album)': "0:  ",
        "Ünï cødé": "1:Ü日本語 \U0001f600",
    }
    pairs = sorted(digest(identifier) + digest(content) for identifier, content in contents.items())
    assert open_corpus(FORMS["plain"]).fingerprint == sha256(b"".join(pairs)).hexdigest()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"_id": "2", "text": "b"', "malformed JSON at column 25"),
        ('{"_id": 2, "text": "b"}', 'ids are text: write "_id": "2"'),
        ('{"_id": "2"}', 'no field "text"'),
        ('{"_id": "2", "text": null}', '"text" is a null'),
        ('{"_id": "2", "title": 5, "text": ""}', '"title" is a number'),
        ('{"_id": "2", "text": "\\ud800"}', "half of a surrogate pair"),
        ('{"_id": "a\\nb", "text": ""}', "holds a tab or a line end"),
        ('{"_id": "1", "text": "other"}', "the id is on line 1 too"),
    ],
)
def test_a_bad_line_is_an_error_with_its_number(open_corpus: Open, line: str, words: str) -> None:
    content = f'{{"_id": "1", "text": "a"}}\n\n{line}\n{{"_id": "3", "text": "c"}}\n'
    with pytest.raises(DatasetError) as caught:
        open_corpus(content.encode())
    assert "corpus.jsonl:3: " in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_a_corpus_without_documents_is_an_error(open_corpus: Open, content: bytes) -> None:
    with pytest.raises(DatasetError, match="holds no document"):
        open_corpus(content)


def test_a_pickled_corpus_reads_the_same_documents(open_corpus: Open) -> None:
    corpus = open_corpus(FORMS["plain"], "corpus.jsonl.gz")
    other = pickle.loads(pickle.dumps(corpus))  # noqa: S301 - our own
    assert dict(other) == RIGHT
    assert other == corpus
    assert len(pickle.dumps(corpus)) < 1000


def test_threads_may_share_a_corpus(open_corpus: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pread", raising=False)  # the way of systems without it
    corpus = open_corpus(lines([{"_id": str(n), "text": "x" * n} for n in range(300)]))
    wrong: list[str] = []

    def read() -> None:
        wrong.extend(i for i in corpus if len(corpus[i]["text"]) != int(i))

    threads = [Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_file_that_changes_under_it_is_an_error(open_corpus: Open, tmp_path: Path) -> None:
    corpus = open_corpus(FORMS["plain"])
    (tmp_path / "corpus.jsonl").write_bytes(FORMS["plain"].replace(b"d1", b"d2"))
    with pytest.raises(DatasetError, match="was changed while it was in use"):
        corpus["d1"]


def test_iteration_streams_and_the_documents_stay_on_disk(open_corpus: Open) -> None:
    documents = 20_000
    content = lines([{"_id": f"d{n}", "text": "word " * 60} for n in range(documents)])
    corpus = open_corpus(content)
    del content
    tracemalloc.start()
    try:
        assert sum(len(document["text"]) for document in corpus.values()) == documents * 300
        assert sum(identifier in corpus for identifier in corpus) == documents
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000  # of more than 6 MB of text, at most a block of it at a time
