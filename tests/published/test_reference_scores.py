"""The shipped scores are those that were published, and average over whole sets only."""

from __future__ import annotations

import csv
import statistics
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.dataset_names import official_split
from pytest_beir.datasets.set_comparison import identify, named_set
from pytest_beir.published.reference_scores import (
    load_scores,
    published_average,
    published_scores,
    systems,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_every_score_lies_on_an_official_split_and_names_its_source() -> None:
    for score in load_scores():
        assert official_split(score.dataset) == score.split
        assert 0 <= score.value <= 1
        assert "@" in score.source
    keys = [score[:4] for score in load_scores()]
    assert len(set(keys)) == len(keys)


def test_every_score_stands_in_the_published_sources(shared_data: Path) -> None:
    with (shared_data / "published_scores_core.csv").open(encoding="utf-8") as file:
        published = {
            (
                row["dataset"].replace("cqadupstack-", "cqadupstack/"),
                row["split"],
                row["metric"],
                float(row["value"]),
                row["source"],
            )
            for row in csv.DictReader(file)
        }
    for score in load_scores():
        if score.dataset != "cqadupstack":
            key = (score.dataset, score.split, score.metric, score.value, score.source)
            assert key in published


def test_each_system_has_every_zero_shot_dataset() -> None:
    zero_shot = load_catalog().sets["beir-18"].members
    for system in systems():
        for metric in ("nDCG@10", "R@100"):
            found = {s.dataset for s in load_scores() if (s.system, s.metric) == (system, metric)}
            assert found >= set(zero_shot)


def test_cqadupstack_is_the_mean_of_its_twelve_forums() -> None:
    (whole,) = published_scores("cqadupstack", metric="nDCG@10")[:1]
    forums = [
        published_scores(f"cqadupstack/{name}", metric="nDCG@10")[0].value
        for name in load_catalog().entries["cqadupstack"].members
    ]
    assert whole.system == "BM25 flat"
    assert whole.value == pytest.approx(statistics.fmean(forums))
    assert whole.value == pytest.approx(0.302, abs=0.0005)


def test_another_split_or_an_unknown_dataset_has_no_published_score() -> None:
    assert published_scores("SciFact", "test", "nDCG@10")[0].value == 0.6789
    assert published_scores("scifact", "train") == ()
    assert published_scores("docs") == ()


def test_one_unchanged_system_has_another_average_over_each_set() -> None:
    averages = [
        published_average("BGE base v1.5", named_set("nDCG@10", name)).value
        for name in ("public-13", "public-14", "beir-18")
    ]
    assert averages == [pytest.approx(x, abs=5e-4) for x in (0.550, 0.541, 0.509)]


def test_an_average_over_a_set_with_a_gap_is_withheld_and_names_the_gap() -> None:
    average = published_average("SPLADE-v3", named_set("nDCG@10", "mteb-15"))
    assert average.value is None
    assert average.missing == ("msmarco@dev",)


def test_an_average_is_by_the_sets_own_metric() -> None:
    binary = published_average("SPLADE-v3", named_set("nDCG@10(binary)", "public-13"))
    assert binary.value is None
    assert len(binary.missing) == 13
    other_split = published_average("SPLADE-v3", identify("nDCG@10", ["scifact@train"]))
    assert other_split.value is None


def test_an_unknown_system_is_no_silent_gap() -> None:
    with pytest.raises(KeyError, match="ELSER"):
        published_average("ELSER", named_set("nDCG@10", "public-13"))
