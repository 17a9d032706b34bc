"""Saved rankings: what a killed run left is taken up, what was made otherwise is made again."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock, Timeout

from pytest_beir.datasets.dataset import Fingerprints
from pytest_beir.errors import RunFileError, UsageError
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.run_files import RunFiles, read_run
from pytest_beir.retrieval.saved_runs import Provenance, SavedRuns

if TYPE_CHECKING:
    from pathlib import Path

ANSWERS = {
    "q1": {"d1": 1 / 3, "d2": 0.1 + 0.2},
    "q2": {},
    "q3": {"d2": -1e-300, "d1": 5.0},
    "q4": {"d1": 2.0},
    "q5": {"d3": 7.25},
}
BATCHES = [["q1", "q2"], ["q3", "q4"], ["q5"]]
CODE = Provenance("abc", None)


@pytest.fixture
def part(make_part: Any) -> Any:
    return make_part(queries={query: f"text of {query}" for query in ANSWERS})


def saved(tmp_path: Path, *, resume: Any = False, provenance: Any = CODE) -> Any:
    return SavedRuns(
        tmp_path, file_name=lambda name: name.upper(), provenance=provenance, resume=resume
    )


def save(
    tmp_path: Path, part: Any, batches: Any = BATCHES, *, finish: Any = True, provenance: Any = CODE
) -> Any:
    with saved(tmp_path, provenance=provenance).open("bm25", "1", part, 100) as run:
        for batch in batches:
            run.append({query: ANSWERS[query] for query in batch})
        if finish:
            run.finish()
    return run


def taken_up(tmp_path: Path, part: Any, **changes: Any) -> Any:
    """The queries that a resumed run would not ask again, with the saved run."""
    arguments = {"retriever": "bm25", "version": "1", "top_k": 100, "provenance": CODE, **changes}
    runs = saved(tmp_path, resume=True, provenance=arguments["provenance"])
    opened = runs.open(arguments["retriever"], arguments["version"], part, arguments["top_k"])
    with opened as run:
        return run


def test_a_saved_run_is_a_run_file_under_the_retrievers_folder(tmp_path: Path, part: Any) -> None:
    run = save(tmp_path, part)
    assert run.path == tmp_path / "BM25" / "toy.trec"
    assert read_run(run.path) == {query: found for query, found in ANSWERS.items() if found}
    files = RunFiles("BM25/{dataset}.trec", folder=tmp_path)
    assert files.load("toy", part.queries, 100) == read_run(run.path)


def test_a_part_of_a_dataset_has_a_file_of_its_own(tmp_path: Path, make_part: Any) -> None:
    with saved(tmp_path).open("x", None, make_part("cqadupstack/android"), 5) as run:
        assert run.path == tmp_path / "X" / "cqadupstack" / "android.trec"


def test_a_name_with_a_dot_keeps_it(tmp_path: Path, make_part: Any) -> None:
    for name in ("docs.v1", "docs.v2"):
        save(tmp_path, make_part(name, queries=dict.fromkeys(ANSWERS, "")))
    assert {one.name for one in (tmp_path / "BM25").glob("*.trec")} == {
        "docs.v1.trec",
        "docs.v2.trec",
    }
    assert (tmp_path / "BM25" / "docs.v1.manifest.json").is_file()


def test_the_manifest_says_what_made_the_rankings(tmp_path: Path, part: Any) -> None:
    save(tmp_path, part)
    manifest = json.loads((tmp_path / "BM25" / "toy.manifest.json").read_text(encoding="utf-8"))
    assert manifest == {
        "format": 1,
        "retriever": "bm25",
        "version": "1",
        "dataset": "toy",
        "split": "test",
        "fingerprints": {"queries": "q" * 64, "corpus": "toy-hash"},
        "top_k": 100,
        "commit": "abc",
        "uncommitted": None,
        "complete": True,
        "queries": 5,
        "answered": 5,
    }


def test_a_complete_run_is_taken_up_whole_and_exactly(tmp_path: Path, part: Any) -> None:
    save(tmp_path, part)
    run = taken_up(tmp_path, part)
    assert run.answered == ANSWERS
    assert run.resumed
    assert run.retrieved_again is None


def test_queries_answered_with_nothing_count_as_answered(tmp_path: Path, part: Any) -> None:
    save(tmp_path, part, [["q2"]], finish=False)
    assert taken_up(tmp_path, part).answered == {"q2": {}}


def test_queries_that_the_retriever_left_out_are_asked_again(tmp_path: Path, part: Any) -> None:
    save(tmp_path, part, [["q1"], ["q4"]])
    assert set(taken_up(tmp_path, part).answered) == {"q1", "q4"}
    manifest = json.loads((tmp_path / "BM25" / "toy.manifest.json").read_text(encoding="utf-8"))
    assert not manifest["complete"]


def test_without_resume_everything_is_made_anew(tmp_path: Path, part: Any) -> None:
    save(tmp_path, part)
    with saved(tmp_path).open("bm25", "1", part, 100) as run:
        assert run.answered == {}
        assert not run.resumed
        assert run.path.read_bytes() == b""
    assert taken_up(tmp_path, part).answered == {}


def test_a_run_file_cut_at_any_byte_is_taken_up_from_its_last_whole_batch(
    tmp_path: Path, part: Any
) -> None:
    path = save(tmp_path, part, finish=False).path
    log = path.with_suffix(".batches.jsonl")
    content, lines = path.read_bytes(), log.read_bytes()
    ends = [json.loads(line)["bytes"] for line in lines.splitlines()]
    near_ends = {end + step for end in ends for step in (-1, 0, 1)}
    for size in sorted({*range(0, len(content), 7), *near_ends}):
        path.write_bytes(content[:size])
        log.write_bytes(lines)
        kept = [query for batch in BATCHES[: sum(size >= end for end in ends)] for query in batch]
        run = taken_up(tmp_path, part)
        assert run.answered == {query: ANSWERS[query] for query in kept}
        assert read_run(path) == {query: ANSWERS[query] for query in kept if ANSWERS[query]}


def test_a_log_cut_at_any_byte_is_taken_up_from_its_last_whole_line(
    tmp_path: Path, part: Any
) -> None:
    path = save(tmp_path, part, finish=False).path
    log = path.with_suffix(".batches.jsonl")
    content, lines = path.read_bytes(), log.read_bytes()
    for size in range(0, len(lines) + 1, 5):
        path.write_bytes(content)
        log.write_bytes(lines[:size])
        kept = BATCHES[: lines[:size].count(b"\n")]
        expected = {query: ANSWERS[query] for batch in kept for query in batch}
        assert taken_up(tmp_path, part).answered == expected


def test_bytes_after_the_last_whole_batch_are_cut_and_the_run_goes_on(
    tmp_path: Path, part: Any
) -> None:
    path = save(tmp_path, part, BATCHES[:1], finish=False).path
    with path.open("ab") as out:
        out.write(b"q3 Q0 d1 1 5.0 bm25\nq3 Q0 d2 2 -1e-3")
    with saved(tmp_path, resume=True).open("bm25", "1", part, 100) as run:
        assert set(run.answered) == {"q1", "q2"}
        for batch in BATCHES[1:]:
            run.append({query: ANSWERS[query] for query in batch})
        run.finish()
    assert taken_up(tmp_path, part).answered == ANSWERS


def test_a_run_file_that_was_edited_is_taken_up_only_before_the_edit(
    tmp_path: Path, part: Any
) -> None:
    path = save(tmp_path, part).path
    path.write_bytes(path.read_bytes().replace(b" 2.0 ", b" 9.0 "))
    assert set(taken_up(tmp_path, part).answered) == {"q1", "q2"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": "2"}, "version was '1', is '2'"),
        ({"top_k": 101}, "top_k was 100, is 101"),
    ],
)
def test_rankings_made_otherwise_are_retrieved_again_and_the_difference_is_said(
    changes: Any, reason: str, tmp_path: Path, part: Any
) -> None:
    save(tmp_path, part)
    run = taken_up(tmp_path, part, **changes)
    assert run.answered == {}
    assert reason in str(run.retrieved_again)
    assert run.path.read_bytes() == b""


@pytest.mark.parametrize(
    ("before", "now", "difference"),
    [
        (CODE, Provenance("def", None), "commit abc, now def"),
        (CODE, Provenance("abc", "diff"), "commit abc with other uncommitted changes"),
        (CODE, Provenance(None, None), "commit abc, now unknown"),
        (Provenance(None, None), Provenance(None, None), "the code is not known: there is no git"),
        (CODE, CODE, None),
        (Provenance("abc", "diff"), Provenance("abc", "diff"), None),
    ],
)
def test_rankings_of_other_code_are_taken_up_and_the_difference_is_said(
    before: Any, now: Any, difference: Any, tmp_path: Path, part: Any
) -> None:
    save(tmp_path, part, BATCHES[:2], provenance=before)
    run = taken_up(tmp_path, part, provenance=now)
    assert len(run.answered) == 4
    assert run.other_code is None if difference is None else run.other_code.startswith(difference)


def test_a_part_of_other_code_stays_known_when_the_rest_is_made_by_this_code(
    tmp_path: Path, part: Any
) -> None:
    save(tmp_path, part, BATCHES[:2])
    later = Provenance("def", None)
    with saved(tmp_path, resume=True, provenance=later).open("bm25", "1", part, 100) as run:
        run.append({"q5": ANSWERS["q5"]})
        run.finish()
    again = taken_up(tmp_path, part, provenance=later)
    assert len(again.answered) == 5
    assert again.other_code == "commit abc, now def"


def test_other_judgements_leave_rankings_as_they_are(tmp_path: Path, part: Any) -> None:
    save(tmp_path, part)
    marks = Fingerprints(queries="q" * 64, qrels="other", corpus="toy-hash")
    assert taken_up(tmp_path, replace(part, fingerprints=marks)).answered == ANSWERS


@pytest.mark.parametrize("which", ["queries", "corpus"])
def test_rankings_of_another_content_are_retrieved_again(
    which: Any, tmp_path: Path, part: Any
) -> None:
    save(tmp_path, part)
    marks = {"queries": "q" * 64, "qrels": "r" * 64, "corpus": "toy-hash", which: "other"}
    run = taken_up(tmp_path, replace(part, fingerprints=Fingerprints(**marks)))
    assert run.answered == {}
    assert "the dataset's content differs" in str(run.retrieved_again)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 1}', b"\xff"])
def test_a_malformed_manifest_means_retrieving_again(
    content: Any, tmp_path: Path, part: Any
) -> None:
    path = save(tmp_path, part).path
    path.with_suffix(".manifest.json").write_bytes(content)
    run = taken_up(tmp_path, part)
    assert run.answered == {}
    assert "not a readable manifest" in str(run.retrieved_again)


@pytest.mark.parametrize("suffix", [".batches.jsonl", ".trec"])
def test_a_missing_file_means_retrieving_again(suffix: Any, tmp_path: Path, part: Any) -> None:
    path = save(tmp_path, part).path
    path.with_suffix(suffix).unlink()
    assert taken_up(tmp_path, part).answered == {}


def test_the_first_run_of_a_dataset_counts_as_neither(tmp_path: Path, part: Any) -> None:
    run = taken_up(tmp_path, part)
    assert (run.resumed, run.retrieved_again) == (False, None)


def test_resuming_needs_a_version(tmp_path: Path, part: Any) -> None:
    with pytest.raises(UsageError, match="'bm25' declares no `version`"):
        saved(tmp_path, resume=True).open("bm25", None, part, 100)


def test_a_run_is_locked_while_it_is_open(tmp_path: Path, part: Any) -> None:
    with saved(tmp_path).open("bm25", "1", part, 100) as run:
        lock = FileLock(run.path.with_suffix(".lock"))
        with pytest.raises(Timeout):
            lock.acquire(timeout=0)
    with lock.acquire(timeout=0):
        pass


def test_appending_outside_of_the_block_is_an_error(tmp_path: Path, part: Any) -> None:
    run = save(tmp_path, part)
    with pytest.raises(RunFileError, match="outside of its `with` block"):
        run.append({"q1": {}})


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path, part: Any) -> None:
    (tmp_path / "BM25").write_text("in the way", encoding="utf-8")
    with (
        pytest.raises(RunFileError, match="cannot be saved"),
        saved(tmp_path).open("bm25", "1", part, 100),
    ):
        pass


class Flaky:
    """Dies in the third batch, once."""

    version = "1"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails = True

    def index(self, corpus: Any) -> Any:
        pass

    def search(self, queries: Any, top_k: int) -> Any:  # noqa: ARG002
        if self.fails and "q5" in queries:
            raise KeyboardInterrupt
        self.asked += queries
        return {query: ANSWERS[query] for query in queries}


def test_an_interrupted_retrieval_goes_on_where_it_stopped(tmp_path: Path, part: Any) -> None:
    flaky = Flaky()
    retriever = wrap(flaky)

    def retrieve(*, resume: bool) -> Any:
        with saved(tmp_path, resume=resume).open("f", "1", part, 100) as run:
            found = retriever.rankings(
                part, 100, query_batch=2, on_batch=run.append, answered=run.answered
            )
            run.finish()
        return found.run

    with pytest.raises(KeyboardInterrupt):
        retrieve(resume=False)
    flaky.fails = False
    assert retrieve(resume=True) == ANSWERS
    assert flaky.asked == ["q1", "q2", "q3", "q4", "q5"]
    assert taken_up(tmp_path, part, retriever="f").answered == ANSWERS
