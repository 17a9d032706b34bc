"""Embeddings of a corpus: encoded in batches, kept on disk by model and corpus, memory-mapped."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from pytest_beir.errors import RetrieverError
from pytest_beir.files.atomic import atomic_file
from pytest_beir.retrieval.user_code import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

# Texts that are handed to the model together; it batches them by length as it likes.
TOGETHER = 512


def corpus_embeddings(
    corpus: Mapping[str, Mapping[str, str]],
    encode: Callable[[list[Any]], Any],
    text_of: Callable[[Mapping[str, str]], Any],
    *,
    unit: bool,
    fingerprint: str | None,
) -> Any:
    """A matrix with a row for each document, in the corpus's order.

    With `unit` rows have length 1. With a `fingerprint` of the model they are looked for in the
    corpus's folder of the cache, and kept there. Sparse embeddings stay sparse, and in memory.
    """
    file = _file(corpus, fingerprint, unit=unit)
    if file is not None and (kept := _kept(file, len(corpus))) is not None:
        return kept
    parts = [
        as_matrix(encode(texts), len(texts), unit=unit)
        for texts in _batches(map(text_of, corpus.values()))
    ]
    if not parts:
        return np.zeros((0, 1), dtype=np.float32)
    matrix = _stacked(parts)
    if file is not None and isinstance(matrix, np.ndarray):
        with suppress(OSError), atomic_file(file) as part:  # a full disk costs time, not the run
            with part.open("wb") as out:
                np.save(out, matrix)
            return matrix
    return matrix


def as_matrix(encoded: Any, count: int, *, unit: bool) -> Any:
    """What a model gave for `count` texts as single-precision rows, dense or sparse.

    Raises:
        RetrieverError: it is no matrix of finite numbers with a row for each text.

    """
    matrix = _sparse(encoded)
    if matrix is None:
        matrix = _dense(encoded)
    if len(matrix.shape) != 2 or matrix.shape[0] != count:  # noqa: PLR2004
        raise RetrieverError(
            f"the model encoded {count} texts as {shown(encoded)} of shape {matrix.shape}; expected"
            f" {count} rows"
        )
    values = matrix.data if hasattr(matrix, "toarray") else matrix
    if not np.isfinite(values).all():
        raise RetrieverError(
            "the model encoded a text as NaN or infinity: no document can be compared with it"
        )
    return _unit(matrix) if unit else matrix


def model_fingerprint(model: Any, versions: Sequence[str]) -> str | None:
    """A hash of what decides a model's embeddings; None where that cannot be known.

    A model may declare a text `fingerprint`. One of PyTorch is known by its weights, and by how
    its modules, prompts and lengths are set.
    """
    declared = getattr(model, "fingerprint", None)
    if isinstance(declared, str) and declared:
        return declared
    state = getattr(model, "state_dict", None)
    if not callable(state):
        return None
    digest = hashlib.sha256("\n".join(versions).encode())
    digest.update(repr(model).encode())
    for name in ("prompts", "default_prompt_name", "max_seq_length", "truncate_dim"):
        digest.update(f"{name}={getattr(model, name, None)!r}".encode())
    for name, tensor in sorted(state().items()):
        digest.update(name.encode())
        digest.update(str(tensor.dtype).encode())
        flat = tensor.detach().cpu().contiguous().flatten()
        digest.update(flat.view(_bytes_of(flat)).numpy().data)
    return digest.hexdigest()


def _bytes_of(tensor: Any) -> Any:
    """PyTorch's type of bytes, which every tensor can be seen as."""
    torch = import_module("torch")  # the model's, so it is there
    return torch.uint8 if tensor.numel() else tensor.dtype


def _file(
    corpus: Mapping[str, Mapping[str, str]], fingerprint: str | None, *, unit: bool
) -> Path | None:
    folder: Path | None = getattr(corpus, "cache_dir", None)
    if folder is None or fingerprint is None:
        return None
    key = hashlib.sha256(f"{fingerprint} {corpus_hash(corpus)} {unit}".encode()).hexdigest()
    return folder / f"embeddings-{key[:32]}.npy"


def corpus_hash(corpus: object) -> str:
    """What stands for the corpus's content."""
    return str(getattr(corpus, "fingerprint", ""))


def _kept(file: Path, count: int) -> Any:
    if not file.is_file():
        return None
    with suppress(OSError, ValueError):
        matrix = np.load(file, mmap_mode="r", allow_pickle=False)
        if matrix.ndim == 2 and len(matrix) == count and matrix.dtype == np.float32:  # noqa: PLR2004
            os.utime(file)  # in use: what is not may be cleared away
            return matrix
    return None


def _batches(texts: Iterable[Any]) -> Iterator[list[Any]]:
    remaining = iter(texts)
    while batch := list(islice(remaining, TOGETHER)):
        yield batch


def _dense(encoded: Any) -> Any:
    if isinstance(encoded, (list, tuple)):
        encoded = [_plain(row) for row in encoded]
    try:
        return np.asarray(_plain(encoded), dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise RetrieverError(f"the model gave {shown(encoded)}; expected numbers") from error


def _plain(tensor: Any) -> Any:
    """A tensor of PyTorch, on whatever device, as one of NumPy; anything else as it is."""
    return tensor.detach().cpu().float().numpy() if hasattr(tensor, "detach") else tensor


def _sparse(encoded: Any) -> Any:
    """A sparse matrix of SciPy, or one of PyTorch as that; None for anything else."""
    from scipy import sparse

    is_sparse: bool = sparse.issparse(encoded)
    if is_sparse:
        return encoded.tocsr().astype(np.float32)
    if isinstance(encoded, list) and encoded and getattr(encoded[0], "is_sparse", False):
        return sparse.vstack([_sparse(row.unsqueeze(0)) for row in encoded]).tocsr()
    if not getattr(encoded, "is_sparse", False):
        return None
    tensor = encoded.detach().cpu().coalesce()
    return sparse.csr_matrix(
        (tensor.values().float().numpy(), tensor.indices().numpy()), shape=tuple(tensor.shape)
    )


def _unit(matrix: Any) -> Any:
    if hasattr(matrix, "toarray"):
        from scipy import sparse

        lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1))).ravel()
        return (sparse.diags(1.0 / np.where(lengths == 0, 1.0, lengths)) @ matrix).tocsr()
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(lengths == 0, 1.0, lengths)


def _stacked(parts: list[Any]) -> Any:
    if hasattr(parts[0], "toarray"):
        from scipy import sparse

        return sparse.vstack(parts).tocsr()
    return np.concatenate(parts)
