"""The catalogue: facts about every dataset known by name, and the sets people average over."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, HttpUrl, model_validator

from pytest_beir.errors import DatasetError
from pytest_beir.suggestions import did_you_mean

BUNDLED = resources.files("pytest_beir.datasets") / "bundled"

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class _Facts(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Part(_Facts):
    """Counts of one member of a dataset of several parts, and its task of MTEB."""

    documents: Count
    queries: Count
    judgements: Count
    mteb: str | None = None


class MeasuredShape(_Facts):
    """What the queries and documents of a dataset are like, as a user's own are measured.

    `bm25` is a published nDCG@10; `overlap` and `relevant` are there where they are known.
    """

    asking: Share
    query_codes: Share
    bm25: Share
    overlap: Share | None = None
    relevant: float | None = None
    domains: dict[str, Share]


class Entry(_Facts):
    """What is known of one dataset; None where it is not known.

    `documents` and `queries` (judged ones of `split`) identify a local copy, `judgements` and
    `grades` ({grade: judgements}) only describe. Lengths are in words. `obtain` says how to get
    a dataset that cannot be downloaded. `parent` is what it samples, `corpus_of` whose corpus
    it uses, `collection` what several datasets draw their documents from. `mteb` is its task there.
    """

    name: Name
    title: str
    mteb: str | None = None
    task: str
    domain: str
    split: str
    documents: Count
    queries: Count
    judgements: Count | None
    grades: dict[str, Count]
    mean_query_words: float | None
    mean_document_words: float | None
    licence: str
    availability: Literal["download", "restricted", "bundled"]
    obtain: str | None = None
    zip_md5: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    zip_bytes: Count | None = None
    drop_identical_ids: bool = False
    parent: Name | None = None
    corpus_of: Name | None = None
    collection: Name | None = None
    parts: dict[Name, Part] = {}
    caveats: tuple[str, ...] = ()
    shape: MeasuredShape | None = None
    sets: tuple[Name, ...] = ()

    @property
    def members(self) -> tuple[str, ...]:
        """The names of the parts (CQADupStack's forums), empty for an undivided dataset."""
        return tuple(self.parts)

    @property
    def identity(self) -> str:
        """Name and split, as an average's set lists them (`msmarco@dev`)."""
        return f"{self.name}@{self.split}"

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Entry:
        if (self.availability == "download") != (self.zip_md5 is not None):
            raise ValueError(f"{self.name}: a download has a zip_md5, and nothing else has")
        if (self.availability == "restricted") != (self.obtain is not None):
            raise ValueError(f"{self.name}: what is restricted says how to obtain it")
        if self.grades and sum(self.grades.values()) != self.judgements:
            raise ValueError(f"{self.name}: grades do not add up to the judgements")
        for count in ("documents", "queries", "judgements"):
            total = sum(getattr(part, count) for part in self.parts.values())
            if self.parts and total != getattr(self, count):
                raise ValueError(f"{self.name}: {count} of the parts add up to {total}")
        return self


class NamedSet(_Facts):
    """Datasets that are commonly averaged together, and by whom."""

    name: Name
    used_by: str
    members: tuple[Name, ...]


class Catalog(_Facts):
    """All entries and named sets, by name; `url` has a place for `{name}`."""

    url: HttpUrl
    entries: dict[Name, Entry]
    sets: dict[Name, NamedSet]

    @model_validator(mode="after")
    def _is_consistent(self) -> Catalog:
        both = self.entries.keys() & self.sets.keys()
        if both:
            raise ValueError(f"name a dataset and a set: {', '.join(sorted(both))}")
        known = set(self.entries)
        named = {member for one in self.sets.values() for member in one.members}
        related = {
            name for entry in self.entries.values() for name in (entry.parent, entry.corpus_of)
        }
        unknown = (named | related) - known - {None}
        if unknown:
            raise ValueError(f"unknown datasets: {', '.join(sorted(map(str, unknown)))}")
        return self

    def entry(self, name: str) -> Entry:
        """The entry of a name.

        Raises:
            DatasetError: no dataset is called that; names the nearest.

        """
        if name in self.entries:
            return self.entries[name]
        if name in self.sets:
            members = ", ".join(self.sets[name].members)
            raise DatasetError(
                f"{name!r} is a set of datasets; load its members one by one: {members}"
            )
        raise DatasetError(
            f"no dataset is called {name!r}{did_you_mean(name, self.entries)}"
            " (`pytest-beir datasets` lists all; "
            f"a folder is written with a slash: ./{name})"
        )


@lru_cache(maxsize=1)
def load_catalog() -> Catalog:
    """The catalogue, read and validated once a process."""
    text = (resources.files("pytest_beir.datasets") / "catalog.yaml").read_text("utf-8")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, if built in
    raw = yaml.load(text, Loader=loader)  # noqa: S506 - both are safe loaders
    sets = {name: {"name": name, **facts} for name, facts in raw["sets"].items()}
    entries = {
        name: {
            "name": name,
            "sets": tuple(one["name"] for one in sets.values() if name in one["members"]),
            **facts,
        }
        for name, facts in raw["datasets"].items()
    }
    return Catalog.model_validate({"url": raw["url"], "entries": entries, "sets": sets})
