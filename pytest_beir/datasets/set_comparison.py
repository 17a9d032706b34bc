"""Whether two averages may be compared: the only place where that is decided."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pytest_beir.datasets.average_set import AverageSet
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.phrasing import plural

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class SetComparison:
    """Two averages side by side.

    `only_left` and `only_right` are members (`scifact@test`) that the other lacks, but for those
    that differ by split alone: `splits` lists them as (dataset, left's split, right's split).
    `common` is the set of the members they share, None where there is none or where the metrics
    differ; it equals both sets where `comparable`.
    """

    left: AverageSet
    right: AverageSet
    only_left: tuple[str, ...]
    only_right: tuple[str, ...]
    splits: tuple[tuple[str, str, str], ...]
    common: AverageSet | None

    @property
    def comparable(self) -> bool:
        """Whether one average may be subtracted from the other."""
        return self.left.id == self.right.id

    @property
    def reason(self) -> str:
        """What differs, as the end of a sentence; empty where nothing does."""
        return self.reason_between("the first", "the second")

    def reason_between(self, left: str, right: str) -> str:
        """What differs, the two averages called as given: `ours`, `theirs`."""
        parts = []
        if self.left.metric != self.right.metric:
            members = {*self.left.members, *self.right.members}
            parts.append(metric_difference(self.left.metric, self.right.metric, members))
        parts += [
            f"{name} is scored on {split} in {left} and on {other} in {right}"
            for name, split, other in self.splits
        ]
        if self.only_left:
            parts.append(f"only {left} has {', '.join(self.only_left)}")
        if self.only_right:
            parts.append(f"only {right} has {', '.join(self.only_right)}")
        return "; ".join(parts)


def identify(metric: str, members: Iterable[str]) -> AverageSet:
    """The set of an average, its name empty unless it is exactly a named set of the catalogue.

    `members` are `dataset@split`; their order does not matter, a repeated one counts once.
    """
    ordered = tuple(sorted(set(members)))
    name = _named_sets().get(frozenset(ordered), "")
    return AverageSet(name=name, metric=metric, members=ordered)


def named_set(metric: str, name: str) -> AverageSet:
    """The set of the catalogue with that name, on the official splits; KeyError if unknown."""
    catalog = load_catalog()
    return identify(
        metric, (catalog.entries[dataset].identity for dataset in catalog.sets[name].members)
    )


def compare_sets(left: AverageSet, right: AverageSet) -> SetComparison:
    """Which of two averages' members differ, and what they have in common."""
    common = set(left.members) & set(right.members)
    only_left, only_right = set(left.members) - common, set(right.members) - common
    splits = sorted(
        (dataset, split, other_split)
        for dataset, split in map(_parts, only_left)
        for other, other_split in map(_parts, only_right)
        if dataset == other
    )
    resplit = {f"{name}@{split}" for name, *both in splits for split in both}
    share = common and left.metric == right.metric
    return SetComparison(
        left=left,
        right=right,
        only_left=tuple(sorted(only_left - resplit)),
        only_right=tuple(sorted(only_right - resplit)),
        splits=tuple(splits),
        common=identify(left.metric, common) if share else None,
    )


def label(average_set: AverageSet, *, members: bool | None = None, with_id: bool = True) -> str:
    """The text that stands beside an average: `public-13 (13 datasets, set 3f…)`.

    Members are listed where the set has no name, or as `members` says. Without its id it is
    `public-13 (13 datasets)`, for pages that tell ids and members once.
    """
    size = plural(len(average_set.members), "dataset")
    if not with_id:
        return f"{average_set.name} ({size})" if average_set.name else size
    listed = f": {', '.join(average_set.members)}" if members or members is None else ""
    if average_set.name:
        return f"{average_set.name} ({size}, set {average_set.id}{listed if members else ''})"
    return f"{size} (set {average_set.id}{listed})"


def metric_difference(left: str, right: str, members: Iterable[str] = ()) -> str:
    """Why two metrics cannot be mixed; for binary gains, the datasets on which they differ."""
    if left == right:
        return ""
    text = f"{left} and {right} are different metrics"
    if left.removesuffix("(binary)") != right.removesuffix("(binary)"):
        return text
    everywhere = graded_datasets()
    here = [name for name in everywhere if name in {_parts(each)[0] for each in members}]
    within = f"; of these the sets hold {', '.join(here)}" if here else ""
    return (
        f"{text}: with binary gains every positive grade counts as 1, which changes the scores of"
        f" graded datasets ({', '.join(everywhere)}){within}"
    )


@cache
def graded_datasets() -> tuple[str, ...]:
    """The datasets with several positive grades, on which binary gains give other scores.

    Those whose grades the catalogue does not know are counted among them: equal scores cannot
    be promised there.
    """
    return tuple(
        name
        for name, entry in load_catalog().entries.items()
        if len([grade for grade in entry.grades if int(grade) > 0]) != 1
    )


def _parts(member: str) -> tuple[str, str]:
    dataset, _, split = member.rpartition("@")
    return dataset, split


@cache
def _named_sets() -> dict[frozenset[str], str]:
    catalog = load_catalog()
    named: dict[frozenset[str], str] = {}
    for name, each in catalog.sets.items():
        named.setdefault(frozenset(catalog.entries[m].identity for m in each.members), name)
    return named
