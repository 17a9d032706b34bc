"""Averages in words: which are shown, in which colour, and beside which set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.reports.averages import (
    average_details,
    average_notes,
    diffuse_notes,
    diffuse_sentence,
    disagreement,
    is_explained,
    sentence,
)
from pytest_beir.suite.averages import Average, DiffuseLoss

if TYPE_CHECKING:
    from tests.reports.conftest import Factory

TWO = ("alpha@test", "beta@test")


def average(make: Factory, **given: Any) -> Average:
    fields: dict[str, Any] = {"baseline": 0.512, "now": 0.5, "alpha": 0.05, "anchor": 0.512}
    fields |= {"level": 0.05, "comparison": make.comparison(-0.012, 0.003)}
    return make.average("nDCG@10", TWO, **fields | given)


@pytest.mark.parametrize(
    ("given", "style"),
    [
        ({"verdict": "regressed"}, "red"),
        ({"verdict": "regressed", "excused": "accepted with alpha"}, "yellow"),
        ({"verdict": "unchanged"}, "bold"),
        ({"verdict": "improved"}, "bold"),
        ({"verdict": None, "gated": False, "label": "zero-shot average"}, "plain"),
    ],
)
def test_an_average_that_fails_is_red_and_one_that_is_excused_is_not(
    make: Factory, given: dict[str, Any], style: str
) -> None:
    (note,) = average_notes([average(make, **given)])
    assert note.style == style
    assert note.label == ("zero-shot" if "label" in given else "average")


def test_the_sentence_has_the_set_the_move_and_the_verdict(make: Factory) -> None:
    known = average(make, verdict="regressed")
    head = "nDCG@10 over nightly (2 datasets): .512 → .500, −.012, p\xa0=\xa0.0030"
    assert sentence(known) == f"{head}, the limit is .05: regressed"
    excused = replace(known, excused="accepted with alpha", note="without gamma (trained)")
    assert sentence(excused) == (
        f"{head}, the limit is .05: regressed, but passes: accepted with alpha"
        " (without gamma (trained))"
    )
    recorded = average(make, verdict=None, gated=False)
    assert sentence(recorded) == head
    assert sentence(replace(known, result=None, withheld="beta did not run")) == (
        "nDCG@10 over nightly (2 datasets): beta did not run"
    )
    new = average(make, verdict="no baseline", baseline=None, comparison=None)
    assert sentence(new) == "nDCG@10 over nightly (2 datasets): .500"


def test_the_anchor_stands_beside_where_it_was_tested(make: Factory) -> None:
    known = average(
        make,
        verdict="regressed",
        reason="against anchor",
        anchor=0.53,
        against_anchor=make.comparison(-0.03, 0.0001),
    )
    assert (
        "; against the anchor .530 −.030, p\xa0=\xa0.0001: regressed (against anchor)"
        in sentence(known)
    )


def test_one_reason_that_withholds_two_metrics_is_told_once(make: Factory) -> None:
    withheld = {"withheld": "beta did not run"}
    averages = [
        make.average("nDCG@10", TWO, **withheld),
        make.average("R@100", TWO, **withheld),
        make.average("MAP@100", TWO, withheld="alpha has no baseline"),
        make.average("P@5", TWO, gated=False, **withheld),
    ]
    notes = [(each.label, each.text, each.style) for each in average_notes(averages)]
    assert notes == [
        ("no average", "nDCG@10 and R@100 over nightly (2 datasets): beta did not run", "yellow"),
        ("no average", "MAP@100 over nightly (2 datasets): alpha has no baseline", "yellow"),
    ]


def test_what_decides_nothing_is_a_detail(make: Factory) -> None:
    gated = average(make, verdict="unchanged")
    zero_shot = make.average(
        "nDCG@10",
        TWO[:1],
        name="",
        gated=False,
        label="zero-shot average",
        withheld="trained on all",
    )
    none = replace(zero_shot, set=replace(zero_shot.set, members=()))
    recorded = make.average("R@100", TWO, gated=False, now=0.7, baseline=None)
    same = replace(gated, gated=False, label="zero-shot average", established=False)
    told = [(each.label, each.text) for each in average_details([gated, none, recorded, same])]
    assert told[0] == ("no zero-shot", "nDCG@10: trained on all")
    assert told[1] == ("average", "R@100 over nightly (2 datasets): .700")
    assert told[2][0] == "zero-shot"
    assert told[2][1].startswith("not established: nDCG@10 is zero-shot only if bm25 was trained")
    ids = f"nDCG@10 {gated.set.id}, R@100 {recorded.set.id}"
    assert told[3:] == [("set", f"alpha@test, beta@test (its ids: {ids})")]


def test_a_diffuse_loss_is_told_where_one_was_found(make: Factory) -> None:
    result = average(make, verdict="regressed").result
    assert result is not None
    found = DiffuseLoss("bm25", "nDCG@10", 9, 7, replace(result, regressed_against=("current",)))
    (note,) = diffuse_notes([found], ())
    assert (note.label, note.style) == ("diffuse loss", "red")
    assert note.text.startswith("nDCG@10 fell in 7 of 9 datasets, p\xa0=\xa0.0030")
    assert note.text.endswith("over all of them together, regressed")
    (note,) = diffuse_notes([replace(found, excused="accepted with alpha")], ())
    assert note.style == "yellow"
    assert note.text.endswith(", but passes: accepted with alpha")
    withheld = replace(found, result=None, withheld="beta did not run")
    assert diffuse_sentence(withheld, ()) == "nDCG@10: beta did not run"
    quiet = replace(found, result=replace(result, verdict="unchanged"))
    assert list(diffuse_notes([quiet], ())) == []
    anchored = replace(
        result, regressed_against=("anchor",), against_anchor=make.comparison(-0.03, 0.0001)
    )
    (note,) = diffuse_notes([replace(found, result=anchored)], ())
    assert "datasets against the anchor, p\xa0=\xa0.0001" in note.text


def test_a_diffuse_loss_is_explained_where_all_that_fell_regressed_by_themselves(
    make: Factory,
) -> None:
    result = average(make, verdict="regressed").result
    fell = make.evaluation("alpha", "regressed", make.metric(0.5, 0.4, "regressed"))
    rose = make.evaluation("beta", "improved", make.metric(0.5, 0.6, "improved"))
    unsure = make.evaluation("gamma", "inconclusive", make.metric(0.5, 0.49, "inconclusive"))
    failed = make.evaluation("delta", "error")
    other = replace(unsure, retriever="dense")

    def loss(count: int) -> DiffuseLoss:
        return DiffuseLoss("bm25", "nDCG@10", 4, count, result)

    assert is_explained(loss(1), [fell, rose, failed, other])
    assert not is_explained(loss(2), [fell, rose, unsure])
    assert not is_explained(loss(2), [fell, rose])  # one that fell is not among them
    assert not is_explained(loss(1), [rose, unsure])
    assert not is_explained(loss(0), [rose])


def test_datasets_that_fell_and_rose_disagree(make: Factory) -> None:
    fell = make.evaluation("alpha", "regressed")
    likely = make.evaluation("beta", "inconclusive", flags=("likely-drop",))
    rose = make.evaluation("gamma", "improved")
    assert disagreement([fell, likely]) == ""
    assert disagreement([rose, make.evaluation("delta", "unchanged")]) == ""
    assert disagreement([fell, likely, rose]) == (
        "the datasets disagree: alpha and beta fell, gamma rose; those that resemble your data say"
        " more than an average"
    )
    assert disagreement([fell, rose], ["gamma"]).endswith(
        "; gamma resembles yours and says more than an average"
    )
    assert disagreement([fell, rose], ["gamma", "alpha"]).endswith(
        "; gamma and alpha resemble yours and say more than an average"
    )
