"""What a form of golden sets is: how it is recognised, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request

OwnDocuments: TypeAlias = Mapping[str, tuple[str, str]]
"""{id: (title, text)} of documents that a file of judgements brings along."""


@dataclass(frozen=True)
class GoldenForm:
    """A form that judgements come in.

    `name` is what the report calls it, `recognised_by` what tells it from others, both for
    people. `documents` gives what a file that is complete by itself holds.
    """

    name: str
    recognised_by: str
    recognises: Callable[[Content], bool]
    read: Callable[[Content, Request], Iterator[Judgement]]
    documents: Callable[[Content], OwnDocuments] | None = None
