"""Zero-shot or not: what a retriever was trained on, against what it is tested on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.dataset_names import dataset_name, unknown_names
from pytest_beir.datasets.set_comparison import identify

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pytest_beir.datasets.average_set import AverageSet
    from pytest_beir.datasets.catalog import Entry

Status = Literal["clean", "contaminated", "unknown"]
Relation = Literal["itself", "sample", "part", "corpus", "collection"]

IN_DOMAIN = "msmarco"
"""By convention never zero-shot, whatever a retriever was trained on; nor are samples of it."""

LABEL = "zero-shot average"
NOT_ESTABLISHED = "zero-shot average, not established"


@dataclass(frozen=True)
class ZeroShot:
    """One dataset's status.

    `relation` and `through` say how it is related to which dataset of the training, where it is
    contaminated. `in_domain` datasets are in no zero-shot average even where clean.
    """

    dataset: str
    status: Status
    reason: str
    relation: Relation | None = None
    through: str | None = None
    in_domain: bool = False


@dataclass(frozen=True)
class ZeroShotSet:
    """What a zero-shot average may be taken over.

    `set` is None where nothing remains. `established` is false where any of its members is
    unknown; `label` then says so. `left_out` are the statuses of the members that are not in it.
    """

    set: AverageSet | None
    established: bool
    label: str
    reason: str
    left_out: tuple[ZeroShot, ...]


def status(dataset: str, trained_on: Collection[str] | None) -> ZeroShot:
    """Whether a dataset is zero-shot for a retriever; `trained_on` None means unknown.

    Training on the dataset contaminates it, and so does training on what it samples or is
    sampled by, on another part of it, on a dataset with its corpus, or on one over the same
    collection; the strongest relation is the one named. Names are read in any spelling that the
    catalogue knows; an unknown one contaminates the dataset of that name.
    """
    name = dataset_name(dataset)
    in_domain = _root(name) == IN_DOMAIN
    convention = "in-domain by convention, so never part of a zero-shot average"
    if trained_on is None:
        reason = "what the retriever was trained on is not known"
        reason += f"; {convention}" if in_domain else ""
        return ZeroShot(name, "unknown", reason, in_domain=in_domain)
    related = [
        (relation, source)
        for source in sorted({dataset_name(each) for each in trained_on})
        if (relation := _relation(name, source)) is not None
    ]
    if related:
        relation, source = min(related, key=lambda each: _ORDER.index(each[0]))
        reason = _reason(name, source, relation)
        return ZeroShot(name, "contaminated", reason, relation, source, in_domain)
    reason = "nothing related is in the training data"
    reason += f"; {convention}" if in_domain else ""
    return ZeroShot(name, "clean", reason, in_domain=in_domain)


def zero_shot_set(average_set: AverageSet, trained_on: Collection[str] | None) -> ZeroShotSet:
    """The members of an average that a zero-shot average keeps: clean ones and unknown ones.

    Contaminated and in-domain members are left out, so the two averages have different sets.
    """
    judged = {
        member: status(member.rpartition("@")[0], trained_on) for member in average_set.members
    }
    kept = [
        member
        for member, each in judged.items()
        if each.status != "contaminated" and not each.in_domain
    ]
    unknown = [member for member in kept if judged[member].status == "unknown"]
    left_out = tuple(each for member, each in judged.items() if member not in kept)
    if not kept:
        return ZeroShotSet(None, False, LABEL, "no dataset of the set is zero-shot", left_out)  # noqa: FBT003
    reason = f"not known whether clean: {', '.join(unknown)}" if unknown else ""
    return ZeroShotSet(
        set=identify(average_set.metric, kept),
        established=not unknown,
        label=NOT_ESTABLISHED if unknown else LABEL,
        reason=reason,
        left_out=left_out,
    )


def doubtful_names(trained_on: Collection[str] | None) -> tuple[str, ...]:
    """A sentence for each name that the catalogue does not know; it may be the user's own set."""
    unknown: Mapping[str, str | None] = unknown_names(trained_on or ())
    return tuple(
        f"trained_on names {name!r}, which the catalogue does not know"
        + (f"; if {near!r} is meant, write that" if near else "")
        for name, near in unknown.items()
    )


_ORDER: Sequence[Relation] = ("itself", "sample", "part", "corpus", "collection")


def _relation(name: str, source: str) -> Relation | None:
    if name == source:
        return "itself"
    if _root(name) == _root(source):
        is_part = "/" in name or "/" in source
        return "part" if is_part else "sample"
    mine, other = _entry(_root(name)), _entry(_root(source))
    if mine is None or other is None:
        return None
    if (mine.corpus_of or mine.name) == (other.corpus_of or other.name):
        return "corpus"
    if mine.collection is not None and mine.collection == other.collection:
        return "collection"
    return None


def _reason(name: str, source: str, relation: Relation) -> str:
    if relation == "itself":
        return "the retriever was trained on it"
    trained = f"{source}, which the retriever was trained on"
    if relation == "sample":
        is_sample = load_catalog().entries[name].parent is not None
        return f"a sample of {trained}" if is_sample else f"sampled by {trained}"
    if relation == "part":
        if "/" not in source:
            return f"part of {trained}"
        return f"has the part {trained}" if "/" not in name else f"a part beside {trained}"
    if relation == "corpus":
        return f"has the corpus of {trained}"
    collection = load_catalog().entries[_root(source)].collection or ""
    return f"shares {collection.title()} with {trained}"


def _root(name: str) -> str:
    """The dataset that a forum belongs to, or that a sample was drawn from."""
    entry = _entry(name)
    return name if entry is None else entry.parent or entry.name


def _entry(name: str) -> Entry | None:
    """The entry of a dataset, or of the whole that a forum is part of."""
    catalog = load_catalog()
    whole, _, part = name.partition("/")
    entry = catalog.entries.get(whole)
    return entry if entry is not None and (not part or part in entry.members) else None
