"""One retriever as a part of another, whatever its form; and what its stages have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints
from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_beir.retrieval.run_files import Run

    Search = Callable[[Mapping[str, str], int], Mapping[str, Mapping[str, float]]]


class Stage:
    """A retriever of any form, indexed and searched by the one around it."""

    def __init__(self, value: Any) -> None:
        self._retriever = wrap(value)
        self._search: Search | None = None

    @property
    def label(self) -> str:
        """What the stage is called: its name, else its version."""
        return self._retriever.declared_name or self._retriever.version or "a retriever"

    @property
    def version(self) -> str | None:
        """The retriever's version."""
        return self._retriever.version

    @property
    def trained_on(self) -> frozenset[str] | None:
        """What the retriever was trained on."""
        return self._retriever.trained_on

    @property
    def recorded(self) -> dict[str, str]:
        """What the retriever records."""
        return dict(self._retriever.recorded)

    @property
    def libraries(self) -> tuple[str, ...]:
        """The retriever's libraries."""
        return self._retriever.libraries

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Index the corpus, unless it is what the retriever has indexed."""
        self._search = self._retriever.searcher(corpus_part(corpus))

    def search(self, queries: Mapping[str, str], top_k: int) -> Mapping[str, Mapping[str, float]]:
        """The checked answers; ids need not be the corpus's.

        Raises:
            RetrieverError: It has not been given a corpus.

        """
        if self._search is None:
            raise RetrieverError("a stage was asked to search before it was given a corpus")
        return self._search(queries, top_k) if queries else {}

    def close(self) -> None:
        """Close the retriever."""
        self._search = None
        self._retriever.close()


def versions_of(stages: Iterable[Stage]) -> str | None:
    """The versions of all stages, None where one has none."""
    versions = [stage.version for stage in stages]
    return None if None in versions else " + ".join(str(one) for one in versions)


def trained_on_of(stages: Iterable[Stage]) -> frozenset[str] | None:
    """All that the stages were trained on, None where one of them does not say."""
    found: frozenset[str] = frozenset()
    for stage in stages:
        if stage.trained_on is None:
            return None
        found |= stage.trained_on
    return found


def ranked(answer: Mapping[str, float]) -> list[str]:
    """The documents of an answer, best first."""
    from pytest_beir.scoring.ranking import order

    return order(answer)


def headroom(
    part: Dataset,
    stages: Mapping[str, Run],
    final: Mapping[str, Mapping[str, float]],
    metric: str,
) -> str | None:
    """What each stage scores, and what a perfect order of the first one's documents would.

    None where there are no stages, or a stage did not answer every query that was answered.
    """
    from pytest_beir.scoring.scorer import score_run

    if not stages or any(final.keys() - run.keys() for run in stages.values()):
        return None

    def mean(run: Mapping[str, Mapping[str, float]]) -> float:
        answered = {query: run[query] for query in part.qrels if query in run}
        scores = score_run(part.qrels, answered, [metric], part.drop_identical_ids)[metric]
        return sum(scores.values()) / len(scores)

    name, first = next(iter(stages.items()))
    perfect = {
        query: {
            document: part.qrels.get(query, {}).get(document, 0) - rank * 1e-4
            for rank, document in enumerate(ranked(answer), 1)
        }
        for query, answer in first.items()
    }
    scores = ", ".join(f"{stage} {mean(run):.3f}" for stage, run in stages.items())
    depth = max(map(len, first.values()), default=0)
    return (
        f"{metric} of the stages: {scores}, reranked {mean(final):.3f}; a perfect"
        f" order of the {depth:,} documents of {name} would score {mean(perfect):.3f}"
    )


def corpus_part(corpus: Mapping[str, Mapping[str, str]]) -> Dataset:
    """The corpus as a dataset without queries, as which a retriever is indexed."""
    known: Any = corpus
    fingerprint = getattr(corpus, "fingerprint", None) or f"in memory {id(corpus)}"
    return Dataset(
        name=getattr(corpus, "name", "the corpus"),
        split=getattr(corpus, "split", ""),
        folder=Path(),
        queries={},
        qrels={},
        corpus=known,
        fingerprints=Fingerprints("", "", fingerprint),
        counts=Counts(len(corpus), 0, 0),
    )
