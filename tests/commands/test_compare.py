"""`pytest-beir compare`."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

import pytest_beir
from pytest_beir.retrieval.run_files import read_run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Canned, Ranks, Workshop


@pytest.fixture
def suite(workshop: Workshop) -> Workshop:
    """Two datasets, without baselines."""
    for name in "ab":
        workshop.dataset(name)
    return workshop


@pytest.fixture
def runs(suite: Workshop, dropped: Ranks) -> Workshop:
    """Run files of two systems, in folders; the new one has lost on `a`."""
    for name in "ab":
        suite.trec(f"old/{name}.trec", name)
        suite.trec(f"new/{name}.trec", name, dropped if name == "a" else None)
    return suite


def _compared(
    suite: Workshop, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, dict[str, Any]]:
    """The exit status, and the results by dataset."""
    status = suite.run("compare", *words, "--json")
    content = json.loads(capsys.readouterr().out)
    return status, {each["dataset"]: each for each in content["results"]}


def test_two_run_files_give_the_gates_numbers(
    shared_data: Path, workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared_data / "beir" / "scifact"
    old, new = (
        shared_data / "runs" / "scifact" / f"{name}.trec"
        for name in ("rank-bm25", "minilm-l6-v2-dense")
    )
    words = [f"--dataset=scifact={folder}", f"--cache={workshop.path}"]
    status, found = _compared(workshop, capsys, str(old), str(new), *words)
    assert status == 0
    metric = found["scifact"]["metrics"]["nDCG@10"]
    # As published beside the runs.
    assert metric["baseline"] == pytest.approx(0.5597, abs=5e-5)
    assert metric["now"] == pytest.approx(0.6451, abs=5e-5)
    dataset = pytest_beir.load_dataset(folder, cache_dir=workshop.path)
    scores = [
        pytest_beir.score_run(dataset.qrels, {q: run[q] for q in dataset.qrels if q in run})
        for run in map(read_run, (old, new))
    ]
    before, now = (each["nDCG@10"] for each in scores)
    expected = pytest_beir.compare_scores(before, now, alpha=0.05)
    for name in ("delta", "p_drop", "p_gain", "lower", "upper", "margin_bound", "worse", "mde"):
        assert metric[name] == getattr(expected, name), name
    assert metric["verdict"] == expected.verdict == "improved"

    status, found = _compared(workshop, capsys, str(new), str(old), *words)
    assert status == 1
    assert found["scifact"]["verdict"] == "regressed"


def test_half_of_the_queries_missing_is_an_error_on_either_side(
    shared_data: Path, workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = shared_data / "runs" / "scifact"
    half, whole = (
        str(runs / f"{name}.trec") for name in ("vsm-tfidf-titles.odd-queries-only", "rank-bm25")
    )
    words = [f"--dataset=scifact={shared_data / 'beir' / 'scifact'}", f"--cache={workshop.path}"]
    for sides in ([whole, half], [half, whole]):
        status, found = _compared(workshop, capsys, *sides, *words)
        assert status == 1
        assert found["scifact"]["verdict"] == "error"
        assert "147 of 300 judged queries are missing" in found["scifact"]["reason"]


def test_two_folders_of_runs_share_alpha_and_are_averaged(
    runs: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    status = runs.run("compare", "old", "new", "--datasets=a,b", "--json")
    content = json.loads(capsys.readouterr().out)
    assert status == 1
    assert [each["verdict"] for each in content["results"]] == ["regressed", "unchanged"]
    assert content["suite"]["datasets"] == ["a", "b"]
    assert content["retrievers"][0]["name"] == "new"
    assert content["retrievers"][0]["family"] == 3
    average = content["averages"][0]
    assert average["set"]["members"] == ["a@test", "b@test"]
    # Half of 40 queries of one of two datasets at rank 5.
    assert average["delta"] == pytest.approx(-0.1533, abs=1e-4)


def test_a_gzipped_run_is_read_too(runs: Workshop) -> None:
    plain = runs.path / "new" / "b.trec"
    (runs.path / "new" / "b.trec.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    assert runs.run("compare", "old", "new", "--datasets=b") == 0


def test_folders_are_compared_over_the_declared_suite(
    runs: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.dataset("c")
    status, found = _compared(runs, capsys, "old", "new")
    assert status == 1
    assert set(found) == {"a", "b", "c"}
    assert found["c"]["verdict"] == "error"
    assert "no run file for c here" in found["c"]["reason"]


def test_a_single_run_file_against_a_baseline_takes_its_dataset_from_there(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    run = suite.trec("later.trec", "a", dropped)
    status, found = _compared(suite, capsys, "baselines/canned/a.yaml", str(run))
    assert status == 1
    assert found["a"]["retriever"] == "canned"
    assert found["a"]["verdict"] == "regressed"
    assert found["a"]["metrics"]["nDCG@10"]["worse"] == 20


def test_a_baselines_anchor_is_tested_as_the_gate_does(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    suite.store("a", dropped, anchor=False)
    run = suite.trec("later.trec", "a", dropped)
    status, found = _compared(suite, capsys, "baselines/canned", str(run))
    metric = found["a"]["metrics"]["nDCG@10"]
    assert status == 1
    assert metric["verdict"] == "regressed"
    assert metric["delta"] == 0.0
    assert metric["against_anchor"]["delta"] == pytest.approx(-0.3066, abs=1e-4)
    assert metric["alpha"] == 0.025


@pytest.mark.parametrize("after", ["report", "report/beir.json", "report/scores/canned"])
def test_a_report_against_baselines_gives_the_reports_own_numbers(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str], after: str
) -> None:
    for name in "ab":
        suite.store(name)
    suite.job("report", {"a": dropped})
    status, found = _compared(suite, capsys, "baselines/canned", after)
    assert status == 1
    own = {each["dataset"]: each for each in suite.report("report")["results"]}
    for name in "ab":
        assert found[name]["metrics"] == own[name]["metrics"]
        assert found[name]["flags"] == own[name]["flags"]


def test_two_reports_without_their_data_still_compare(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("old")
    suite.job("new", {"b": dropped})
    suite.names.clear()
    suite.config("  - cycling-forum")
    (suite.path / "data").rename(suite.path / "gone")
    status, found = _compared(suite, capsys, "old", "new")
    assert status == 1
    assert [found[name]["verdict"] for name in "ab"] == ["unchanged", "regressed"]
    assert not [flag for flag in found["b"]["flags"] if flag.startswith("pool-")]


def test_the_folder_of_all_baselines_stands_for_its_only_retriever(suite: Workshop) -> None:
    suite.store("a")
    assert suite.run("compare", "baselines", "baselines/canned") == 0


def test_of_several_retrievers_one_has_to_be_named(
    suite: Workshop, make_retriever: type[Canned], capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    suite.store("a", retriever="other")
    assert suite.run("compare", "baselines", "baselines/other") == 4
    assert "baselines/canned, baselines/other" in capsys.readouterr().err
    suite.job("report", retrievers=[make_retriever({}), make_retriever({}, name="other")])
    assert suite.run("compare", "report", "baselines/other") == 4
    assert "report/scores/canned, report/scores/other" in capsys.readouterr().err
    assert suite.run("compare", "report/scores/canned", "report/scores/other") == 0


def test_what_only_one_side_has_is_named_and_the_rest_compared(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "ab":
        suite.store(name)
    suite.job("report", only=["b"])
    assert suite.run("compare", "baselines/canned", "report") == 0
    out = capsys.readouterr().out
    assert "did not run: a: only baselines/canned has it" in out


def test_a_named_dataset_that_one_side_lacks_fails(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    suite.job("report")
    words = ("baselines/canned", "report", "--datasets=a,b")
    status, found = _compared(suite, capsys, *words)
    assert (status, found["b"]["verdict"]) == (1, "no baseline")
    status, found = _compared(suite, capsys, "report", "baselines/canned", "--datasets=a,b")
    assert (status, found["b"]["verdict"]) == (1, "error")
    assert found["b"]["reason"] == "baselines/canned: holds no scores of b"


def test_an_error_in_a_report_stays_one(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    suite.job("report", {"a": None}, only=["a"])
    status, found = _compared(suite, capsys, "baselines/canned", "report")
    assert status == 1
    assert "report: a ended in an error there: the search raised" in found["a"]["reason"]


def test_changed_judgements_do_not_compare(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    with (suite.path / "data" / "a" / "qrels" / "test.tsv").open("a") as qrels:
        qrels.write("q00\tx00\t1\n")
    run = suite.trec("run.trec", "a")
    status, found = _compared(suite, capsys, "baselines/canned/a.yaml", str(run))
    assert (status, found["a"]["verdict"]) == (1, "not comparable")


def test_a_malformed_baseline_is_an_error_of_its_dataset(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "ab":
        suite.store(name)
    (suite.path / "baselines" / "canned" / "b.yaml").write_text("format: 1\n")
    suite.job("report", only=["a"])
    suite.job("report", only=["a", "b"], retrievers=[])
    assert suite.run("compare", "baselines/canned", "baselines/canned") == 1
    out = capsys.readouterr().out
    assert "1 passed" in out
    assert "1 error" in out


def test_the_gate_of_the_config_is_used(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    run = str(suite.trec("run.trec", "a", {f"q{n:02d}": 0 for n in range(12)}))
    suite.config("gate: {metrics: [R@100, nDCG@10], alpha: 0.01, overrides: {a: {margin: 0.3}}}")
    status, found = _compared(suite, capsys, "baselines/canned", run)
    metric = found["a"]["metrics"]["R@100"]
    assert status == 1
    assert (metric["verdict"], metric["alpha"]) == ("regressed", 0.005)
    assert metric["margin"] == pytest.approx(0.1)  # ten per cent of the baseline

    (suite.path / "other.yaml").write_text("gate: {min_effect: 0.5, margin: 0.5}\n")
    words = ["baselines/canned", run, "--config=other.yaml", "--dataset=data/a"]
    status, found = _compared(suite, capsys, *words)
    assert found["a"]["metrics"]["nDCG@10"]["min_effect"] == pytest.approx(0.025)


def test_a_failure_is_explained_for_people(
    runs: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert runs.run("compare", "old", "new", "--datasets=a,b") == 1
    out = capsys.readouterr().out
    assert "baseline: old\nnow: new\n" in out
    assert "new on a (test): regressed" in out
    assert "20 worse, 0 better" in out
    assert "BEIR: 1 passed, 1 regressed" in out
    assert "--beir-accept" not in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["old", "nowhere"], "nowhere: there is no such file or folder"),
        (["old/a.trec", "new/a.trec"], "Add --dataset=NAME_OR_FOLDER"),
        (["old/a.trec", "new/a.trec", "--dataset=aa"], "no dataset, named set or suite"),
        (["old/a.trec", "new/a.trec", "--dataset=public-13"], "names 13 datasets"),
        (["old", "new", "--datasets=a,a"], "--datasets: the name 'a' is given twice"),
        (["old", "new", "--split=dev"], "--split goes with --dataset"),
        (["old", "empty"], "holds neither run files"),
        (["old", "new", "--config=none.yaml"], "none.yaml is not a file"),
        (["old"], ""),
    ],
)
def test_what_cannot_be_compared_is_a_usage_error(
    runs: Workshop, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    (runs.path / "empty").mkdir()
    assert runs.run("compare", *words) == 4
    assert said in capsys.readouterr().err


def test_nothing_in_common_is_a_usage_error(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    suite.job("report", only=["b"])
    assert suite.run("compare", "baselines/canned", "report") == 4
    assert "baselines/canned has a, report has b" in capsys.readouterr().err


def test_a_run_file_against_many_baselines_has_to_say_which(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "ab":
        suite.store(name)
    run = str(suite.trec("run.trec", "b"))
    assert suite.run("compare", "baselines/canned", run) == 4
    assert suite.run("compare", "baselines/canned", run, "--dataset=b") == 0


def test_a_split_may_be_named(suite: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    home = suite.path / "data" / "a" / "qrels"
    home.joinpath("dev.tsv").write_text("query-id\tcorpus-id\tscore\nq00\td00\t1\nq01\td01\t1\n")
    run = str(suite.trec("run.trec", "a"))
    words = [run, run, "--dataset=a", "--split=dev"]
    status, found = _compared(suite, capsys, *words)
    assert status == 0
    assert (found["a"]["split"], found["a"]["queries"]) == ("dev", 2)


@pytest.mark.parametrize("number", ["0", "-2", "many"])
def test_worst_takes_a_number_of_queries(
    runs: Workshop, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert runs.run("compare", "old", "new", "--dataset=a", f"--worst={number}") == 4
    assert f"{number!r} is not a number of queries" in capsys.readouterr().err


def test_the_queries_that_lost_most_are_listed_with_their_texts(
    runs: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert runs.run("compare", "old", "new", "--dataset=a", "--worst=2") == 0
    lines = capsys.readouterr().out.splitlines()
    # Half of the queries have their one document at rank 5: 1 / log2(6) = .387.
    assert lines[0] == "nDCG@10: 20 of 40 queries worse"
    assert all(line.startswith("1.000 → .387 −.613  q") for line in lines[1:3])
    assert lines[3] == "and 18 more"
    assert lines[4].startswith("Look at one with --query=q")


def test_two_rankings_of_a_query_are_side_by_side(
    runs: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    query = next(iter(dropped))
    assert runs.run("compare", "old", "new", "--dataset=a", f"--query={query}") == 0
    out = capsys.readouterr().out
    document = f"d{query[1:]}"
    assert "nDCG@10 1.000 → .387 (−.613)" in out
    rows = {line[:4].strip(): line for line in out.splitlines()}
    assert f"[1]  {document}" in rows["1"]
    assert rows["5"].endswith(f"[1]  {document}")
    assert "[ ]  x00" in rows["1"].replace(f"[1]  {document}", "")
    assert f"[1] {document}: 1 → 5  {document}" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_baseline_beside_a_run_shows_its_rankings_too(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    suite.trec("new/a.trec", "a", dropped)
    query = next(iter(dropped))
    words = ("compare", "baselines/canned/a.yaml", "new/a.trec", "--dataset=a")
    assert suite.run(*words, f"--query={query}") == 0
    assert f"[1] d{query[1:]}: 1 → 5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--dataset=a", "--query=q0x"), "no judged query has that id; did you mean 'q"),
        (("--query=q01",), "--query: of which dataset (a, b)? Add --dataset=NAME"),
    ],
)
def test_a_query_that_is_not_there_is_named(
    runs: Workshop, words: Any, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert runs.run("compare", "old", "new", *words) == 4
    assert message in capsys.readouterr().err
