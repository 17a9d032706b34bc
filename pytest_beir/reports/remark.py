"""A labelled sentence of a report, and where its reader finds more: that depends on the front door.

A sentence with a `hint` is true by itself. Whoever shows it adds what holds where it is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.text_layout import Style

Hint: TypeAlias = Literal["failed", "passed", "error", "raised", "data", "to judge", "one search"]
Hints: TypeAlias = "Mapping[Hint, str]"
"""What is added to a sentence with that hint; nothing where there is nothing to add."""


class Remark(NamedTuple):
    """One sentence, what it is about, how it is to be shown, and what kind of hint goes with it."""

    label: str
    text: str
    style: Style
    hint: Hint | None = None

    def told(self, hints: Hints) -> str:
        """The sentence with the hint of whoever shows it."""
        return self.text + (hints.get(self.hint, "") if self.hint else "")


_ONE_SEARCH = "; only single datasets are searched again"
_LISTED = " (to-judge/ of the report lists them)"

TEST_RUN: Hints = {
    "failed": ", in the section of the failed test",
    "passed": ": -v or -rP shows them",
    "error": " and run again",
    "raised": " and run again; the section of the failed test has the traceback",
    "data": ": -v shows them",
    "to judge": " (--beir-report=DIR lists them in DIR/to-judge)",
    "one search": _ONE_SEARCH,
}
REPORTED_RUN: Hints = {**TEST_RUN, "to judge": _LISTED}
COMPARE: Hints = {
    "failed": ", listed above",
    "passed": ": --worst=20 lists them",
    "error": " and compare again",
    "raised": " and compare again",
}
MERGE: Hints = {
    "failed": ": beir.md of the report lists them",
    "passed": ": beir.md of the report lists them",
    "error": " and run its shard again",
    "raised": " and run its shard again, whose log has the traceback",
    "to judge": _LISTED,
    "one search": _ONE_SEARCH,
}
MARKDOWN: Hints = {
    "failed": ", folded below",
    "passed": ", folded below",
    "data": ", with the other details below",
}
"""In the place of a front door's own, where a comment or a page has the same in itself."""
PAGE: Hints = {
    "failed": ": they are below, each to be folded out",
    "passed": ": they are below, each to be folded out",
    "data": ", with the other details below",
}
