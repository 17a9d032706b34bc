"""Retrievers made of retrievers: several fused into one, and one reranked by a scorer."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RetrieverError, UsageError
from pytest_beir.retrieval.answers import Answers
from pytest_beir.retrieval.stage import Stage, ranked, trained_on_of, versions_of
from pytest_beir.retrieval.user_code import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_beir.retrieval.run_files import Run


class Fusion:
    """Several retrievers of any form as one, by reciprocal rank: the sum of 1 / (k + rank).

    Each answers with `depth` documents, or as many as are wanted where that is more.
    """

    def __init__(
        self, *retrievers: Any, k: float = 60, depth: int = 100, name: str | None = None
    ) -> None:
        if len(retrievers) < 2:  # noqa: PLR2004  # one has nothing to be fused with
            raise UsageError(f"Fusion takes two retrievers or more, not {len(retrievers)}")
        self.name = name
        self._stages = [Stage(one) for one in retrievers]
        self._k = k
        self._depth = depth

    @property
    def version(self) -> str | None:
        """The versions of all."""
        return versions_of(self._stages)

    @property
    def trained_on(self) -> frozenset[str] | None:
        """What any of them was trained on."""
        return trained_on_of(self._stages)

    @property
    def libraries(self) -> tuple[str, ...]:
        """The libraries of all."""
        return tuple(dict.fromkeys(name for stage in self._stages for name in stage.libraries))

    @property
    def recorded(self) -> dict[str, str]:
        """What was fused, and how."""
        labels = ", ".join(stage.label for stage in self._stages)
        return {"fusion": f"reciprocal rank, k={self._k:g}: {labels}"}

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Index the corpus with each."""
        for stage in self._stages:
            stage.index(corpus)

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        """The fused answers."""
        fused: dict[str, dict[str, float]] = {}
        for stage in self._stages:
            for query, answer in stage.search(queries, max(top_k, self._depth)).items():
                scores = fused.setdefault(query, defaultdict(float))
                for rank, document in enumerate(ranked(answer), 1):
                    scores[document] += 1.0 / (self._k + rank)
        return {query: dict(scores) for query, scores in fused.items()}

    def close(self) -> None:
        """Close all."""
        for stage in self._stages:
            stage.close()


class Reranked:
    """The first `depth` documents of a retriever in the order that a scorer gives them.

    The scorer is an object with `predict([(query, text), ...])`, as a CrossEncoder, or a function
    of a query and the list of its documents' texts; either gives a number for each, larger is
    better. What the retriever found beyond the depth follows in its own order.
    """

    def __init__(
        self,
        first: Any,
        scorer: Any,
        depth: int = 100,
        *,
        name: str | None = None,
        version: str | None = None,
        trained_on: Sequence[str] | None = None,
    ) -> None:
        if depth < 1:
            raise UsageError(f"Reranked: depth is {depth}: at least one document is scored")
        self.name = name
        self._stage = Stage(first)
        self._score = _scoring(scorer)
        self._scorer = scorer
        self._depth = depth
        self._version = version
        self._trained_on = trained_on
        self._corpus: Mapping[str, Mapping[str, str]] = {}
        self._first: Run = {}

    @property
    def beir_stages(self) -> Mapping[str, Run]:
        """What the first stage answered since the corpus was indexed, by its name."""
        return {self._stage.label: self._first}

    @property
    def version(self) -> str | None:
        """The first stage's version and the scorer's, None where one has none."""
        own = self._version or getattr(self._scorer, "version", None)
        first = self._stage.version
        return None if own is None or first is None else f"{first} + {own}"

    @property
    def trained_on(self) -> frozenset[str] | None:
        """What the first stage or the scorer was trained on, None where one does not say."""
        own = self._trained_on
        if own is None:
            own = getattr(self._scorer, "trained_on", None)
        first = self._stage.trained_on
        return None if own is None or first is None else first | frozenset(own)

    @property
    def libraries(self) -> tuple[str, ...]:
        """The first stage's libraries, and the scorer's."""
        package = type(self._scorer).__module__.partition(".")[0].replace("_", "-")
        return tuple(dict.fromkeys([*self._stage.libraries, package]))

    @property
    def recorded(self) -> dict[str, str]:
        """How many documents were reranked."""
        return {**self._stage.recorded, "reranked": f"the first {self._depth}"}

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Index the corpus with the first stage; texts are read when they are scored."""
        self._corpus = corpus
        self._first = {}
        self._stage.index(corpus)

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, list[str]]:
        """The reranked documents of each query."""
        answers = self._stage.search(queries, max(top_k, self._depth))
        self._first.update({query: dict(answer) for query, answer in answers.items()})
        return {
            query: self._reranked(query, queries[query], ranked(answer))
            for query, answer in answers.items()
        }

    def close(self) -> None:
        """Close the first stage, and the scorer where it can be closed."""
        self._stage.close()
        close = getattr(self._scorer, "close", None)
        if callable(close):
            close()

    def _reranked(self, query: str, text: str, documents: list[str]) -> list[str]:
        scored, rest = documents[: self._depth], documents[self._depth :]
        if not scored:
            return []
        texts = [_text(self._corpus[document]) for document in scored]
        scores = self._score(text, texts)
        values = list(scores.tolist() if hasattr(scores, "tolist") else scores)
        if len(values) != len(scored):
            raise RetrieverError(
                f"query {query!r}: the scorer gave {len(values)} scores for {len(scored)} documents"
            )
        numbers = [
            float(one[0]) if isinstance(one, list) and len(one) == 1 else one for one in values
        ]
        checked = Answers("the scorer", None, len(scored)).checked(
            {query: dict(zip(scored, numbers, strict=True))}, {query}
        )[query]
        # Sorting is stable: what scores the same stays in the first stage's order.
        return [*sorted(scored, key=lambda document: -checked[document]), *rest]


def _scoring(scorer: Any) -> Callable[[str, list[str]], Any]:
    predict = getattr(scorer, "predict", None)
    if callable(predict):
        return lambda query, texts: predict([(query, text) for text in texts])
    if not callable(scorer):
        raise UsageError(
            f"Reranked takes a scorer with predict(pairs), or a function of a query and texts, not"
            f" {shown(scorer)}"
        )
    return scorer  # type: ignore[no-any-return]


def _text(document: Mapping[str, str]) -> str:
    return f"{document.get('title', '')} {document.get('text', '')}".strip()
