"""Words of a text: their number, which carry content, which look like codes, whether it asks."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[^\W_]+(?:[-./_#+'\u2019][^\W_]+)*")
_LONG_NUMBER = 5  # digits; shorter bare numbers are years, counts and prices
_CAPITALS = re.compile(r"[A-Z]")

_STOP_WORDS_TEXT = """
a about above after again against all also am an and any are as at be because been before being
below between both but by can could did do does doing don't down during each else ever few for
from further get had has have having he her here hers him his how i if in into is it its itself
just like made make many may me might more most much must my no nor not of off on once one only or
other our out over own per same shall she should so some such than that the their them then there
these they this those through to too under until up upon us use used using very via was we were
what when where whether which while who whom whose why will with within without would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
_ASKING_TEXT = """
what when where which who whom whose why how is are was were do does did can could should would
will has have had may might must am
"""
_ASKING = frozenset(_ASKING_TEXT.split())


def words(text: str) -> list[str]:
    """What stands between blanks, as dataset papers count words."""
    return text.split()


def tokens(text: str) -> list[str]:
    """Words and codes as written, without the marks around them (`E-17`, `don't`)."""
    return _TOKEN.findall(text)


def content_words(text: str) -> list[str]:
    """The words that carry content, in lower case and without a plural's ending."""
    lowered = (token.lower() for token in tokens(text))
    return [_singular(token) for token in lowered if token not in STOP_WORDS and len(token) > 1]


def code_share(text: str) -> float | None:
    """The share of content words that look like codes, acronyms or part numbers.

    Such a word joins digits and letters or digits and marks (`E17`, `3.2.1`), is a number of five
    digits or more, or has a capital after its first letter (`mRNA`, `ACME`), unless the whole text
    stands in capitals. None for a text without content words.
    """
    found = [token for token in tokens(text) if token.lower() not in STOP_WORDS]
    if not found:
        return None
    in_capitals = text.upper() == text
    return sum(_is_code(token, in_capitals=in_capitals) for token in found) / len(found)


def asks(text: str) -> bool:
    """Tell whether the text is a question by its mark or its first word."""
    first = next(iter(tokens(text)), "").lower()
    return text.rstrip().endswith("?") or first.partition("'")[0].partition("\u2019")[0] in _ASKING


def _is_code(token: str, *, in_capitals: bool) -> bool:
    if not token.isalpha() and any(map(str.isdigit, token)):
        return not token.isdigit() or len(token) >= _LONG_NUMBER
    return not in_capitals and _CAPITALS.search(token, 1) is not None


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):  # noqa: PLR2004
        return word[:-1]
    return word
