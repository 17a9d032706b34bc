"""Searches for one query: called query by query, so many at a time, within limits."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_beir.errors import BeirError, RetrieverError, UsageError
from pytest_beir.phrasing import plural
from pytest_beir.retrieval.transient import asked_to_wait, is_transient
from pytest_beir.retrieval.user_code import described, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_beir.retrieval.event_loop import EventLoop
    from pytest_beir.retrieval.protocol import QuerySearch

T = TypeVar("T")
ASYNC_CONCURRENCY = 8
_ASYNC_TIMEOUT = 120.0
_LONGEST_PAUSE = 30.0


@dataclass(frozen=True)
class SearchLimits:
    """How a search for one query may be called.

    `concurrency` queries are asked at a time; each may take `timeout` seconds (None: any time).
    What is transient is tried `retries` times more, after `pause` seconds, then twice as long each
    time; `transient` are names or classes of exceptions that count beside the usual ones. No more
    than `per_second` calls begin in a second.
    """

    concurrency: int = 1
    timeout: float | None = None
    retries: int = 3
    pause: float = 0.5
    per_second: float | None = None
    transient: tuple[str | type[BaseException], ...] = ()

    def pause_after(self, error: BaseException, attempts: int) -> float | None:
        """The seconds to wait before another attempt, None where none is left or worth it."""
        if attempts > self.retries or not is_transient(error, self.transient):
            return None
        pause: float = min(self.pause * 2.0 ** (attempts - 1), _LONGEST_PAUSE)
        return max(pause, asked_to_wait(error))


class PerQuery:
    """A search for one query as a retriever, with the limits within which it may be called.

    `search(query, k)` answers with {document id: score} or a ranking; it may be `async`.
    `concurrency` is 8 for an `async` function and 1 otherwise, `timeout` 120 seconds for an
    `async` function and none otherwise. `SearchLimits` explains the others.
    """

    def __init__(
        self,
        search: QuerySearch,
        *,
        concurrency: int | None = None,
        timeout: float | None = None,  # given on to every call
        retries: int = 3,
        pause: float = 0.5,
        per_second: float | None = None,
        transient: Iterable[str | type[BaseException]] = (),
        name: str | None = None,
        version: str | None = None,
        trained_on: Iterable[str] | None = None,
        recorded: Mapping[str, str] | None = None,
        libraries: Iterable[str] = (),
    ) -> None:
        if not callable(search):
            raise UsageError(f"PerQuery takes a function search(query, k), not {shown(search)}")
        for what, value, least in (
            ("concurrency", concurrency, 1),
            ("timeout", timeout, None),
            ("retries", retries, 0),
            ("pause", pause, 0),
            ("per_second", per_second, None),
        ):
            if value is not None and (value <= 0 if least is None else value < least):
                raise UsageError(f"PerQuery: {what} is {value}: give {_more_than(least)}")
        self.search = search
        self.concurrency = concurrency
        self.timeout = timeout
        self.retries = retries
        self.pause = pause
        self.per_second = per_second
        self.transient = (transient,) if isinstance(transient, str) else tuple(transient)
        self.name = name
        self.version = version
        self.trained_on = None if trained_on is None else tuple(trained_on)
        self.recorded = dict(recorded or {})
        self.libraries = tuple(libraries)

    def limits(self, *, is_async: bool) -> SearchLimits:
        """The limits, what was left open being decided by the kind of function."""
        return SearchLimits(
            self.concurrency or (ASYNC_CONCURRENCY if is_async else 1),
            self.timeout or (_ASYNC_TIMEOUT if is_async else None),
            self.retries,
            self.pause,
            self.per_second,
            self.transient,
        )


def limits_of(concurrency: object, *, is_async: bool) -> SearchLimits:
    """The limits of a retriever that declares its `concurrency`, or None, and nothing else.

    Raises:
        RetrieverError: It declares something else.

    """
    if concurrency is None or callable(concurrency):
        concurrency = ASYNC_CONCURRENCY if is_async else 1
    if not isinstance(concurrency, int) or concurrency < 1:
        raise RetrieverError(
            f"the retriever's concurrency is {shown(concurrency)}: give a whole number from 1"
        )
    return SearchLimits(concurrency, _ASYNC_TIMEOUT if is_async else None)


@dataclass
class QueryCalls:
    """The calls for the queries of one dataset.

    `ask(text, top_k)` is the user's; `done(query id, answer)` is called as soon as an answer is
    there. After a query that cannot be answered no other is begun, but those under way are
    finished, since they may have been paid for.
    """

    dataset: str
    ask: QuerySearch
    limits: SearchLimits
    loop: EventLoop
    is_async: bool = False
    _first_error: BaseException | None = field(default=None, init=False)
    _next_start: float = field(default=0.0, init=False)

    def answer(
        self, queries: Mapping[str, str], top_k: int, done: Callable[[str, object], None]
    ) -> None:
        """Ask all queries.

        Raises:
            RetrieverError: one of them cannot be answered; it is named.

        """
        if self.limits.concurrency == 1 and self.limits.timeout is None and not self.is_async:
            for query, text in queries.items():
                done(query, self._one(query, text, top_k))
        else:
            self.loop.run(self._all(queries, top_k, done))

    def _one(self, query: str, text: str, top_k: int) -> object:
        """One answer, in this thread: the user's code may open an event loop of its own."""
        attempts = 1
        while True:
            time.sleep(self._until_start())
            try:
                return self.loop.result_of(self.ask(text, top_k))
            except Exception as error:  # the user's code may raise anything
                pause = self.limits.pause_after(error, attempts)
                if pause is None:
                    raise self._unanswered(query, text, error, attempts) from error
            time.sleep(pause)
            attempts += 1

    async def _all(
        self, queries: Mapping[str, str], top_k: int, done: Callable[[str, object], None]
    ) -> None:
        remaining = iter(queries.items())

        async def work() -> None:
            for query, text in remaining:
                try:
                    done(query, await self._answered(query, text, top_k))
                except BaseException as error:
                    self._first_error = self._first_error or error
                    if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt, SystemExit)):
                        raise
                if self._first_error is not None:
                    return

        workers = min(self.limits.concurrency, max(1, len(queries)))
        await asyncio.gather(*(work() for _ in range(workers)))
        if self._first_error is not None:
            raise self._first_error

    async def _answered(self, query: str, text: str, top_k: int) -> object:
        attempts = 1
        while True:
            await asyncio.sleep(self._until_start())
            try:
                return await asyncio.wait_for(self._called(text, top_k), self.limits.timeout)
            except Exception as error:  # the user's code may raise anything
                pause = self.limits.pause_after(error, attempts)
                if pause is None or self._first_error is not None:
                    raise self._unanswered(query, text, error, attempts) from error
            await asyncio.sleep(pause)
            attempts += 1

    async def _called(self, text: str, top_k: int) -> object:
        if self.is_async:
            answer = self.ask(text, top_k)
        else:
            answer = await _in_thread(lambda: self.ask(text, top_k))
        return await answer if isawaitable(answer) else answer

    def _until_start(self) -> float:
        """The seconds until the next call may begin."""
        if self.limits.per_second is None:
            return 0.0
        now = time.monotonic()
        start = max(now, self._next_start)
        self._next_start = start + 1.0 / self.limits.per_second
        return start - now

    def _unanswered(self, query: str, text: str, error: Exception, attempts: int) -> BeirError:
        if isinstance(error, BeirError):
            return error
        late = isinstance(error, (TimeoutError, asyncio.TimeoutError)) and not str(error)
        why = f"no answer within {self.limits.timeout:g} s" if late and self.limits.timeout else ""
        tries = f" ({plural(attempts, 'attempt')})" if attempts > 1 else ""
        return RetrieverError(
            f"{self.dataset}: query {query!r}: search({shown(text)}) {f'gave {why}' if why else ''}"
            f"{'' if why else f'raised {described(error)}'}{tries}"
        )


async def _in_thread(call: Callable[[], T]) -> T:
    """What the call gives, from a thread that nobody waits for at the end of the process."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[tuple[T | None, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()

    def run() -> None:
        result: tuple[T | None, BaseException | None]
        try:
            result = (context.run(call), None)
        except BaseException as error:  # noqa: BLE001  # handed over to the one who waits
            result = (None, error)
        try:
            loop.call_soon_threadsafe(_set, outcome, result)
        except RuntimeError:  # the loop is closed: this call was given up long ago
            return

    threading.Thread(target=run, daemon=True).start()
    value, error = await outcome
    if error is not None:
        raise error
    return value  # type: ignore[return-value]


def _set(outcome: asyncio.Future[Any], result: Any) -> None:
    if not outcome.done():
        outcome.set_result(result)


def _more_than(least: int | None) -> str:
    return "a number above 0" if least is None else f"at least {least}"
