"""`pytest-beir power`: from the catalogue, from folders, from baselines."""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from statistics import stdev
from typing import TYPE_CHECKING, Any

import pytest
from scipy.stats import norm

from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import Acceptance, Baseline, History
from pytest_beir.commands import power
from pytest_beir.commands.power import _remarks
from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.errors import BeirError, UsageError
from pytest_beir.gate.power import FEWEST_QUERIES, Power
from pytest_beir.scoring.scorer import Scores
from pytest_beir.suite.power import SuitePower
from pytest_beir.suite.power import TestPower as OneTest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pytest_beir.gate.verdict import Verdict

    Ask = Callable[..., dict[str, Any]]

Z_05, Z_80 = 1.6448536269514722, 0.8416212335729143


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "beir.yaml").write_text("", encoding="utf-8")
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path / "tests")
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    power.register(parser.add_subparsers())
    given = parser.parse_args(["power", *words])
    return int(given.run(given))


@pytest.fixture
def ask(project: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """The one retriever of `power --json`, its tests by dataset and metric."""

    def ask(*words: str, config: str = "") -> dict[str, Any]:
        (project / "beir.yaml").write_text(config, encoding="utf-8")
        assert run("--json", *words) == 0
        [found] = json.loads(capsys.readouterr().out)["retrievers"]
        assert isinstance(found, dict)
        return found | {"tests": {(t["dataset"], t["metric"]): t for t in found["tests"]}}

    return ask


def drops(test: Mapping[str, Any]) -> dict[str, float]:
    return {sight["kind"]: sight["mde"] for sight in test["power"]["detectable"]}


def save(
    folder: Path,
    vectors: Mapping[str, tuple[list[float], list[float]]],
    *,
    retriever: str = "bm25",
    split: str = "test",
) -> None:
    """A baseline of the dataset `docs`: per metric the current and the anchor vector."""
    queries = [f"q{place}" for place in range(len(next(iter(vectors.values()))[0]))]
    queries.sort()
    named = {m: [dict(zip(queries, v, strict=True)) for v in both] for m, both in vectors.items()}
    written = Acceptance("2026-01-05", None, "new", None)
    current = {metric: both[0] for metric, both in named.items()}
    store.save(
        folder,
        Baseline(
            retriever,
            DatasetIdentity("docs", split, 9, len(queries), 9, Fingerprints("a1", "b2", "c3")),
            dict.fromkeys([*named, "Judged@10"], "as defined"),
            Scores(
                current | {"Judged@10": dict.fromkeys(queries, 0.1)},
                dict.fromkeys(queries, ("d1",)),
                dict.fromkeys(queries, ((1, "d1"),)),
                (),
                (),
            ),
            {metric: both[1] for metric, both in named.items()},
            History(written, dict.fromkeys(named, written), {"retriever": None}, 1),
        ),
    )


def make_folder(path: Path, queries: int) -> None:
    (path / "qrels").mkdir(parents=True)
    lines = [
        json.dumps({"_id": f"q{place}", "text": f"query {place}"}) for place in range(queries + 5)
    ]
    (path / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    rows = "".join(f"q{place}\td\t1\n" for place in range(queries))
    (path / "qrels/test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}", encoding="utf-8")


def test_public_14_agrees_with_the_formula_at_every_typical_deviation(ask: Ask) -> None:
    found = ask("--datasets=public-14")
    assert (found["retriever"], found["family"]) == (None, 16)
    assert len(found["tests"]) == 16
    scifact = found["tests"]["scifact", "nDCG@10"]
    assert scifact["alpha"] == pytest.approx(0.05 / 16)
    assert (scifact["source"], scifact["power"]["n"]) == ("catalogue", 300)
    z_level = float(norm.isf(0.05 / 16))
    expected = {
        kind: (z_level + Z_80) * sd / math.sqrt(300)
        for kind, sd in (("parameter", 0.08), ("analyser", 0.16), ("system", 0.33))
    }
    assert drops(scifact) == pytest.approx(expected, abs=1e-9)
    assert scifact["power"]["fewest_changed"] == 9


def test_the_forums_weigh_alike_and_the_average_has_its_own_limits(ask: Ask) -> None:
    found = ask("--datasets=public-14")["tests"]
    forums = found["cqadupstack", "nDCG@10"]
    quora = found["quora", "nDCG@10"]
    assert forums["power"]["n"] == 13_145
    assert drops(forums)["system"] > drops(quora)["system"] * math.sqrt(10_000 / 13_145)
    average = found["average", "nDCG@10"]
    assert (average["min_effect"], average["margin"]) == (0.002, 0.01)
    assert average["power"]["n"] == sum(
        test["power"]["n"]
        for (name, _), test in found.items()
        if name not in ("average", "diffuse")
    )
    # Stouffer's weights make the most of all queries: it sees smaller losses than the average does.
    diffuse = found["diffuse", "nDCG@10"]
    assert drops(diffuse)["system"] < drops(average)["system"]


def test_the_bundled_suite_is_the_default(ask: Ask) -> None:
    found = ask()["tests"]
    assert {name for name, _ in found} == {
        "garden-claims",
        "cycling-forum",
        "boiler-manual",
        "average",
    }


def test_gate_settings_of_the_config_count(ask: Ask) -> None:
    config = """
datasets: [scifact, {name: nfcorpus, weight: 3}]
gate: {metrics: [nDCG@10, R@100], alpha: 0.1, overrides: {scifact: {margin: 0.04}}}
"""
    found = ask(config=config)
    assert found["family"] == 6
    # Weights: scifact 2 x 1, nfcorpus 2 x 3, two averages.
    assert found["tests"]["scifact", "R@100"]["alpha"] == pytest.approx(0.1 / 10)
    assert found["tests"]["nfcorpus", "R@100"]["alpha"] == pytest.approx(0.3 / 10)
    assert found["tests"]["scifact", "R@100"]["margin"] == 0.04


def test_queries_of_a_folder_are_the_judged_ones(ask: Ask, project: Path) -> None:
    make_folder(project / "data/docs", 24)
    test = ask(f"--datasets=docs={project}/data/docs")["tests"]["docs", "nDCG@10"]
    assert (test["source"], test["power"]["n"]) == ("folder", 24)
    assert test["power"]["out_of_reach"] == ["within tolerance"]


def test_a_baseline_caps_the_margin_and_shows_what_was_observed(ask: Ask, project: Path) -> None:
    make_folder(project / "data/docs", 4)
    current, anchor = [0.1, 0.1, 0.0, 0.2] * 10, [0.1, 0.15, 0.1, 0.1] * 10
    save(project / "baselines", {"nDCG@10": (current, anchor)})
    found = ask(f"--datasets={project}/data/docs")
    assert found["retriever"] == "bm25"
    test = found["tests"]["docs", "nDCG@10"]
    assert (test["source"], test["power"]["n"], test["capped"]) == ("baseline", 40, True)
    assert test["margin"] == pytest.approx(0.1 * 0.1)
    # Two vectors that differ are tested at half the level each.
    assert test["alpha"] == pytest.approx(0.025)
    sd = stdev(round(a - c, 4) for c, a in zip(current, anchor, strict=True))
    [observed] = [s for s in test["power"]["detectable"] if s["kind"] == "observed"]
    assert observed["sd"] == pytest.approx(sd)
    assert observed["mde"] == pytest.approx((1.959963985 + Z_80) * sd / math.sqrt(40))


def test_equal_vectors_leave_the_typical_deviations_alone(ask: Ask, project: Path) -> None:
    make_folder(project / "data/docs", 4)
    save(project / "baselines", {"nDCG@10": ([0.5] * 40, [0.5] * 40)})
    test = ask(f"--datasets={project}/data/docs")["tests"]["docs", "nDCG@10"]
    assert list(drops(test)) == ["parameter", "analyser", "system"]
    assert test["alpha"] == 0.05


def test_a_baseline_of_another_split_is_not_this_datasets(ask: Ask, project: Path) -> None:
    make_folder(project / "data/docs", 24)
    save(project / "baselines", {"nDCG@10": ([0.5] * 40, [0.5] * 40)}, split="dev")
    config = "datasets: [{name: docs, path: data/docs, split: test}]"
    assert ask(config=config)["tests"]["docs", "nDCG@10"]["power"]["n"] == 24


def test_every_retriever_with_baselines_has_its_own_part(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_folder(project / "data/docs", 4)
    for name in ("bm25", "dense"):
        save(project / "kept", {"nDCG@10": ([0.5] * 40, [0.5] * 40)}, retriever=name)
    words = (f"--datasets={project}/data/docs", "--baselines=../kept", "--json")
    assert run(*words) == 0
    found = json.loads(capsys.readouterr().out)["retrievers"]
    assert [each["retriever"] for each in found] == ["bm25", "dense"]
    assert run(*words, "--retriever=dense") == 0
    [one] = json.loads(capsys.readouterr().out)["retrievers"]
    assert one["retriever"] == "dense"
    with pytest.raises(UsageError, match=r"--retriever=danse: .*did you mean 'dense'"):
        run(*words, "--retriever=danse")


def test_a_folder_of_baselines_that_is_not_there_is_no_empty_one(project: Path) -> None:
    with pytest.raises(UsageError, match=r"--baselines=basleines: .*basleines is not a folder"):
        run("--baselines=basleines")


def test_another_config_may_be_named(ask: Ask, project: Path) -> None:
    (project / "other.yaml").write_text("gate: {alpha: 0.01}", encoding="utf-8")
    found = ask(f"--config={project}/other.yaml", config="gate: {alpha: 0.2}")
    assert found["alpha"] == 0.01


def test_a_split_that_the_catalogue_does_not_count_is_said_to_be_unknown(
    ask: Ask, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = "datasets: [{name: scifact, split: train}, nfcorpus]"
    found = ask(config=config)["tests"]
    assert found["scifact", "nDCG@10"]["power"] is None
    assert found["average", "nDCG@10"]["power"] is None
    assert found["nfcorpus", "nDCG@10"]["power"]["n"] == 323
    assert run() == 0
    assert "scifact: the catalogue does not count split 'train'" in capsys.readouterr().out


def test_a_folder_that_is_missing_is_an_error(project: Path) -> None:
    with pytest.raises(BeirError, match="absent"):
        run(f"--datasets={project}/absent")


def test_the_tables_say_what_is_found_needed_and_out_of_reach(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_folder(project / "data/docs", 5)
    assert run(f"--datasets=scifact,{project}/data/docs") == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "any retriever (no baselines yet): α .05 over 3 tests"
    assert "scifact  nDCG@10      300  .0167     .02       .014      .027    .057" in lines
    assert "docs     nDCG@10        5  .0167     .02       .106      .212    .438" in lines
    text = " ".join(lines)
    assert "scifact 142*/162* 565/449 2,401/1,734" in " ".join(text.split())
    assert "docs nDCG@10: toothless: neither `regressed` nor `improved` can come about" in text
    assert "docs nDCG@10: `within tolerance` cannot come about: it takes 100 queries" in text
    assert "`regressed` takes at least 6 changed queries" in text
    assert max(map(len, lines)) <= 80


def told(*tests: OneTest) -> list[str]:
    return list(_remarks(SuitePower("bm25", 0.05, len(tests), tests)))


def test_each_test_has_its_own_remarks_and_the_fewest_changes_stand_at_the_end() -> None:
    def test(name: str, changed: int | None, *out: Verdict, floor: float | None = None) -> OneTest:
        power = None if changed is None else Power(40, 0.01, 0.02, changed, out, ())
        unknown = "not counted" if changed is None else None
        return OneTest(
            dataset=name,
            metric="nDCG@10",
            alpha=0.01,
            min_effect=0.005,
            margin=0.02,
            capped=True,
            source=None,
            unknown=unknown,
            power=power,
            floor=floor,
        )

    assert told(test("a", 7)) == [
        "`regressed` takes at least 7 changed queries, however much they lost"
    ]
    several = told(
        test("unknown", None),
        test("a", 9),
        test("b", 7),
        test("c", 11),
        test("d", 7, "regressed", floor=0.4),
        test("e", 7, "within tolerance"),
    )
    assert [line.split(": ")[0] for line in several] == [
        "unknown nDCG@10",
        "d nDCG@10",
        "d nDCG@10",
        "e nDCG@10",
        "`regressed` takes at least 7 to 11 changed queries, however much they lost",
    ]
    assert several[1].endswith("come about: a p of .01 takes 7 changed queries")
    assert "`overrides: {d: {floor: {nDCG@10: .4}}}` in beir.yaml's gate" in several[2]
    assert f"`within tolerance` cannot come about: it takes {FEWEST_QUERIES} queries" in several[3]
    assert told(test("unknown", None)) == ["unknown nDCG@10: not counted"]
    uncapped = replace(test("a", 7), capped=False)
    assert told(uncapped)[-1] == (
        "without a baseline's mean the margin is not capped at 10 % of it"
    )
