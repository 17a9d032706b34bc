"""`--beir-repeat`: what repeating the retrieval changes is noise, and no regression."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

NOISY = '''
import random

import pytest


class Noisy:
    """Puts the relevant document first or second, as a coin has it that each index seeds anew."""

    def __init__(self):
        self.seeds = {}

    def index(self, corpus):
        seed = self.seeds[corpus.name] = self.seeds.get(corpus.name, 6) + 1
        self.coin = random.Random(seed)

    def search(self, queries, top_k):
        answer = {}
        for query in queries:
            own, other = ("d" + query[1:], "x00")
            if self.coin.random() < 0.5:
                own, other = other, own
            answer[query] = {own: 2.0, other: 1.0}
        return answer


@pytest.fixture(scope="session")
def retriever():
    return Noisy()
'''


def test_a_deterministic_retriever_is_certified(project: Project) -> None:
    project.store()
    result = project.run("--beir-repeat=3", "--beir-report=report")
    assert result.ret == 0
    for found in project.report()["results"]:
        assert found["explanations"] == [
            "repeated: deterministic: 3 retrievals ranked all of 40 queries alike"
        ]


def test_a_drop_within_the_noise_is_inconclusive(project: Project) -> None:
    """A retriever that varies by itself is compared with a draw of its own."""
    project.conftest(NOISY)
    project.store()
    project.conftest(NOISY.replace("< 0.5", "< 0.55"))
    result = project.run("--beir-repeat=3", "--beir-report=report")
    for found in project.report()["results"]:
        metric = found["metrics"]["nDCG@10"]
        assert metric["delta"] == pytest.approx(-3 / 40 * 0.36907, abs=1e-4)
        assert (metric["verdict"], metric["reason"]) == ("inconclusive", "noise")
        (noise,) = (each for each in found["explanations"] if each.startswith("repeated: noisy"))
        assert "is within the noise" in noise
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*noise:*", "  repeated: noisy: 3 retrievals ranked *"])


def test_an_average_is_given_the_noise_of_its_members(project: Project) -> None:
    config = (project.path / "beir.yaml").read_text()
    project.config(config + "gate: {alpha: 0.9, min_effect: 0}\n")
    project.conftest(NOISY)
    project.store()
    project.conftest(NOISY.replace("< 0.5", "< 0.55"))
    project.run("--beir-report=once")
    project.run("--beir-repeat=3", "--beir-report=report")
    once, repeated = project.report("once")["averages"][0], project.report()["averages"][0]
    assert once["delta"] == repeated["delta"] < 0
    assert once["verdict"] == "regressed"
    assert (repeated["verdict"], repeated["reason"]) == ("inconclusive", "noise")


def test_a_drop_beyond_the_noise_still_fails(project: Project) -> None:
    project.store()
    project.conftest(NOISY.replace("< 0.5", "< 0.9"))
    result = project.run("--beir-repeat=3", "--beir-report=report")
    assert result.ret == 1
    assert set(project.verdicts().values()) == {"regressed"}


@pytest.mark.parametrize("value", ["1", "0", "three", "-2"])
def test_repeating_means_twice_at_least(project: Project, value: str) -> None:
    assert project.run(f"--beir-repeat={value}").ret == 4


def test_a_gated_group_is_given_the_noise_of_its_queries(project: Project) -> None:
    path = project.path / "data/alpha/queries.jsonl"
    lines = path.read_text().splitlines()
    marked = [line.replace("}", ', "metadata": {"group": "all"}}') for line in lines]
    path.write_text("\n".join(marked) + "\n")
    project.config(
        "datasets: [{name: alpha, path: data/alpha}]\n"
        "gate: {alpha: 0.9, min_effect: 0, confirm: false}\n"
        "groups: {field: group, gate: [all]}\n"
    )
    project.conftest(NOISY)
    project.store()
    project.conftest(NOISY.replace("< 0.5", "< 0.55"))
    assert project.run().ret == 1
    result = project.run("--beir-repeat=3")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*noise:*"])
