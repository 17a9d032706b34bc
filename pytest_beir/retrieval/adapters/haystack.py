"""Haystack: components that retrieve, and pipelines with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.adapters.classes import comes_from, is_a
from pytest_beir.retrieval.adapters.document_search import DocumentSearch, ids_in
from pytest_beir.retrieval.signatures import parameters_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

describes = "Haystack: a component with run(query, top_k), or a Pipeline"
_QUERIES = ("query", "text", "question", "prompt")
_PACKAGES = ("haystack", "haystack_integrations")


def matches(value: Any) -> bool:
    """Whether it is a pipeline, or a component that takes a query."""
    if is_a(value, "haystack.PipelineBase"):
        return True
    is_component = hasattr(value, "__haystack_input__") or comes_from(value, *_PACKAGES)
    return is_component and parameters_of(value, "run") is not None


def adapt(value: Any, id_key: str | None = None) -> DocumentSearch:
    """A search for one query; `id_key` is the key of `meta` that holds the id.

    Raises:
        RetrieverError: it takes no query, such as a retriever of embeddings outside a pipeline.

    """
    ask = _pipeline if is_a(value, "haystack.PipelineBase") else _component
    run = ask(value)

    def hits(query: str, k: int) -> Iterator[tuple[Sequence[Any], float | None]]:
        for document in run(query, k):
            yield ids_in(document.meta, (document.id,), id_key), document.score

    return DocumentSearch(
        hits,
        libraries=("haystack-ai",),
        remedy=(
            "give the documents the corpus's ids (Document(id=...)), or name the key of their"
            " meta: `pytest_beir.retrieval.adapters.haystack.adapt(pipeline, id_key=...)`"
        ),
    )


def _component(value: Any) -> Any:
    names = parameters_of(value, "run") or ()
    query = next((name for name in _QUERIES if name in names), None)
    if query is None:
        raise RetrieverError(
            f"the Haystack component {type(value).__name__} takes"
            f" {', '.join(names) or 'nothing'} and no query: give a Pipeline in which another"
            " component, such as a text embedder, takes the query"
        )

    def run(text: str, k: int) -> Any:
        depth = {"top_k": k} if "top_k" in names else {}
        return value.run(**{query: text}, **depth)["documents"]

    return run


def _pipeline(value: Any) -> Any:
    inputs = value.inputs()
    queries = [
        (component, name)
        for component, sockets in inputs.items()
        for name in _QUERIES
        if name in sockets
    ]
    depths = [component for component, sockets in inputs.items() if "top_k" in sockets]
    if not queries:
        raise RetrieverError(
            f"the Haystack Pipeline has no input for a query; looked for {', '.join(_QUERIES)} in"
            f" {', '.join(inputs) or 'no component'}"
        )

    def run(text: str, k: int) -> Any:
        data: dict[str, dict[str, Any]] = {}
        for component, name in queries:
            data.setdefault(component, {})[name] = text
        for component in depths:
            data.setdefault(component, {})["top_k"] = k
        outputs = value.run(data)
        found = [output["documents"] for output in outputs.values() if "documents" in output]
        if not found:
            raise RetrieverError(
                "the Haystack Pipeline gave no documents; it must end in a component that does"
                f" (its outputs: {', '.join(outputs)})"
            )
        return found[-1]

    return run
