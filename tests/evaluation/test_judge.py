"""The verdict on a dataset, made from values alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.baselines.comparability import Comparability
from pytest_beir.evaluation.check import Check
from pytest_beir.evaluation.decision import decide
from pytest_beir.evaluation.judge import judge
from pytest_beir.gate.noise import estimate_noise
from pytest_beir.scoring.scorer import score

if TYPE_CHECKING:
    from tests.conftest import Lab

ALL = ("new", "improved", "neutral", "dropped", "incomparable")


def test_equal_scores_are_unchanged_and_pass(lab: Lab) -> None:
    judged = judge(lab.measurement(), lab.baseline(lab.measurement()), lab.rules())
    assert (judged.verdict, judged.reason, judged.passed) == ("unchanged", "", True)
    assert judged.judged_at_10 == (0.1, 0.1)
    assert judged.update is None


def test_without_a_baseline_it_fails_until_one_is_written(lab: Lab) -> None:
    judged = judge(lab.measurement(), None, lab.rules())
    assert (judged.verdict, judged.passed) == ("no baseline", False)
    assert judged.metrics["R@100"].verdict is None
    written = judge(lab.measurement(), None, lab.rules(permitted=("new",)))
    assert written.passed
    assert written.update is not None


def test_a_drop_is_regressed_against_the_vector_that_shows_it(lab: Lab) -> None:
    good, bad = lab.measurement(), lab.measurement(lab.late(20))
    judged = judge(bad, lab.baseline(good), lab.rules())
    assert (judged.verdict, judged.passed) == ("regressed", False)
    rebased = judge(bad, lab.baseline(bad, anchor=good), lab.rules())
    assert (rebased.verdict, rebased.reason) == ("regressed", "against anchor")
    assert rebased.metrics["nDCG@10"].alpha == pytest.approx(0.025)


def test_more_missing_queries_than_allowed_are_an_error_that_names_three(lab: Lab) -> None:
    scores = lab.measurement().scores
    for missing, shown in (("abcd", "(a, b, c, …)"), ("abc", "(a, b, c)")):
        lacking = lab.measurement(scores=replace(scores, missing=tuple(missing)))
        judged = judge(lacking, None, lab.rules(permitted=ALL))
        assert (judged.verdict, judged.passed, judged.metrics) == ("error", False, {})
        assert judged.reason.startswith(f"{len(missing)} of 40 judged queries are missing")
        assert shown in judged.reason
        assert judged.update is None
    allowed = lab.rules(gate={"allow_missing": 4})
    assert judge(lacking, None, allowed).verdict == "no baseline"


def test_other_judgements_are_not_comparable(lab: Lab) -> None:
    stored = lab.baseline(lab.measurement())
    prints = replace(stored.identity.fingerprints, qrels="others")
    other = replace(stored, identity=replace(stored.identity, fingerprints=prints))
    judged = judge(lab.measurement(), other, lab.rules())
    assert judged.verdict == "not comparable"
    assert "the judgements differ" in judged.reason
    assert judged.judged_at_10 == (0.1, None)
    assert judge(lab.measurement(), other, lab.rules(permitted=("incomparable",))).passed


def test_a_changed_corpus_is_flagged_and_fails_where_that_is_set(lab: Lab) -> None:
    stored = lab.baseline(lab.measurement())
    prints = replace(stored.identity.fingerprints, corpus="others")
    other = replace(stored, identity=replace(stored.identity, fingerprints=prints))
    judged = judge(lab.measurement(), other, lab.rules())
    assert (judged.verdict, judged.flags, judged.passed) == (
        "unchanged",
        ("corpus-changed",),
        True,
    )
    failing = judge(lab.measurement(), other, lab.rules(gate={"corpus_change": "fail"}))
    assert (failing.verdict, failing.passed) == ("not comparable", False)
    taken = judge(lab.measurement(), other, lab.rules(permitted=("incomparable",)))
    assert taken.update is not None
    assert (taken.update.current, taken.update.anchor) == (True, False)


def test_gated_groups_share_the_level_and_fail_alone(lab: Lab) -> None:
    queries = [f"q{number:02d}" for number in range(40)]
    groups = {"odd": tuple(queries[1::2]), "even": tuple(queries[::2])}
    rules = lab.rules(groups={"field": "group", "gate": ["odd"]})
    # Half of one group falls; as many queries of the other one rise.
    before = lab.measurement(dict.fromkeys(groups["even"], 3))
    now = lab.measurement(dict.fromkeys(groups["odd"][:12], 3), groups=groups)
    judged = judge(now, lab.baseline(before), rules)
    assert judged.metrics["nDCG@10"].level == pytest.approx(0.025)
    assert judged.metrics["nDCG@10"].verdict != "regressed"
    assert [group.metric for group in judged.gated_groups] == ["nDCG@10[odd]"]
    assert (judged.verdict, judged.passed) == ("regressed", False)
    assert judged.reason == "nDCG@10[odd] regressed"
    assert judged.group_queries == {"odd": groups["odd"]}


def test_a_regressed_group_blocks_all_updates_but_dropped(lab: Lab) -> None:
    queries = [f"q{number:02d}" for number in range(40)]
    groups = {"odd": tuple(queries[1::2])}
    before = lab.measurement(dict.fromkeys(queries[::2], 3))
    now = lab.measurement(dict.fromkeys(groups["odd"][:6], 3), groups=groups)
    settings: dict[str, Any] = {"groups": {"field": "group", "gate": ["odd"]}}
    judged = judge(now, lab.baseline(before), lab.rules(permitted=ALL[:3], **settings))
    assert judged.update is None
    assert judged.update_refused == "nDCG@10[odd] regressed; --beir-accept=dropped takes it"
    written = judge(now, lab.baseline(before), lab.rules(permitted=ALL, **settings))
    assert written.update is not None
    assert (written.update.category, written.passed) == ("dropped", True)


def pin(now: int | None) -> Check:
    return Check(kind="pin", query="q1", document="d1", limit=3, now=now, place="pinned.tsv:2")


def test_a_lost_pin_fails_whatever_the_verdict(lab: Lab) -> None:
    stored = lab.baseline(lab.measurement())
    assert judge(lab.measurement(checks=(pin(3),)), stored, lab.rules()).passed
    for lost in (4, None):
        judged = judge(lab.measurement(checks=(pin(lost),)), stored, lab.rules())
        assert (judged.verdict, judged.passed) == ("unchanged", False)
        assert judged.missed == (pin(lost),)


def test_a_floor_fails_whatever_the_statistics_say(lab: Lab) -> None:
    rules = lab.rules(gate={"overrides": {"docs": {"floor": {"nDCG@10": 0.9, "R@100": 0.5}}}})
    now = lab.measurement(lab.late(10))  # (30 + 10 · .3869) / 40
    judged = judge(now, lab.baseline(now), rules)
    assert (judged.verdict, judged.passed) == ("unchanged", False)
    kept, held = judged.checks
    assert (kept.kind, kept.metric, kept.limit, kept.passed) == ("floor", "nDCG@10", 0.9, False)
    assert kept.now == pytest.approx((30 + 10 * 0.38685) / 40, abs=1e-5)
    assert (held.metric, held.passed) == ("R@100", True)
    assert kept.message == (
        "floor: nDCG@10 is 0.8467, below 0.9 (gate.overrides.docs.floor of beir.yaml)"
    )
    assert not judge(now, None, rules).passed


@pytest.mark.parametrize("permitted", [("new",), ("improved",), ("neutral",)])
def test_a_missed_floor_blocks_what_needs_no_reason(lab: Lab, permitted: tuple[str, ...]) -> None:
    rules = lab.rules(
        permitted=permitted, gate={"overrides": {"docs": {"floor": {"nDCG@10": 0.99}}}}
    )
    before = None if permitted == ("new",) else lab.baseline(lab.measurement(lab.late(20)))
    judged = judge(lab.measurement(lab.late(2)), before, rules)
    assert judged.update is None
    assert not judged.passed
    assert (judged.update_refused or "").startswith("a floor is missed")


def test_a_drop_below_the_floor_is_written_with_a_reason_and_still_fails(lab: Lab) -> None:
    rules = lab.rules(
        permitted=("dropped",), gate={"overrides": {"docs": {"floor": {"nDCG@10": 0.9}}}}
    )
    judged = judge(lab.measurement(lab.late(20)), lab.baseline(lab.measurement()), rules)
    assert judged.update is not None
    assert (judged.verdict, judged.passed) == ("regressed", False)


def test_a_floor_of_a_metric_that_is_not_recorded_says_nothing(lab: Lab) -> None:
    rules = lab.rules(gate={"overrides": {"docs": {"floor": {"P@5": 0.9}}}})
    assert judge(lab.measurement(), lab.baseline(lab.measurement()), rules).checks == ()


def test_a_first_baseline_of_nothing_needs_a_reason(lab: Lab) -> None:
    nothing = lab.measurement(lab.late(40, rank=0))
    refused = judge(nothing, None, lab.rules(permitted=("new", "improved")))
    assert (refused.update, refused.passed) == (None, False)
    assert "is 0 on every query" in (refused.update_refused or "")
    assert judge(nothing, None, lab.rules(permitted=("dropped",))).update is not None
    one = lab.measurement({**lab.late(40, rank=0), "q07": 9})
    assert judge(one, None, lab.rules(permitted=("new",))).update is not None


def test_rankings_resumed_from_other_code_update_nothing(lab: Lab) -> None:
    resumed = lab.measurement(resumed=True, other_code="commit abc, now def")
    judged = judge(resumed, None, lab.rules(permitted=ALL))
    assert judged.update is None
    assert {"resumed", "resumed-other-code"} <= {*judged.flags}
    assert "made by other code (commit abc, now def)" in (judged.update_refused or "")


def test_rankings_resumed_from_the_same_code_update_as_others(lab: Lab) -> None:
    judged = judge(lab.measurement(resumed=True), None, lab.rules(permitted=ALL))
    assert judged.update is not None
    assert "resumed" in judged.flags


def shallow(lab: Lab) -> tuple[dict[str, dict[str, int]], dict[str, int]]:
    """Judgements with negatives, ten a query, of which today's ranking shows none."""
    qrels = {
        f"q{number:02d}": {f"d{number:02d}": 1} | {f"x{place:02d}": 0 for place in range(12)}
        for number in range(lab.queries)
    }
    return qrels, lab.late(20)


def test_a_pool_flag_of_the_run_stands_where_the_judgements_are_not_at_hand(lab: Lab) -> None:
    now = lab.measurement(lab.late(20), pool_flag="pool-suspect")
    stored = lab.baseline(lab.measurement())
    judged = judge(now, stored, lab.rules(gate={"pool_suspect": "flag"}))
    assert (judged.verdict, judged.passed, judged.is_excused) == ("regressed", True, True)
    assert not judge(now, stored, lab.rules()).passed
    # A pin, a floor or a group is no matter of unjudged documents.
    lost = replace(now, checks=(pin(None),))
    assert not judge(lost, stored, lab.rules(gate={"pool_suspect": "flag"})).passed


def test_two_regressed_metrics_are_excused_only_if_the_pool_may_explain_both(lab: Lab) -> None:
    qrels, ranks = shallow(lab)
    stored = lab.baseline(lab.measurement())
    gate = {"metrics": ["nDCG@10", "R@100"], "pool_suspect": "flag"}
    rules = lab.rules(gate=gate)

    def now(found: int) -> object:
        """Unjudged documents pushed the relevant ones down; `found` of 20 are still there."""
        measured = lab.measurement(
            {
                query: rank if place < found else 0
                for place, (query, rank) in enumerate(ranks.items())
            },
            qrels=qrels,
        )
        scores = measured.scores
        top = {q: tuple(f"u{place}" for place in range(10)) for q in scores.top10}
        seen = {**scores.values, "Judged@10": dict.fromkeys(scores.top10, 0.0)}
        judged_ranks = {
            q: ((1, f"d{q[1:]}"),) if scores.values["R@100"][q] else () for q in scores.judged
        }
        return replace(
            measured, scores=replace(scores, values=seen, top10=top, judged=judged_ranks)
        )

    stored_judged = {q: ((1, f"d{q[1:]}"),) for q in stored.scores.judged}
    full = {**stored.scores.values, "Judged@10": dict.fromkeys(stored.scores.judged, 1.0)}
    stored = replace(stored, scores=replace(stored.scores, judged=stored_judged, values=full))
    explained = judge(now(20), stored, rules)  # type: ignore[arg-type]
    assert [m.metric for m in explained.metrics.values() if m.verdict == "regressed"] == ["nDCG@10"]
    assert "pool-suspect" in explained.flags
    assert explained.is_excused
    lost = judge(now(0), stored, rules)  # type: ignore[arg-type]
    assert [m.verdict for m in lost.metrics.values()] == ["regressed", "regressed"]
    assert "pool-suspect" not in lost.flags
    assert not lost.passed


def test_a_metric_that_the_pool_explains_does_not_excuse_one_that_it_does_not(lab: Lab) -> None:
    """Unjudged documents push what was first to rank five; the other relevant one is lost."""
    negatives = [f"n{place:02d}" for place in range(12)]
    qrels = {
        f"q{number:02d}": {"first": 1, "far": 1, **dict.fromkeys(negatives, 0)}
        for number in range(lab.queries)
    }
    kept = ["first", *negatives, "far"]
    fallen = ["u0", "u1", "u2", "u3", "first", *negatives]
    before, now = (
        {
            query: {
                document: -float(place)
                for place, document in enumerate(fallen if int(query[1:]) < falls else kept)
            }
            for query in qrels
        }
        for falls in (0, 20)
    )
    stored = lab.baseline(lab.measurement(scores=score(qrels, before), qrels=qrels))
    today = lab.measurement(scores=score(qrels, now), qrels=qrels)
    lenient = {"pool_suspect": "flag"}
    alone = judge(today, stored, lab.rules(gate={"metrics": ["nDCG@10"], **lenient}))
    assert ("pool-suspect" in alone.flags, alone.passed) == (True, True)
    both = judge(today, stored, lab.rules(gate={"metrics": ["nDCG@10", "R@100"], **lenient}))
    assert [metric.verdict for metric in both.metrics.values()] == ["regressed", "regressed"]
    assert ("pool-suspect" in both.flags, both.passed) == (False, False)


def test_noise_of_repeated_retrieval_makes_a_drop_inconclusive(lab: Lab) -> None:
    now = lab.measurement(lab.late(20))
    others = [lab.measurement(lab.late(10, first=first)).scores for first in (0, 25)]
    noise = tuple(
        estimate_noise(metric, [now.scores.values[metric], *(s.values[metric] for s in others)])
        for metric in ("nDCG@10", "R@100")
    )
    stored = lab.baseline(lab.measurement(lab.late(10)))
    assert judge(now, stored, lab.rules()).verdict == "regressed"
    judged = judge(replace(now, noise=noise), stored, lab.rules())
    assert (judged.verdict, judged.reason) == ("inconclusive", "noise")


def test_strict_flags_fail_by_name_and_change_no_verdict(lab: Lab) -> None:
    stored = lab.baseline(lab.measurement(lab.late(20)))
    judged = judge(lab.measurement(), stored, lab.rules(strict=("stale-baseline",)))
    assert (judged.verdict, judged.passed) == ("improved", True)
    assert judged.strict_failures == ("stale-baseline",)
    flagged = lab.measurement(dataset_flags=("differs-from-catalogue",))
    strict = lab.rules(strict=("differs-from-catalogue",))
    assert judge(flagged, None, strict).strict_failures == ("differs-from-catalogue",)


def test_what_the_config_says_of_training_goes_before_what_the_retriever_says(lab: Lab) -> None:
    stored = lab.baseline(lab.measurement(name="scifact"))
    told = lab.measurement(name="scifact", trained_on=frozenset({"scifact"}))
    assert "contaminated" in judge(told, stored, lab.rules("scifact")).flags
    denied = lab.rules("scifact", retrievers={"bm25": {"trained_on": []}})
    assert "contaminated" not in judge(told, stored, denied).flags


def test_inconclusive_fails_where_that_is_set(lab: Lab) -> None:
    stored, now = lab.baseline(lab.measurement()), lab.measurement(lab.late(3))
    assert judge(now, stored, lab.rules()).passed
    failing = judge(now, stored, lab.rules(gate={"on_inconclusive": "fail"}))
    assert (failing.verdict, failing.passed) == ("inconclusive", False)


def test_a_floor_holds_at_the_mean_up_to_rounding_and_no_further() -> None:
    """A mean of thousands of floats may stand a billionth below what it is written as."""
    held = Check(kind="floor", metric="nDCG@10", limit=0.5, now=0.5 - 0.9e-9, place="beir.yaml")
    assert held.passed
    assert replace(held, now=0.5).passed
    assert not replace(held, now=0.5 - 1.2e-9).passed


def test_a_pinned_query_that_is_lost_blocks_a_first_baseline(lab: Lab) -> None:
    first = judge(lab.measurement(checks=(pin(4),)), None, lab.rules(permitted=("new",)))
    assert (first.update, first.passed) == (None, False)
    assert first.update_refused == "a pinned query is lost"
    better = lab.baseline(lab.measurement(lab.late(20)))
    rules = lab.rules(permitted=("improved",))
    judged = judge(lab.measurement(checks=(pin(4),)), better, rules)
    assert judged.update_refused == "a pinned query is lost; --beir-accept=dropped takes it"


def test_a_dataset_has_the_weight_and_margin_of_its_own(lab: Lab) -> None:
    rules = lab.rules(gate={"margin": 0.03, "overrides": {"docs": {"margin": 0.07}}})
    judged = judge(lab.measurement(), lab.baseline(lab.measurement()), rules)
    assert (judged.weight, judged.margin) == (1.0, 0.07)
    other = lab.rules(gate={"margin": 0.03})
    assert judge(lab.measurement(), None, other).margin == 0.03


def test_a_drop_on_a_changed_corpus_is_not_taken_over_as_if_nothing_had_moved(lab: Lab) -> None:
    stored = lab.baseline(lab.measurement())
    prints = replace(stored.identity.fingerprints, corpus="others")
    other = replace(stored, identity=replace(stored.identity, fingerprints=prints))
    dropped = judge(lab.measurement(lab.late(20)), other, lab.rules(permitted=("incomparable",)))
    assert (dropped.verdict, dropped.update, dropped.passed) == ("regressed", None, False)
    # Nor is an order to take what is incomparable an order to rewrite what is the same.
    same = judge(lab.measurement(), stored, lab.rules(permitted=("incomparable",)))
    assert (same.update, same.passed) == (None, True)


def test_of_two_metrics_the_worse_one_decides_and_of_equals_the_first(lab: Lab) -> None:
    rules = lab.rules(gate={"metrics": ["R@100", "nDCG@10"]})
    good = lab.baseline(lab.measurement())
    lost = decide(lab.measurement(lab.late(20, rank=0)), good, Comparability(), rules)
    assert {m.verdict for m in lost.metrics.values()} == {"regressed"}
    assert lost.deciding.metric == next(iter(lost.metrics))
    lower = decide(lab.measurement(lab.late(20)), good, Comparability(), rules)
    assert (lower.deciding.metric, lower.verdict) == ("nDCG@10", "regressed")
    assert lower.metrics["R@100"].verdict == "unchanged"


def test_flags_stand_once_and_in_one_order(lab: Lab) -> None:
    measurement = lab.measurement(
        name="scifact",
        trained_on=frozenset({"scifact"}),
        dataset_flags=("differs-from-catalogue", "differs-from-catalogue"),
        resumed=True,
        other_code="commit abc, now def",
        checked_against_corpus=False,
    )
    stored = lab.baseline(lab.measurement(name="scifact"))
    prints = replace(stored.identity.fingerprints, corpus="others")
    other = replace(stored, identity=replace(stored.identity, fingerprints=prints))
    assert judge(measurement, other, lab.rules("scifact")).flags == (
        "corpus-changed",
        "contaminated",
        "differs-from-catalogue",
        "resumed",
        "resumed-other-code",
        "ids-unchecked",
    )
    assert judge(lab.measurement(), lab.baseline(lab.measurement()), lab.rules()).flags == ()
