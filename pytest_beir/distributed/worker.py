"""What a worker does for a search: it indexes one part of a corpus at a time, and answers."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints
from pytest_beir.distributed.merge import ranked
from pytest_beir.distributed.shard import digest_of
from pytest_beir.distributed.shard_corpus import ShardCorpus, read_here
from pytest_beir.distributed.task import NeedsLines
from pytest_beir.errors import AnswerError, RetrieverError
from pytest_beir.retrieval import ranked_list
from pytest_beir.retrieval.answers import Answers
from pytest_beir.retrieval.call_shape import form_of
from pytest_beir.retrieval.event_loop import EventLoop
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_beir.distributed.merge import Ranked
    from pytest_beir.distributed.shard import Shard
    from pytest_beir.retrieval.rankings import Rankings


class _Held:
    """The retriever of this process, with the one part that it has indexed."""

    def __init__(self, key: str, value: Any) -> None:
        self.key = key
        self.value = value
        self.form = form_of(value)
        self.corpus: ShardCorpus | None = None
        self.shard: Shard | None = None
        self.loop = EventLoop()

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self.loop.result_of(function(*arguments))

    def index(self, shard: Shard, lines: bytes, cache: Path | None) -> None:
        self.shard = self.corpus = None
        corpus = ShardCorpus(shard, lines, cache)
        if self.form.index is None:
            raise RetrieverError(f"{shard.place}: the retriever has no index(corpus)")
        self.call(self.form.index, corpus)
        self.shard, self.corpus = shard, corpus

    def close(self) -> None:
        if self.form.close is not None:
            self.call(self.form.close)
        self.loop.close()


# One index per process, whatever threads the worker has: memory is bounded by the largest part.
_LOCK = Lock()
_HELD: list[_Held] = []


def statistics(
    retriever: bytes, shard: Shard, lines: bytes | None, cache: str, queries: Mapping[str, str]
) -> Any:
    """What this part adds to the statistics of the whole corpus."""
    with _LOCK:
        held = _holding(retriever, shard, lines, cache)
        if isinstance(held, NeedsLines):
            return held
        return held.call(held.value.statistics, dict(queries))


def search(
    retriever: bytes,
    shard: Shard,
    lines: bytes | None,
    cache: str,
    queries: Mapping[str, str],
    top_k: int,
    whole: Any,
) -> dict[str, Ranked] | NeedsLines:
    """The best documents of this part; `whole` are the statistics to adopt, None where none are.

    Raises:
        RetrieverError: It has no search of this form.
        AnswerError: The answer has no scores, so that it cannot be merged.

    """
    with _LOCK:
        held = _holding(retriever, shard, lines, cache)
        if isinstance(held, NeedsLines):
            return held
        if whole is not None:
            held.call(held.value.adopt, whole)
        if held.form.search is None or held.corpus is None:
            raise RetrieverError(f"{shard.place}: the retriever has no search(queries, top_k)")
        answers = Answers(shard.place, held.corpus, top_k)
        found = held.call(held.form.search, held.corpus, dict(queries), top_k)
        checked = answers.checked(found, queries)
        if ranked_list.RANKING in answers.forms:
            raise AnswerError(
                f"{shard.place}: the answer is a ranking without scores, which cannot be merged"
                " with those of other shards: answer with scores that are comparable across shards"
            )
        return {query: ranked(scores, top_k) for query, scores in checked.items()}


class WholeAnswer:
    """What a retriever answered on a dataset, and what it then said of itself."""

    def __init__(
        self, rankings: Rankings, version: str | None, recorded: Mapping[str, str]
    ) -> None:
        self.rankings = rankings
        self.version = version
        self.recorded = dict(recorded)


def whole_dataset(
    retriever: bytes,
    shard: Shard,
    lines: bytes | None,
    cache: str,
    queries: Mapping[str, str],
    top_k: int,
    query_batch: int,
) -> WholeAnswer | NeedsLines:
    """The rankings of a dataset, from the whole corpus, as the process of the tests would make."""
    with _LOCK:
        release()
        given = _lines(shard, lines)
        if given is None:
            return NeedsLines()
        under_test = wrap(_loaded(retriever))
        part: Any = Dataset(
            name=shard.dataset,
            split=shard.split,
            folder=Path(shard.file or ".").parent,
            queries=dict(queries),
            qrels={},
            corpus=ShardCorpus(shard, given, _cache(cache)),  # type: ignore[arg-type]
            fingerprints=Fingerprints("", "", shard.fingerprint),
            counts=Counts(shard.count, len(queries), 0),
        )
        try:
            rankings = under_test.rankings(part, top_k, query_batch=query_batch)
            return WholeAnswer(rankings, under_test.version, under_test.recorded)
        finally:
            under_test.close()


def release() -> None:
    """Close the retriever of this process, and forget what it indexed."""
    while _HELD:
        _HELD.pop().close()


def close_retriever() -> None:
    """Do the same from outside, once no task is under way."""
    with _LOCK:
        release()


def _holding(retriever: bytes, shard: Shard, lines: bytes | None, cache: str) -> _Held | NeedsLines:
    key = blake2b(retriever, digest_size=32).hexdigest()
    if not _HELD or _HELD[0].key != key:
        release()
        _HELD.append(_Held(key, _loaded(retriever)))
    held = _HELD[0]
    if held.shard != shard:
        given = _lines(shard, lines)
        if given is None:
            return NeedsLines()
        held.index(shard, given, _cache(cache))
    return held


def _lines(shard: Shard, sent: bytes | None) -> bytes | None:
    if sent is None:
        return read_here(shard)
    if digest_of(sent) != shard.digest:
        raise RetrieverError(
            f"{shard.place}: the lines that arrived are not those that were to be sent: the corpus"
            " was changed while it was in use; run again"
        )
    return sent


def _cache(cache: str) -> Path | None:
    """The cache of the tests' process where it is shared, else this machine's own."""
    return Path(cache) if Path(cache).is_dir() else None


def _loaded(retriever: bytes) -> Any:
    """The retriever that the tests' process sent over the connection; never one from a file."""
    import cloudpickle

    return cloudpickle.loads(retriever)
