"""A change broken down by groups of queries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import DatasetError
from pytest_beir.explanation.groups import by_group, groups_of, within
from pytest_beir.gate.comparison import compare_scores
from pytest_beir.reports.explanations import group_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset

    Make = Callable[..., Dataset]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A dataset of three judged queries with these metadata."""

    def make(*metadata: dict[str, object]) -> Dataset:
        folder = tmp_path / "docs"
        (folder / "qrels").mkdir(parents=True)
        queries = [
            {"_id": f"q{place}", "text": "a query", "metadata": each}
            for place, each in enumerate(metadata)
        ]
        lines = "".join(json.dumps(query) + "\n" for query in queries)
        (folder / "queries.jsonl").write_text(lines, encoding="utf-8")
        (folder / "corpus.jsonl").write_text(
            '{"_id": "d", "title": "", "text": "a document"}\n', encoding="utf-8"
        )
        rows = "".join(f"q{place}\td\t1\n" for place in range(len(metadata)))
        (folder / "qrels/test.tsv").write_text(
            f"query-id\tcorpus-id\tscore\n{rows}", encoding="utf-8"
        )
        return load_dataset(folder, cache_dir=tmp_path / "cache")

    return make


def test_queries_are_grouped_by_the_named_field(make: Make) -> None:
    dataset = make(
        {"group": "returns", "tier": 2}, {"group": "billing", "tier": True}, {"group": "returns"}
    )
    assert groups_of(dataset, "group") == {"billing": ("q1",), "returns": ("q0", "q2")}
    assert groups_of(dataset, "tier") == {"2": ("q0",), "true": ("q1",)}


def test_queries_without_the_field_belong_to_no_group(make: Make) -> None:
    dataset = make({"group": None}, {"group": ""}, {})
    assert groups_of(dataset, "group") == {}


def test_a_query_without_the_field_does_not_end_the_grouping(make: Make) -> None:
    dataset = make({}, {"group": "a"}, {"group": "a"})
    assert groups_of(dataset, "group") == {"a": ("q1", "q2")}


def test_a_group_that_is_no_word_names_the_query(make: Make) -> None:
    dataset = make({"group": "a"}, {"group": ["a", "b"]})
    with pytest.raises(DatasetError, match=r"docs: query 'q1': 'group' .* \['a', 'b'\]"):
        groups_of(dataset, "group")


BEFORE = {"q0": 0.8, "q1": 0.5, "q2": 0.4, "q3": 0.9}
NOW = {"q0": 0.4, "q1": 0.6, "q2": 0.4, "q3": 0.9}
GROUPS = {"billing": ("q1",), "returns": ("q0", "q2")}


def test_the_largest_drop_stands_first_with_its_own_counts() -> None:
    returns, billing = by_group(GROUPS, NOW, BEFORE)
    assert (returns.name, returns.n, returns.worse, returns.better) == ("returns", 2, 1, 0)
    assert (returns.before, returns.now) == pytest.approx((0.6, 0.4))
    assert returns.delta == pytest.approx(-0.2)
    assert billing.name == "billing"
    assert billing.delta == pytest.approx(0.1)


def test_a_groups_numbers_are_those_of_its_own_comparison() -> None:
    returns = by_group(GROUPS, NOW, BEFORE)[0]
    alone = compare_scores(within(BEFORE, GROUPS["returns"]), within(NOW, GROUPS["returns"]))
    assert (returns.delta, returns.lower, returns.upper) == (alone.delta, alone.lower, alone.upper)


def test_copies_of_a_query_count_once_in_a_group() -> None:
    groups = {"all": tuple(BEFORE)}
    [found] = by_group(groups, NOW, BEFORE, {"q0": "one", "q1": "one"})
    # q0 lost .4 and q1 won .1: as one unit they lost.
    assert (found.worse, found.better) == (1, 0)


def test_without_a_baseline_groups_have_their_score_alone() -> None:
    billing, returns = by_group(GROUPS, NOW)
    assert (billing.name, billing.now, billing.delta) == ("billing", 0.6, None)
    assert (returns.name, returns.before, returns.worse) == ("returns", None, None)


def test_a_group_is_one_line() -> None:
    returns = by_group(GROUPS, NOW, BEFORE)[0]
    assert group_line(returns) == "returns: −.200 (.600 → .400), 1 of 2 queries worse, 0 better"
    assert group_line(by_group(GROUPS, NOW)[0]) == "billing: .600, 1 query"
