"""The reference retriever against rank_bm25 itself, and where rank_bm25 has no answer."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from pytest_beir import load_dataset, score_run
from pytest_beir.errors import RetrieverError, UsageError
from pytest_beir.retrieval.bm25 import BM25, tokenize
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.scoring.ranking import order

if TYPE_CHECKING:
    from pathlib import Path


def test_words_are_runs_of_word_characters_in_lower_case() -> None:
    assert tokenize("Don't STOP: COVID-19, naïve_2 Straße!") == [
        *("don", "t", "stop", "covid", "19", "naïve_2", "straße"),
    ]
    assert tokenize(" .-- ") == []


def random_texts(seed: Any, documents: Any = 60) -> Any:
    rng = random.Random(seed)  # noqa: S311  # reproducible, nothing secret
    words = [f"w{one}" for one in range(40)]
    # w0 is in most documents: its weight would be negative without epsilon.
    return {
        f"d{one}": {
            "title": "w0" if one % 4 else "",
            "text": " ".join(rng.choices(words, k=one % 30)),
        }
        for one in range(documents)
    }


@pytest.mark.parametrize(
    "settings", [{}, {"k1": 0.9, "b": 0.4}, {"k1": 2.0, "b": 0.9, "epsilon": 0.5}, {"b": 0.0}]
)
def test_scores_equal_those_of_rank_bm25(settings: Any) -> None:
    corpus = random_texts(1)
    retriever = BM25(**settings)
    retriever.index(corpus)
    okapi = BM25Okapi(
        [tokenize(f"{one['title']} {one['text']}") for one in corpus.values()],
        **{"epsilon": 0, **settings},
    )
    queries = {"a": "w0", "b": "w1 w2 w3 w1", "c": "w5 unknown w39", "d": "unknown", "e": ""}
    found = retriever.search(queries, 1000)
    for query, text in queries.items():
        expected = dict(zip(corpus, okapi.get_scores(tokenize(text)), strict=True))
        assert found[query] == pytest.approx(expected, abs=1e-9)
        assert list(found[query]) == order(found[query])


@pytest.mark.parametrize("top_k", [1, 7, 59, 60, 61])
def test_the_best_documents_are_those_of_all_scores_sorted(top_k: Any) -> None:
    retriever = BM25()
    retriever.index(random_texts(2))
    for text in ("w0 w1", "w3", "unknown", ""):
        everything = retriever.search({"q": text}, 10_000)["q"]
        assert len(everything) == 60
        best = retriever.search({"q": text}, top_k)["q"]
        assert best == {document: everything[document] for document in best}
        assert list(best) == order(everything, depth=top_k)


def test_a_query_without_known_words_is_answered_all_the_same() -> None:
    retriever = BM25()
    retriever.index({"a": {"title": "", "text": "word"}, "b": {"title": "", "text": "more"}})
    for text in ("", "?!", "unknown"):
        assert retriever.search({"q": text}, 5) == {"q": {"b": 0.0, "a": 0.0}}


@pytest.mark.parametrize("b", [0.75, 1.0])  # at 1, rank_bm25 itself divides 0 by 0
def test_empty_documents_score_nothing(b: float) -> None:
    retriever = BM25(b=b)
    retriever.index(
        {one: {"title": "", "text": text} for one, text in (("a", ""), ("b", "cat"), ("c", "dog"))}
    )
    assert retriever.search({"q": "cat dog"}, 3)["q"]["a"] == 0.0


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        ({}, {}),
        ({"a": {"title": "", "text": ""}, "b": {"title": "?", "text": ""}}, {"b": 0, "a": 0}),
    ],
)
def test_a_corpus_without_words_is_searched_without_error(corpus: Any, expected: Any) -> None:
    retriever = BM25()
    retriever.index(corpus)
    assert retriever.search({"q": "cat"}, 5) == {"q": expected}


def test_top_k_of_nothing_gives_nothing() -> None:
    retriever = BM25()
    retriever.index(random_texts(3))
    assert retriever.search({"q": "w1"}, 0) == {"q": {}}


def test_fields_choose_what_is_searched() -> None:
    corpus = {
        "a": {"title": "cat", "text": "one"},
        "b": {"title": "dog", "text": "cat"},
        "c": {"title": "cow", "text": "owl"},
    }
    for fields, best in (("title", "a"), (("text",), "b")):
        retriever = BM25(fields=fields)
        retriever.index(corpus)
        assert list(retriever.search({"q": "cat"}, 1)["q"]) == [best]


@pytest.mark.parametrize("fields", [(), ("body",), "titel"])
def test_unknown_fields_are_refused(fields: Any) -> None:
    with pytest.raises(UsageError, match="choose from title, text"):
        BM25(fields=fields)


def test_searching_before_indexing_and_after_closing_is_an_error() -> None:
    retriever = BM25()
    with pytest.raises(RetrieverError, match="before it was given a corpus"):
        retriever.search({"q": "x"}, 1)
    retriever.index(random_texts(4))
    retriever.close()
    with pytest.raises(RetrieverError, match="before it was given a corpus"):
        retriever.search({"q": "x"}, 1)


def test_indexing_replaces_the_corpus_before() -> None:
    retriever = BM25()
    retriever.index({"old": {"title": "", "text": "cat"}})
    retriever.index({"new": {"title": "", "text": "dog"}})
    assert list(retriever.search({"q": "cat"}, 5)["q"]) == ["new"]


def test_the_version_tells_settings_apart() -> None:
    others: list[Any] = [
        {"k1": 0.9},
        {"fields": "text"},
        {"language": "english"},
        {"engine": "bm25s"},
    ]
    assert len({BM25().version, *(BM25(**other).version for other in others)}) == 5
    assert wrap(BM25(language="english", engine="bm25s")).libraries == ("bm25s", "PyStemmer")
    assert wrap(BM25()).declared_name == "bm25"
    assert wrap(BM25()).trained_on == frozenset()


def test_scores_are_plain_floats() -> None:
    retriever = BM25()
    retriever.index(random_texts(5))
    assert {type(score) for score in retriever.search({"q": "w1"}, 9)["q"].values()} == {float}


def test_titles_help_on_scifact(shared_data: Path, tmp_path: Path) -> None:
    dataset = load_dataset(shared_data / "beir" / "scifact", cache_dir=tmp_path)
    means = {}
    for fields in (("title", "text"), ("text",)):
        run = wrap(BM25(fields=fields)).rankings(dataset, 100).run
        means[fields] = np.mean(list(score_run(dataset.qrels, run)["nDCG@10"].values()))
    assert means["title", "text"] == pytest.approx(0.6687, abs=0.0001)
    assert means[("text",)] < means["title", "text"] - 0.01


def test_the_english_analyzer_comes_near_the_published_figure_on_scifact(
    shared_data: Path, tmp_path: Path
) -> None:
    dataset = load_dataset(shared_data / "beir" / "scifact", cache_dir=tmp_path)
    means = {}
    for engine in ("okapi", "bm25s"):
        run = wrap(BM25(language="english", engine=engine)).rankings(dataset, 100).run
        means[engine] = np.mean(list(score_run(dataset.qrels, run)["nDCG@10"].values()))
    # Anserini's flat index has .679, with another tokenizer and k1=.9, b=.4.
    assert means["bm25s"] == pytest.approx(0.688, abs=0.002)
    assert means["okapi"] == pytest.approx(means["bm25s"], abs=0.005)


def test_stop_words_weigh_nothing_and_stems_meet() -> None:
    retriever = BM25(language="english")
    retriever.index(
        {
            "a": {"title": "", "text": "the cells of the heart"},
            "b": {"title": "", "text": "a boiler"},
            "c": {"title": "", "text": "gardens"},
        }
    )
    assert retriever.search({"q": "The"}, 3)["q"] == {"c": 0.0, "b": 0.0, "a": 0.0}
    assert next(iter(retriever.search({"q": "cell"}, 1)["q"])) == "a"
    assert next(iter(retriever.search({"q": "garden"}, 1)["q"])) == "c"


def test_a_word_in_most_documents_weighs_nothing_by_default() -> None:
    retriever = BM25()
    retriever.index({key: {"title": "", "text": f"the {key}"} for key in ("cat", "dog", "cow")})
    assert set(retriever.search({"q": "the"}, 3)["q"].values()) == {0.0}


@pytest.mark.parametrize("settings", [{}, {"k1": 0.9, "b": 0.4}])
def test_the_engine_bm25s_scores_as_bm25s_does(settings: Any) -> None:
    import bm25s

    corpus = random_texts(6)
    retriever = BM25(engine="bm25s", **settings)
    retriever.index(corpus)
    texts = [tokenize(f"{one['title']} {one['text']}") for one in corpus.values()]
    oracle = bm25s.BM25(method="lucene", **settings)
    oracle.index(texts, show_progress=False)
    for text in ("w0", "w1 w2 w1", "w5 unknown"):
        known = [word for word in tokenize(text) if word in oracle.vocab_dict]
        expected = dict(zip(corpus, oracle.get_scores(known).tolist(), strict=True))
        assert retriever.search({"q": text}, 60)["q"] == pytest.approx(expected, abs=1e-6)
    assert retriever.search({"q": "unknown"}, 1)["q"] == {"d9": 0.0}
    retriever.index({})
    assert retriever.search({"q": "w1"}, 5) == {"q": {}}


def test_a_million_words_take_six_bytes_a_posting() -> None:
    corpus = random_texts(7, documents=2000)
    retriever = BM25()
    retriever.index(corpus)
    okapi: Any = retriever._index.scores  # type: ignore[union-attr]
    postings = sum(len(set(tokenize(f"{one['title']} {one['text']}"))) for one in corpus.values())
    assert okapi._documents.nbytes + okapi._times.nbytes == 6 * postings


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"engine": "lucene"}, "choose from okapi, rank_bm25, bm25s"),
        ({"language": "klingon"}, "english"),
    ],
)
def test_unknown_engines_and_languages_are_refused(settings: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        BM25(**settings)


def test_the_engine_rank_bm25_ranks_as_our_own_does() -> None:
    corpus = {
        f"d{number}": {"title": "", "text": f"word{number % 3} word{number % 5} common"}
        for number in range(30)
    }
    queries = {"q1": "word1 word4", "q2": "word0 common absent"}
    ours, theirs = BM25(epsilon=0.25), BM25(epsilon=0.25, engine="rank_bm25")
    ours.index(corpus)
    theirs.index(corpus)
    expected = theirs.search(queries, 10)
    for query, answer in ours.search(queries, 10).items():
        assert list(answer) == list(expected[query])
        assert answer == pytest.approx(expected[query])


def test_the_engine_rank_bm25_takes_a_corpus_without_words() -> None:
    retriever = BM25(engine="rank_bm25")
    retriever.index({"d1": {"title": "", "text": " "}})
    assert retriever.search({"q": "tea"}, 5) == {"q": {"d1": 0.0}}
