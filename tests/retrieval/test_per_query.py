"""Searches for one query: so many at a time, again where it is worth it, and never in silence."""

# ruff: noqa: ARG002, ARG005  # parameters are declared for the sake of their names

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from pytest_beir.errors import AnswerError, RetrieverError, UsageError
from pytest_beir.retrieval import per_query
from pytest_beir.retrieval.per_query import PerQuery, SearchLimits
from pytest_beir.retrieval.retriever import wrap


def many(make_part: Any, number: int = 20) -> Any:
    return make_part(queries={f"q{one:02}": f"text {one}" for one in range(number)})


class Counting:
    """An async search that notes how many calls are under way, and in which loops."""

    version = "1"

    def __init__(self) -> None:
        self.now = self.most = 0
        self.loops: set[int] = set()

    async def search(self, query: str, k: int) -> Any:
        self.now += 1
        self.most = max(self.most, self.now)
        self.loops.add(id(asyncio.get_running_loop()))
        for _ in range(5):
            await asyncio.sleep(0)
        self.now -= 1
        return ["d1", "d2"][:k]


def test_async_queries_are_asked_eight_at_a_time_in_one_loop(make_part: Any) -> None:
    counting = Counting()
    retriever = wrap(counting)
    for name in ("one", "two"):
        rankings = retriever.rankings(make_part(name, queries=many(make_part).queries), 5)
        assert len(rankings.run) == 20
        assert rankings.run["q07"] == {"d1": -1.0, "d2": -2.0}
    retriever.close()
    assert counting.most == 8
    assert len(counting.loops) == 1


@pytest.mark.parametrize("concurrency", [1, 3])
def test_concurrency_is_declared_by_the_retriever(concurrency: int, make_part: Any) -> None:
    counting = Counting()
    counting.concurrency = concurrency  # type: ignore[attr-defined]
    wrap(counting).rankings(many(make_part), 5)
    assert counting.most == concurrency


def test_ordinary_functions_are_asked_one_at_a_time_in_the_callers_thread(make_part: Any) -> None:
    threads = set()

    def search(query: str, k: int) -> Any:
        threads.add(threading.current_thread())
        asyncio.run(asyncio.sleep(0))  # a client may do so itself
        return ["d1"]

    wrap(search).rankings(many(make_part), 5)
    assert threads == {threading.current_thread()}


def test_ordinary_functions_with_concurrency_meet_in_threads(make_part: Any) -> None:
    together = threading.Barrier(4, timeout=10)

    def search(query: str, k: int) -> Any:
        together.wait()
        return ["d1"]

    assert len(wrap(PerQuery(search, concurrency=4)).rankings(many(make_part), 5).run) == 20


def test_what_an_ordinary_function_returns_may_have_to_be_awaited(part: Any) -> None:
    async def client(query: str) -> Any:
        return ["d1"]

    for value in (PerQuery(lambda query, k: client(query)), lambda query, k: client(query)):
        assert wrap(value).rankings(part, 5).run["q1"] == {"d1": -1.0}


def test_a_coroutine_may_ask_for_rankings(part: Any) -> None:
    async def test() -> Any:
        retriever = wrap(Counting())
        run = retriever.rankings(part, 5).run
        retriever.close()
        return run

    assert asyncio.run(test()).keys() == part.queries.keys()


class Flaky:
    """Raises the errors one after the other before it answers."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)
        self.calls = 0

    def search(self, query: str, k: int) -> Any:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return ["d1"]

    async def asearch(self, query: str, k: int) -> Any:
        return self.search(query, k)


def both(flaky: Flaky, **limits: Any) -> list[PerQuery]:
    return [PerQuery(flaky.search, pause=0, **limits), PerQuery(flaky.asearch, pause=0, **limits)]


@pytest.mark.parametrize("which", [0, 1])
def test_what_is_transient_is_tried_again(which: int, make_part: Any) -> None:
    flaky = Flaky(ConnectionResetError(), TimeoutError(), ConnectionError())
    rankings = wrap(both(flaky)[which]).rankings(many(make_part, 1), 5)
    assert rankings.run == {"q00": {"d1": -1.0}}
    assert flaky.calls == 4


@pytest.mark.parametrize("which", [0, 1])
def test_a_query_that_cannot_be_answered_is_an_error_that_names_it(
    which: int, make_part: Any
) -> None:
    flaky = Flaky(*[ConnectionError("refused")] * 9)
    with pytest.raises(
        RetrieverError,
        match=r"^toy: query 'q00': search\('text 0' \(str\)\) raised ConnectionError: refused"
        r" \(3 attempts\)",
    ) as caught:
        wrap(both(flaky, retries=2)[which]).rankings(many(make_part, 1), 5)
    assert isinstance(caught.value.__cause__, ConnectionError)
    assert flaky.calls == 3


@pytest.mark.parametrize("which", [0, 1])
def test_other_errors_are_raised_at_once(which: int, make_part: Any) -> None:
    flaky = Flaky(KeyError("x"))
    with pytest.raises(RetrieverError, match=r"query 'q00': .* raised KeyError: 'x'$"):
        wrap(both(flaky)[which]).rankings(many(make_part, 1), 5)
    assert flaky.calls == 1


class Busy(Exception):  # noqa: N818  # named as a client names it
    pass


@pytest.mark.parametrize("more", [Busy, f"{Busy.__module__}.Busy"])
def test_the_list_of_transient_errors_can_be_extended(more: Any, make_part: Any) -> None:
    flaky = Flaky(Busy())
    wrap(PerQuery(flaky.search, pause=0, transient=[more])).rankings(many(make_part, 1), 5)
    assert flaky.calls == 2


@pytest.mark.parametrize("is_async", [True, False])
def test_a_query_that_takes_too_long_is_named(is_async: bool, make_part: Any) -> None:
    forever = threading.Event()

    async def slow(query: str, k: int) -> Any:
        await asyncio.sleep(60)

    value = PerQuery(
        slow if is_async else lambda query, k: forever.wait(60),  # type: ignore[arg-type]
        timeout=0.01,
        retries=1,
        pause=0,
    )
    with pytest.raises(RetrieverError, match=r"query 'q00': .*no answer within 0.01 s \(2 att"):
        wrap(value).rankings(many(make_part, 1), 5)
    forever.set()


@pytest.mark.parametrize("concurrency", [1, 4])
def test_after_an_error_what_is_under_way_is_finished_and_saved_and_nothing_begun(
    concurrency: int, make_part: Any
) -> None:
    asked: list[str] = []
    saved: list[str] = []

    async def search(query: str, k: int) -> Any:
        asked.append(query)
        await asyncio.sleep(0)
        if query == "text 9":
            raise ValueError("quota")
        await asyncio.sleep(0)
        return ["d1"]

    search.version = "1"  # type: ignore[attr-defined]
    search.concurrency = concurrency  # type: ignore[attr-defined]
    with pytest.raises(RetrieverError, match=r"query 'q09'.* of 20 answered: go on with --beir-r"):
        wrap(search).rankings(many(make_part), 5, on_batch=saved.extend)
    assert len(saved) == len(asked) - 1 < 19


def test_the_error_counts_what_is_saved_and_says_how_to_go_on(make_part: Any) -> None:
    def search(query: str, k: int) -> Any:
        if query == "text 15":
            raise ValueError("quota")
        return ["d1"]

    end = "raised ValueError: quota; 15 of 20 answered"
    with pytest.raises(RetrieverError, match=f"{end} and saved: give the retriever a `version`"):
        wrap(search).rankings(many(make_part), 5, on_batch=lambda _: None)
    with pytest.raises(RetrieverError, match=f"{end} and not saved: --beir-runs=DIR saves"):
        wrap(search).rankings(many(make_part), 5)
    search.version = 3  # type: ignore[attr-defined]
    with pytest.raises(RetrieverError, match=f"{end}: go on with --beir-resume$"):
        wrap(search).rankings(many(make_part), 5, on_batch=lambda _: None)


def test_a_malformed_answer_stops_the_asking(make_part: Any) -> None:
    asked = []

    def search(query: str, k: int) -> Any:
        asked.append(query)
        return None if len(asked) == 3 else ["d1"]

    with pytest.raises(AnswerError, match=r"query 'q02' was answered with None.*; 2 of 20 ans"):
        wrap(search).rankings(many(make_part), 5)
    assert len(asked) == 3


@pytest.mark.parametrize("is_async", [True, False])
def test_answers_are_saved_query_by_query(is_async: bool, part: Any) -> None:
    saved: list[Any] = []
    progress: list[Any] = []
    value = Counting() if is_async else (lambda query, k: ["d1", "d2"])
    wrap(value).rankings(
        part, 1, on_batch=saved.append, progress=lambda *counts: progress.append(counts)
    )
    assert sorted(saved, key=str) == [{query: {"d1": -1.0}} for query in ("q1", "q2", "q3")]
    assert progress == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_rate_limit_spaces_the_calls(make_part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(round(seconds, 6))
        clock[0] += seconds

    monkeypatch.setattr(per_query.time, "monotonic", lambda: clock[0])  # type: ignore[attr-defined]
    monkeypatch.setattr(per_query.time, "sleep", sleep)  # type: ignore[attr-defined]
    wrap(PerQuery(lambda query, k: ["d1"], per_second=4)).rankings(many(make_part, 4), 5)
    assert slept == [0.0, 0.25, 0.25, 0.25]


def test_pauses_double_and_heed_the_service() -> None:
    limits = SearchLimits(retries=3, pause=0.5)
    error = ConnectionError()
    assert [limits.pause_after(error, attempt) for attempt in (1, 2, 3, 4)] == [0.5, 1, 2, None]
    error.response = type("R", (), {"headers": {"retry-after": "7"}})  # type: ignore[attr-defined]
    assert limits.pause_after(error, 1) == 7.0


def test_an_interrupt_ends_what_is_under_way(make_part: Any) -> None:
    ended = []

    async def search(query: str, k: int) -> Any:
        if query == "text 3":
            raise KeyboardInterrupt
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append(query)
            raise

    with pytest.raises(KeyboardInterrupt):
        wrap(search).rankings(many(make_part), 5)
    assert "text 0" in ended


def test_close_is_called_once_at_the_end_and_may_be_async(make_part: Any) -> None:
    class Client(Counting):
        closed = 0

        async def close(self) -> None:
            self.closed += 1
            self.loops.add(id(asyncio.get_running_loop()))

    client = Client()
    retriever = wrap(client)
    for name in ("one", "two"):
        retriever.rankings(make_part(name), 5)
    assert client.closed == 0
    retriever.close()
    assert client.closed == 1
    assert len(client.loops) == 1


@pytest.mark.parametrize(
    "wrong",
    [{"concurrency": 0}, {"timeout": 0}, {"retries": -1}, {"pause": -1}, {"per_second": 0}],
)
def test_limits_that_cannot_be_kept_are_refused(wrong: Any) -> None:
    (name,) = wrong
    with pytest.raises(UsageError, match=f"PerQuery: {name} is "):
        PerQuery(lambda query, k: [], **wrong)


def test_a_declared_concurrency_must_be_a_number(part: Any) -> None:
    client = type("Client", (), {"search": lambda self, query, k: [], "concurrency": "8"})()
    with pytest.raises(RetrieverError, match="the retriever's concurrency is '8'"):
        wrap(client)


def test_ids_are_checked_against_the_corpus(part: Any) -> None:
    with pytest.raises(AnswerError, match="query 'q1': document 'd9' is not in the corpus"):
        wrap(lambda query, k: ["d9"]).rankings(part, 5)


def test_a_dataset_without_a_corpus_is_refused(make_part: Any) -> None:
    with pytest.raises(RetrieverError, match=r"holds no corpus.jsonl"):
        wrap(lambda query, k: ["d9"]).rankings(make_part(corpus=None), 5)
