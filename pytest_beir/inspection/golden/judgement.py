"""One judgement of a user's file: a query, a document or a text, and a rating."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from pytest_beir.errors import DatasetError

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}([.,]0*)?")
_NUMBER = re.compile(r"[+-]?([0-9]{1,9}[.,]?[0-9]{0,20}|[.,][0-9]{1,20})([eE][+-]?[0-9]{1,2})?")


@dataclass(frozen=True)
class Judgement:
    """One row: `rating` is None where nobody rated, `document` "" where a query stands alone.

    `reference` is a text that a relevant document holds, where the file gives no id. `place` is
    `file:line`, or file and item where JSON nests ratings.
    """

    place: str
    query: str
    document: str
    rating: Fraction | int | None
    group: str | None = None
    query_id: str | None = None
    reference: str | None = None


def text_of(place: str, name: str, value: object) -> str:
    """A query, an id or a group as text without outer blanks; "" for none.

    Raises:
        DatasetError: It is not text, or no file of judgements could hold it.

    """
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise DatasetError(f'{place}: "{name}" is {kind_of(value)}; it has to be text')
    text = str(value).strip()
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DatasetError(f"{place}: {name} {text!r} holds half of a surrogate pair") from error
    if name not in ("query", "reference text") and any(sign in text for sign in "\t\n\r\0"):
        raise DatasetError(
            f"{place}: {name} {text!r} holds a tab or a line end, which no qrels can hold"
        )
    return text


def kind_of(value: object) -> str:
    """What a value is, in few words however much it holds."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    return f"{value!r:.60}"


def rating_of(place: str, document: str, value: object) -> Fraction | int | None:
    """A rating as an exact number, None where nobody rated.

    Raises:
        DatasetError: It is not a number.

    """
    written = "" if value is None else str(value).strip()
    if not written:
        return None
    if isinstance(value, (str, int)) and not isinstance(value, bool) and _WHOLE.fullmatch(written):
        return int(re.split(r"[.,]", written)[0])
    if not isinstance(value, bool) and _NUMBER.fullmatch(written):
        number = Fraction(written.replace(",", "."))
        return int(number) if number.denominator == 1 else number
    raise DatasetError(
        f"{place}: the rating {written!r} of {document!r} is not a number; ratings are whole"
        " numbers, and blank where there is no rating"
    )


@dataclass(frozen=True)
class Scale:
    """A linear map of ratings, `0..1=0..3`, whose result is rounded to whole numbers."""

    low: Fraction
    high: Fraction
    to_low: int
    to_high: int

    def grade(self, place: str, rating: Fraction | int) -> int:
        """The rating's grade; a half is rounded up.

        Raises:
            DatasetError: The rating lies outside the scale.

        """
        if not self.low <= rating <= self.high:
            raise DatasetError(
                f"{place}: the rating {float(rating):g} lies outside --scale"
                f" {float(self.low):g}..{float(self.high):g}"
            )
        share = (Fraction(rating) - self.low) / (self.high - self.low)
        return int((self.to_low + share * (self.to_high - self.to_low) + Fraction(1, 2)) // 1)


def parse_scale(written: str) -> Scale:
    """The scale that `0..1=0..3` describes.

    Raises:
        ValueError: It is not of that form, or has no width.

    """
    match = re.fullmatch(
        r"(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)=(-?\d+)\.\.(-?\d+)", written.strip()
    )
    if match is None:
        raise ValueError(f"{written!r}: write a scale as 0..1=0..3, from..to=from..to")
    low, high, to_low, to_high = match.groups()
    scale = Scale(Fraction(low), Fraction(high), int(to_low), int(to_high))
    if scale.low >= scale.high or scale.to_low >= scale.to_high:
        raise ValueError(f"{written!r}: both ranges go from a smaller to a larger number")
    return scale


def not_whole(rows: list[Judgement]) -> DatasetError | None:
    """The error of the first fraction among some ratings, with a scale that mends all of them."""
    fractions = [row for row in rows if isinstance(row.rating, Fraction)]
    if not fractions:
        return None
    ratings = [Fraction(row.rating) for row in rows if row.rating is not None]
    low, high = min(*ratings, Fraction(0)), max(ratings)
    if low >= 0 and high <= 1:
        advice = "--scale 0..1=0..3 (0.4 becomes 1, 0.9 becomes 3)"
    else:
        top = int(-(-high // 1))
        factor = 2 if all((2 * rating).denominator == 1 for rating in ratings) else 1
        how = "doubles them" if factor == 2 else "rounds them"  # noqa: PLR2004
        bottom = int(low // 1)
        advice = f"--scale {bottom}..{top}={factor * bottom}..{factor * top} ({how})"
    first = fractions[0]
    of = first.document or first.query
    return DatasetError(
        f"{first.place}: the rating {float(first.rating or 0):g} of {of!r} is not a whole number;"
        f" {advice} makes grades of all ratings"
    )
