"""`--beir-only`: a shard is judged as part of its suite, and shards make up the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir import cli
from tests.plugin.conftest import RETRIEVER

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

NAMES = ("ones", "twos", "threes")


@pytest.fixture
def three(bare: Project) -> Project:
    """Three datasets with baselines, of which the last two have lost eight queries since."""
    for name in NAMES:
        bare.dataset(name)
    entries = ", ".join(f"{{name: {name}, path: data/{name}}}" for name in NAMES)
    entries = entries.replace("data/threes", "data/threes, weight: 3")
    members = "[ones@test, twos@test, threes@test]"
    theirs = f"average: {{compare_to: [{{name: theirs, members: {members}, value: 0.5}}]}}"
    bare.config(f"datasets: [{entries}]\nstrict: [default]\n{theirs}\n")
    kept = "        ranks = {} if self.corpus.name == 'ones' else ranks\n"
    bare.conftest(RETRIEVER.replace("        answer = {}", f"{kept}        answer = {{}}"))
    bare.ranks()
    bare.store()
    bare.drop(8, rank=2)
    return bare


def test_a_shard_spends_its_own_share_alone(three: Project) -> None:
    three.before("--beir-report=whole")
    result = three.run("--beir-only=twos", "--beir-report=report")
    assert result.ret == 1
    report, whole = three.report(), three.report("whole")
    assert report["results"] == [whole["results"][1]]
    # The datasets weigh 1, 1 and 3, their average 1.
    assert report["results"][0]["metrics"]["nDCG@10"]["alpha"] == pytest.approx(0.05 / 6)
    assert report["suite"]["id"] == whole["suite"]["id"]
    assert report["suite"]["selected"] == ["twos"]
    assert report["averages"][0]["set"] == whole["averages"][0]["set"]
    assert report["averages"][0]["withheld"] == "ones and threes were left out"
    result.stdout.fnmatch_lines(["did not run: ones and threes: deselected by --beir-only"])
    assert report["complaints"] == []


def test_three_shards_and_merge_are_one_job(
    three: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    three.before("--beir-report=whole")
    for name in NAMES:
        three.run(f"--beir-only={name}", f"--beir-report=shard-{name}")
    monkeypatch.chdir(three.path)
    shards = [f"shard-{name}" for name in NAMES]
    assert cli.main(["merge", *reversed(shards), "--report", "merged"]) == 1
    whole = (three.path / "whole/beir.json").read_bytes()
    assert (three.path / "merged/beir.json").read_bytes() == whole
    average = three.report("whole")["averages"][0]
    assert average["withheld"] is None
    assert average["alpha"] is not None
    assert set(three.verdicts("whole").values()) == {"unchanged", "regressed"}
    scores = three.baselines("whole/scores")
    assert three.baselines("merged/scores") == scores
    assert len(scores) == 3 * 2 + 2  # and the second search of each red
    assert "1 regressed average" in capsys.readouterr().out
    assert cli.main(["merge", *shards[:2], "--report", "partly"]) == 1
    assert "threes" in capsys.readouterr().out


def test_two_datasets_may_be_named_in_any_order(three: Project) -> None:
    three.run("--beir-only=threes,ones", "--beir-report=report")
    assert list(three.verdicts()) == ["ones", "threes"]


@pytest.mark.parametrize("value", ["onse", "scifact", ""])
def test_only_what_is_declared_can_be_named(three: Project, value: str) -> None:
    assert three.run(f"--beir-only={value}").ret == 4
