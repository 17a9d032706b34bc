"""TREC's qrels and topics, and what Quepid exports in that form."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import DatasetError

TOPICS = """
<top>
<num> Number: 301
<title> International
 Organized Crime
<desc> Description:
Identify organizations.
</top>
<top><num>302</num><title>Poliomyelitis</title></top>
"""


def test_qrels_take_the_titles_of_topics(read: Any, rows: Any, tmp_path: Any) -> None:
    topics = tmp_path / "topics.301-302"
    topics.write_text(TOPICS, encoding="utf-8")
    judgements = read(
        "qrels.txt", "301 0 FBIS-1 1\n301 0 FBIS-2 0\n302\t0\tLA-1\t2\n", queries=topics
    )
    assert rows(judgements) == [
        ("International Organized Crime", "FBIS-1", 1),
        ("International Organized Crime", "FBIS-2", 0),
        ("Poliomyelitis", "LA-1", 2),
    ]
    assert judgements.form == "qrels of TREC"


def test_a_query_without_a_text_is_named(read: Any, tmp_path: Any) -> None:
    topics = tmp_path / "topics.tsv"
    topics.write_text("1\tlamp\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"qrels\.txt:2: the query id '2' is not among the 1"):
        read("qrels.txt", "1 0 a 1\n2 0 a 1\n", queries=topics)
