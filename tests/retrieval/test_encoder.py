"""Exact search over embeddings, against products by hand."""

# ruff: noqa: ARG002, ARG005  # parameters are declared for the sake of their names

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import sparse

from pytest_beir.errors import RetrieverError, UsageError
from pytest_beir.retrieval import exact_search
from pytest_beir.retrieval.embeddings import model_fingerprint
from pytest_beir.retrieval.encoder import Encoder
from pytest_beir.retrieval.exact_search import best_documents
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from pathlib import Path


class Letters:
    """Encodes a text by how often it has each letter."""

    fingerprint: Any = None

    def __init__(self) -> None:
        self.encoded: list[list[str]] = []

    def encode(self, texts: list[str], batch_size: int = 8, show_progress_bar: Any = None) -> Any:
        assert show_progress_bar is False
        self.encoded.append(list(texts))
        letters = "abcdefghijklmnopqrstuvwxyz"
        return np.array([[float(text.lower().count(one)) for one in letters] for text in texts])


class FakeCorpus(dict[str, Any]):
    """A corpus with a folder of its own in the cache."""

    def __init__(self, documents: Any, folder: Path, fingerprint: str = "f1") -> None:
        super().__init__(documents)
        self.cache_dir, self.fingerprint = folder, fingerprint


def cosine(first: Any, second: Any) -> float:
    return float(first @ second / (np.linalg.norm(first) * np.linalg.norm(second)))


def test_documents_are_ranked_by_cosine(part: Any) -> None:
    retriever = wrap(Letters())
    run = retriever.rankings(part, 5).run
    encode = Letters().encode
    query = encode(["roses"], show_progress_bar=False)[0]
    texts = {key: f"{d['title']} {d['text']}".strip() for key, d in part.corpus.items()}
    for key in ("d1", "d2"):
        expected = cosine(query, encode([texts[key]], show_progress_bar=False)[0])
        assert run["q2"][key] == pytest.approx(expected, abs=1e-6)
    assert run["q2"]["d3"] == 0.0  # an empty document
    assert retriever.recorded == {"answers": "scores", "similarity": "cosine"}


def test_the_models_own_similarity_counts_unless_one_is_given(part: Any) -> None:
    model = Letters()
    model.similarity_fn_name = "dot"  # type: ignore[attr-defined]
    run = wrap(model).rankings(part, 5).run
    query, document = (Letters().encode([t], show_progress_bar=False)[0] for t in ("boiler", "x"))
    text = "Boilers How to bleed a boiler."
    document = Letters().encode([text], show_progress_bar=False)[0]
    assert run["q1"]["d1"] == query @ document
    assert Encoder(model, similarity="cosine").recorded == {"similarity": "cosine"}
    with pytest.raises(UsageError, match="similarity is 'manhattan': give"):
        Encoder(model, similarity="manhattan")


def test_queries_and_documents_have_methods_of_their_own(part: Any) -> None:
    class Prompted(Letters):
        def encode_query(self, texts: Any, **kwargs: Any) -> Any:
            return self.encode([f"query {text}" for text in texts], show_progress_bar=False)

        def encode_document(self, texts: Any, **kwargs: Any) -> Any:
            return self.encode([f"passage {text}" for text in texts], show_progress_bar=False)

    model = Prompted()
    wrap(model).rankings(part, 5)
    assert {text.split()[0] for batch in model.encoded for text in batch} == {"query", "passage"}


def test_beirs_models_get_whole_documents(part: Any) -> None:
    class Model:
        def encode_queries(self, queries: Any, batch_size: int = 16, **kwargs: Any) -> Any:
            return [np.array([1.0, 0.0])] * len(queries)

        def encode_corpus(self, corpus: Any, batch_size: int = 8, **kwargs: Any) -> Any:
            assert set(corpus[0]) == {"title", "text"}
            return [[float(len(document["text"])), 1.0] for document in corpus]

    assert max(wrap(Model()).rankings(part, 1).run["q1"]) == "d2"


def test_embeddings_are_kept_by_model_and_corpus(part: Any, tmp_path: Path) -> None:
    def encode(fingerprint: Any, content: str = "f1") -> int:
        model = Letters()
        model.fingerprint = fingerprint
        encoder = Encoder(model)
        encoder.index(FakeCorpus(part.corpus, tmp_path, content))
        expected = encoder.search({"q": "roses"}, 3)
        again = Encoder(model)
        again.index(FakeCorpus(part.corpus, tmp_path, content))
        assert again.search({"q": "roses"}, 3) == expected
        return len([batch for batch in model.encoded if len(batch) == 3])

    assert encode("model 1") == 1
    assert encode("model 1") == 0
    assert encode("model 2") == 1
    assert encode("model 1", "f2") == 1
    assert encode(None) == 2
    assert len(list(tmp_path.glob("embeddings-*.npy"))) == 3


def test_a_damaged_file_is_made_again(part: Any, tmp_path: Path) -> None:
    model = Letters()
    model.fingerprint = "m"
    corpus = FakeCorpus(part.corpus, tmp_path)
    Encoder(model).index(corpus)
    (file,) = tmp_path.glob("embeddings-*.npy")
    file.write_bytes(file.read_bytes()[:-8])
    encoder = Encoder(model)
    encoder.index(corpus)
    assert encoder.search({"q": "roses"}, 1)["q"].keys() == {"d2"}


def test_a_fingerprint_is_declared_or_of_the_weights() -> None:
    assert model_fingerprint(Letters(), ()) is None
    declared = Letters()
    declared.fingerprint = "mine"
    assert model_fingerprint(declared, ()) == "mine"


@pytest.mark.parametrize(
    ("encoded", "words"),
    [
        ([[1.0, 2.0]], "3 texts as .* of shape .*expected 3 rows"),
        ([1.0, 2.0, 3.0], "expected 3 rows"),
        ([[1.0], [2.0], [float("nan")]], "as NaN or infinity"),
        ("text", "expected numbers"),
    ],
)
def test_what_is_no_embedding_is_an_error(encoded: Any, words: str, part: Any) -> None:
    model = type("Model", (), {"encode": lambda self, texts: encoded})()
    with pytest.raises(RetrieverError, match=words):
        wrap(model).rankings(part, 5)


def test_sparse_embeddings_stay_sparse(part: Any) -> None:
    class Sparse(Letters):
        def encode(self, texts: Any, **more: Any) -> Any:  # type: ignore[override]
            return sparse.coo_matrix(super().encode(texts, show_progress_bar=False))

    dense = wrap(Letters()).rankings(part, 5).run
    assert wrap(Sparse()).rankings(part, 5).run == {
        query: pytest.approx(answer, abs=1e-6) for query, answer in dense.items()
    }


@pytest.mark.parametrize("block", [64, 4096, 2**26])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_blocks_give_the_same_as_one_product(
    block: int, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_search, "_BLOCK", block)
    rng = np.random.default_rng(7)
    documents = rng.integers(-3, 4, size=(500, 12)).astype(np.float32)  # with many ties
    queries = rng.integers(-3, 4, size=(9, 12)).astype(np.float32)
    ids = [f"d{place:03}" for place in range(500)]
    found = list(best_documents(kind(queries), kind(documents), ids, 10))
    for answer, scores in zip(found, queries @ documents.T, strict=True):
        # Enough candidates beyond the tenth decide its ties by id, unless very many tie.
        expected = sorted(scores.tolist(), reverse=True)[:10]
        assert sorted(answer.values(), reverse=True) == expected
        assert all(scores[ids.index(key)] == value for key, value in answer.items())


def test_scores_do_not_depend_on_which_queries_are_asked_together() -> None:
    rng = np.random.default_rng(8)
    documents, queries = (rng.normal(size=(n, 64)).astype(np.float32) for n in (300, 20))
    ids = [str(place) for place in range(300)]
    together = list(best_documents(queries, documents, ids, 20))
    alone = [next(best_documents(queries[[row]], documents, ids, 20)) for row in range(20)]
    assert together == alone


def test_an_empty_corpus_is_answered_with_nothing() -> None:
    encoder = Encoder(Letters())
    encoder.index({})
    assert encoder.search({"q": "roses"}, 5) == {"q": {}}


def test_search_comes_after_index() -> None:
    with pytest.raises(RetrieverError, match="asked to search before it encoded"):
        Encoder(Letters()).search({"q": ""}, 1)


class Weighed:
    """As much of a PyTorch model as its fingerprint reads."""

    def __init__(self, layers: str = "Linear(2, 3)", **settings: Any) -> None:
        self.layers = layers
        vars(self).update(settings)

    def __repr__(self) -> str:
        return self.layers

    def state_dict(self) -> dict[str, Any]:
        return {}


def test_what_is_set_on_a_model_decides_its_fingerprint() -> None:
    models = [
        Weighed(),
        Weighed("Linear(3, 2)"),
        Weighed(prompts={"query": "q: "}),
        Weighed(max_seq_length=128),
        Weighed(truncate_dim=64),
        Weighed(default_prompt_name="query"),
    ]
    prints = [model_fingerprint(model, ("torch 2",)) for model in models]
    assert None not in prints
    assert len({*prints, model_fingerprint(Weighed(), ("torch 3",))}) == len(models) + 1
    assert model_fingerprint(Weighed(), ("torch 2",)) == prints[0]
