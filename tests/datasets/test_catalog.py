from __future__ import annotations

import csv
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from pytest_beir.datasets.catalog import BUNDLED, Catalog, Entry, load_catalog
from pytest_beir.datasets.reader import load_dataset

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CATALOG = load_catalog()
OFFICIAL = [name for name, entry in CATALOG.entries.items() if not entry.parent][:19]


@pytest.fixture(scope="module")
def facts(shared_data: Path) -> dict[str, dict[str, str]]:
    with (shared_data / "beir_facts.csv").open(encoding="utf-8", newline="") as lines:
        return {row["beir_name"]: row for row in csv.DictReader(lines)}


def number(text: str) -> int | None:
    return int(text) if text else None


def test_the_nineteen_are_the_ones_of_the_facts(facts: dict[str, dict[str, str]]) -> None:
    assert list(facts) == OFFICIAL


@pytest.mark.parametrize("name", OFFICIAL)
def test_an_entry_agrees_with_the_facts(facts: dict[str, dict[str, str]], name: str) -> None:
    entry, row = CATALOG.entries[name], facts[name]
    assert entry.split == row["eval_split"]
    assert entry.documents == number(row["corpus_docs_exact"])
    assert entry.queries == number(row["queries_eval"])
    assert entry.judgements == number(row["qrels_rows_measured"])
    assert entry.grades == json.loads(row["grades_measured"] or "{}")
    assert entry.zip_md5 == (row["zip_md5_readme"] or None)
    assert entry.licence == row["licence_label"]
    assert (entry.task, entry.domain) == (row["task"], row["domain"])
    words = row["avg_query_words_measured"] or row["avg_query_words_paper_recalled"]
    assert entry.mean_query_words == float(words)
    assert entry.mean_document_words == float(row["avg_doc_words_paper_recalled"])
    assert (entry.availability == "download") == (row["public"] == "yes")
    assert entry.drop_identical_ids == (row["drop_identical_ids"] == "yes")
    if entry.zip_bytes is not None:
        assert entry.zip_bytes == number(row["zip_bytes_ir_datasets"])


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("beir-18", "in_18_zero_shot"),
        ("public-14", "in_14_public_zero_shot"),
        ("public-13", "in_13_minus_cqa"),
        ("mteb-15", "in_15_mteb"),
    ],
)
def test_a_named_set_has_the_members_of_the_facts(
    facts: dict[str, dict[str, str]], name: str, column: str
) -> None:
    members = [one for one, row in facts.items() if row[column] == "yes"]
    assert list(CATALOG.sets[name].members) == members
    assert len(members) == int(name.rsplit("-", 1)[1])
    assert CATALOG.sets[name].used_by.endswith(".")


def test_nanobeir_samples_thirteen_of_them(facts: dict[str, dict[str, str]]) -> None:
    members = CATALOG.sets["nanobeir-13"].members
    parents = [one for one, row in facts.items() if row["in_nanobeir13"] == "yes"]
    assert list(members) == [f"nano-{parent}" for parent in parents]
    assert [CATALOG.entries[member].parent for member in members] == parents


def test_no_dataset_bears_the_name_of_a_set() -> None:
    assert not {name.lower() for name in CATALOG.entries} & {name.lower() for name in CATALOG.sets}
    assert list(CATALOG.sets) == [
        "beir-18",
        "public-14",
        "public-13",
        "mteb-15",
        "nanobeir-13",
        "bundled",
    ]


def test_every_name_is_unique_without_regard_to_case() -> None:
    names = Counter(name.lower() for name in CATALOG.entries)
    assert set(names.values()) == {1}


def test_an_entry_knows_the_sets_it_belongs_to() -> None:
    assert CATALOG.entries["cqadupstack"].sets == ("beir-18", "public-14", "mteb-15")
    assert CATALOG.entries["msmarco"].sets == ("mteb-15",)
    for name, one in CATALOG.sets.items():
        assert all(name in CATALOG.entries[member].sets for member in one.members)


def test_only_arguana_and_quora_of_the_nineteen_drop_identical_ids() -> None:
    dropping = [name for name in OFFICIAL if CATALOG.entries[name].drop_identical_ids]
    assert dropping == ["arguana", "quora"]


def test_ms_marco_is_scored_on_dev() -> None:
    assert CATALOG.entries["msmarco"].identity == "msmarco@dev"


def test_what_is_restricted_says_how_to_obtain_it() -> None:
    restricted = [name for name in OFFICIAL if CATALOG.entries[name].availability == "restricted"]
    assert restricted == ["bioasq", "signal1m", "trec-news", "robust04"]
    assert all(len(CATALOG.entries[name].obtain or "") > 50 for name in restricted)


@pytest.mark.parametrize("name", ["trec-covid", "webis-touche2020", "climate-fever", "msmarco"])
def test_known_traps_are_told(name: str) -> None:
    assert CATALOG.entries[name].caveats


def counted(folder: Path, split: str) -> Iterator[tuple[str, int]]:
    for line in (folder / "qrels" / f"{split}.tsv").read_text("utf-8").splitlines()[1:]:
        query, _, grade = line.split("\t")
        yield query, int(grade)


@pytest.mark.parametrize(
    "name", [name for name in OFFICIAL if name not in ("robust04", "cqadupstack")]
)
def test_counts_agree_with_the_judgements_themselves(shared_data: Path, name: str) -> None:
    entry = CATALOG.entries[name]
    rows = (
        list(counted(shared_data / "beir-qrels" / name, entry.split))
        if name != "scifact"
        else (list(counted(shared_data / "beir" / "scifact", "test")))
    )
    grades = Counter(grade for _, grade in rows)
    assert entry.queries == len({query for query, _ in rows})
    assert entry.judgements == len(rows)
    assert entry.grades == {str(grade): count for grade, count in sorted(grades.items())}


def test_counts_of_the_forums_agree_with_the_judgements_themselves(shared_data: Path) -> None:
    entry = CATALOG.entries["cqadupstack"]
    folders = sorted((shared_data / "beir-qrels" / "cqadupstack").iterdir())
    assert sorted(entry.members) == [folder.name for folder in folders]
    for folder in folders:
        rows = list(counted(folder, "test"))
        part = entry.parts[folder.name]
        assert (part.queries, part.judgements) == (len({query for query, _ in rows}), len(rows))


def test_counts_of_documents_agree_with_another_counting(shared_data: Path) -> None:
    """Anserini's indexes leave out documents that it finds empty, at most 273 of a corpus."""
    stats = json.loads((shared_data / "anserini_index_stats.json").read_text("utf-8"))
    counts = {name: one["documents"] for name, one in stats.items()}
    for name, part in CATALOG.entries["cqadupstack"].parts.items():
        assert part.documents == counts.pop(f"cqadupstack-{name}")
    for name, indexed in counts.items():
        assert 0 <= CATALOG.entries[name].documents - indexed <= 273
    assert len(counts) == 17


@pytest.mark.parametrize("name", CATALOG.sets["bundled"].members)
def test_a_bundled_collection_is_what_the_catalogue_says(name: str, cache: Path) -> None:
    dataset, entry = load_dataset(name, cache_dir=cache, offline=True), CATALOG.entries[name]
    assert (dataset.flags, dataset.warnings) == ((), ())
    counts = (entry.documents, entry.queries, entry.judgements)
    assert counts == (
        dataset.counts.documents,
        dataset.counts.queries,
        dataset.counts.judgements,
    )
    grades = Counter(grade for one in dataset.qrels.values() for grade in one.values())
    assert entry.grades == {str(grade): grades[grade] for grade in sorted(grades)}
    assert dataset.drop_identical_ids == entry.drop_identical_ids
    assert dataset.corpus is not None
    queries = sum(len(text.split()) for text in dataset.queries.values()) / len(dataset.queries)
    documents = sum(
        len(f"{one['title']} {one['text']}".split()) for one in dataset.corpus.values()
    ) / len(dataset.corpus)
    assert entry.mean_query_words == pytest.approx(queries, abs=0.01)
    assert entry.mean_document_words == pytest.approx(documents, abs=0.01)


def test_every_bundled_folder_is_in_the_catalogue() -> None:
    folders = sorted(one.name for one in BUNDLED.iterdir() if (one / "queries.jsonl").is_file())
    assert sorted(CATALOG.sets["bundled"].members) == folders


class TestValidation:
    RIGHT: dict[str, Any] = CATALOG.entries["scifact"].model_dump()

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"availability": "somewhere"}, "download"),
            ({"zip_md5": None}, "a download has a zip_md5"),
            ({"zip_md5": "abc"}, "zip_md5"),
            ({"grades": {"1": 5}}, "do not add up"),
            ({"name": "a b"}, "name"),
            ({"documnets": 1}, "documnets"),
            ({"parts": {"a": {"documents": 1, "queries": 1, "judgements": 1}}}, "add up to 1"),
        ],
    )
    def test_an_entry_that_contradicts_itself_is_refused(
        self, change: dict[str, Any], words: str
    ) -> None:
        Entry.model_validate(self.RIGHT)
        with pytest.raises(ValidationError, match=words):
            Entry.model_validate({**self.RIGHT, **change})

    def test_a_set_of_unknown_datasets_is_refused(self) -> None:
        whole = CATALOG.model_dump(mode="json")
        whole["sets"]["bundled"]["members"].append("nothing")
        with pytest.raises(ValidationError, match="unknown datasets: nothing"):
            Catalog.model_validate(whole)

    def test_a_set_with_the_name_of_a_dataset_is_refused(self) -> None:
        whole = CATALOG.model_dump(mode="json")
        whole["sets"]["scifact"] = {**whole["sets"]["bundled"], "name": "scifact"}
        with pytest.raises(ValidationError, match="name a dataset and a set: scifact"):
            Catalog.model_validate(whole)
