"""Long documents cut into passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.passages import cut


def test_passages_end_at_sentences_and_keep_their_documents_title() -> None:
    text = "One two three. Four five.\n\nSix seven eight nine. Ten."
    passages, of = cut({"a.md": ("Title", text), "b": ("", "short")}, 5)
    assert passages == {
        "a.md#1": ("Title", "One two three. Four five."),
        "a.md#2": ("Title", "Six seven eight nine. Ten."),
        "b": ("", "short"),
    }
    assert of == {"a.md": ("a.md#1", "a.md#2"), "b": ("b",)}


@given(st.text(st.sampled_from("ab .!\n"), max_size=200), st.integers(1, 7))
def test_passages_hold_every_word_once_and_fit(text: str, most: int) -> None:
    passages, of = cut({"d": ("", text)}, most)
    words = [word for one in of["d"] for word in passages[one][1].split()]
    assert words == text.split()
    assert all(len(passages[one][1].split()) <= most for one in of["d"])


def test_an_id_that_would_not_fold_back_is_refused() -> None:
    with pytest.raises(DatasetError, match="'a#1' holds '#'"):
        cut({"a#1": ("", "x")}, 5)
