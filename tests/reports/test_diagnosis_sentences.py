"""A diagnosis in sentences."""

from __future__ import annotations

from dataclasses import replace

from pytest_beir.explanation.diagnosis import Diagnosis
from pytest_beir.explanation.loss_pattern import Enrichment
from pytest_beir.reports.diagnosis import causes, sentences

DROP = Diagnosis(
    metric="nDCG@10",
    n=300,
    delta=-0.041,
    recall=-0.002,
    order=-0.039,
    worse=35,
    better=6,
    largest_losers_share=0.18,
    left=3,
    entered=0,
    fell=60,
    rose=20,
    deepest=(98, 97),
    beyond=1,
)


def plain(diagnosis: Diagnosis) -> list[str]:
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in sentences(diagnosis)]


def test_a_drop_by_order_points_to_the_ranking() -> None:
    cause, moved = plain(DROP)
    assert cause == (
        "nDCG@10 −.041 = recall −.002, order −.039: relevant documents are still found and rank "
        "lower; look at the ranking (weights, reranker) (3 relevant documents left the top 100, "
        "none entered)"
    )
    assert moved == (
        "35 of 300 queries worse, 6 better; the three largest losers carry 18 % of the loss"
    )


def test_counts_that_stand_elsewhere_are_left_out() -> None:
    assert len(sentences(DROP, counts=False)) == 1


def test_a_drop_by_recall_points_to_the_first_stage() -> None:
    [cause, *_] = plain(replace(DROP, recall=-0.04, order=-0.001, left=30, entered=4))
    assert cause == (
        "nDCG@10 −.041 = recall −.040, order −.001: 30 relevant documents left the top 100, 4 "
        "entered; look at the first stage (index, analyser, number of candidates)"
    )


def test_a_drop_by_both_says_so() -> None:
    [cause, *_] = plain(replace(DROP, recall=-0.02, order=-0.021))
    assert "recall −.020, order −.021: both" in cause


def test_a_loss_of_one_part_that_the_other_makes_good_is_named_for_its_own_part() -> None:
    [cause, *_] = plain(replace(DROP, recall=-0.05, order=0.009))
    assert "recall −.050, order +.009" in cause
    assert "first stage" in cause


def test_a_gain_has_its_parts_and_no_advice() -> None:
    [cause, *_] = plain(replace(DROP, delta=0.03, recall=0.01, order=0.02))
    assert cause.endswith("order +.020; 3 relevant documents left the top 100, none entered")


def test_documents_that_left_the_corpus_are_the_cause_and_not_the_first_stage() -> None:
    drop = replace(DROP, recall=-0.04, order=-0.001, left=30, gone=30)
    [cause, *_] = plain(drop)
    assert cause == (
        "nDCG@10 −.041 = recall −.040, order −.001: 30 relevant documents left the corpus, and no "
        "search can find them: put them back, or remove their judgements"
    )
    assert causes(drop) == (
        "30 relevant documents left the corpus; put them back, or remove their judgements",
    )


def test_the_first_stage_is_suspected_for_what_the_corpus_still_holds() -> None:
    drop = replace(DROP, recall=-0.04, order=-0.001, left=30, gone=12)
    assert plain(drop)[0].endswith(
        "look at the first stage (index, analyser, number of candidates)"
    )
    assert causes(drop) == (
        "12 relevant documents left the corpus; put them back, or remove their judgements",
        "18 other relevant documents left the top 100; look at the first stage",
    )


def test_a_drop_by_both_that_lost_only_documents_of_the_corpus_names_the_order_too() -> None:
    drop = replace(DROP, recall=-0.02, order=-0.021, left=9, gone=9)
    assert causes(drop)[1:] == ("others rank lower",)


def test_answers_without_any_judged_document_are_not_called_shorter() -> None:
    drop = replace(DROP, recall=-0.041, order=0.0, left=30, deepest=(92, None), beyond=30)
    assert causes(drop) == ("30 relevant documents left the top 100; look at the first stage",)
    assert not any("any more" in line for line in plain(drop))


def test_answers_that_end_early_are_suspected() -> None:
    lines = plain(replace(DROP, deepest=(92, 19), beyond=26))
    assert lines[1] == (
        "no judged document stands below rank 19 any more; 26 did, down to 92: was top_k cut, or "
        "the number of candidates?"
    )


def test_a_metric_without_parts_has_its_counts() -> None:
    [only] = plain(replace(DROP, metric="RR@10", recall=None, order=None))
    assert only.startswith("35 of 300 queries worse")


def test_where_the_loss_gathers_is_said_with_its_evidence() -> None:
    long = Enrichment("long queries (over 12 words)", "look there", 0.43, 0.81, 28, 2, 0.0004)
    lines = plain(replace(DROP, enrichments=(long, replace(long, loss_share=1.2))))
    assert lines[2] == (
        "the loss gathers in long queries (over 12 words): 43 % of the queries carry 81 % of the "
        "loss (28 worse, 2 better, p = .0004); look there"
    )
    assert "carry all of it, and the others gained" in lines[3]
    assert len(plain(replace(DROP, enrichments=(long,) * 5))) == 2 + 3


def test_two_thirds_of_a_drop_are_its_cause() -> None:
    by_recall = replace(DROP, delta=-0.03, recall=-0.03 * (2 / 3), order=-0.01)
    assert "look at the first stage" in plain(by_recall)[0]
    by_order = replace(by_recall, recall=-0.01, order=-0.03 * (2 / 3))
    assert "look at the ranking" in plain(by_order)[0]
    for share in (0.019, 0.015, 0.011):
        mixed = replace(by_recall, recall=-share, order=share - 0.03)
        assert ": both; " in plain(mixed)[0]
    # Nothing moved is no drop.
    assert ": both" not in plain(replace(DROP, delta=0.0, recall=0.0, order=0.0))[0]


def test_ten_judged_documents_that_stood_deeper_make_the_depth_suspect() -> None:
    assert "any more; 10 did" in plain(replace(DROP, deepest=(92, 19), beyond=10))[1]
    assert len(plain(replace(DROP, deepest=(92, 19), beyond=9))) == 2
    assert causes(replace(DROP, deepest=(92, 19), beyond=10))[1] == (
        "answers are shorter: nothing judged below rank 19, before 92"
    )
    assert len(causes(replace(DROP, deepest=(92, 19), beyond=9))) == 1


def test_a_cause_gives_the_trait_without_its_definition_and_three_at_most() -> None:
    long = Enrichment("long queries (over 12 words)", "look there", 0.43, 0.81, 28, 2, 0.0004)
    told = causes(replace(DROP, enrichments=(long, replace(long, loss_share=1.0), long)))
    assert [line.replace("\N{NO-BREAK SPACE}", " ") for line in told] == [
        "relevant documents are found, but lower; look at the ranking",
        "long queries: 81 % of the loss, 43 % of the queries",
        "long queries: all of the loss, 43 % of the queries",
    ]


def test_what_left_and_what_entered_is_counted_and_nothing_is_said_in_a_word() -> None:
    still = replace(DROP, left=0, entered=0)
    assert "no relevant document left or entered the top 100" in plain(still)[0]
    assert "0 relevant documents left the top 100, 2 entered" in plain(replace(still, entered=2))[0]
    one = replace(DROP, left=1, gone=1, entered=0)
    assert "(1 relevant document left the corpus, and no search" in plain(one)[0]
    partly = replace(one, entered=1)
    assert "1 relevant document left the top 100, 1 entered; 1 relevant" in plain(partly)[0]
