"""The user's retriever while it is in use: indexed, searched and closed by the contract."""

from __future__ import annotations

import warnings
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_beir.errors import BeirError, RetrieverError, UsageError
from pytest_beir.retrieval.adapters import adapted
from pytest_beir.retrieval.call_shape import product_form
from pytest_beir.retrieval.event_loop import EventLoop
from pytest_beir.retrieval.per_query import QueryCalls
from pytest_beir.retrieval.run_files import RunFiles
from pytest_beir.retrieval.run_mapping import RunMapping
from pytest_beir.retrieval.user_code import described

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_beir.datasets.corpus import Corpus
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.retrieval.call_shape import Form

# Rankings made elsewhere, which need no corpus.
STORED = (RunFiles, RunMapping)


class CloseWarning(UserWarning):
    """A retriever's `close()` raised: what was retrieved stands."""


class OpenRetriever:
    """Calls the user's code; what it raises becomes an error of the dataset.

    One corpus is indexed at a time; it is indexed again only if another was in between. `built`
    is what a factory made for that corpus.
    """

    def __init__(self, value: Any, form: Form | None) -> None:
        self.built: Any = None
        self._value = value
        self._form = form
        self._used: Form | None = None
        self._indexed: tuple[str, str, str | None] | None = None
        self._loop = EventLoop()

    @property
    def may_cost(self) -> bool:
        """Whether another search may cost money, or would read the same file: never unasked."""
        form = self._used or self._form
        return isinstance(self._value, RunFiles) or (form is not None and form.ask is not None)

    @property
    def takes_one_query(self) -> bool:
        """Whether the retriever answers one query at a time."""
        return self._used is not None and self._used.ask is not None

    def takes_all(self, *, saving: bool) -> bool:
        """Whether all queries are sent together.

        Saved answers are worth more than an index that a function builds only once.
        """
        return self._used is None or (self._used.at_once and not saving)

    def prepare(self, part: Dataset) -> None:
        """Index the part unless it is what is indexed; what was open before is closed."""
        if self._form is None:
            return
        key = (part.name, part.split, part.fingerprints.corpus)
        if self._indexed == key:
            return
        corpus = _corpus(part)
        if self._used is not None and self._used.stays_open:
            self._indexed = key
            return
        self._close_used()
        form = self._form
        if form.build is not None:
            try:
                self.built = adapted(self._loop.result_of(form.build(corpus)))
            except Exception as error:  # noqa: BLE001  # the user's code may raise anything
                fail(error, part.name, "the factory")
            form = product_form(self.built)
        self._used = form
        if form.index is not None:
            try:
                self._loop.result_of(form.index(corpus))
            except Exception as error:  # noqa: BLE001  # the user's code may raise anything
                fail(error, part.name, "index()")
        self._indexed = key

    def search_all(
        self,
        part: Dataset,
        queries: Mapping[str, str],
        top_k: int,
        size: int,
        take: Callable[[object, Mapping[str, str]], None],
    ) -> float:
        """The seconds of searching; `take(answer, queries)` gets each batch's answer."""
        used = self._used
        seconds = 0.0
        if used is not None and used.ask is not None:
            _corpus(part)
            calls = QueryCalls(part.name, used.ask, used.limits, self._loop, used.is_async)
            start = perf_counter()
            calls.answer(
                queries,
                top_k,
                lambda query, answer: take({query: answer}, {query: queries[query]}),
            )
            return perf_counter() - start
        for batch in _batches(queries, size):
            start = perf_counter()
            found = self.search(part, dict(batch), top_k)  # a copy: it may be written to
            seconds += perf_counter() - start
            take(found, batch)
        return seconds

    def search(self, part: Dataset, queries: dict[str, str], top_k: int) -> object:
        """The answer to these queries, unchecked.

        Raises:
            RetrieverError: The retriever raised, which is chained.

        """
        if isinstance(self._value, STORED):
            return self._value.load(part.name, queries, top_k)
        if self._used is None or self._used.search is None:
            raise RetrieverError(f"{part.name}: searched before it was indexed")
        try:
            return self._loop.result_of(self._used.search(_corpus(part), queries, top_k))
        except Exception as error:  # noqa: BLE001  # the user's code may raise anything
            fail(error, part.name, "search()")

    def index_again(self) -> None:
        """Have the next search index anew, for what varies from one index to the next."""
        if self._used is not None and not self._used.stays_open:
            self._close_used()

    def close(self) -> None:
        """Close what is open, for good; a retriever without `close()` is merely forgotten."""
        self._close_used()
        self._loop.close()

    def _close_used(self) -> None:
        """Close what is open.

        An exception becomes a warning: what was retrieved stands, and the dataset that is next
        has no part in it.
        """
        used, self._used, self.built = self._used, None, None
        indexed, self._indexed = self._indexed, None
        if used is not None and used.close is not None:
            try:
                self._loop.result_of(used.close())
            except (Exception, SystemExit) as error:  # noqa: BLE001  # may raise anything
                after = f"after {indexed[0]}, " if indexed else ""
                text = f"{after}close() raised {described(error)}"
                warnings.warn(text, CloseWarning, stacklevel=4)


def _batches(queries: Mapping[str, str], size: int) -> Iterator[dict[str, str]]:
    """The queries in their own order, `size` at a time."""
    if size < 1:
        raise UsageError(f"query_batch is {size}: at least one query must be sent at a time")
    remaining = iter(queries.items())
    while batch := dict(islice(remaining, size)):
        yield batch


def _corpus(part: Dataset) -> Corpus:
    if part.corpus is None:
        raise RetrieverError(
            f"{part.name}: {part.folder} holds no corpus.jsonl, so there is nothing to search: add"
            " the corpus, or give rankings made elsewhere as RunFiles"
        )
    return part.corpus


def fail(error: Exception, where: str, what: str) -> NoReturn:
    """Raise what the user's code raised as an error that says where and when it happened.

    Raises:
        RetrieverError: Always, unless the error is one of ours.

    """
    if isinstance(error, BeirError):
        raise error
    raise RetrieverError(f"{where}: {what} raised {described(error)}") from error
