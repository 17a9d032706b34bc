"""What makes two results incomparable, and what only flags them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.baselines.comparability import Comparability, comparable
from pytest_beir.datasets.dataset import Fingerprints

if TYPE_CHECKING:
    from pytest_beir.baselines.baseline import Baseline

FINGERPRINTS = ("a1" * 32, "b2" * 32, "c3" * 32)
QUERIES = Fingerprints("d4", *FINGERPRINTS[1:])
QRELS = Fingerprints(FINGERPRINTS[0], "d4", FINGERPRINTS[2])


def test_the_same_dataset_and_definitions_compare(
    baseline: Baseline, definitions: dict[str, str]
) -> None:
    assert comparable(baseline, baseline.identity, definitions) == Comparability()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "other"}, "the baseline is of another dataset, 'docs'"),
        ({"split": "dev"}, "the split is 'dev', the baseline's 'test'"),
        ({"fingerprints": QUERIES, "queries": 4}, "the judged queries differ (4, baseline 3)"),
        (
            {"fingerprints": QUERIES},
            "the judged queries differ (3 as in the baseline, but not the same ones)",
        ),
        ({"fingerprints": QRELS, "judgements": 6}, "the judgements differ (6, baseline 5)"),
        ({"members": ("a", "b")}, "the parts differ from the baseline's: a, b"),
        ({"drop_identical_ids": True}, "are dropped now, were kept in the baseline"),
    ],
)
def test_another_dataset_is_not_comparable_in_any_metric(
    baseline: Baseline, definitions: dict[str, str], changes: dict[str, Any], words: str
) -> None:
    found = comparable(baseline, replace(baseline.identity, **changes), definitions)
    assert len(found.reasons) == 1
    assert words in found.reasons[0]
    assert found.reason("nDCG@10") == found.reasons[0]


def test_another_definition_is_not_comparable_in_that_metric_alone(
    baseline: Baseline, definitions: dict[str, str]
) -> None:
    found = comparable(baseline, baseline.identity, {**definitions, "R@100": "new words"})
    assert found.reasons == ()
    assert found.reason("nDCG@10") is None
    assert found.reason("R@100") == (
        "R@100 is now defined as 'new words', in the baseline as 'share found'"
    )


def test_a_baseline_whose_definition_was_cut_out_is_not_comparable_in_that_metric(
    baseline: Baseline, definitions: dict[str, str]
) -> None:
    kept = {metric: text for metric, text in definitions.items() if metric != "R@100"}
    found = comparable(replace(baseline, definitions=kept), baseline.identity, definitions)
    assert found.reasons == ()
    assert found.metrics == {
        "R@100": "R@100 is now defined as 'share found', in the baseline not at all"
    }


def test_metrics_that_only_one_side_has_are_no_difference(
    baseline: Baseline, definitions: dict[str, str]
) -> None:
    now = {"nDCG@10": definitions["nDCG@10"], "RR@10": "first", "Judged@10": "other words"}
    assert comparable(baseline, baseline.identity, now) == Comparability()


def test_a_changed_corpus_is_flagged_and_compared(
    baseline: Baseline, definitions: dict[str, str]
) -> None:
    other = replace(
        baseline.identity, fingerprints=Fingerprints(*FINGERPRINTS[:2], "d4"), documents=121
    )
    assert comparable(baseline, other, definitions) == Comparability(corpus_changed=True)


def test_a_run_without_a_corpus_says_nothing_about_it(
    baseline: Baseline, definitions: dict[str, str]
) -> None:
    other = replace(
        baseline.identity, fingerprints=Fingerprints(*FINGERPRINTS[:2], None), documents=None
    )
    assert comparable(baseline, other, definitions) == Comparability()


@pytest.mark.parametrize(
    ("now", "stored", "words"),
    [
        (("c", "a", "b"), ("b", "d"), "the parts differ from the baseline's: a, c, d"),
        (("b", "a"), ("a", "b"), "the parts differ from the baseline's: another order"),
    ],
)
def test_parts_that_one_side_alone_has_are_named_in_order(
    baseline: Baseline,
    definitions: dict[str, str],
    now: tuple[str, ...],
    stored: tuple[str, ...],
    words: str,
) -> None:
    divided = replace(baseline, identity=replace(baseline.identity, members=stored))
    found = comparable(divided, replace(divided.identity, members=now), definitions)
    assert found.reasons == (words,)


def test_every_difference_is_told_in_one_order(
    baseline: Baseline, definitions: dict[str, str]
) -> None:
    dropping = replace(baseline, identity=replace(baseline.identity, drop_identical_ids=True))
    other = replace(dropping.identity, name="other", split="dev", drop_identical_ids=False)
    found = comparable(dropping, other, definitions)
    assert found.reason("nDCG@10") == (
        "the baseline is of another dataset, 'docs'; the split is 'dev', the baseline's 'test'; "
        "documents that have their query's id are kept now, were not in the baseline"
    )
