"""Two systems compared as the gate compares one with its baseline, from values alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.configuration.config import Config, load_config
from pytest_beir.configuration.declared_dataset import DeclaredDataset
from pytest_beir.errors import BaselineError, ConfigError, ReportError, UsageError
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.retrieval.run_files import RunFiles
from pytest_beir.stored_results.side_by_side import SideBySide, Sides, declared_for
from pytest_beir.stored_results.sides import Runs, StoredScores

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.suite.run import SuiteRun
    from tests.conftest import Lab


def stored(label: str, *baselines: Baseline) -> StoredScores:
    read = {each.identity.name: (lambda each=each: each) for each in baselines}
    return StoredScores(label, f"{label}-system", read)


def runs(label: str, *datasets: str) -> Runs:
    return Runs(label, RunFiles("{dataset}.trec"), label, datasets or None)


def made(lab: Lab, name: str = "docs", late: int = 0) -> Baseline:
    return lab.baseline(lab.measurement(lab.late(late), name))


class Nothing:
    """No data are at hand, and none are to be read."""

    def load(self, declared: DeclaredDataset) -> Dataset:
        raise AssertionError(f"{declared.name} is not to be read")

    def at_hand(self, declared: DeclaredDataset) -> Dataset | None:  # noqa: ARG002
        return None


def side_by_side(sides: Sides, **settings: object) -> SideBySide:
    return SideBySide(sides, Config.model_validate(settings), Nothing())  # type: ignore[arg-type]


def compared(sides: Sides, *names: str, **settings: object) -> SuiteRun:
    suite = [DeclaredDataset(name) for name in names]
    return side_by_side(sides, **settings).run(suite, left_over=sides.left_over)


def test_the_name_whose_settings_hold_is_a_stored_one(lab: Lab) -> None:
    one, other = stored("one", made(lab)), stored("other", made(lab))
    assert Sides(one, other).retriever == "other-system"
    assert Sides(one, runs("file")).retriever == "one-system"
    assert Sides(runs("file"), one).retriever == "one-system"
    assert Sides(runs("a"), runs("b")).retriever == "b"


def test_what_both_have_is_common_and_the_rest_is_left_over(lab: Lab) -> None:
    one = stored("one", made(lab, "alpha"), made(lab, "beta"))
    other = stored("other", made(lab, "beta"), made(lab, "gamma"))
    assert Sides(one, other).common == ("beta",)
    assert Sides(one, other).left_over == {"alpha": "one", "gamma": "other"}
    assert Sides(runs("file"), one).common == ("alpha", "beta")
    assert Sides(runs("file"), runs("file")).common is None
    assert Sides(runs("file"), runs("file")).left_over == {}


def test_a_comparison_is_that_of_the_gate_with_the_first_side_as_its_baseline(lab: Lab) -> None:
    before, after = made(lab), made(lab, late=20)
    run = compared(Sides(stored("old", before), stored("new", after)), "docs")
    (found,) = run.evaluations
    now = lab.measurement(lab.late(20))
    expected = evaluate(now, before, lab.rules())
    assert (found.verdict, found.retriever) == ("regressed", "new-system")
    assert found.metrics["nDCG@10"] == expected.metrics["nDCG@10"]
    # 20 of 40 queries find their document at rank 5: 1 / log2(6).
    delta = found.metrics["nDCG@10"].current
    assert delta is not None
    assert delta.delta == pytest.approx((0.3868528 - 1) / 2, abs=1e-4)  # steps of 1e-4
    swapped = compared(Sides(stored("new", after), stored("old", before)), "docs")
    assert [each.verdict for each in swapped.evaluations] == ["improved"]


def test_what_cannot_be_read_or_is_not_recorded_is_an_error_of_its_dataset(lab: Lab) -> None:
    def broken() -> Baseline:
        raise BaselineError("beta.yaml:3: \n no number")

    old = stored("old", made(lab, "alpha"), made(lab, "beta"), made(lab, "gamma"))
    new = stored("new", made(lab, "alpha"), made(lab, "gamma"))
    new = replace(new, read={**new.read, "beta": broken})
    run = compared(Sides(old, new), "alpha", "beta", "gamma", "delta")
    assert {each.dataset: (each.verdict, each.reason) for each in run.evaluations} == {
        "alpha": ("unchanged", ""),
        "beta": ("error", "beta.yaml:3: no number"),
        "gamma": ("unchanged", ""),
        "delta": ("error", "new: holds no scores of delta"),
    }
    gated = compared(Sides(old, new), "alpha", gate={"metrics": ["AP@100"]})
    (error,) = gated.evaluations
    assert error.reason == "new: does not record AP@100, which is gated"


def test_what_one_side_has_alone_is_told_unless_it_was_asked_for(lab: Lab) -> None:
    old = stored("old", made(lab, "alpha"), made(lab, "beta"))
    sides = Sides(old, stored("new", made(lab, "alpha"), made(lab, "gamma")))
    run = compared(sides, "alpha", "gamma")
    assert [(each.dataset, each.reason, each.on_purpose) for each in run.did_not_run] == [
        ("beta", "only old has it", True)
    ]
    # Without a first side's scores there is nothing to compare with.
    assert [each.verdict for each in run.evaluations] == ["unchanged", "no baseline"]


def test_the_first_sides_scores_are_kept_for_whoever_asks(lab: Lab) -> None:
    before = made(lab)
    compared = side_by_side(Sides(stored("old", before), stored("new", made(lab, late=3))))
    run = compared.run([DeclaredDataset("docs")], environment={"python": "3.11"})
    assert compared.baselines == {"docs": before}
    assert run.environment == {"python": "3.11"}


def test_both_sides_scores_are_side_by_side(lab: Lab) -> None:
    before, after = made(lab), made(lab, late=3)
    compared = side_by_side(Sides(stored("old", before), stored("new", after)))
    found = compared.scores(DeclaredDataset("docs"))
    assert found.labels == ("old", "new")
    assert found.scores == (before.scores, after.scores)
    assert [query for _, query in found.losses()] == ["q00", "q01", "q02"]
    assert found.dataset is None
    with pytest.raises(ReportError, match="holds no scores of other"):
        compared.scores(DeclaredDataset("other"))


def config(folder: Path, text: str) -> Config:
    (folder / "beir.yaml").write_text(text)
    return load_config(folder / "beir.yaml")


def names(found: tuple[DeclaredDataset, ...]) -> Mapping[str, Path | None]:
    return {each.name: each.path for each in found}


def test_the_suite_is_what_is_typed_else_what_both_have(lab: Lab, tmp_path: Path) -> None:
    one = stored("one", made(lab, "docs"), made(lab, "own"))
    sides = Sides(one, stored("two", made(lab, "own"), made(lab, "docs")))
    known = config(tmp_path, "datasets: [{name: docs, path: data/docs}]\n")
    assert names(declared_for(sides, None, known, tmp_path)) == {
        "docs": tmp_path / "data/docs",
        "own": None,  # nobody knows it by this name
    }
    typed = declared_for(sides, ["other=here"], known, tmp_path)
    assert names(typed) == {"other": tmp_path / "here"}


def test_folders_of_runs_are_compared_over_the_configs_suite(tmp_path: Path) -> None:
    sides = Sides(runs("a", "docs", "own"), runs("b", "docs", "own"))
    known = config(tmp_path, "datasets: [{name: docs, path: data/docs}]\n")
    assert list(names(declared_for(sides, None, known, tmp_path))) == ["docs"]
    assert list(names(declared_for(sides, None, Config(), tmp_path))) == ["docs", "own"]


def test_a_fault_of_the_config_is_told_and_not_taken_for_an_unknown_name(
    lab: Lab, tmp_path: Path
) -> None:
    sides = Sides(stored("one", made(lab, "own")), stored("two", made(lab, "own")))
    wrong = config(tmp_path, "datasets: [{name: no-such-dataset, weight: 2}]\n")
    with pytest.raises(
        ConfigError, match=r"beir\.yaml:1: .*the catalogue has no 'no-such-dataset'"
    ):
        declared_for(sides, None, wrong, tmp_path)


def test_without_a_common_dataset_there_is_nothing_to_compare(lab: Lab, tmp_path: Path) -> None:
    one, other = stored("one", made(lab, "alpha")), stored("other", made(lab, "beta"))
    with pytest.raises(UsageError, match=r"one has alpha, other has beta, and no dataset is in"):
        declared_for(Sides(one, other), None, Config(), tmp_path)
    with pytest.raises(UsageError, match="which dataset do the run files answer"):
        declared_for(Sides(runs("a"), runs("b")), None, Config(), tmp_path)
