"""mteb: search models, encoders, and models by name (`mteb:NAME`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.retrieval.encoder import Encoder
from pytest_beir.retrieval.signatures import parameters_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

describes = "mteb: a SearchProtocol or EncoderProtocol model, or 'mteb:NAME'"
_PREFIX = "mteb:"
_NO_REVISION = "no_revision_available"  # what mteb calls a model that it cannot tell apart
_PLACE = {"hf_split": "test", "hf_subset": "default"}


def matches(value: Any) -> bool:
    """Whether it is mteb's name for a model, or asks for a task's metadata as its models do."""
    if isinstance(value, str):
        return value.startswith(_PREFIX)
    return any(
        "task_metadata" in (parameters_of(value, name) or ()) for name in ("search", "encode")
    )


def adapt(value: Any) -> Any:
    """A search through the model, or an exact search over its embeddings."""
    if isinstance(value, str):
        return NamedModel(value.removeprefix(_PREFIX))
    if "task_metadata" in (parameters_of(value, "search") or ()):
        return MtebSearch(value)
    return Encoder(_Texts(value), version=_revision(value), libraries=("mteb", "torch"))


class NamedModel:
    """A model that is loaded when it is first needed."""

    libraries = ("mteb", "torch")

    def __init__(self, name: str) -> None:
        self.recorded: dict[str, str] = {"model": name}
        self.version: str | None = None
        self._model: Any = None
        self._name = name

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Load the model, and let it take in the corpus."""
        if self._model is None:
            import mteb

            model = mteb.get_model(self._name)
            is_encoder = callable(getattr(model, "encode", None))
            self._model = adapt(model) if matches(model) or not is_encoder else Encoder(model)
            self.version = self._model.version
            self.recorded |= getattr(self._model, "recorded", {})
        self._model.index(corpus)

    def search(self, queries: Mapping[str, str], top_k: int) -> Any:
        """The model's answers."""
        return self._model.search(queries, top_k)


class MtebSearch:
    """A model that searches by itself; its answers are unsorted mappings."""

    libraries = ("mteb",)

    def __init__(self, model: Any) -> None:
        self._model = model
        self.version = _revision(model)
        self.trained_on = getattr(model, "trained_on", None)

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Hand the corpus over as a data set of its columns."""
        from datasets import Dataset

        rows = {
            "id": list(corpus),
            "title": [document.get("title", "") for document in corpus.values()],
            "text": [document.get("text", "") for document in corpus.values()],
        }
        self._model.index(
            Dataset.from_dict(rows),
            task_metadata=_metadata(),
            encode_kwargs={},
            num_proc=None,
            **_PLACE,
        )

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        """The model's answers."""
        from datasets import Dataset

        rows = {"id": list(queries), "text": list(queries.values())}
        answers: dict[str, dict[str, float]] = self._model.search(
            Dataset.from_dict(rows),
            task_metadata=_metadata(),
            top_k=top_k,
            encode_kwargs={},
            num_proc=None,
            **_PLACE,
        )
        return answers


class _Texts:
    """An encoder of mteb as one of lists of texts."""

    def __init__(self, model: Any) -> None:
        self._model = model
        meta = getattr(model, "mteb_model_meta", None)
        own = getattr(meta, "similarity_fn_name", None)
        self.similarity_fn_name = own if own is not None else "cosine"
        revision = _revision(model)
        name = getattr(meta, "name", None)
        self.fingerprint = f"mteb {name} {revision}" if name and revision else None

    def encode_query(self, texts: Sequence[str]) -> Any:
        """Encode queries."""
        return self._encode(texts, "query")

    def encode_document(self, texts: Sequence[str]) -> Any:
        """Encode documents."""
        return self._encode(texts, "document")

    def _encode(self, texts: Sequence[str], kind: str) -> Any:
        from datasets import Dataset
        from mteb.types import PromptType
        from torch.utils.data import DataLoader

        rows: Any = Dataset.from_dict({"text": list(texts)})
        return self._model.encode(
            DataLoader(rows, batch_size=32),
            task_metadata=_metadata(),
            prompt_type=PromptType(kind),
            **_PLACE,
        )


def _metadata() -> Any:
    """What mteb's models want to know of a task; ours is retrieval in English."""
    from mteb.abstasks.task_metadata import TaskMetadata

    return TaskMetadata(
        name="PytestBeir",
        description="A dataset of the suite.",
        type="Retrieval",
        dataset={"path": "local", "revision": "1"},
        eval_langs=["eng-Latn"],
        main_score="ndcg_at_10",
    )


def _revision(model: Any) -> str | None:
    revision = getattr(getattr(model, "mteb_model_meta", None), "revision", None)
    return str(revision) if revision and revision != _NO_REVISION else None
