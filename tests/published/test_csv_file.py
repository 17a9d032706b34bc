"""A CSV file of scores is read strictly, and what is wrong is named by its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import ScoresFileError
from pytest_beir.published.csv_file import TableShape, read_csv

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEADER = "model,dataset,split,metric,value\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "scores.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_columns_may_stand_in_any_order_and_others_are_ignored(write: Callable[..., Path]) -> None:
    path = write("value,note,Dataset,model,metric,split\n0.5,x,SciFact,m,ndcg_at_10,test\n")
    (score,) = read_csv(path).scores
    assert score == ("m", "scifact", "test", "nDCG@10", 0.5, f"{path}:2", "")


def test_a_model_without_a_revision_column_is_its_name_alone(write: Callable[..., Path]) -> None:
    path = write(HEADER + "org/m@abc,scifact,test,nDCG@10,0.5\norg/m,scifact,test,nDCG@10,0.6\n")
    assert [score.model for score in read_csv(path).scores] == ["org/m@abc", "org/m"]


def test_a_revision_column_tells_two_revisions_apart(write: Callable[..., Path]) -> None:
    path = write(
        "model,revision,dataset,split,metric,value\nm,1,nq,test,nDCG@10,0.5\n"
        "m,2,nq,test,nDCG@10,0.6\nm,,nq,test,nDCG@10,0.7\n"
    )
    assert [score.model for score in read_csv(path).scores] == ["m@1", "m@2", "m"]


def test_a_byte_order_mark_crlf_quotes_and_blank_lines_change_nothing(
    write: Callable[..., Path],
) -> None:
    text = '\ufeffmodel,dataset,split,metric,value\r\n\r\n"a, b",nq,test,nDCG@10,1\r\n'
    path = write(text)
    (score,) = read_csv(path).scores
    assert (score.model, score.value, score.place) == ("a, b", 1.0, f"{path}:3")


@pytest.mark.parametrize(
    ("written", "metric"),
    [
        ("NDCG@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("recall_at_100", "R@100"),
        ("nDCG@10(Binary)", "nDCG@10(binary)"),
        ("MRR@10", "RR@10"),
        ("map", "AP"),
        ("accuracy", "accuracy"),
    ],
)
def test_a_metric_in_another_spelling_is_the_same_metric(
    write: Callable[..., Path], written: str, metric: str
) -> None:
    assert read_csv(write(f"{HEADER}m,nq,test,{written},0.5\n")).scores[0].metric == metric


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("m,nq,test,nDCG@10,nan", "nan is not between 0 and 1; leave the row out"),
        ("m,nq,test,nDCG@10,inf", "inf is not between 0 and 1"),
        ("m,nq,test,nDCG@10,-0.1", "-0.1 is not between 0 and 1"),
        ("m,nq,test,nDCG@10,61.5", "61.5 lies above 1 and looks like a percentage; write 0.615"),
        ("m,nq,test,nDCG@10,n/a", "'n/a' is not a number; leave the row out"),
        ("m,nq,test,nDCG@10,", "no value; fill it in, or leave the row out"),
        ("m,nq,,nDCG@10,0.5", "no split"),
        (",,test,nDCG@10,0.5", "no model and no dataset"),
        ("m,nq,test,nDCG@10", "4 cells where the header has 5"),
        ("m,nq,test,nDCG@10,0,5", "6 cells where the header has 5"),
    ],
)
def test_a_bad_row_is_refused_with_its_line(
    write: Callable[..., Path], row: str, text: str
) -> None:
    path = write(f"{HEADER}m,scifact,test,nDCG@10,0.5\n{row}\n")
    with pytest.raises(ScoresFileError) as caught:
        read_csv(path)
    assert str(caught.value).startswith(f"{path}:3: {text}")


def test_the_first_ten_problems_are_listed_and_the_rest_counted(write: Callable[..., Path]) -> None:
    path = write(HEADER + "m,nq,test,nDCG@10,50\n" * 13)
    with pytest.raises(ScoresFileError) as caught:
        read_csv(path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 11
    assert lines[-1] == "and 3 more"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model,dataset,metric,value\n", "no column 'split'; two splits of a dataset are two"),
        ("model,dataset,split,value\n", "no column 'metric'; two metrics cannot be averaged"),
        ("", "it is: empty"),
        ("model.dataset.split.metric.value\n", "separated by commas"),
        ("model,scifact,nq\nm,0.5,0.4\n", "read it as a wide table with --wide"),
        ("model,model,dataset,split,metric,value\n", "the column 'model' is there twice"),
        (HEADER, "holds no score below its header"),
        (HEADER + 'm,"nq,test,nDCG@10,0.5\n', "is not CSV"),
    ],
)
def test_a_file_that_is_no_table_of_scores_is_refused(
    write: Callable[..., Path], text: str, message: str
) -> None:
    with pytest.raises(ScoresFileError, match=r"scores\.csv") as caught:
        read_csv(write(text))
    assert message in str(caught.value)


def test_a_file_that_is_not_utf_8_is_refused(write: Callable[..., Path]) -> None:
    with pytest.raises(ScoresFileError, match="is not UTF-8"):
        read_csv(write(HEADER + "modèle,nq,test,nDCG@10,0.5\n", "latin-1"))


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_any_common_delimiter_is_read(write: Callable[..., Path], sign: str) -> None:
    text = (HEADER + "m,nq,test,nDCG@10,0.5\n").replace(",", sign)
    assert read_csv(write(text)).scores[0].value == 0.5


def test_a_wide_table_has_a_column_for_each_dataset(write: Callable[..., Path]) -> None:
    path = write(
        "Model,Rank,SciFact,MSMARCO,docs@dev,Average\n"
        "[org/m](https://example.org/m),1,64.51,-,56.1%,60.3\n"
    )
    reading = read_csv(path, TableShape(wide=True, percent=True))
    assert [score[:5] for score in reading.scores] == [
        ("org/m", "scifact", "test", "nDCG@10", 0.6451),
        ("org/m", "docs", "dev", "nDCG@10", 0.561),
    ]
    assert reading.notes == (
        "scores.csv: columns that are not known datasets are not used: Rank, Average",
    )


def test_a_wide_table_of_unknown_columns_is_refused(write: Callable[..., Path]) -> None:
    with pytest.raises(ScoresFileError, match="no column is named for a known dataset"):
        read_csv(write("model,docs\nm,0.5\n"), TableShape(wide=True))


def test_percentages_are_refused_with_the_option_that_takes_them(
    write: Callable[..., Path],
) -> None:
    path = write(HEADER + "m,nq,test,nDCG@10,52.1\n")
    with pytest.raises(ScoresFileError, match=r"looks like a percentage.*add --percent"):
        read_csv(path)
    assert read_csv(path, TableShape(percent=True)).scores[0].value == 0.521


def test_a_long_text_in_place_of_a_score_is_cut(write: Callable[..., Path]) -> None:
    path = write(HEADER + f"m,scifact,test,nDCG@10,{'x' * 60}\n")
    with pytest.raises(ScoresFileError, match=f"'{'x' * 50}' is not a number"):
        read_csv(path)
