"""The project folder, and `beir.yaml` with all that can be wrong in it."""

from __future__ import annotations

import inspect
import os
from dataclasses import astuple
from typing import TYPE_CHECKING

import pytest

from pytest_beir.configuration.config import Config, load_config, project_folder
from pytest_beir.configuration.option_values import config_file
from pytest_beir.errors import ConfigError
from pytest_beir.gate.comparison import compare_scores
from pytest_beir.gate.family import AVERAGE_LIMITS, Family, Limits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Load = Callable[[str], Config]

EVERYTHING = """
datasets: [scifact, nfcorpus, {name: docs, path: data/docs, split: dev, weight: 5}, other/own]
suites: {pr: [scifact, docs], nightly: [public-14, docs]}
metrics: [nDCG@10, R@100]
gate:
  metrics: [nDCG@10]
  alpha: 0.01
  correction: none
  min_effect: 0.004
  margin: 0.03
  allow_missing: 2
  on_inconclusive: fail
  corpus_change: fail
  pool_suspect: flag
  overrides: {trec-covid: {margin: 0.04}, docs: {min_effect: 0.001}}
retrievers:
  first stage: {trained_on: [msmarco], gate: {metrics: [R@100], overrides: {docs: {margin: 1e-1}}}}
  clean: {trained_on: []}
average:
  compare_to: [{name: "published", set: public-13, metric: nDCG@10, value: 0.518}]
report: {texts: false}
mirror: https://mirror.example/beir
groups: {field: group, gate: [codes]}
pinned: pinned.tsv
profile: data/docs
strict: [default, drift]
query_batch: 10
"""


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def load(text: str) -> Config:
        (tmp_path / "beir.yaml").write_text(text, encoding="utf-8")
        return load_config(tmp_path / "beir.yaml")

    return load


@pytest.fixture
def refusal(load: Load, tmp_path: Path) -> Callable[[str], str]:
    def refusal(text: str) -> str:
        with pytest.raises(ConfigError) as caught:
            load(text)
        return str(caught.value).replace(f"{tmp_path.resolve()}{os.sep}", "")

    return refusal


def test_without_a_file_everything_has_its_default() -> None:
    config = load_config(None)
    assert config.file is None
    assert config.datasets is None
    assert config.metrics == ("nDCG@10", "R@100")
    assert config.gate.model_dump() == {
        "metrics": ("nDCG@10",),
        "alpha": 0.05,
        "correction": "bonferroni",
        "min_effect": 0.005,
        "margin": 0.02,
        "allow_missing": 0,
        "on_inconclusive": "pass",
        "corpus_change": "flag",
        "pool_suspect": "fail",
        "confirm": True,
        "overrides": {},
    }
    assert config.report.texts is True
    assert config.query_batch == 1000
    assert config.strict_flags == frozenset()


def test_an_empty_file_means_the_defaults(load: Load) -> None:
    assert load("# nothing yet\n").model_dump() == load_config(None).model_dump()


def test_every_key_is_read(load: Load, tmp_path: Path) -> None:
    config = load(EVERYTHING)
    assert config.datasets is not None
    assert [entry.name for entry in config.datasets] == ["scifact", "nfcorpus", "docs", "own"]
    docs = config.entry("docs")
    assert docs is not None
    assert (docs.split, docs.weight, docs.drop_identical_ids) == ("dev", 5.0, None)
    assert config.gate.correction == "none"
    assert config.average.compare_to[0].value == 0.518
    assert config.groups is not None
    assert config.groups.gate == ("codes",)
    assert config.mirror == "https://mirror.example/beir"
    assert config.strict_flags >= {"likely-drop", "did-not-run", "drift"}
    assert "default" not in config.strict_flags


def test_paths_count_from_the_file(load: Load, tmp_path: Path) -> None:
    config = load(EVERYTHING)
    assert config.folder == tmp_path
    assert config.datasets is not None
    assert [entry.path for entry in config.datasets[2:]] == [
        tmp_path / "data/docs",
        tmp_path / "other/own",
    ]
    assert config.pinned == tmp_path / "pinned.tsv"
    assert config.profile == tmp_path / "data/docs"


def test_a_retrievers_gate_lies_over_the_common_one(load: Load) -> None:
    config = load(EVERYTHING)
    gate = config.gate_for("first stage")
    assert gate.metrics == ("R@100",)
    assert gate.alpha == 0.01
    assert gate.limits_for("trec-covid") == (0.004, 0.04)
    assert gate.limits_for("docs") == (0.001, 0.1)
    assert config.gate_for("any other").limits_for("docs") == (0.001, 0.03)
    assert config.gate_for("any other").limits_for("scifact") == (0.004, 0.03)


def test_the_average_has_limits_of_its_own_capped_by_the_gates(load: Load) -> None:
    assert Config().gate.limits_for("", average=True) == (0.002, 0.01)
    narrow = load("gate: {min_effect: 0.001, margin: 0.005}").gate
    assert narrow.limits_for("", average=True) == (0.001, 0.005)


def test_the_defaults_are_those_of_the_gate_itself() -> None:
    gate, family = Config().gate, Family({})
    stated = inspect.signature(compare_scores).parameters
    assert gate.limits_for("") == astuple(Limits())
    assert gate.limits_for("", average=True) == astuple(AVERAGE_LIMITS)
    assert (gate.alpha, gate.correction) == (family.alpha, family.correction)
    assert (gate.alpha, *gate.limits_for("")) == tuple(
        stated[name].default for name in ("alpha", "min_effect", "margin")
    )


def test_a_gated_metric_is_always_recorded(load: Load) -> None:
    config = load("metrics: [nDCG@10]\nretrievers: {x: {gate: {metrics: [RR@10, nDCG@10]}}}")
    assert config.metrics_for("x") == ("nDCG@10", "RR@10")
    assert config.metrics_for("y") == ("nDCG@10",)


def test_trained_on_nothing_differs_from_unknown(load: Load) -> None:
    config = load(EVERYTHING)
    assert config.trained_on("clean") == frozenset()
    assert config.trained_on("first stage") == frozenset({"msmarco"})
    assert config.trained_on("any other") is None


def test_scalars_are_those_of_yaml_1_2(load: Load) -> None:
    config = load("gate: {alpha: 1e-3}\ndatasets: [no, off]\nretrievers: {on: {}}")
    assert config.gate.alpha == 0.001
    assert config.datasets is not None
    assert [entry.name for entry in config.datasets] == ["no", "off"]
    assert list(config.retrievers) == ["on"]


def test_a_byte_order_mark_and_crlf_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "beir.yaml"
    path.write_bytes(b"\xef\xbb\xbfquery_batch: 7\r\nreport:\r\n  texts: false\r\n")
    config = load_config(path)
    assert (config.query_batch, config.report.texts) == (7, False)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("gate:\n  alhpa: 0.1\n", 2, ["gate.alhpa", "unknown key", "did you mean 'alpha'"]),
        ("a: 1\n", 1, ["unknown key", "known: datasets, suites"]),
        ("datasets:\n- {name: x,\n   wieght: 2}\n", 3, ["datasets[0].wieght", "'weight'"]),
        ("retrievers:\n  x:\n    gate:\n      maring: 1\n", 4, ["did you mean 'margin'"]),
        ("average: {compare_to: [{nam: x, value: .5}]}", 1, ["did you mean 'name'"]),
        ("query_batch: 1\n\nquery_batch: 2\n", 3, ["query_batch", "twice", "line 1"]),
        ("gate:\n  alpha: 0.1\n  alpha: 0.2\n", 3, ["gate.alpha", "twice", "line 2"]),
        ("gate: {alpha: 0}", 1, ["greater than 0"]),
        ("gate: {alpha: 1}", 1, ["less than 1"]),
        ("gate: {alpha: .nan}", 1, ["gate.alpha", "nan"]),
        ("gate: {alpha: true}", 1, ["gate.alpha", "number"]),
        ("gate: {alpha: '0.05'}", 1, ["gate.alpha", "number", "'0.05'"]),
        ("gate: {allow_missing: -1}", 1, ["gate.allow_missing"]),
        ("gate: {allow_missing: 1.5}", 1, ["gate.allow_missing", "1.5"]),
        ("gate: {correction: holm}", 1, ["'bonferroni' or 'none'", "'holm'"]),
        ("gate:\n  min_effect: 0.03\n", 1, ["min_effect 0.03", "margin 0.02"]),
        ("gate:\n  overrides:\n    x: {margin: 0.001}\n", 3, ["gate.overrides.x", "0.001"]),
        ("retrievers:\n  x:\n    gate: {margin: 0.001}\n", 3, ["retrievers.x.gate", "0.005"]),
        ("gate: {metrics: []}", 1, ["gate.metrics", "empty"]),
        ("metrics: [ndcg@10]", 1, ["metrics[0]", "'ndcg@10'", "did you mean 'nDCG@10'"]),
        ("metrics: [recall@100]", 1, ["did you mean 'R@100'"]),
        ("metrics: [nDCG@0]", 1, ["'nDCG@0'"]),
        ("metrics: [R@101]", 1, ["R@101", "100 documents"]),
        ("metrics: [R@10(binary)]", 1, ["not a metric"]),
        ("metrics: [Judged@10]", 1, ["always recorded"]),
        ("metrics: [R@10, R@10]", 1, ["'R@10' is given twice"]),
        ("metrics: R@10", 1, ["expected a list", "[R@10]"]),
        ("report: {texts: yes}", 1, ["report.texts", "true or false", "'yes'"]),
        ("report: {texts: 'true'}", 1, ["true or false"]),
        ("report: false", 1, ["expected keys and values"]),
        ("datasets:\n", 1, ["datasets", "no value"]),
        ("datasets: [a, ]\nsuites:\n  pr:\n", 3, ["suites.pr", "no value"]),
        ("datasets: []", 1, ["empty"]),
        ("datasets: [2024]", 1, ["datasets[0]", "2024", "quotes"]),
        ("datasets: [a, x/A]", 1, ["'A' is given twice"]),
        ("datasets: ['@public-14']", 1, ["'public-14'", "no sign"]),
        ("datasets: [{path: x}]", 1, ["datasets[0]", "'name' is missing"]),
        ("datasets: [{name: a b, path: x}]", 1, ["'a b' is not a name"]),
        ("datasets: [{name: a, path: ''}]", 1, ["datasets[0].path", "empty path"]),
        ("datasets: [{name: a, path: 3}]", 1, ["expected a path", "3"]),
        ("datasets: [{name: a, weight: 0}]", 1, ["datasets[0].weight", "greater than or equal to"]),
        ("datasets: [{name: a, weight: .inf}]", 1, ["datasets[0].weight", "finite"]),
        ("datasets: [{name: a, drop_identical_ids: 1}]", 1, ["true or false", "1"]),
        ("suites: {PR: [a], pr: [b]}", 1, ["suites.pr", "'PR'", "case"]),
        ("suites: {'a/b': [a]}", 1, ["'a/b' is not a name"]),
        ("suites: {pr: [a, a]}", 1, ["'a' is given twice"]),
        ("datasets: [{name: x, path: y}]\nsuites: {x: [y]}", 2, ["suites.x", "choose another"]),
        ("average: {compare_to: [{name: x, value: 51.8}]}", 1, ["less than or equal to 1"]),
        ("strict: [likly-drop]", 1, ["strict[0]", "did you mean 'likely-drop'"]),
        ("groups: {gate: [x]}", 1, ["groups", "'field' is missing"]),
        ("mirror: 3", 1, ["mirror", "quotes"]),
        ("datasets: [{name: a, weight: 1e-320}]", 1, ["weight", "greater than or equal to"]),
        ("datasets: [{name: a, weight: 1e308}]", 1, ["weight", "less than or equal to"]),
        ("datasets: !!set {a, b}", 1, ["the tag !!set", "remove it"]),
        ("x: [\n", 2, ["not valid YAML"]),
        ("x: 1\n---\ny: 2\n", 2, ["a second document"]),
        ("- scifact\n", 1, ["expected keys and values"]),
        ("1: x\n", 1, ["the key 1", "quotes"]),
        ("a: &a [*a]\n", 1, ["alias"]),
        ("a: !!python/object:os.system {}\n", 1, ["the tag !!python/object", "remove it"]),
        ("query_batch: 0", 1, ["query_batch"]),
        ("query_batch: 2\npinned: 'a\x07'\n", 2, ["'\\x07'"]),
    ],
)
def test_a_mistake_is_refused_with_its_line_and_what_mends_it(
    refusal: Callable[[str], str], text: str, line: int, words: list[str]
) -> None:
    message = refusal(text)
    assert message.startswith(f"beir.yaml:{line}: ")
    for word in words:
        assert word in message


def test_all_mistakes_are_listed_in_the_files_order(refusal: Callable[[str], str]) -> None:
    message = refusal("query_batch: 0\ngate:\n  alpha: 2\n  margni: 1\nmetrics: [x]\n")
    assert [line.split(": ")[0] for line in message.splitlines()] == [
        "beir.yaml:1",
        "beir.yaml:3",
        "beir.yaml:4",
        "beir.yaml:5",
    ]


def test_a_text_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "beir.yaml"
    path.write_bytes(b"query_batch: 1\npinned: \xff\n")
    with pytest.raises(ConfigError, match=r"beir\.yaml:2: byte 0xff is not UTF-8"):
        load_config(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: cannot be read"):
        load_config(tmp_path / "nowhere.yaml")


def test_a_config_cannot_be_changed() -> None:
    config = Config()
    with pytest.raises(ValueError, match="frozen"):
        config.query_batch = 3


def test_the_gates_settings_are_plain_values_and_differ_with_any_of_them(load: Load) -> None:
    plain = load("gate: {alpha: 0.05}").gate_settings()
    assert plain == Config().gate_settings()
    assert load("gate: {overrides: {a: {margin: 0.03}}}").gate_settings() != plain
    assert load("retrievers: {x: {gate: {alpha: 0.01}}}").gate_settings() != plain


def test_the_nearest_beir_yaml_above_marks_the_project(tmp_path: Path) -> None:
    inner = tmp_path / "a/b/c"
    inner.mkdir(parents=True)
    (tmp_path / "beir.yaml").touch()
    (tmp_path / "a/b/pyproject.toml").touch()
    assert project_folder(inner) == tmp_path
    (tmp_path / "a/beir.yaml").touch()
    assert project_folder(inner) == tmp_path / "a"


@pytest.mark.parametrize(
    "marker", ["pyproject.toml", "pytest.ini", "pytest.toml", "tox.ini", "setup.cfg", ".git"]
)
def test_without_one_the_nearest_project_file_does(tmp_path: Path, marker: str) -> None:
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "a" / marker).touch()
    assert project_folder(inner) == tmp_path / "a"


def test_a_git_folder_marks_a_project_too(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/.git").mkdir()
    (tmp_path / "a/b/pyproject.toml").mkdir()  # a folder of that name is no project file
    assert project_folder(tmp_path / "a/b") == tmp_path / "a"


def test_without_any_marker_the_start_is_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)

    def nothing(path: Path, *, file: bool = False) -> bool:
        return False

    monkeypatch.setattr("pytest_beir.configuration.config._exists", nothing)
    assert project_folder(inner) == inner


@pytest.mark.parametrize("kind", ["folder", "broken link", "pipe"])
def test_a_beir_yaml_that_cannot_be_read_does_not_become_the_defaults(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "beir.yaml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(tmp_path / "nowhere")
    (tmp_path / "below").mkdir()
    assert project_folder(tmp_path / "below") == tmp_path
    file = config_file("--config", None, None, tmp_path)
    assert file == path
    with pytest.raises(ConfigError, match=r"not a file|cannot be read"):
        load_config(file)
