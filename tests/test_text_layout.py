"""Lines that fit a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.text_layout import Line, Page, clean, columns, cut, cut_middle, visible


def test_names_are_cut_in_the_middle_because_they_differ_at_their_ends() -> None:
    assert cut_middle("cqadupstack-mathematica", 15) == "cqadups…ematica"
    assert cut_middle("cqadupstack-mathematica", 15, ascii=True) == "cqadups..matica"
    assert cut_middle("scifact", 15) == "scifact"


def test_texts_are_cut_at_their_end() -> None:
    assert cut("what is a bound", 10) == "what is a…"


def test_wide_characters_count_twice_and_combining_ones_not_at_all() -> None:
    assert columns("日本") == 4
    assert columns("e\N{COMBINING ACUTE ACCENT}") == 1


@given(st.text(), st.integers(0, 40), st.booleans())
def test_a_cut_text_never_takes_more_room_than_it_was_given(
    text: str,
    room: int,
    ascii: bool,  # noqa: A002
) -> None:
    assert columns(cut(text, room, ascii=ascii)) <= room
    assert columns(cut_middle(text, room, ascii=ascii)) <= room


@given(st.text())
def test_a_cleaned_text_is_one_line_without_control_characters(text: str) -> None:
    cleaned = clean(text)
    assert len(cleaned.splitlines()) <= 1
    assert "\x1b" not in cleaned


@given(st.text(), st.booleans())
def test_a_paragraph_keeps_to_the_width(text: str, ascii: bool) -> None:  # noqa: A002
    page = Page(width=30, ascii=ascii)
    page.paragraph(text, indent="label  ", hanging="       ")
    assert all(columns(line.text) <= 30 for line in page.lines)
    if ascii:
        assert all(line.text.isascii() for line in page.lines)


def test_a_paragraph_is_broken_at_spaces_but_not_at_no_break_spaces() -> None:
    page = Page(width=12)
    page.paragraph("aaaa bbbb p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}.05", hanging="  ")
    assert page.lines == [Line("aaaa bbbb"), Line("  p = .05")]


def test_signs_are_spelled_in_ascii_before_anything_is_measured() -> None:
    page = Page(width=20, ascii=True)
    page.add("α ≥ Δ −.041 → é")
    assert page.lines == [Line("alpha >= delta -.0..")]


def test_blank_lines_never_follow_each_other() -> None:
    page = Page()
    page.blank()
    page.add("one")
    page.blank()
    page.blank()
    assert [line.text for line in page.lines] == ["one", ""]


def test_what_a_terminal_obeys_is_written_out_in_plain_ascii_too() -> None:
    assert visible("a\x1b[31m\x07\tb\n") == "a\\u001b[31m\\u0007\tb\n"
    assert visible("caf\u00e9\u202e") == "caf\u00e9\\u202e"
