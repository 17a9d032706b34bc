"""What arrives on test reports, gathered by retriever and dataset: the first verdict stands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pytest_beir.plugin.payload import decode, payload_of
from pytest_beir.plugin.retriever_key import RetrieverKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pytest

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.plugin.retriever_identity import RetrieverIdentity


@dataclass(frozen=True)
class Source:
    """Whose result it is, as every payload says.

    `name` is the one under which it was retrieved, None where the retriever failed before it had
    one; `fallback` then stands for it, and is nobody's baseline.
    """

    key: RetrieverKey
    context: str
    fallback: str
    name: str | None = None

    @classmethod
    def of(cls, identity: RetrieverIdentity, name: str | None = None) -> Source:
        """The source of a test's result."""
        return cls(identity.key, identity.context, identity.fallback, name)

    def plain(self) -> dict[str, Any]:
        """Plain values, as a worker sends them."""
        return {
            "key": self.key.plain(),
            "context": self.context,
            "fallback": self.fallback,
            "name": self.name,
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Source:
        """The source that `plain` took apart."""
        return cls(**{**plain, "key": RetrieverKey.of(plain["key"])})


@dataclass(frozen=True)
class Absence:
    """A test of the suite that ended without a verdict."""

    retriever: str
    dataset: str
    reason: str


@dataclass
class Names:
    """Which retrievers have which names, as far as they existed to say it."""

    keys: dict[str, set[RetrieverKey]] = field(default_factory=dict)
    _by_context: dict[str, set[str]] = field(default_factory=dict)
    _by_key: dict[RetrieverKey, set[str]] = field(default_factory=dict)
    _nameless: dict[str, set[RetrieverKey]] = field(default_factory=dict)

    def add(self, source: Source) -> None:
        """Take in the source of a result."""
        if source.name is not None:
            self.keys.setdefault(source.name, set()).add(source.key)
            self._by_context.setdefault(source.context, set()).add(source.name)
            self._by_key.setdefault(source.key, set()).add(source.name)
        else:
            self._nameless.setdefault(source.fallback, set()).add(source.key)

    @property
    def clashes(self) -> dict[str, set[RetrieverKey]]:
        """The names that several retrievers have."""
        return {name: keys for name, keys in self.keys.items() if len(keys) > 1}

    def of(self, source: Source) -> str:
        """The name of a retriever: its own, the one that it had elsewhere, or a stand-in.

        A stand-in is never the name of another retriever.
        """
        if source.name is not None:
            return source.name
        for names in (self._by_context.get(source.context), self._by_key.get(source.key)):
            if names is not None and len(names) == 1:
                return next(iter(names))
        known = self.keys.get(source.fallback, set()) | self._nameless.get(source.fallback, set())
        is_free = known <= {source.key}
        return source.fallback if is_free else f"{source.fallback} ({source.key.against(known)})"


@dataclass
class Gathering:
    """Every payload so far.

    `finished` are the node ids that have reported, `failed_tests` those that pytest counted as
    failed, and `torn_down` those that came to their end; `saved` are the keys whose scores a
    report holds already, `baselines` what was stored of them before the run.
    """

    names: Names = field(default_factory=Names)
    finished: set[str] = field(default_factory=set)
    failed_tests: set[str] = field(default_factory=set)
    torn_down: set[str] = field(default_factory=set)
    saved: set[tuple[str, str]] = field(default_factory=set)
    baselines: dict[tuple[str, str], Baseline | None] = field(default_factory=dict)
    _evaluations: dict[tuple[Source, str], Evaluation] = field(default_factory=dict)
    _absences: dict[str, tuple[Source, str, str]] = field(default_factory=dict)
    _failed: set[tuple[Source, str]] = field(default_factory=set)
    _tests: dict[str, tuple[Source, str]] = field(default_factory=dict)

    def add(self, report: pytest.TestReport) -> Evaluation | None:
        """Take in a report; gives the evaluation if it is the first of its key."""
        if report.when == "teardown":
            self.torn_down.add(report.nodeid)
            if report.failed and report.nodeid in self._tests:
                self._failed.add(self._tests[report.nodeid])
            return None
        plain = payload_of(report)
        if plain is None:
            return None
        self.finished.add(report.nodeid)
        source, dataset = Source.from_plain(plain["source"]), plain["dataset"]
        self.names.add(source)
        self._tests[report.nodeid] = (source, dataset)
        if "absent" in plain:
            if report.failed:
                self._failed.add((source, dataset))
            self._absences[report.nodeid] = (source, dataset, plain["absent"])
            return None
        self._absences.pop(report.nodeid, None)
        evaluation = decode(plain["evaluation"])
        if "baseline" in plain:
            self.baselines.setdefault((evaluation.retriever, dataset), plain["baseline"])
        # A drop that is accepted is written, though its test fails by a floor or a pin.
        if report.failed and (evaluation.passed or evaluation.update is None):
            self._failed.add((source, dataset))
        return self._evaluated(source, evaluation)

    def _evaluated(self, source: Source, evaluation: Evaluation) -> Evaluation | None:
        # Tests in several contexts may share one retriever.
        of_retriever = replace(source, context="") if source.name is not None else source
        key = (of_retriever, evaluation.dataset)
        known = self._evaluations.get(key)
        # A rerun may repeat an error with better luck, but never a verdict.
        if known is None or known.verdict == "error":
            self._evaluations[key] = evaluation
            return evaluation if known is None or evaluation.verdict != "error" else None
        return None

    @property
    def evaluations(self) -> dict[tuple[str, str], Evaluation]:
        """One evaluation per retriever's name and dataset.

        What failed before its retriever existed has the name that the retriever had elsewhere,
        and gives way to a verdict under it.
        """
        named: dict[tuple[str, str], Evaluation] = {}
        for (source, dataset), evaluation in self._evaluations.items():
            name = self.names.of(source)
            known = named.get((name, dataset))
            if known is None or (known.verdict == "error" and source.name is not None):
                named[name, dataset] = replace(evaluation, retriever=name)
        return named

    @property
    def absences(self) -> dict[str, Absence]:
        """What has no verdict, by node id."""
        return {
            node: Absence(self.names.of(source), dataset, reason)
            for node, (source, dataset, reason) in self._absences.items()
        }

    @property
    def failed_keys(self) -> set[tuple[str, str]]:
        """Names and datasets of which a test failed by more than the verdict, teardown included."""
        return {(self.names.of(source), dataset) for source, dataset in self._failed}

    def tests_of(self, key: tuple[str, str]) -> set[str]:
        """The tests whose reports are of that name and dataset."""
        return {
            node
            for node, (source, dataset) in self._tests.items()
            if (self.names.of(source), dataset) == key
        }

    @property
    def clashes(self) -> dict[str, Iterable[RetrieverKey]]:
        """The names that several retrievers have, with all of these."""
        return dict(self.names.clashes)
