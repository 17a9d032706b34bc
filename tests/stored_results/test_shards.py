"""Shards of one suite, made by hand and merged by the code that `merge` runs."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import Acceptance
from pytest_beir.configuration.config import Config
from pytest_beir.configuration.declared_dataset import DeclaredDataset
from pytest_beir.errors import ReportError
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.result import failed
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.reports import json
from pytest_beir.reports.report_of_run import report_of
from pytest_beir.stored_results.report_folder import SCORES, ReportFolder, read
from pytest_beir.stored_results.shards import merge, missing_words
from pytest_beir.suite.assembly import assemble
from pytest_beir.suite.run import DidNotRun, Ending

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.result import Evaluation
    from tests.conftest import Lab

NAMES = ("alpha", "beta", "gamma", "delta")
RETRIEVERS = ("bm25", "dense")
ENVIRONMENT = {"commit": "abc1234", "python": "3.11.4"}
SETTINGS: dict[str, Any] = {
    "gate": {"metrics": ["nDCG@10", "R@100"], "overrides": {"beta": {"floor": {"R@100": 0.9}}}},
    "groups": {"field": "half", "gate": ["odd"]},
    "average": {
        "compare_to": [{"name": "theirs", "members": ["alpha@test", "beta@test"], "value": 0.5}]
    },
}
GROUPS = {
    "odd": tuple(f"q{number:02d}" for number in range(1, 40, 2)),
    "even": tuple(f"q{number:02d}" for number in range(0, 40, 2)),
}


@dataclass(frozen=True)
class Measured:
    """One dataset of one retriever: where queries are found before and now, if it was searched.

    `before` None is no baseline, `now` None a search that fails.
    """

    before: Mapping[str, int] | None
    now: Mapping[str, int] | None
    anchor: Mapping[str, int] | None = None
    resumed: bool = False


class Suite:
    """A suite and what was measured of it; `job` is a run over a part."""

    def __init__(self, lab: Lab, measured: Mapping[tuple[str, str], Measured]) -> None:
        self.declared = [
            DeclaredDataset(name, weight=3.0 if name == "beta" else 1.0) for name in NAMES
        ]
        self.config = Config.model_validate(SETTINGS)
        self.baselines: dict[tuple[str, str], Baseline] = {}
        self.evaluations: dict[tuple[str, str], Evaluation] = {}
        for (retriever, name), each in measured.items():
            if each.before is not None:
                then = lab.measurement(each.before, name, retriever=retriever)
                anchor = lab.measurement(each.anchor or each.before, name, retriever=retriever)
                self.baselines[retriever, name] = lab.baseline(then, anchor)
            self.evaluations[retriever, name] = self._judged(lab, retriever, name, each)

    def _judged(self, lab: Lab, retriever: str, name: str, each: Measured) -> Evaluation:
        if each.now is None:
            return failed(retriever, name, "test", "search() raised ValueError: oh")
        rules = rules_for(self.config, retriever, self.declared)
        now = lab.measurement(
            each.now, name, retriever=retriever, groups=GROUPS, resumed=each.resumed
        )
        return evaluate(now, self.stored(retriever, name), rules)

    def stored(self, retriever: str, name: str) -> Baseline | None:
        return self.baselines.get((retriever, name))

    def job(self, folder: Path, names: Sequence[str]) -> Path:
        """What a run over these datasets leaves in its report's folder."""
        retrievers = dict.fromkeys(retriever for retriever, _ in self.evaluations)
        ran = {key: found for key, found in self.evaluations.items() if key[1] in names}
        run = assemble(
            suite=self.declared,
            selected=[name for name in NAMES if name in names],
            config=self.config,
            evaluations=list(ran.values()),
            did_not_run=[
                DidNotRun(retriever, name, "deselected by --beir-only", on_purpose=True)
                for retriever in retrievers
                for name in NAMES
                if name not in names
            ],
            stored=self.stored,
            environment=ENVIRONMENT,
        )
        is_green = all(each.passed for each in ran.values()) and not any(
            average.fails for average in run.averages
        )
        run = replace(run, ending=Ending("passed" if is_green else "failed", int(not is_green)))
        folder.mkdir(parents=True)
        (folder / json.NAME).write_text(json.render(report_of(run)), "utf-8")
        for each in ran.values():
            if each.scores is not None:
                scores = each.as_baseline(accepted=Acceptance("2026-02-03"), versions={})
                store.save(folder / SCORES, scores)
        return folder

    def merged(self, shards: Sequence[ReportFolder]) -> str:
        together = merge(shards, self.stored, average=self.config.average)
        assert together.missing == {}
        return json.render(together.report)


ranks = st.dictionaries(
    st.integers(0, 39).map("q{:02d}".format), st.sampled_from([0, 1, 2, 3, 5, 11]), max_size=25
)
measured = st.builds(
    Measured, st.none() | ranks, st.none() | ranks, st.none() | ranks, st.booleans()
)


@settings(max_examples=12)
@given(
    measured=st.fixed_dictionaries(
        {(retriever, name): measured for retriever in RETRIEVERS for name in NAMES}
    ),
    parts=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    order=st.permutations(range(4)),
)
def test_any_split_of_a_run_merged_in_any_order_gives_the_bytes_of_one_job(
    lab: Lab,
    measured: dict[tuple[str, str], Measured],
    parts: list[int],
    order: list[int],
) -> None:
    suite = Suite(lab, measured)
    with tempfile.TemporaryDirectory() as home:
        whole = suite.job(Path(home, "whole"), NAMES)
        shards = []
        for part in order:
            names = [name for name, taken in zip(NAMES, parts, strict=True) if taken == part]
            if names:
                shards.append(read(suite.job(Path(home, f"shard-{part}"), names)))
        assert suite.merged(shards) == (whole / json.NAME).read_text("utf-8")


def late(queries: int) -> dict[str, int]:
    return {f"q{number:02d}": 5 for number in range(queries)}


@pytest.fixture
def suite(lab: Lab) -> Suite:
    """Four datasets of one retriever, of which `gamma` regressed."""
    measured = {("bm25", name): Measured(before={}, now={}) for name in NAMES}
    return Suite(lab, {**measured, ("bm25", "gamma"): Measured(before={}, now=late(20))})


def test_what_no_shard_holds_is_missing_and_the_run_is_red(suite: Suite, tmp_path: Path) -> None:
    shards = [read(suite.job(tmp_path / name, [name])) for name in ("delta", "alpha")]
    merged = merge(shards, suite.stored)
    assert merged.missing == {"bm25": ("beta", "gamma")}
    assert missing_words(merged.missing) == "bm25 has no result for beta and gamma"
    assert [(each.dataset, each.reason) for each in merged.run.did_not_run] == [
        ("beta", "no shard holds it"),
        ("gamma", "no shard holds it"),
    ]
    assert merged.run.selected == ("alpha", "delta")
    assert merged.run.ending == Ending("failed", 1)
    assert [scores.identity.name for scores in merged.scores] == ["delta", "alpha"]


def test_the_environments_of_shards_stand_side_by_side_where_they_differ(
    suite: Suite, tmp_path: Path
) -> None:
    shards = []
    for name, python in zip(NAMES, ("3.12.1", "3.10.2", "3.12.1", "3.11.4"), strict=True):
        folder = read(suite.job(tmp_path / name, [name]))
        environment = folder.report.environment | {"python": python}
        report = folder.report.model_copy(update={"environment": environment})
        shards.append(ReportFolder(folder.path, report))
    merged = merge(shards, suite.stored)
    assert merged.run.environment == {"commit": "abc1234", "python": "3.10.2, 3.11.4, 3.12.1"}


def test_the_ending_is_that_of_the_whole_and_unknown_where_no_shard_knows_its_own(
    suite: Suite, tmp_path: Path
) -> None:
    green = [name for name in NAMES if name != "gamma"]
    shards = [read(suite.job(tmp_path / "a", green)), read(suite.job(tmp_path / "b", ["gamma"]))]
    assert [shard.report.status for shard in shards] == ["passed", "failed"]
    assert merge(shards, suite.stored).run.ending == Ending("failed", 1)
    unknown = [
        ReportFolder(s.path, s.report.model_copy(update={"status": None, "exit_status": None}))
        for s in shards
    ]
    assert merge(unknown, suite.stored).report.status is None


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"verdict": "improved"}, r"verdict 'improved', its scores give 'regressed'"),
        ({"confirmed": True}, r"confirmed True, its scores give None"),
        ({"passed": True}, r"passed, its scores fail"),
    ],
)
def test_an_edited_result_is_refused_with_what_its_scores_give(
    suite: Suite, tmp_path: Path, fields: dict[str, object], told: str
) -> None:
    folder = read(suite.job(tmp_path / "all", NAMES))
    results = [
        each.model_copy(update=fields) if each.dataset == "gamma" else each
        for each in folder.report.results
    ]
    report = folder.report.model_copy(update={"results": results})
    with pytest.raises(ReportError, match=rf"bm25 on gamma contradicts its own scores .*{told}"):
        merge([ReportFolder(folder.path, report)], suite.stored)


@pytest.mark.parametrize("field", ["delta", "p_drop", "alpha"])
@pytest.mark.parametrize(("by", "is_refused"), [(1e-12, False), (1e-6, True)])
def test_a_metrics_numbers_may_differ_by_rounding_alone(
    suite: Suite, tmp_path: Path, field: str, by: float, is_refused: bool
) -> None:
    folder = read(suite.job(tmp_path / "all", NAMES))
    (gamma,) = (each for each in folder.report.results if each.dataset == "gamma")
    metric = gamma.metrics["nDCG@10"]
    moved = metric.model_copy(update={field: getattr(metric, field) + by})
    edited = gamma.model_copy(update={"metrics": {**gamma.metrics, "nDCG@10": moved}})
    results = [edited if each is gamma else each for each in folder.report.results]
    shard = ReportFolder(folder.path, folder.report.model_copy(update={"results": results}))
    if is_refused:
        with pytest.raises(ReportError, match=f"contradicts its own scores .nDCG@10 {field} "):
            merge([shard], suite.stored)
    else:
        assert merge([shard], suite.stored).report.results[2].metrics["nDCG@10"] == moved


def test_another_baseline_than_the_shards_was_is_refused_with_both_means(
    suite: Suite, lab: Lab, tmp_path: Path
) -> None:
    shards = [read(suite.job(tmp_path / "all", NAMES))]
    other = lab.baseline(lab.measurement({"q00": 0}, "gamma"))
    with pytest.raises(ReportError, match=r"nDCG@10: baseline 1\.000000, here 0\.975000"):
        merge(shards, lambda _, name: other if name == "gamma" else suite.stored("bm25", name))
    with pytest.raises(ReportError, match=r"nDCG@10: baseline 1\.000000, here none"):
        merge(shards, lambda *_: None)
    anchored = lab.baseline(lab.measurement({}, "gamma"), lab.measurement({"q00": 0}, "gamma"))
    with pytest.raises(ReportError, match=r"nDCG@10: anchor 1\.000000, here 0\.975000"):
        merge(shards, lambda _, name: anchored if name == "gamma" else suite.stored("bm25", name))


def test_two_shards_with_different_scores_of_one_dataset_are_named_with_both(
    suite: Suite, lab: Lab, tmp_path: Path
) -> None:
    other = Suite(lab, {("bm25", "alpha"): Measured(before={}, now={"q00": 0})})
    shards = [
        read(suite.job(tmp_path / "one", ["alpha"])),
        read(other.job(tmp_path / "two", ["alpha"])),
    ]
    with pytest.raises(ReportError) as caught:
        merge(shards, suite.stored)
    assert str(caught.value) == (
        f"{tmp_path / 'two'} contradicts {tmp_path / 'one'}: bm25 on alpha is inconclusive,"
        " nDCG@10 0.9750, R@100 0.9750 there, unchanged, nDCG@10 1.0000, R@100 1.0000 here"
    )
