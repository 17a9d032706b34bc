"""TREC run files: every layout in use is read, every fault names file and line."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.errors import RunFileError
from pytest_beir.retrieval.run_files import RunFiles, read_run, run_lines, write_run

GOOD = "q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1.5 tag\nq2 Q0 d1 1 0.5 tag\n"
RUN = {"q1": {"d1": 2.5, "d2": 1.5}, "q2": {"d1": 0.5}}


def write(path: Any, content: Any) -> Any:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        GOOD.replace(" ", "\t"),
        GOOD.replace(" ", "  \t "),
        GOOD.replace("\n", "\r\n"),
        GOOD.rstrip("\n"),
        f"\ufeff{GOOD}",
        GOOD.replace("\n", "\n\n"),
        GOOD.replace("2.5", "  2.5").replace(" ", "\t"),
        GOOD.replace(" 1 ", " 0 ").replace(" 2 ", " 1 "),
    ],
    ids=["spaces", "tabs", "both", "crlf", "no-last-end", "bom", "blank", "padded", "from-0"],
)
def test_every_layout_reads_the_same(content: Any, tmp_path: Path) -> None:
    assert read_run(write(tmp_path / "a.trec", content)) == RUN


def test_ranks_do_not_decide(tmp_path: Path) -> None:
    path = write(tmp_path / "a.trec", "q Q0 a 1 1.0 t\nq Q0 b 2 3.0 t\nq Q0 c 3 2.0 t\n")
    assert RunFiles(path).load("toy", {"q"}, 2) == {"q": {"b": 3.0, "c": 2.0}}


def test_gzipped_files_are_read_whatever_their_name(tmp_path: Path) -> None:
    for name in ("a.trec.gz", "a.trec"):
        assert read_run(write(tmp_path / name, gzip.compress(GOOD.encode()))) == RUN


def test_an_id_may_hold_unicode_spaces_and_with_tabs_plain_ones(tmp_path: Path) -> None:
    path = write(tmp_path / "a.trec", "q\u00a01 Q0 d\u30001 1 2.5 t\nq 2\tQ0\td 1\t1\t1.5\tt\n")
    assert read_run(path) == {"q\u00a01": {"d\u30001": 2.5}, "q 2": {"d 1": 1.5}}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("q2 Q0 d1 1 0.5", "expected the six columns .* found 5: 'q2 Q0 d1 1 0.5'"),
        ("q2 Q0 d1 1 0.5 tag more", "expected the six columns .* found 7"),
        ("q2", "expected the six columns .* found 1"),
        ("q2 Q0 d1 1 1_0 tag", r"the score \(column five\) is '1_0', no number"),
        ("q2 Q0 d1 1 high tag", r"the score \(column five\) is 'high', no number"),
        (f"q2 Q0 d1 1 {'x' * 99} tag", rf"the score .column five. is '{'x' * 80}', no number"),
        ("q2 Q0 d1 1 nan tag", "the score is nan"),
        ("q2 Q0 d1 1 inf tag", "the score is inf"),
        ("q2 Q0 d1 1 -1e999 tag", "the score is -inf"),
        ("q1 Q0 d2 9 0.1 tag", "query 'q1' has document 'd2' a second time"),
        (b"q2 Q0 d\xff1 1 0.5 tag", "not UTF-8"),
    ],
)
def test_a_malformed_line_names_file_and_line(line: Any, reason: Any, tmp_path: Path) -> None:
    line = line if isinstance(line, bytes) else line.encode()
    path = write(tmp_path / "a.trec", GOOD.encode() + line + b"\n")
    with pytest.raises(RunFileError, match=f"a.trec:4: {reason}"):
        read_run(path)
    with pytest.raises(RunFileError, match=f"a.trec:4: {reason}"):
        RunFiles(path).load("toy", {"q1", "q2"}, 10)


def test_a_document_that_comes_back_after_another_query_is_found_out(tmp_path: Path) -> None:
    path = write(tmp_path / "a.trec", f"{GOOD}q1 Q0 d1 1 0.5 tag\n")
    with pytest.raises(
        RunFileError, match=r"a\.trec:4: query 'q1' has document 'd1' a second time"
    ):
        RunFiles(path).load("toy", {"q1", "q2"}, 10)


@pytest.mark.parametrize("keep", [5, 20, -9, -1])
def test_a_truncated_gzip_file_is_an_error(keep: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "a.trec.gz", gzip.compress(GOOD.encode())[:keep])
    with pytest.raises(RunFileError, match=r"a\.trec\.gz: damaged gzip"):
        read_run(path)


def test_a_folder_in_place_of_a_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="is a folder, not a file"):
        read_run(tmp_path)


def test_an_empty_file_holds_no_queries(tmp_path: Path) -> None:
    assert read_run(write(tmp_path / "a.trec", "")) == {}


def test_the_dataset_names_the_file(tmp_path: Path) -> None:
    files = RunFiles("runs/{dataset}.trec").relative_to(tmp_path)
    forum = write(tmp_path / "runs/cqadupstack/android.trec", GOOD)
    assert files.path("cqadupstack/android") == forum
    assert files.load("cqadupstack/android", {"q2"}, 10) == {"q2": {"d1": 0.5}}


def test_a_gzipped_file_is_taken_where_the_plain_one_is_absent(tmp_path: Path) -> None:
    files = RunFiles("{dataset}.trec", folder=tmp_path)
    packed = write(tmp_path / "toy.trec.gz", gzip.compress(GOOD.encode()))
    assert files.path("toy") == packed
    assert files.load("toy", {"q1", "q2"}, 10) == RUN
    plain = write(tmp_path / "toy.trec", "")
    assert files.path("toy") == plain


def test_a_relative_path_counts_from_the_working_directory_if_nothing_else_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "toy.trec", GOOD)
    monkeypatch.chdir(tmp_path)
    assert RunFiles("{dataset}.trec").load("toy", {"q2"}, 10) == {"q2": {"d1": 0.5}}


def test_the_first_folder_stays_and_absolute_paths_need_none(tmp_path: Path) -> None:
    files = RunFiles(tmp_path / "{dataset}.trec").relative_to(Path("elsewhere"))
    assert files.relative_to(Path("third")) is files
    path = write(tmp_path / "toy.trec", GOOD)
    assert files.path("toy") == path


def test_a_missing_file_says_where_it_was_looked_for_and_what_is_there(tmp_path: Path) -> None:
    files = RunFiles("runs/{dataset}.trec", folder=tmp_path)
    with pytest.raises(RunFileError, match=r"toy\.trec: no run file for toy.*no such folder"):
        files.path("toy")
    write(tmp_path / "runs/other.trec", GOOD)
    with pytest.raises(RunFileError, match=r"nor toy\.trec\.gz; the folder holds other\.trec"):
        files.path("toy")


def test_an_unknown_placeholder_is_refused_at_once() -> None:
    with pytest.raises(RunFileError, match=r"\{split\} stands for nothing"):
        RunFiles("runs/{dataset}-{split}.trec")


@given(
    st.dictionaries(
        st.text(
            st.characters(exclude_characters="\t\n\r\x0b\x0c", exclude_categories=["Cs"]),
            min_size=1,
            max_size=4,
        ).filter(lambda one: one == one.strip(" ") and "\ufeff" not in one),
        st.dictionaries(
            st.sampled_from(["d1", "d 2", "é", "\u00a0", "#4"]),
            st.floats(allow_nan=False, allow_infinity=False),
            min_size=1,
        ),
        max_size=4,
    )
)
def test_what_is_written_is_read_back_exactly(tmp_path_factory: Any, run: Any) -> None:
    path = tmp_path_factory.mktemp("run") / "a.trec"
    write_run(path, run, "a tag")
    assert read_run(path) == run
    assert list(read_run(path)) == list(run)


def test_written_files_have_six_columns_ranked_from_one(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.trec"
    write_run(path, {"q": {"a": 1.0, "b": 2.0, "c": 1.0}}, "my system")
    assert path.read_text(encoding="utf-8").splitlines() == [
        "q Q0 b 1 2.0 my_system",
        "q Q0 c 2 1.0 my_system",
        "q Q0 a 3 1.0 my_system",
    ]
    assert [one.name for one in path.parent.iterdir()] == ["a.trec"]


def test_a_name_in_gz_is_written_gzipped(tmp_path: Path) -> None:
    write_run(tmp_path / "a.trec.gz", RUN, "tag")
    assert gzip.decompress((tmp_path / "a.trec.gz").read_bytes()).decode() == GOOD


@pytest.mark.parametrize("identifier", ["", " a", "a ", "a\tb", "a\nb", "a\r", "\ud800"])
def test_an_id_that_the_format_cannot_hold_is_refused(identifier: Any, tmp_path: Path) -> None:
    for run in ({identifier: {"d": 1.0}}, {"q": {identifier: 1.0}}):
        with pytest.raises(RunFileError, match="cannot be written to a run file"):
            write_run(tmp_path / "a.trec", run, "tag")
    assert list(tmp_path.iterdir()) == []


def test_a_tag_is_never_empty() -> None:
    assert run_lines("q", {"d": 1.0}, " ") == b"q Q0 d 1 1.0 run\n"


def test_real_runs_are_read(shared_data: Path) -> None:
    runs = shared_data / "runs"
    odd = read_run(runs / "scifact" / "vsm-tfidf-titles.odd-queries-only.trec")
    first_of_zero = read_run(runs / "trec-robust03" / "aplrob03a.trec")
    assert len(first_of_zero) == 100
    assert len(odd) >= 153
    # Its tags hold spaces, which tabs keep apart from the columns before.
    assert set(read_run(runs / "trec_eval-testdata" / "results.trunc")) == {"301", "303"}


@pytest.mark.parametrize("pattern", ["/", "", "."])
def test_a_pattern_that_names_no_file_is_an_error(pattern: str) -> None:
    with pytest.raises(RunFileError, match="names no file: write the path of the run files"):
        RunFiles(pattern).path("toy")


def test_a_packed_file_is_read_in_a_run_whatever_its_name(tmp_path: Path) -> None:
    write(tmp_path / "toy.trec", gzip.compress(GOOD.encode()))
    found = RunFiles(str(tmp_path / "{dataset}.trec")).load("toy", [*RUN], 100)
    assert {query: dict(found[query]) for query in found} == RUN
