"""The contract with the user's retriever: what is called when, with what, and what comes of it."""

# ruff: noqa: ARG002, ARG005  # parameters are declared for the sake of their names

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import AnswerError, RetrieverError, RunFileError
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.run_files import RunFiles

if TYPE_CHECKING:
    from pathlib import Path


class Recorder:
    """A retriever that notes how it is used."""

    version = 2
    trained_on: Any = ("msmarco",)
    name = "recorder"

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def index(self, corpus: Any) -> Any:
        self.calls.append(("index", len(corpus)))

    def search(self, queries: Any, top_k: Any) -> Any:
        self.calls.append(("search", list(queries), top_k))
        return {query: {"d1": 1.0, "d2": 2.0} for query in queries}

    def close(self) -> None:
        self.calls.append(("close",))


def test_only_judged_queries_are_sent_with_their_text_and_top_k(part: Any) -> None:
    seen = []

    def search(corpus: Any, queries: Any, top_k: Any) -> Any:
        seen.append((dict(queries), top_k))
        return {}

    wrap(search).rankings(part, 100)
    assert seen == [({"q1": "boiler", "q2": "roses", "q3": "aphids"}, 100)]


def test_the_corpus_is_handed_over_as_it_is(part: Any) -> None:
    seen: list[Any] = []

    def search(corpus: Any, queries: Any, top_k: Any) -> Any:
        seen.append(corpus)
        return {}

    wrap(search).rankings(part, 5)
    assert seen == [part.corpus]
    assert seen[0] is part.corpus


def test_search_is_called_in_batches(part: Any) -> None:
    recorder = Recorder()
    rankings = wrap(recorder).rankings(part, 5, query_batch=2)
    assert recorder.calls == [
        ("index", 3),
        ("search", ["q1", "q2"], 5),
        ("search", ["q3"], 5),
    ]
    assert list(rankings.run) == ["q1", "q2", "q3"]
    assert rankings.checked_against_corpus


def test_callables_get_all_queries_at_once(part: Any) -> None:
    batches: list[int] = []

    def search(corpus: Any, queries: Any, top_k: Any) -> Any:
        batches.append(len(queries))
        return {}

    wrap(search).rankings(part, 5, query_batch=1)
    assert batches == [3]


def test_a_dataset_is_indexed_again_only_if_another_was_in_between(make_part: Any) -> None:
    recorder = Recorder()
    retriever = wrap(recorder)
    for name in ("one", "one", "two", "one"):
        retriever.rankings(make_part(name), 5)
    retriever.close()
    retriever.close()
    assert [call[0] for call in recorder.calls] == [
        *("index", "search", "search"),
        *("close", "index", "search"),
        *("close", "index", "search"),
        "close",
    ]


def test_another_split_of_the_same_dataset_is_indexed_again(make_part: Any) -> None:
    recorder = Recorder()
    retriever = wrap(recorder)
    retriever.rankings(make_part(split="test"), 5)
    retriever.rankings(make_part(split="dev"), 5)
    assert recorder.calls.count(("index", 3)) == 2


def test_a_factory_builds_anew_for_each_dataset_and_its_product_is_closed(make_part: Any) -> None:
    built = []

    def factory(corpus: Any) -> Any:
        built.append(Recorder())
        return built[-1]

    retriever = wrap(factory)
    for name in ("one", "one", "two"):
        retriever.rankings(make_part(name), 5, query_batch=2)
    assert [[call[0] for call in one.calls] for one in built] == [
        ["index", "search", "search", "search", "search", "close"],
        ["index", "search", "search"],
    ]
    assert (retriever.version, retriever.declared_name) == ("2", None)
    retriever.close()
    assert built[1].calls[-1] == ("close",)


def test_close_is_optional(make_part: Any) -> None:
    retriever = wrap(lambda corpus: lambda queries, top_k: {})
    retriever.rankings(make_part("one"), 5)
    retriever.rankings(make_part("two"), 5)
    retriever.close()


def test_a_callable_with_close_is_closed(part: Any) -> None:
    class Calling(Recorder):
        index = search = None  # type: ignore[assignment]

        def __call__(self, corpus: Any, queries: Any, top_k: Any) -> Any:
            return {}

    calling = Calling()
    retriever = wrap(calling)
    retriever.rankings(part, 5)
    retriever.close()
    assert calling.calls == [("close",)]


def test_longer_answers_are_cut_after_sorting(part: Any) -> None:
    rankings = wrap(Recorder()).rankings(part, 1)
    assert rankings.run == {query: {"d2": 2.0} for query in part.queries}


def test_queries_that_are_not_answered_stay_absent(part: Any) -> None:
    answer = {"q2": {}, "q1": {"d1": 1.0}}
    assert wrap(lambda corpus, queries, top_k: answer).rankings(part, 5).run == answer


def test_progress_and_answers_are_reported_batch_by_batch(part: Any) -> None:
    progress: list[Any] = []
    saved: list[Any] = []
    wrap(Recorder()).rankings(
        part,
        1,
        query_batch=2,
        progress=lambda done, total: progress.append((done, total)),
        on_batch=saved.append,
    )
    assert progress == [(0, 3), (2, 3), (3, 3)]
    assert saved == [{"q1": {"d2": 2.0}, "q2": {"d2": 2.0}}, {"q3": {"d2": 2.0}}]


def test_answered_queries_are_not_searched_again(part: Any) -> None:
    recorder, progress = Recorder(), []
    rankings = wrap(recorder).rankings(
        part,
        5,
        answered={"q2": {"d3": 9.0}, "other": {"d1": 1.0}},
        progress=lambda done, total: progress.append((done, total)),
    )
    assert recorder.calls == [("index", 3), ("search", ["q1", "q3"], 5)]
    assert rankings.run["q2"] == {"d3": 9.0}
    assert list(rankings.run) == ["q1", "q2", "q3"]
    assert progress == [(1, 3), (3, 3)]


def test_nothing_is_indexed_when_all_is_answered(part: Any) -> None:
    recorder = Recorder()
    answered: Any = {query: {} for query in part.queries}
    rankings = wrap(recorder).rankings(part, 5, answered=answered)
    assert recorder.calls == []
    assert rankings.run == answered
    assert rankings.seconds_index == rankings.seconds_search == 0.0


def test_a_dataset_without_a_corpus_is_for_run_files_only(make_part: Any, tmp_path: Path) -> None:
    part = make_part(corpus=None)
    values: list[Any] = [Recorder(), lambda corpus: None, lambda corpus, queries, top_k: {}]
    for value in values:
        with pytest.raises(RetrieverError, match=r"toy: data.toy holds no corpus.jsonl.*RunFiles"):
            wrap(value).rankings(part, 5)
    (tmp_path / "toy.trec").write_text("q1 Q0 anything 1 2.5 tag\n", encoding="utf-8")
    rankings = wrap(RunFiles("{dataset}.trec", folder=tmp_path)).rankings(part, 5)
    assert rankings.run == {"q1": {"anything": 2.5}}
    assert not rankings.checked_against_corpus


def test_ids_of_run_files_are_checked_against_a_corpus(part: Any, tmp_path: Path) -> None:
    (tmp_path / "toy.trec").write_text("q1 Q0 anything 1 2.5 tag\n", encoding="utf-8")
    with pytest.raises(AnswerError, match="query 'q1': document 'anything' is not in the corpus"):
        wrap(RunFiles("{dataset}.trec", folder=tmp_path)).rankings(part, 5)


class Failing(Recorder):
    def __init__(self, where: Any, error: Any) -> None:
        super().__init__()
        self.where, self.error = where, error

    def index(self, corpus: Any) -> Any:
        super().index(corpus)
        if self.where == "index":
            raise self.error

    def search(self, queries: Any, top_k: Any) -> Any:
        if self.where == "search":
            raise self.error
        return super().search(queries, top_k)

    def close(self) -> None:
        if self.where == "close":
            raise self.error


@pytest.mark.parametrize("where", ["index", "search"])
def test_an_exception_of_the_retriever_is_chained_with_type_message_and_dataset(
    where: Any, part: Any
) -> None:
    error = ValueError("no GPU")
    with pytest.raises(
        RetrieverError, match=rf"toy: {where}\(\) raised ValueError: no GPU"
    ) as caught:
        wrap(Failing(where, error)).rankings(part, 5)
    assert caught.value.__cause__ is error


def test_an_exception_of_a_factory_or_a_callable_is_chained_too(part: Any) -> None:
    def search(corpus: Any, queries: Any, top_k: Any) -> Any:
        raise KeyError("x")

    def build(corpus: Any) -> Any:
        raise KeyError("y")

    with pytest.raises(RetrieverError, match=r"toy: search\(\) raised KeyError: 'x'"):
        wrap(search).rankings(part, 5)
    with pytest.raises(RetrieverError, match=r"toy: the factory raised KeyError: 'y'"):
        wrap(build).rankings(part, 5)


@pytest.mark.parametrize("error", [OSError("busy"), SystemExit("busy")])
def test_an_exception_in_close_is_a_warning_and_no_fault_of_the_next_dataset(
    make_part: Any, error: BaseException
) -> None:
    retriever = wrap(Failing("close", error))
    retriever.rankings(make_part("one"), 5)
    with pytest.warns(UserWarning, match=r"after one, close\(\) raised \w+: busy"):
        assert retriever.rankings(make_part("two"), 5).run


def test_a_retriever_may_write_to_the_queries_it_was_given(part: Any) -> None:
    def search(corpus: Any, queries: Any, top_k: Any) -> Any:
        answer = {query: {next(iter(corpus)): 1.0} for query in queries}
        queries.clear()
        return answer

    assert wrap(search).rankings(part, 5).run.keys() == part.queries.keys()


def test_what_a_retriever_adds_to_the_queries_is_not_asked(part: Any) -> None:
    def search(corpus: Any, queries: Any, top_k: Any) -> Any:
        queries["more"] = "text"
        return {query: {next(iter(corpus)): 1.0} for query in queries}

    with pytest.raises(AnswerError, match="query 'more' was answered but never asked"):
        wrap(search).rankings(part, 5)


def test_an_answer_that_raises_while_it_is_read_is_the_retrievers_error(part: Any) -> None:
    class Lazy(dict[str, Any]):
        def items(self) -> Any:
            raise OSError("the connection is closed")

    with pytest.raises(RetrieverError, match="toy: reading the answer raised OSError: the conn"):
        wrap(lambda corpus, queries, top_k: Lazy()).rankings(part, 5)


@pytest.mark.parametrize("name", [7, b"bm25", ["bm25"]])
def test_a_name_that_is_no_text_is_an_error(name: Any) -> None:
    recorder = Recorder()
    recorder.name = name
    with pytest.raises(RetrieverError, match=r"the retriever's name is .*: give text"):
        _ = wrap(recorder).declared_name


@pytest.mark.parametrize("name", [None, "", "  "])
def test_an_empty_name_is_none(name: Any) -> None:
    recorder = Recorder()
    recorder.name = name
    assert wrap(recorder).declared_name is None


@pytest.mark.parametrize("attribute", ["index", "close"])
def test_an_attribute_that_raises_when_read_is_the_retrievers_error(attribute: str) -> None:
    class Lazy(Recorder):
        def __getattribute__(self, name: str) -> Any:
            if name == attribute:
                raise RuntimeError("no model")
            return super().__getattribute__(name)

    with pytest.raises(
        RetrieverError, match=rf"type Lazy: reading its attribute '{attribute}' raised RuntimeErr"
    ):
        wrap(Lazy())


def test_after_a_failed_index_the_next_try_indexes_again(part: Any) -> None:
    failing = Failing("index", RuntimeError("once"))
    retriever = wrap(failing)
    with pytest.raises(RetrieverError, match="RuntimeError: once"):
        retriever.rankings(part, 5)
    failing.where = None
    assert retriever.rankings(part, 5).run
    assert failing.calls.count(("index", 3)) == 2


def test_errors_of_this_project_pass_as_they_are(part: Any) -> None:
    error = RunFileError("runs/toy.trec:3: broken")
    with pytest.raises(RunFileError) as caught:
        wrap(Failing("search", error)).rankings(part, 5)
    assert caught.value is error


@pytest.mark.parametrize(
    "outcome", [KeyboardInterrupt(), SystemExit(3), pytest.skip.Exception("x")]
)
@pytest.mark.parametrize("where", ["index", "search"])
def test_interrupts_and_pytest_outcomes_pass_through(where: Any, outcome: Any, part: Any) -> None:
    with pytest.raises(type(outcome)) as caught:
        wrap(Failing(where, outcome)).rankings(part, 5)
    assert caught.value is outcome


@pytest.mark.parametrize("rubbish", [None, 3, [], "x"])
def test_rubbish_is_an_answer_error_of_the_dataset(rubbish: Any, part: Any) -> None:
    with pytest.raises(AnswerError, match=r"^toy: the retriever answered with"):
        wrap(lambda corpus, queries, top_k: rubbish).rankings(part, 5)


def test_a_searcher_searches_the_indexed_dataset(part: Any) -> None:
    recorder = Recorder()
    search = wrap(recorder).searcher(part)
    assert recorder.calls == [("index", 3)]
    assert search({"new": "a text"}, 1) == {"new": {"d2": 2.0}}
    assert recorder.calls[1:] == [("search", ["new"], 1)]


def test_a_searcher_indexes_again_if_another_dataset_was_in_between(make_part: Any) -> None:
    recorder = Recorder()
    retriever = wrap(recorder)
    search = retriever.searcher(make_part("one"))
    retriever.rankings(make_part("two"), 5)
    search({"q": ""}, 1)
    assert recorder.calls.count(("index", 3)) == 3


def test_a_searcher_of_run_files_looks_rankings_up(part: Any, tmp_path: Path) -> None:
    (tmp_path / "toy.trec").write_text("q1 Q0 d1 1 2.5 tag\n", encoding="utf-8")
    search = wrap(RunFiles("{dataset}.trec", folder=tmp_path)).searcher(part)
    assert search({"q1": "boiler", "q9": ""}, 5) == {"q1": {"d1": 2.5}}


def test_attributes_say_version_name_and_training_data() -> None:
    retriever = wrap(Recorder())
    assert retriever.version == "2"
    assert retriever.declared_name == "recorder"
    assert retriever.trained_on == frozenset({"msmarco"})


def test_missing_attributes_are_unknown() -> None:
    retriever = wrap(lambda corpus, queries, top_k: {})
    assert retriever.version is None
    assert retriever.declared_name is None
    assert retriever.trained_on is None


def test_trained_on_nothing_is_not_unknown() -> None:
    assert wrap(RunFiles("x.trec", trained_on=())).trained_on == frozenset()


@pytest.mark.parametrize("names", ["msmarco", 3])
def test_trained_on_must_be_a_collection_of_names(names: Any) -> None:
    recorder = Recorder()
    recorder.trained_on = names
    with pytest.raises(RetrieverError, match="give a collection of dataset names"):
        _ = wrap(recorder).trained_on


def test_wrapping_twice_changes_nothing() -> None:
    retriever = wrap(Recorder())
    assert wrap(retriever) is retriever
