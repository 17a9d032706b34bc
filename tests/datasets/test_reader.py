from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

import pytest_beir
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.reader import is_name, load_dataset
from pytest_beir.errors import DatasetError

MakeFolder = Callable[..., Path]
HEADER = "query-id\tcorpus-id\tscore\n"


def test_a_folder_gives_judged_queries_their_judgements_and_a_corpus(
    make_folder: MakeFolder, cache: Path
) -> None:
    dataset = load_dataset(make_folder(), cache_dir=cache)
    assert (dataset.name, dataset.split) == ("drinks", "test")
    assert dataset.queries == {"q1": "hot drink", "q2": "beans"}
    assert dataset.qrels == {"q1": {"d1": 1, "0001": 2}, "q2": {"d2": 1}}
    assert dataset.corpus is not None
    assert dataset.corpus["0001"] == {"title": "", "text": "Cocoa with milk."}
    assert (dataset.corpus.name, dataset.corpus.split) == ("drinks", "test")
    counts = dataset.counts
    assert (counts.documents, counts.queries, counts.judgements) == (3, 2, 3)
    assert (dataset.flags, dataset.warnings, dataset.members) == ((), (), ())
    assert not dataset.drop_identical_ids


def test_a_string_with_a_slash_is_a_folder_and_one_without_is_a_name(
    make_folder: MakeFolder, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_folder()
    monkeypatch.chdir(folder.parent)
    assert load_dataset("./drinks", cache_dir=cache).folder == folder
    with pytest.raises(DatasetError, match=r"no dataset is called 'drinks' .*\./drinks"):
        load_dataset("drinks", cache_dir=cache)
    assert is_name("drinks")
    assert not is_name(Path("drinks"))


def test_an_unknown_name_names_the_nearest(cache: Path) -> None:
    with pytest.raises(DatasetError, match="did you mean 'trec-covid'"):
        load_dataset("trec-covd", cache_dir=cache)


def test_a_set_is_no_dataset(make_folder: MakeFolder, cache: Path) -> None:
    with pytest.raises(DatasetError, match="'public-13' is a set of datasets"):
        load_dataset("public-13", cache_dir=cache)
    with pytest.raises(DatasetError, match="'bundled' is the name of a set"):
        load_dataset(make_folder("bundled"), cache_dir=cache)


def test_a_folder_may_be_given_another_name(make_folder: MakeFolder, cache: Path) -> None:
    folder = make_folder("my data")
    assert load_dataset(folder, name="mine", cache_dir=cache).name == "mine"
    with pytest.raises(DatasetError, match=r"'my data' cannot be a dataset's name .*NAME=FOLDER"):
        load_dataset(folder, cache_dir=cache)


def test_without_a_corpus_there_is_none(make_folder: MakeFolder, cache: Path) -> None:
    dataset = load_dataset(make_folder(corpus=None), cache_dir=cache)
    assert dataset.corpus is None
    assert dataset.fingerprints.corpus is None
    assert dataset.counts.documents is None


class TestSplit:
    ROWS: ClassVar[dict[str, str]] = {
        name: f"{HEADER}q1\td1\t{grade}\n"
        for grade, name in enumerate(("train", "dev", "test", "other"))
    }

    def load(self, make_folder: MakeFolder, cache: Path, *splits: str, **options: Any) -> str:
        folder = make_folder(**{split: self.ROWS[split] for split in splits})
        dataset = load_dataset(folder, cache_dir=cache, **options)
        assert dataset.qrels == {"q1": {"d1": list(self.ROWS).index(dataset.split)}}
        return dataset.split

    def test_it_is_test_if_there_is_one(self, make_folder: MakeFolder, cache: Path) -> None:
        assert self.load(make_folder, cache, "dev", "test", "train") == "test"

    def test_it_is_the_only_one_else(self, make_folder: MakeFolder, cache: Path) -> None:
        assert self.load(make_folder, cache, "other") == "other"

    def test_it_is_the_one_asked_for(self, make_folder: MakeFolder, cache: Path) -> None:
        assert self.load(make_folder, cache, "dev", "test", split="dev") == "dev"

    def test_one_of_several_has_to_be_named(self, make_folder: MakeFolder, cache: Path) -> None:
        with pytest.raises(DatasetError, match=r"no split 'test' and several .*dev, train"):
            self.load(make_folder, cache, "dev", "train")

    def test_one_that_is_not_there_is_an_error(self, make_folder: MakeFolder, cache: Path) -> None:
        with pytest.raises(DatasetError, match=r"no judgements of split 'dev'; there are: test"):
            self.load(make_folder, cache, "test", split="dev")


def test_only_queries_of_the_split_are_sent(make_folder: MakeFolder, cache: Path) -> None:
    folder = make_folder(test=HEADER + "q1\td1\t1\n", train=HEADER + "q2\td2\t1\n")
    assert list(load_dataset(folder, cache_dir=cache).queries) == ["q1"]
    assert list(load_dataset(folder, "train", cache_dir=cache).queries) == ["q2"]


def test_what_a_dataset_lacks_is_counted(make_folder: MakeFolder, cache: Path) -> None:
    dataset = load_dataset(
        make_folder(
            corpus=[
                {"_id": "d1", "text": "a"},
                {"_id": "d2", "text": "a"},
                {"_id": "d3", "text": " "},
            ],
            queries=[{"_id": name, "text": name} for name in ("q1", "q2", "q3")],
            test=HEADER + "q1\td1\t1\nq1\tx\t1\nq2\td1\t0\nq9\td1\t1\n",
        ),
        cache_dir=cache,
    )
    assert [warning[:45] for warning in dataset.warnings] == [
        "1 query without any judgement; they are never",
        "1 judgement of 1 query that the file of queri",
        "1 judged query without a relevant document; e",
        "1 document without title and text; they canno",
        "1 document with the title and text of an earl",
        "1 judged document (1 judgement) not in the co",
    ]
    assert dataset.qrels == {"q1": {"d1": 1, "x": 1}, "q2": {"d1": 0}}


def test_judgements_of_other_queries_only_are_an_error(
    make_folder: MakeFolder, cache: Path
) -> None:
    folder = make_folder(test=HEADER + "Q1\td1\t1\n")
    with pytest.raises(DatasetError, match=r"none of its queries .*do the ids in test\.tsv agree"):
        load_dataset(folder, cache_dir=cache)


def test_groups_come_with_the_queries(make_folder: MakeFolder, cache: Path) -> None:
    queries = [{"_id": "q1", "text": "a", "metadata": {"group": "x"}}, {"_id": "q2", "text": "b"}]
    dataset = load_dataset(make_folder(queries=queries), cache_dir=cache)
    assert dataset.metadata == {"q1": {"group": "x"}}


def in_other_form(folder: Path) -> Path:
    """The same data with other bytes: CRLF, byte order marks, gzip, other order, no header."""
    other = folder.with_name("other")
    (other / "qrels").mkdir(parents=True)
    for path in folder.rglob("*.*"):
        lines = path.read_text("utf-8").splitlines()
        body = lines[1:] if path.suffix == ".tsv" else lines
        text = "\ufeff" + "\r\n".join(reversed(body))
        packed = other / f"{path.relative_to(folder)}.gz"
        packed.write_bytes(gzip.compress(text.encode()))
    return other


def test_fingerprints_are_of_content_not_of_bytes(make_folder: MakeFolder, cache: Path) -> None:
    folder = make_folder()
    first = load_dataset(folder, cache_dir=cache)
    other = load_dataset(in_other_form(folder), cache_dir=cache)
    assert first.fingerprints == other.fingerprints
    assert first.queries == other.queries
    assert first.qrels == other.qrels


def test_each_change_of_content_changes_its_own_fingerprint(
    make_folder: MakeFolder, cache: Path
) -> None:
    right = load_dataset(make_folder("a"), cache_dir=cache).fingerprints
    text = load_dataset(
        make_folder(
            "b", queries=[{"_id": "q1", "text": "Hot drink"}, {"_id": "q2", "text": "beans"}]
        ),
        cache_dir=cache,
    ).fingerprints
    grade = load_dataset(
        make_folder("c", test=HEADER + "q1\td1\t1\nq1\t0001\t1\nq2\td2\t1\n"), cache_dir=cache
    ).fingerprints
    unjudged = load_dataset(
        make_folder(
            "d",
            queries=[
                {"_id": "q1", "text": "hot drink"},
                {"_id": "q2", "text": "beans"},
                {"_id": "q3", "text": "new"},
            ],
        ),
        cache_dir=cache,
    ).fingerprints
    assert (text.queries != right.queries, text.qrels, text.corpus) == (
        True,
        right.qrels,
        right.corpus,
    )
    assert (grade.queries, grade.qrels != right.qrels) == (right.queries, True)
    assert unjudged == right


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"queries": None}, "no queries.jsonl"),
        ({"queries": "{"}, "queries.jsonl:1: malformed JSON"),
        ({"corpus": "{}\n"}, 'corpus.jsonl:1: the record has no field "_id"'),
        ({"test": HEADER + "q1\td1\t.5\n"}, "test.tsv:2: the grade .5"),
        ({"test": None}, "no judgements; expected qrels/test.tsv"),
    ],
)
def test_a_missing_or_malformed_file_is_an_error_with_its_place(
    make_folder: MakeFolder, cache: Path, files: dict[str, Any], words: str
) -> None:
    with pytest.raises(DatasetError) as caught:
        load_dataset(make_folder(**files), cache_dir=cache)
    assert words in str(caught.value)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no such folder; a dataset is"):
        load_dataset(tmp_path / "nowhere")


def test_a_folder_of_datasets_names_them(make_folder: MakeFolder, cache: Path) -> None:
    make_folder("all/tea")
    folder = make_folder("all/coffee").parent
    with pytest.raises(DatasetError, match=r"no queries\.jsonl .*in it: coffee, tea"):
        load_dataset(folder, cache_dir=cache)


def test_a_file_beside_its_gzip_is_an_error(make_folder: MakeFolder, cache: Path) -> None:
    folder = make_folder()
    (folder / "queries.jsonl.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(DatasetError, match=r"gz: there is queries\.jsonl next to it; keep one"):
        load_dataset(folder, cache_dir=cache)


class TestCatalogueName:
    def test_the_rules_of_the_catalogue_apply_to_a_local_copy(
        self, make_folder: MakeFolder, cache: Path
    ) -> None:
        dataset = load_dataset(make_folder("arguana"), cache_dir=cache)
        assert dataset.drop_identical_ids
        assert dataset.flags == ("differs-from-catalogue",)
        assert dataset.warnings == (
            (
                "differs from the catalogue: 2 judged queries instead of 1,406, "
                "3 documents instead of 8,674"
            ),
        )

    def test_they_apply_to_any_folder_given_that_name(
        self, make_folder: MakeFolder, cache: Path
    ) -> None:
        dataset = load_dataset(make_folder(), name="quora", cache_dir=cache)
        assert (dataset.name, dataset.drop_identical_ids) == ("quora", True)

    def test_they_can_be_overruled(self, make_folder: MakeFolder, cache: Path) -> None:
        folder = make_folder("arguana")
        assert not load_dataset(
            folder, drop_identical_ids=False, cache_dir=cache
        ).drop_identical_ids

    def test_ms_marco_is_never_scored_on_test(self, make_folder: MakeFolder, cache: Path) -> None:
        with pytest.raises(DatasetError, match="no judgements of split 'dev'"):
            load_dataset(make_folder("msmarco"), cache_dir=cache)
        folder = make_folder("other", test=HEADER + "q1\td1\t1\n", dev=HEADER + "q2\td1\t1\n")
        assert load_dataset(folder, name="msmarco", cache_dir=cache).split == "dev"

    def test_another_split_than_the_catalogues_is_flagged(
        self, make_folder: MakeFolder, cache: Path
    ) -> None:
        folder = make_folder("scifact", corpus=None, train=HEADER + "q1\td1\t1\n")
        dataset = load_dataset(folder, "train", cache_dir=cache)
        assert dataset.flags == ("differs-from-catalogue",)
        assert dataset.warnings[-1] == "differs from the catalogue: split train instead of test"

    def test_scifact_itself_differs_in_nothing(self, shared_data: Path, cache: Path) -> None:
        dataset = load_dataset(shared_data / "beir" / "scifact", cache_dir=cache)
        assert (dataset.flags, dataset.warnings) == ((), ())
        assert (dataset.counts.documents, dataset.counts.queries) == (5183, 300)


class TestForums:
    def test_the_forums_are_one_dataset_of_twelve_members(
        self, shared_data: Path, cache: Path
    ) -> None:
        dataset = load_dataset(shared_data / "beir-qrels" / "cqadupstack", cache_dir=cache)
        assert len(dataset.members) == len(dataset.strata) == len(dataset.parts) == 12
        assert (dataset.counts.queries, dataset.counts.judgements) == (13145, 23703)
        assert dataset.strata[0] == "android"
        android = dataset.members[0]
        assert (android.name, len(android.queries)) == ("cqadupstack/android", 699)
        query = next(iter(android.queries))
        assert dataset.queries[f"android/{query}"] == android.queries[query]
        assert dataset.qrels[f"android/{query}"] == android.qrels[query]
        assert list(dataset.queries) == sorted(dataset.queries)
        assert dataset.flags == ()

    def test_all_of_them_or_none(self, make_folder: MakeFolder, cache: Path) -> None:
        folder = make_folder("cqadupstack/android").parent
        with pytest.raises(DatasetError, match=r"lacks english, .*or not at all"):
            load_dataset(folder, cache_dir=cache)

    def test_their_corpora_make_one_fingerprint(self, make_folder: MakeFolder, cache: Path) -> None:
        for forum in load_catalog().entries["cqadupstack"].members:
            folder = make_folder(f"cqadupstack/{forum}").parent
        dataset = load_dataset(folder, cache_dir=cache)
        assert dataset.counts.documents == 36
        assert dataset.fingerprints.corpus is not None
        assert dataset.corpus is None
        assert all(member.corpus is not None for member in dataset.members)
        assert dataset.warnings[0].startswith("android: differs from the catalogue: ")


def test_the_public_function_is_this_one() -> None:
    assert pytest_beir.load_dataset is load_dataset


def test_ids_are_text_even_where_they_look_like_numbers(
    make_folder: MakeFolder, cache: Path
) -> None:
    folder = make_folder(
        corpus=json.dumps({"_id": "007", "text": "a"}),
        queries=json.dumps({"_id": "1e3", "text": "b"}),
        test="1e3\t007\t1\n",
    )
    assert load_dataset(folder, cache_dir=cache).qrels == {"1e3": {"007": 1}}
