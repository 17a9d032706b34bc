"""What the flags of a dataset mean, and which of them are worth showing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.evaluation.result import Evaluation

FLAGS = {
    "contaminated": "the retriever was trained on it; the score is not zero-shot",
    "corpus-changed": "the corpus is not the one that the baseline was measured on",
    "differs-from-catalogue": "the folder is not the published dataset",
    "drift": "against the anchor, half the margin or more is lost",
    "ids-unchecked": "there is no corpus to check document ids against",
    "fragile": "three queries carry over half of the loss",
    "pool-suspect": "fewer documents of the top ten are judged; read some before you believe it "
    "(to-judge/ of the report lists them)",
    "pool-unverifiable": "the two top tens share less than half; unjudged documents may decide "
    "(to-judge/ of the report lists them)",
    "resumed": "saved rankings were used; they update no baseline",
    "stale-baseline": "the baseline is worse than what is measured now",
}


def meaning(flag: str) -> str:
    """What a flag says of its dataset; empty for one that explains itself."""
    return FLAGS.get(flag, "")


def shown_flags(evaluation: Evaluation) -> Iterator[str]:
    """The flags to be explained: those that a paragraph of the dataset does not tell of."""
    for flag in evaluation.flags:
        is_told = flag == "likely-drop" or flag.startswith("suspect:")
        if not is_told and says_more(flag, evaluation):
            yield flag


def says_more(flag: str, evaluation: Evaluation) -> bool:
    """Whether a flag says more than the numbers do.

    `drift` does not where the anchor is the current baseline: it is the drop itself then.
    """
    return flag != "drift" or any(
        flag in metric.flags and metric.against_anchor is not None
        for metric in evaluation.metrics.values()
    )
