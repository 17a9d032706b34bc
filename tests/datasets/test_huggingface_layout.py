from __future__ import annotations

import gzip
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.datasets.huggingface_layout import snapshot
from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pa = pytest.importorskip("pyarrow", reason="needs the extra `parquet`")
pq = pytest.importorskip("pyarrow.parquet")

DOCUMENTS: list[dict[str, Any]] = [
    {"_id": "0001", "title": "Tea", "text": "Leaves"},
    {"_id": "é", "title": "", "text": "Beans"},
]
QUERIES: list[dict[str, Any]] = [{"_id": "q1", "text": "hot"}, {"_id": "q2", "text": "cold"}]
ROWS: list[dict[str, Any]] = [
    {"query-id": "q1", "corpus-id": "0001", "score": 2},
    {"query-id": "q2", "corpus-id": "é", "score": 1},
]
RIGHT = {"q1": {"0001": 2}, "q2": {"é": 1}}


def write_table(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)


def write_tables(folder: Path, *, qrels: str | None = "qrels/test-00000-of-00001.parquet") -> Path:
    write_table(folder / "corpus" / "corpus-00000-of-00002.parquet", DOCUMENTS[:1])
    write_table(folder / "corpus" / "corpus-00001-of-00002.parquet", DOCUMENTS[1:])
    write_table(folder / "queries" / "queries-00000-of-00001.parquet", QUERIES)
    if qrels:
        write_table(folder / qrels, ROWS)
    return folder


def write_tsv(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["query-id\tcorpus-id\tscore"]
    lines += ["\t".join(map(str, row.values())) for row in ROWS]
    (folder / "test.tsv").write_text("\n".join(lines), "utf-8")


def inside(tmp_path: Path) -> Path:
    return write_tables(tmp_path / "drinks")


def sibling(tmp_path: Path) -> Path:
    write_tsv(tmp_path / "drinks-qrels")
    return write_tables(tmp_path / "drinks", qrels=None)


def nested(tmp_path: Path) -> Path:
    write_tsv(tmp_path / "drinks" / "drinks-qrels")
    return write_tables(tmp_path / "drinks", qrels=None)


def beside(tmp_path: Path) -> Path:
    write_tsv(tmp_path / "drinks")
    return write_tables(tmp_path / "drinks", qrels=None)


def single_files(tmp_path: Path) -> Path:
    folder = tmp_path / "drinks"
    write_table(folder / "corpus.parquet", DOCUMENTS)
    write_table(folder / "queries.parquet", QUERIES)
    write_table(folder / "test.parquet", ROWS)
    (folder / "README.txt").write_text("no judgements")
    return folder


def packed_lines(tmp_path: Path) -> Path:
    write_tsv(tmp_path / "drinks-qrels")
    folder = tmp_path / "drinks"
    folder.mkdir()
    import json

    for name, records in (("corpus", DOCUMENTS), ("queries", QUERIES)):
        text = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return folder


def hub_cache(tmp_path: Path) -> Path:
    for name in ("datasets--BeIR--drinks", "datasets--BeIR--drinks-qrels"):
        for revision in ("aaa", "zzz"):
            (tmp_path / name / "snapshots" / revision).mkdir(parents=True)
        (tmp_path / name / "refs").mkdir()
        (tmp_path / name / "refs" / "main").write_text("aaa")
    write_tsv(tmp_path / "datasets--BeIR--drinks-qrels" / "snapshots" / "aaa")
    folder = tmp_path / "datasets--BeIR--drinks"
    write_tables(folder / "snapshots" / "aaa", qrels=None)
    return folder


@pytest.mark.parametrize(
    "layout",
    [inside, sibling, nested, beside, single_files, packed_lines, hub_cache],
    ids=lambda one: one.__name__,
)
def test_every_layout_gives_the_same_dataset(
    tmp_path: Path, cache: Path, layout: Callable[[Path], Path]
) -> None:
    dataset = load_dataset(layout(tmp_path), name="drinks", cache_dir=cache)
    assert dataset.split == "test"
    assert dataset.queries == {"q1": "hot", "q2": "cold"}
    assert dataset.qrels == RIGHT
    assert dataset.corpus is not None
    assert dict(dataset.corpus) == {
        "0001": {"title": "Tea", "text": "Leaves"},
        "é": {"title": "", "text": "Beans"},
    }


def test_the_snapshot_is_the_one_that_main_names_else_the_last(tmp_path: Path) -> None:
    assert snapshot(tmp_path) == tmp_path
    for revision in ("aaa", "bbb", "ccc"):
        (tmp_path / "snapshots" / revision).mkdir(parents=True)
    assert snapshot(tmp_path) == tmp_path / "snapshots" / "ccc"
    (tmp_path / "refs").mkdir()
    for written, expected in (("bbb", "bbb"), ("bbb\n", "bbb"), ("gone", "ccc")):
        (tmp_path / "refs" / "main").write_text(written)
        assert snapshot(tmp_path) == tmp_path / "snapshots" / expected


def test_a_table_of_judgements_without_grades_has_grade_1(tmp_path: Path, cache: Path) -> None:
    folder = write_tables(tmp_path / "nano", qrels=None)
    rows = [{"query-id": row["query-id"], "corpus-id": row["corpus-id"]} for row in ROWS]
    write_table(folder / "qrels" / "train-00000-of-00001.parquet", rows)
    dataset = load_dataset(folder, name="nano-scifact", cache_dir=cache)
    assert dataset.split == "train"
    assert dataset.qrels == {"q1": {"0001": 1}, "q2": {"é": 1}}


def test_numbers_in_a_table_of_judgements_are_ids_all_the_same(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "drinks"
    write_tables(folder, qrels=None)
    write_table(folder / "queries" / "queries-00000-of-00001.parquet", [{"_id": "7", "text": "a"}])
    rows = [{"query-id": 7, "corpus-id": "é", "score": 1.0}]
    write_table(folder / "qrels" / "test.parquet", rows)
    assert load_dataset(folder, cache_dir=cache).qrels == {"7": {"é": 1}}


@pytest.mark.parametrize(
    ("file", "rows", "words"),
    [
        ("qrels/test.parquet", [{"query-id": "q1", "corpus-id": "d", "score": 0.5}], "grade 0.5"),
        ("qrels/test.parquet", [{"query-id": "q1", "score": 1}], "no value for 'corpus-id'"),
        ("qrels/test.parquet", [ROWS[0], ROWS[0]], "test.parquet:2: .* judged twice"),
        ("corpus/corpus-00000-of-00002.parquet", [{"_id": 1, "text": "a"}], "ids are text"),
        ("queries/queries-00000-of-00001.parquet", [{"text": "a"}], ':1: .* no field "_id"'),
    ],
)
def test_a_bad_row_is_an_error_with_its_number(
    tmp_path: Path, cache: Path, file: str, rows: list[dict[str, Any]], words: str
) -> None:
    folder = write_tables(tmp_path / "drinks", qrels="qrels/test.parquet")
    write_table(folder / file, rows)
    with pytest.raises(DatasetError, match=words):
        load_dataset(folder, cache_dir=cache)


def test_a_damaged_table_is_an_error(tmp_path: Path, cache: Path) -> None:
    folder = inside(tmp_path)
    (folder / "queries" / "queries-00000-of-00001.parquet").write_bytes(b"PAR1 not")
    with pytest.raises(DatasetError, match="damaged parquet"):
        load_dataset(folder, cache_dir=cache)


def test_without_pyarrow_the_error_names_the_extra(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = inside(tmp_path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DatasetError, match=r"pip install 'pytest-beir\[parquet\]'"):
        load_dataset(folder, cache_dir=cache)


@pytest.mark.parametrize("table", ["corpus", "qrels"])
def test_a_missing_part_of_a_table_is_named(tmp_path: Path, cache: Path, table: str) -> None:
    folder = write_tables(tmp_path / "docs")
    for part in (folder / table).glob("*.parquet"):
        if "-00000-of-" in part.name:
            part.rename(part.with_name(f"{table}-00000-of-00003.parquet"))
        else:
            part.unlink()
    with pytest.raises(DatasetError, match=f"the part {table}-00001-of-00003 is missing"):
        load_dataset(folder, cache_dir=cache)
