"""Fingerprints: SHA-256 of parsed content in an order of its own, never of a file's bytes.

Each is a hash over one unambiguous line (a JSON list) per item, items sorted by id, texts and
ids untouched; line ends, byte order marks, compression, the order of lines and unread fields
change nothing. A corpus of millions is hashed through digests of its documents (`digests`).
"""

from __future__ import annotations

from hashlib import sha256
from json.encoder import encode_basestring
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Text as `json.dumps(…, ensure_ascii=False)` writes it, without an encoder for each line.
_quoted = encode_basestring
DIGEST_SIZE = 16  # bytes of SHA-256; two of 15 million ids agree by chance once in 3e24 corpora


def queries_fingerprint(queries: Mapping[str, str]) -> str:
    """Hash [id, text] of the judged queries."""
    return _hash_pairs(queries)


def qrels_fingerprint(qrels: Mapping[str, Mapping[str, int]]) -> str:
    """Hash [query id, document id, grade] of every judgement."""
    lines: list[str] = []
    for query, grades in sorted(qrels.items()):
        start = f"[{_quoted(query)},"
        lines += [f"{start}{_quoted(each)},{grade}]\n" for each, grade in sorted(grades.items())]
    return sha256("".join(lines).encode()).hexdigest()


def members_fingerprint(members: Mapping[str, str]) -> str:
    """Hash [member, its fingerprint] of a dataset of several parts."""
    return _hash_pairs(members)


def id_digest(identifier: bytes) -> bytes:
    """The 16 bytes under which a document's id (in UTF-8) is filed."""
    return sha256(identifier).digest()[:DIGEST_SIZE]


def content_digest(title: str, text: str) -> bytes:
    """The 16 bytes that stand for a document's title and text.

    The title's length goes first, so that no other split of the same characters agrees.
    """
    return sha256(f"{len(title)}:{title}{text}".encode()).digest()[:DIGEST_SIZE]


def corpus_fingerprint(pairs: Iterable[bytes]) -> str:
    """Hash blocks of (id digest, content digest) pairs that come sorted by id digest."""
    whole = sha256()
    for block in pairs:
        whole.update(block)
    return whole.hexdigest()


def _hash_pairs(pairs: Mapping[str, str]) -> str:
    lines = [f"[{_quoted(key)},{_quoted(value)}]\n" for key, value in sorted(pairs.items())]
    return sha256("".join(lines).encode()).hexdigest()
