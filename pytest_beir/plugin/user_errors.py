"""What the user's code raised: an error of its dataset, in one line, and where in that code."""

from __future__ import annotations

import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import BeirError, RetrieverError, RunFileError
from pytest_beir.retrieval.user_code import described, printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

_OWN = Path(__file__).resolve().parents[1]
# What pytest itself is told by an exception: to skip, to fail at that place, to stop.
_OUTCOMES = (pytest.skip.Exception, pytest.fail.Exception, pytest.xfail.Exception)


@contextmanager
def guarded(dataset: str) -> Iterator[None]:
    """A block in which what the user's code raises beside exceptions is an error of the dataset.

    Raises:
        RetrieverError: It raised `SystemExit` or the like.

    """
    try:
        yield
    except (Exception, KeyboardInterrupt, *_OUTCOMES):
        raise
    except BaseException as error:  # SystemExit and the like
        raise RetrieverError(f"{dataset}: the retriever raised {described(error)}") from error


def single_line(error: BaseException) -> str:
    """The error's text as one line that a terminal can show."""
    return printable(str(error))


def has_raised(error: BeirError) -> bool:
    """Whether the user's code raised: not so of run files, which are read and written by us."""
    return error.__cause__ is not None and not isinstance(error, RunFileError)


def user_traceback(error: BeirError) -> str:
    """The traceback of the user's own exception, where there is one, from the user's code on."""
    cause = error.__cause__
    if cause is None or not has_raised(error):
        return str(error) if "\n" in str(error) else ""  # the test's own line says it
    place = cause.__traceback__
    while place is not None and place.tb_next and _OWN in Path(_file(place)).parents:
        place = place.tb_next
    text = "".join(traceback.format_exception(type(cause), cause, place)).rstrip()
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _file(place: TracebackType) -> str:
    return place.tb_frame.f_code.co_filename
