"""Published averages that a user wants beside their own (`compare_to` of `beir.yaml`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.dataset_names import dataset_name, is_known, member, official_split
from pytest_beir.datasets.set_comparison import compare_sets, identify, label, named_set
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    from pytest_beir.configuration.settings import PublishedAverage
    from pytest_beir.datasets.average_set import AverageSet

Status = Literal["compared", "withheld", "another set", "refused"]


@dataclass(frozen=True)
class OwnAverage:
    """The average measured here; `value` is None where it is withheld."""

    set: AverageSet
    value: float | None


@dataclass(frozen=True)
class JudgedClaim:
    """A published average, with what may be made of it.

    `set` is None where it was `refused`. `difference` is ours minus theirs, and only there where
    the two were `compared`; `reason` says why not otherwise.
    """

    name: str
    metric: str
    value: float
    set: AverageSet | None
    status: Status
    difference: float | None = None
    reason: str = ""

    @property
    def line(self) -> str:
        """The claim in one sentence; a value is never without its set."""
        if self.set is None:
            return f"{self.name}: refused: {self.reason}"
        text = f"{self.name}: {self.metric} {_number(self.value)} over {label(self.set)}"
        if self.difference is not None:
            sign = "\N{MINUS SIGN}" if self.difference < 0 else "+"
            return f"{text}; ours {sign}{_number(abs(self.difference))}"
        return f"{text}; not subtracted: {self.reason}"

    def as_json(self) -> dict[str, object]:
        """Plain values; a refused claim has no value, since it has no set."""
        return {
            "name": self.name,
            "metric": self.metric,
            "set": None
            if self.set is None
            else {
                "name": self.set.name or None,
                "members": list(self.set.members),
                "id": self.set.id,
            },
            "value": None if self.set is None else self.value,
            "status": self.status,
            "difference": self.difference,
            "reason": self.reason or None,
        }


def judge_claim(claim: PublishedAverage, own: OwnAverage | None) -> JudgedClaim:
    """Compared where the sets are one and the same, else set aside with the reason."""
    try:
        claimed = claimed_set(claim)
    except ValueError as error:
        return JudgedClaim(claim.name, claim.metric, claim.value, None, "refused", None, str(error))

    def judged(status: Status, difference: float | None, reason: str) -> JudgedClaim:
        return JudgedClaim(
            claim.name, claim.metric, claim.value, claimed, status, difference, reason
        )

    if own is None:
        return judged("withheld", None, "there is no average of ours")
    comparison = compare_sets(own.set, claimed)
    if not comparison.comparable:
        return judged("another set", None, comparison.reason_between("ours", "theirs"))
    if own.value is None:
        return judged("withheld", None, "our own average is withheld")
    return judged("compared", own.value - claim.value, "")


def claimed_set(claim: PublishedAverage) -> AverageSet:
    """The set that a claim is over; ValueError says why it has none and what mends it."""
    from_name = None if claim.set is None else _by_name(claim.set, claim.metric)
    if claim.members is None:
        if from_name is None:
            raise ValueError(
                "an average without its list of datasets compares with nothing; give 'set:' (a"
                " named set) or 'members:' (the datasets)"
            )
        return from_name
    if not claim.members:
        raise ValueError("'members' is empty; name the datasets")
    members = [_member(written) for written in claim.members]
    twice = sorted({each for each in members if members.count(each) > 1})
    if twice:
        raise ValueError(f"{twice[0]} is twice in 'members'")
    listed = identify(claim.metric, members)
    if from_name is not None and from_name.id != listed.id:
        raise ValueError(f"'members' are not those of {claim.set!r}; keep the one that is true")
    return listed


def _by_name(name: str, metric: str) -> AverageSet:
    known = load_catalog().sets
    if name not in known:
        near = did_you_mean(name, known)
        raise ValueError(f"there is no set {name!r}{near} (sets: {', '.join(sorted(known))})")
    return named_set(metric, name)


def _member(written: str) -> str:
    name, _, split = written.partition("@")
    dataset = dataset_name(name)
    usual = official_split(dataset)
    if not split and usual is None:
        near = "" if is_known(name) else did_you_mean(name, load_catalog().entries)
        raise ValueError(f"the split of {name!r} is not known{near}; write {name}@SPLIT")
    return member(dataset, split or usual or "")


def _number(value: float) -> str:
    return f"{value:.4f}".removeprefix("0")
