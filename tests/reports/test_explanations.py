"""What repeated retrievals showed, in a line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.explanation.groups import Group
from pytest_beir.explanation.pool import Bounds, PoolCheck
from pytest_beir.explanation.worst_queries import MovedDocument
from pytest_beir.gate.noise import Noise
from pytest_beir.reports.explanations import (
    circumstances,
    costliest,
    first_words,
    group_line,
    losses,
    pool_line,
    repeats_line,
)

if TYPE_CHECKING:
    from tests.reports.conftest import Factory


@pytest.mark.parametrize(
    ("varying", "named"),
    [(1, "q0"), (3, "q0, q1, q2"), (4, "q0, q1, q2, …")],
)
def test_three_queries_that_varied_are_named(varying: int, named: str) -> None:
    noise = Noise("nDCG@10", 3, 40, 0.01, {"q0": 0.2, "q1": 0.1})
    still = Noise("R@100", 3, 40, 0.0, {})
    told = repeats_line([noise, still], [f"q{number}" for number in range(varying)])
    # A drop between two runs: 1.645 times the root of two times the deviation of one.
    assert told == (
        f"noisy: 3 retrievals ranked {varying} of 40 queries differently ({named}); nDCG@10 of"
        " 2 queries varies, of the mean by sd .0100: a drop up to .0233 is within the noise"
    )


def test_an_order_that_varies_may_leave_every_score_alone() -> None:
    still = Noise("R@100", 3, 40, 0.0, {})
    assert repeats_line([still], ["q7"]).endswith("differently (q7); no score varies")
    assert repeats_line([still], []) == "deterministic: 3 retrievals ranked all of 40 queries alike"


@pytest.mark.parametrize(
    ("confirmed", "outcome", "style"),
    [(True, "confirmed", "plain"), (False, "the second search did not regress", "yellow")],
)
def test_a_second_search_says_what_it_found(
    make: Factory, confirmed: bool, outcome: str, style: str
) -> None:
    (told,) = losses(make.evaluation("docs", "regressed", confirmed=confirmed))
    assert (told.label, told.style) == ("searched again", style)
    assert told.text == f"it fell, so 300 queries were searched once more: {outcome}"
    assert list(losses(make.evaluation("docs", "regressed"))) == []


def test_a_gated_group_is_told_where_it_regressed(make: Factory) -> None:
    fell = make.metric(0.5, 0.4, "regressed", metric="nDCG@10[billing]")
    unsure = make.metric(0.5, 0.49, "inconclusive", metric="nDCG@10[returns]")
    (told,) = losses(make.evaluation("docs", "regressed", gated_groups=(unsure, fell)))
    assert (told.label, told.style) == ("group", "red")
    assert told.text.startswith("nDCG@10[billing] −.100")


def test_a_group_has_its_move_and_without_a_baseline_its_score() -> None:
    group = Group("billing", 12, 0.611, 0.652, -0.041, worse=5, better=1)
    assert group_line(group).replace("\N{NO-BREAK SPACE}", " ") == (
        "billing: −.041 (.652 → .611), 5 of 12 queries worse, 1 better"
    )
    assert group_line(Group("billing", 1, 0.611)) == "billing: .611, 1 query"


def test_the_pools_line_has_the_evidence_of_its_flag() -> None:
    check = PoolCheck(
        flag="pool-suspect",
        has_negatives=True,
        judged_fall=0.12,
        overlap=0.4,
        condensed_delta=-0.004,
        condensed_p=0.31,
        artefact=0.03,
    )
    line = (
        "judged@10 −.120, which alone may cost .030; among judged documents −.004, "
        "p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}.3100"
    )
    assert pool_line(check) == line
    assert pool_line(check, Bounds(0.5, 0.7)) == (
        f"{line}; the score is .500 if no unjudged document of the top ten is relevant, and .700 "
        "at best"
    )
    assert str(pool_line(replace(check, condensed_p=None))).endswith("among judged documents −.004")
    unknown = replace(check, flag="pool-unverifiable", has_negatives=False)
    assert str(pool_line(unknown)).replace("\N{NO-BREAK SPACE}", " ") == (
        "only relevant documents are listed, and the two runs share 40 % of their top tens"
    )
    assert pool_line(replace(check, flag=None)) is None


def test_a_small_new_dataset_is_told_what_it_can_find_and_a_larger_one_is_not(
    make: Factory,
) -> None:
    new = make.metric(None, 0.5, "no baseline")
    (told,) = circumstances(make.evaluation("docs", "no baseline", new, queries=99, margin=0.02))
    assert (told.label, told.style) == ("small", "yellow")
    assert told.text.startswith("99 judged queries: a drop is found, four times in five, if it is")
    assert told.text.endswith("; under 100, none can be excluded")
    whole = make.evaluation("docs", "no baseline", new, queries=100, margin=0.02)
    assert list(circumstances(whole)) == []
    compared = make.evaluation("docs", "unchanged", make.metric(0.5, 0.5, "unchanged"), queries=9)
    assert list(circumstances(compared)) == []
    # A half to the fourth is .0625: four queries can never show a drop at .05, five can.
    few = str(first_words(4, alpha=0.05, margin=0.02))
    assert "too few to find a drop: 5 of them would have to change" in few


def test_the_documents_that_cost_most_come_first_and_five_are_named() -> None:
    """A document counts its grade at rank 1, .631 of it at rank 2, nothing beyond 100."""
    lost = MovedDocument("lost", "", 1, 1, None)  # 1.000
    high = MovedDocument("high", "", 3, 1, 2)  # 3 · .369 = 1.107
    alike = [MovedDocument(name, "", 1, 2, None) for name in ("c", "a", "b")]  # .631
    rose = MovedDocument("rose", "", 2, 9, 1)
    chosen, others = costliest([rose, *alike, lost, high])
    assert [each.id for each in chosen] == ["high", "lost", "a", "b", "c"]
    assert others == 1
    assert costliest([lost]) == ([lost], 0)


def test_noise_is_a_doubt_only_where_the_order_varied(make: Factory) -> None:
    noise = (Noise("nDCG@10", 3, 40, 0.0, {}),)
    for varying, style in (((), "dim"), (("q1",), "yellow")):
        (told,) = circumstances(make.evaluation("docs", "unchanged", noise=noise, varying=varying))
        assert (told.label, told.style) == ("repeated", style)
