"""Other people's spellings of a dataset are understood, look-alikes are not."""

from __future__ import annotations

import pytest

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.dataset_names import (
    dataset_name,
    is_known,
    official_split,
    unknown_names,
)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("scifact", "scifact"),
        ("SciFact", "scifact"),
        ("TRECCOVID", "trec-covid"),
        ("trec_covid", "trec-covid"),
        ("MS MARCO", "msmarco"),
        ("MSMARCO", "msmarco"),
        ("FiQA2018", "fiqa"),
        ("FiQA-2018", "fiqa"),
        ("DBPedia", "dbpedia-entity"),
        ("Touche2020", "webis-touche2020"),
        ("QuoraRetrieval", "quora"),
        ("CQADupstackRetrieval", "cqadupstack"),
        ("CQADupstackAndroidRetrieval", "cqadupstack/android"),
        ("cqadupstack-android", "cqadupstack/android"),
        ("cqadupstack/android", "cqadupstack/android"),
        ("NanoClimateFeverRetrieval", "nano-climate-fever"),
    ],
)
def test_a_known_spelling_gives_the_catalogue_name(written: str, name: str) -> None:
    assert dataset_name(written) == name
    assert is_known(written)


@pytest.mark.parametrize(
    "written", ["Touche2020Retrieval.v3", "FEVERHardNegatives", "SciFact-PL", "my-docs", "sci fact"]
)
def test_a_look_alike_stays_what_it_is(written: str) -> None:
    assert dataset_name(written) == written
    assert not is_known(written)


def test_every_dataset_and_forum_of_the_catalogue_keeps_its_name() -> None:
    for name, entry in load_catalog().entries.items():
        assert dataset_name(name) == name
        for forum in entry.members:
            assert dataset_name(f"{name}/{forum}") == f"{name}/{forum}"


def test_every_task_of_mteb_leads_to_a_dataset_of_the_catalogue() -> None:
    entries = load_catalog().entries
    tasks = {entry.mteb: name for name, entry in entries.items() if entry.mteb}
    for forum, facts in entries["cqadupstack"].parts.items():
        assert facts.mteb is not None
        tasks[facts.mteb] = f"cqadupstack/{forum}"
    assert len(tasks) == 40  # 15 of BEIR, 12 forums, 13 samples
    for task, dataset in tasks.items():
        assert dataset_name(task) == dataset
        assert official_split(dataset) is not None


def test_official_splits_are_those_of_the_catalogue() -> None:
    assert official_split("msmarco") == "dev"
    assert official_split("scifact") == "test"
    assert official_split("cqadupstack/android") == "test"
    assert official_split("nano-scifact") == "train"
    assert official_split("my-docs") is None


def test_an_unknown_name_comes_with_the_nearest_known_one() -> None:
    assert unknown_names(["SciFact", "scifct", "zzzzzz"]) == {"scifct": "scifact", "zzzzzz": None}
