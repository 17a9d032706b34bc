"""What texts are about."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path

import pytest
import yaml

import pytest_beir.inspection.domains as module
from pytest_beir.inspection.domains import domain_distance, estimate_subject
from pytest_beir.inspection.wording import about
from pytest_beir.inspection.words import content_words


def _lists() -> dict[str, str]:
    file = Path(module.__file__).with_name("domains.yaml")
    lists: dict[str, str] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return lists


def test_a_word_stands_under_one_domain_only_and_counts_as_content() -> None:
    written = [word for text in _lists().values() for word in text.split()]
    read = Counter(word for text in _lists().values() for word in content_words(text))
    assert [word for word, count in read.items() if count > 1] == []
    assert len(read) == len(written)


def test_every_domain_can_be_said_in_words() -> None:
    assert all(about({domain: 1.0}) != "mixed subjects" for domain in _lists())


def test_shares_count_a_word_once_a_text() -> None:
    texts = ["tumour tumour in a patient", "the server", "nothing of the kind"] * 10
    subject = estimate_subject(texts, [])
    assert subject.shares == {
        "medicine": pytest.approx(2 / 3),
        "computing": pytest.approx(1 / 3),
    }
    assert (subject.in_queries, subject.queries) == (20, 30)
    assert subject.words == ("patient", "server", "tumour")


def test_few_queries_lean_on_the_documents() -> None:
    blended = estimate_subject(["server"] * 50, ["patient"])
    assert blended.shares == {"computing": pytest.approx(0.5), "medicine": pytest.approx(0.5)}
    assert estimate_subject([], ["patient"] * 20).shares == {"medicine": 1.0}
    assert estimate_subject(["patient"] * 20, []).shares == {"medicine": 1.0}


def test_a_handful_of_words_does_not_tell_a_subject() -> None:
    subject = estimate_subject(["patient"] * 10, ["patient"] * 9)
    assert subject.shares == {}
    assert (subject.in_queries, subject.in_documents) == (10, 9)


def test_the_distance_is_a_mean_over_domains_and_families() -> None:
    medicine, computing, engineering = {"medicine": 1.0}, {"computing": 1.0}, {"engineering": 1.0}
    assert domain_distance(medicine, medicine) == 0
    assert domain_distance(medicine, computing) == 1
    assert domain_distance(engineering, computing) == pytest.approx(0.5)  # one family
    half = {"medicine": 0.5, "computing": 0.5}
    assert domain_distance(medicine, half) == pytest.approx(sqrt(1 - sqrt(0.5)))
    assert domain_distance({}, medicine) is None
