"""Which column or field of a user's file holds what, by its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Names are compared in lower case, without blanks, `_` and `-`: "Doc ID" is "docid".
JUDGEMENT_NAMES: dict[str, tuple[str, ...]] = {
    "query": ("query", "querytext"),
    "document": ("docid", "documentid"),
    "rating": ("rating", "grade", "relevance"),
    "group": ("group",),
    "query_id": ("queryid", "qid"),
    "ratings": ("ratings",),
}
DOCUMENT_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "docid", "documentid"),
    "title": ("title",),
    "text": ("text", "body", "content", "contents"),
}
RATING_COLUMNS = "query, doc_id (or docid) and rating, and may have group and query_id"
DOCUMENT_COLUMNS = "_id (or id, doc_id) and text (or body, content), and may have title"


def find_columns(
    names: Iterable[str], known: Mapping[str, tuple[str, ...]]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Give {what it holds: the column's name} and the names of the columns that hold nothing known.

    Of several names for one thing the first in `known` counts, the others are left over.
    """
    written = {name: _plain(name) for name in names}
    found = {
        noun: name
        for noun, spellings in known.items()
        for name in [next((one for s in spellings for one in written if written[one] == s), None)]
        if name is not None
    }
    taken = set(found.values())
    return found, tuple(name for name in written if name not in taken and written[name])


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).lower()
