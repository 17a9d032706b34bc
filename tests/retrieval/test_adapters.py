"""Objects of frameworks are known by their classes' names; nothing is imported to find out."""

# ruff: noqa: ARG002, ARG005  # parameters are declared for the sake of their names

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pytest_beir.errors import AnswerError, RetrieverError
from pytest_beir.retrieval.adapters import ADAPTERS, adapted, tantivy
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.run_files import RunFiles


def of(module: str, name: str = "Thing", **members: Any) -> Any:
    """An object of a class that a framework could define."""
    return type(name, (), {"__module__": module, **members})()


class Beir:
    """beir's protocol without beir."""

    def __init__(self) -> None:
        self.score_functions: Any = {"dot": None}

    def search(
        self, corpus: Any, queries: Any, top_k: int, score_function: str, **more: Any
    ) -> Any:
        assert score_function == "dot"
        return {query: dict.fromkeys(corpus, 1.0) for query in queries}


def test_beirs_protocol_gets_the_only_score_function_fourth(part: Any) -> None:
    retriever = wrap(Beir())
    assert retriever.rankings(part, 5).run["q1"].keys() == part.corpus.keys()
    assert retriever.recorded == {"answers": "scores", "score_function": "dot"}


def test_beirs_evaluation_keeps_its_score_function(part: Any) -> None:
    search = Beir()
    search.score_functions = {"cos_sim": None, "dot": None}
    evaluation = of(
        "beir.retrieval.evaluation", "EvaluateRetrieval", retriever=search, score_function="dot"
    )
    assert wrap(evaluation).rankings(part, 5).run.keys() == part.queries.keys()


def test_beirs_searches_without_a_score_function_are_not_given_one(part: Any) -> None:
    class Lexical:
        def search(self, corpus: Any, queries: Any, top_k: int, **kwargs: Any) -> Any:
            assert kwargs == {}
            return {query: {"d1": 1.0} for query in queries}

    assert wrap(Lexical()).rankings(part, 5).run["q1"] == {"d1": 1.0}


class MtebModel:
    mteb_model_meta = SimpleNamespace(name="x/y", revision="7", similarity_fn_name=None)

    def index(self, corpus: Any, *, task_metadata: Any, hf_split: Any, **more: Any) -> None:
        raise AssertionError

    def search(self, queries: Any, *, task_metadata: Any, top_k: int, **more: Any) -> Any:
        raise AssertionError


def test_mtebs_models_are_told_by_what_they_ask_for() -> None:
    retriever = wrap(MtebModel())
    assert retriever.version == "7"
    assert wrap("mteb:no/such-model").version is None  # loaded when it is needed


def document(**fields: Any) -> Any:
    return SimpleNamespace(**{"id": None, "metadata": {}, "meta": {}, "score": None, **fields})


def langchain(*found: Any) -> Any:
    return of(
        "langchain_core.retrievers", "BaseRetriever", invoke=lambda self, query, **more: list(found)
    )


@pytest.mark.parametrize(
    "found",
    [
        document(id="d2"),
        document(id="5f0c", metadata={"doc_id": "d2"}),
        document(metadata={"_id": "d2"}),
        document(id="unknown", metadata={"id": "d2", "source_id": "d1"}),
    ],
)
def test_the_first_id_that_the_corpus_has_counts(found: Any, part: Any) -> None:
    assert wrap(langchain(found)).rankings(part, 5).run["q1"] == {"d2": -1.0}


def test_an_id_elsewhere_is_asked_for(part: Any) -> None:
    found = document(id="5f0c", metadata={"source": "d2"})
    with pytest.raises(AnswerError, match=r"'5f0c' as its id, which the corpus .*id_key=\.\.\."):
        wrap(langchain(found)).rankings(part, 5)
    from pytest_beir.retrieval.adapters import langchain as adapter

    retriever = wrap(adapter.adapt(langchain(found), id_key="source"))
    assert retriever.rankings(part, 5).run["q1"] == {"d2": -1.0}


def test_chunks_count_once_and_more_are_asked_for(part: Any) -> None:
    chunks = [document(metadata={"id": key}) for key in ("d1", "d1", "d1", "d3", "d2", "d2")]
    asked = []

    def similarity_search(self: Any, query: str, k: int = 4) -> Any:
        asked.append(k)
        return chunks[:k]

    store = of(
        "langchain_core.vectorstores.base", "VectorStore", similarity_search=similarity_search
    )
    retriever = wrap(store)
    assert retriever.rankings(part, 2).run["q1"] == {"d1": -1.0, "d3": -2.0}
    assert asked[:2] == [2, 4]
    assert retriever.recorded == {"answers": "ranking", "chunks": "best of each document"}


class LlamaRetriever:
    __module__ = "llama_index.core.base.base_retriever"
    similarity_top_k = 2

    def retrieve(self, query: str) -> Any:
        nodes = [SimpleNamespace(ref_doc_id=key, node_id="n", metadata={}) for key in ("d3", "d1")]
        assert self.similarity_top_k == 3
        return [SimpleNamespace(node=node, score=0.5) for node in nodes]


LlamaRetriever.__name__ = "BaseRetriever"


def test_llama_indexs_query_engines_lend_their_retriever(part: Any) -> None:
    retriever = LlamaRetriever()
    engine = of("llama_index.core.query_engine", retriever=retriever)
    for value in (retriever, engine):
        assert wrap(value).rankings(part, 5).run["q1"] == {"d3": -1.0, "d1": -2.0}
    assert retriever.similarity_top_k == 2


def haystack(**members: Any) -> Any:
    return of("haystack.components.retrievers", "Retriever", **members)


def test_haystacks_components_are_asked_by_name(part: Any) -> None:
    def run(self: Any, text: str, filters: Any = None, top_k: Any = None) -> Any:
        return {"documents": [document(id=key, score=0.5) for key in ("d1", "d2")][:top_k]}

    assert wrap(haystack(run=run)).rankings(part, 1).run["q2"] == {"d1": 0.5}


def test_a_haystack_component_of_embeddings_asks_for_a_pipeline() -> None:
    with pytest.raises(RetrieverError, match="takes query_embedding and no query: give a Pipeline"):
        wrap(haystack(run=lambda self, query_embedding: None))


def test_pyserinis_hits_have_a_docid(part: Any) -> None:
    def search(self: Any, q: str, k: int = 10, fields: Any = None) -> Any:
        return [SimpleNamespace(docid="d2", score=np.float32(2.5), lucene_docid=7)][:k]

    searcher = of("pyserini.search.lucene", "LuceneSearcher", search=search)
    assert wrap(searcher).rankings(part, 5).run["q1"] == {"d2": 2.5}


def test_a_cross_encoder_asks_for_a_first_stage() -> None:
    model = of("sentence_transformers.cross_encoder.model", "CrossEncoder", predict=lambda self: 0)
    with pytest.raises(RetrieverError, match=r"give it a first stage, such as Reranked\(BM25\(\)"):
        wrap(model)


def test_paths_are_run_files() -> None:
    for value in ("runs/{dataset}.trec", Path("runs/{dataset}.trec"), Path("runs"), "runs/"):
        found = adapted(value)
        assert isinstance(found, RunFiles)
        assert Path(found.pattern) == Path("runs/{dataset}.trec")
    assert adapted("x.run.gz") == RunFiles("x.run.gz")


def test_a_mapping_is_a_run(make_part: Any) -> None:
    run = {"q1": {"d2": 1.5}, "q2": ["d1", "d3"], "other": {"d1": 1.0}}
    expected = {"q1": {"d2": 1.5}, "q2": {"d1": -1.0, "d3": -2.0}}
    assert wrap(run).rankings(make_part(), 5).run == expected
    assert wrap({"toy": run, "more": {}}).rankings(make_part(), 5).run == expected
    assert wrap(run).rankings(make_part(corpus=None), 5).run == expected


def test_a_mapping_of_another_dataset_is_an_error(part: Any) -> None:
    with pytest.raises(
        AnswerError, match=r"toy: the mapping answers none .*'a7'.*several datasets"
    ):
        wrap({"a7": {"d1": 1.0}}).rankings(part, 5)
    with pytest.raises(AnswerError, match=r"toy: the mapping answers none .* has 'scifact'"):
        wrap({"scifact": {"q1": {"d1": 1.0}}}).rankings(part, 5)


def test_a_users_own_index_and_search_come_before_every_adapter(part: Any) -> None:
    own = of(
        "langchain_core.retrievers",
        "BaseRetriever",
        index=lambda self, corpus: None,
        search=lambda self, queries, top_k: {"q1": ["d1"]},
    )
    assert wrap(own).rankings(part, 5).run == {"q1": {"d1": -1.0}}


def test_every_adapter_describes_itself_in_the_error_for_an_unknown_object() -> None:
    with pytest.raises(RetrieverError) as caught:
        wrap(object())
    for adapter in ADAPTERS:
        assert adapter.describes in str(caught.value)


def test_no_framework_is_imported_to_know_its_objects() -> None:
    code = (
        "import sys; from pytest_beir.retrieval.adapters import adapted; adapted(object());"
        "names = {'torch','mteb','bm25s','beir','pandas','tantivy','langchain_core','haystack'};"
        "print(sorted(names & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class TantivyIndex:
    """As much of tantivy's index as a search in a full one needs."""

    def __init__(self, **fields: str) -> None:
        self.fields = fields
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.num_docs = 2

    def reload(self) -> None: ...

    def searcher(self) -> Any:
        return self

    def parse_query(self, words: str, fields: list[str]) -> str:
        if unknown := [field for field in fields if field not in self.fields]:
            raise ValueError(unknown)
        self.asked.append((words, tuple(fields)))
        return words

    def search(self, parsed: str, limit: int) -> Any:
        return SimpleNamespace(hits=[(2.0, "d2"), (1.0, "d1")][:limit])

    def doc(self, place: str) -> Any:
        return SimpleNamespace(to_dict=lambda: {"id": [place], "title": [], "text": ["words"]})


TantivyIndex.__module__, TantivyIndex.__name__ = "tantivy", "Index"


def test_a_full_index_of_tantivy_is_asked_in_its_fields_of_text(part: Any) -> None:
    for has, searched in (
        ({"id": "", "title": "", "text": "", "extra": ""}, ("title", "text")),
        ({"id": "", "body": ""}, ("body",)),
    ):
        index = TantivyIndex(**has)
        found = wrap(adapted(index)).rankings(part, 2)
        assert found.run["q1"] == {"d2": 2.0, "d1": 1.0}
        assert {fields for words, fields in index.asked if words != "word"} == {searched}


def test_tantivy_is_given_the_words_of_a_query_alone() -> None:
    index = TantivyIndex(id="", text="")
    search = tantivy.adapt(index, fields=["text"])
    assert [score for _, score in search._hits_of('pump: "E-17" AND (valve)', 1)] == [2.0]
    assert index.asked[-1] == ("pump e 17 and valve", ("text",))
    assert list(search._hits_of("?!", 1)) == []


def test_a_retriever_of_a_store_of_langchain_is_asked_to_the_depth(part: Any) -> None:
    asked = []

    def invoke(self: Any, query: str, k: int = 4) -> list[Any]:
        asked.append(k)
        return [document(id="d2", metadata={})][:k]

    kind = type("BaseRetriever", (), {"__module__": "langchain_core.retrievers"})
    store = type(
        "VectorStoreRetriever",
        (kind,),
        {"__module__": "langchain_core.vectorstores", "invoke": invoke},
    )
    assert list(wrap(store()).rankings(part, 2).run["q1"]) == ["d2"]
    assert set(asked) == {2}
