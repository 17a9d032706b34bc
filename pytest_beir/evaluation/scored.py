"""A dataset retrieved and scored: what a comparison starts from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from pytest_beir.errors import DatasetError
from pytest_beir.evaluation.measurement import Measurement
from pytest_beir.evaluation.pins import check_pins, find_ranks, pins_of
from pytest_beir.explanation.groups import groups_of
from pytest_beir.garbage import held_off
from pytest_beir.gate.noise import estimate_noise
from pytest_beir.phrasing import plural
from pytest_beir.retrieval.stage import headroom
from pytest_beir.scoring.measures import parse_metric
from pytest_beir.scoring.ranking import varying_queries
from pytest_beir.scoring.scorer import DEPTH, JUDGED, Scores, score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.pins import Pin
    from pytest_beir.gate.noise import Noise
    from pytest_beir.retrieval.rankings import Rankings
    from pytest_beir.retrieval.retriever import RetrieverUnderTest
    from pytest_beir.retrieval.saved_runs import SavedRuns

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Scored(Measurement):
    """One dataset, retrieved by one retriever and scored."""

    dataset: Dataset

    def without_data(self) -> Scored:
        """The same without queries and judgements, to be kept until the dataset comes again."""
        bare = replace(self.dataset, queries={}, qrels={}, corpus=None, metadata={}, members=())
        return replace(self, dataset=bare, qrels=None)

    def with_data(self, dataset: Dataset) -> Scored:
        """The same with the dataset's queries and judgements, which were read again."""
        return replace(self, dataset=dataset, qrels=dataset.qrels)


def retrieve(
    dataset: Dataset,
    retriever: RetrieverUnderTest,
    *,
    name: str,
    metrics: Sequence[str],
    query_batch: int = 1000,
    saved: SavedRuns | None = None,
    progress: Callable[[int, int], None] | None = None,
    repeat: int = 1,
    pins: Sequence[Pin] = (),
    group_field: str | None = None,
) -> Scored:
    """Index, search and score every part of a dataset, `repeat` times to estimate noise.

    The scores are those of the first retrieval. `pins` are those of the whole suite,
    `group_field` is the field of the queries' metadata that they are grouped by.

    Raises:
        RetrieverError: The retriever raised, or cannot be used.
        AnswerError: An answer is malformed; query and document are named.
        ScoringError: No judged query was answered.
        DatasetError: No ranking can score.

    """
    reason = dataset.why_nothing_scores()
    if reason is not None:
        raise DatasetError(
            f"{dataset.name}: no ranking can score: {reason}", remedy="mend the judgements"
        )
    asking = _Asking(retriever, name, _top_k(dataset, metrics), query_batch, saved, progress)
    documents = None if dataset.members else dataset.corpus
    own_pins = pins_of(pins, dataset.name, dataset.queries, documents)
    retrieved = [asking.rankings(part) for part in dataset.parts]
    scores = _scored_parts(dataset, retrieved, metrics)
    names = (*metrics, JUDGED)
    repeats = [[asking.again(part) for part in dataset.parts] for _ in range(1, repeat)]
    return Scored(
        retriever=name,
        version=retriever.version,
        trained_on=retriever.trained_on,
        dataset=dataset,
        identity=dataset.identity,
        qrels=dataset.qrels,
        groups=groups_of(dataset, group_field) if group_field is not None else {},
        dataset_flags=dataset.flags,
        same_text=dataset.same_text,
        recorded=retriever.recorded,
        libraries=retriever.libraries,
        scores=_joined(dataset, scores),
        second=_joined(dataset, _scored_parts(dataset, repeats[0], metrics)) if repeats else None,
        definitions={metric: parse_metric(metric).definition for metric in dict.fromkeys(names)},
        checked_against_corpus=all(answer.checked_against_corpus for answer in retrieved),
        resumed=asking.resumed,
        other_code=asking.other_code,
        seconds=sum(answer.seconds_index + answer.seconds_search for answer in retrieved),
        warnings=tuple(dict.fromkeys([*_warnings(dataset, scores), *asking.warnings])),
        notes=(*asking.notes, *_stage_notes(dataset, retrieved, metrics[0])),
        noise=_noise(dataset, [retrieved, *repeats], metrics) if repeats else (),
        varying=_varying(dataset, [retrieved, *repeats]) if repeats else (),
        checks=check_pins(own_pins, _ranks(dataset, retrieved, own_pins)),
    )


def _stage_notes(dataset: Dataset, answers: Sequence[Rankings], metric: str) -> list[str]:
    """What the stages of a pipeline score, and how much a reranker could gain."""
    notes = [
        (part, headroom(part, answer.stages, answer.run, metric))
        for part, answer in zip(dataset.parts, answers, strict=True)
        if answer.stages
    ]
    return [f"{_named(part)}{note}" for part, note in notes if note is not None]


def _named(part: Dataset) -> str:
    """What a note on a part begins with: its name, where it is one of several."""
    return f"{part.name}: " if "/" in part.name else ""


def search_again(
    scored: Scored, retriever: RetrieverUnderTest, *, query_batch: int = 1000
) -> Scores:
    """The scores of a second search of the same dataset; nothing of it is saved.

    Raises:
        RetrieverError: The retriever raised.
        AnswerError: An answer is malformed.

    """
    dataset = scored.dataset
    metrics = [metric for metric in scored.scores.values if metric != JUDGED]
    top_k = _top_k(dataset, metrics)
    asking = _Asking(retriever, scored.retriever, top_k, query_batch, None, None)
    answers = [asking.once_more(part) for part in dataset.parts]
    return _joined(dataset, _scored_parts(dataset, answers, metrics))


def _top_k(dataset: Dataset, metrics: Sequence[str]) -> int:
    depth = max([DEPTH, *(parse_metric(metric).cutoff or 0 for metric in metrics)])
    return depth + 1 if dataset.drop_identical_ids else depth


def _ranks(
    dataset: Dataset, answers: Sequence[Rankings], pins: Sequence[Pin]
) -> dict[tuple[str, str], int | None]:
    return {
        place: rank
        for part, answer in zip(dataset.parts, answers, strict=True)
        for place, rank in find_ranks(
            pins,
            answer.run,
            prefix=_prefix(dataset, part),
            drop_identical_ids=part.drop_identical_ids,
        ).items()
    }


@held_off
def _scored_parts(
    dataset: Dataset, answers: Sequence[Rankings], metrics: Sequence[str]
) -> list[Scores]:
    return [
        score(part.qrels, answer.run, metrics, drop_identical_ids=part.drop_identical_ids)
        for part, answer in zip(dataset.parts, answers, strict=True)
    ]


def _prefix(dataset: Dataset, part: Dataset) -> str:
    """What the query ids of a part begin with in the whole: `android/`, or nothing."""
    return f"{part.name.removeprefix(f'{dataset.name}/')}/" if dataset.members else ""


def _noise(
    dataset: Dataset, retrievals: Sequence[Sequence[Rankings]], metrics: Sequence[str]
) -> tuple[Noise, ...]:
    runs = [_joined(dataset, _scored_parts(dataset, each, metrics)) for each in retrievals]
    return tuple(
        estimate_noise(metric, [run.values[metric] for run in runs], strata=dataset.strata)
        for metric in metrics
    )


def _varying(dataset: Dataset, retrievals: Sequence[Sequence[Rankings]]) -> tuple[str, ...]:
    return tuple(
        _prefix(dataset, part) + query
        for number, part in enumerate(dataset.parts)
        for query in varying_queries(
            [each[number].run for each in retrievals],
            depth=DEPTH,
            drop_identical_ids=part.drop_identical_ids,
        )
    )


@dataclass
class _Asking:
    """How the parts of one dataset are retrieved, and what is to be said of it."""

    retriever: RetrieverUnderTest
    name: str
    top_k: int
    query_batch: int
    saved: SavedRuns | None
    progress: Callable[[int, int], None] | None
    resumed: bool = False
    other_code: str | None = None
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def rankings(self, part: Dataset) -> Rankings:
        """The rankings of one part, saved batch by batch where that is asked for."""
        named = _named(part)
        if self.saved is None:
            found = self._ask(part, None, None)
            self.notes.extend(f"{named}{note}" for note in found.notes)
            return found
        with self.saved.open(self.name, self.retriever.version, part, self.top_k) as run:
            found = self._ask(part, run.append, run.answered)
            run.finish()
        self.notes.extend(f"{named}{note}" for note in found.notes)
        self.resumed = self.resumed or run.resumed
        self.other_code = self.other_code or run.other_code
        queries = plural(len(part.queries), "query")
        if run.retrieved_again:
            self.warnings.append(f"{named}{queries} retrieved again: {run.retrieved_again}")
        if run.resumed:
            self.notes.append(f"{named}{len(run.answered):,} of {queries} from saved rankings")
        return found

    def again(self, part: Dataset) -> Rankings:
        """The rankings of one part indexed and retrieved once more; nothing is saved."""
        self.retriever.index_again()
        return self.once_more(part)

    def once_more(self, part: Dataset) -> Rankings:
        """The rankings of one part searched once more, in the index that there is."""
        return self._ask(part, None, None)

    def _ask(
        self,
        part: Dataset,
        on_batch: Callable[[Mapping[str, Mapping[str, float]]], None] | None,
        answered: Mapping[str, Mapping[str, float]] | None,
    ) -> Rankings:
        return self.retriever.rankings(
            part,
            self.top_k,
            query_batch=self.query_batch,
            progress=self.progress,
            on_batch=on_batch,
            answered=answered,
        )


def _joined(dataset: Dataset, scores: Sequence[Scores]) -> Scores:
    """The scores of a dataset; those of its parts under prefixed query ids (`android/123`)."""
    if not dataset.members:
        return scores[0]
    parts = list(zip(dataset.strata, scores, strict=True))
    return Scores(
        values={
            metric: _prefixed([(name, each.values[metric]) for name, each in parts])
            for metric in scores[0].values
        },
        top10=_prefixed([(name, each.top10) for name, each in parts]),
        judged=_prefixed([(name, each.judged) for name, each in parts]),
        missing=tuple(sorted(f"{name}/{query}" for name, s in parts for query in s.missing)),
        unjudged_queries=tuple(
            sorted(f"{name}/{query}" for name, s in parts for query in s.unjudged_queries)
        ),
    )


def _prefixed(parts: Iterable[tuple[str, Mapping[str, T]]]) -> dict[str, T]:
    """What the parts hold by query, under the prefixed ids and sorted by them."""
    both = {f"{name}/{query}": value for name, part in parts for query, value in part.items()}
    return dict(sorted(both.items()))


def _warnings(dataset: Dataset, scores: Iterable[Scores]) -> list[str]:
    extra = sum(len(each.unjudged_queries) for each in scores)
    ignored = [f"{extra} answered queries have no judgements and are ignored"] if extra else []
    return [*dataset.warnings, *ignored]
