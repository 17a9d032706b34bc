"""What comes back from a worker."""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from pytest_beir.distributed.pickled import pickled
from pytest_beir.distributed.task import Done, Failed, differences, perform, versions
from pytest_beir.errors import AnswerError

if TYPE_CHECKING:
    from pathlib import Path


def fail() -> None:
    logging.getLogger("mine").warning("the disk is nearly full")
    raise KeyError("where")


def test_a_worker_with_other_versions_refuses_to_compute() -> None:
    expected = {**versions(["pytest"]), "pytest": "0.1"}
    found = perform(expected, "made", list)
    assert isinstance(found, Failed)
    assert "pytest " in found.message
    assert "instead of 0.1" in found.message


def test_a_library_that_is_missing_everywhere_is_no_difference() -> None:
    assert differences(versions(["a-library-of-nobody"])) == ""


def test_a_failure_comes_with_the_traceback_and_the_log() -> None:
    found = perform(versions([]), "made, shard 1 of 2", fail)
    assert isinstance(found, Failed)
    assert found.message == "made, shard 1 of 2: KeyError: 'where'"
    assert "in fail" in found.details
    assert "WARNING mine: the disk is nearly full" in found.details


def test_our_own_errors_keep_their_class() -> None:
    def answer() -> None:
        raise AnswerError("made: query 'q': the score is nan")

    found = perform(versions([]), "made", answer)
    assert isinstance(found, Failed)
    assert (found.kind, found.message) == (AnswerError, "made: query 'q': the score is nan")


def test_a_result_comes_as_it_is() -> None:
    assert perform(versions([]), "made", sum, [1, 2]) == Done(3, "this process")


def test_what_a_worker_can_import_is_sent_by_name_and_the_rest_with_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cloudpickle")
    text = "class Found:\n    marker = 'in the code'\n"
    for name in ("importable_module", "test_module", "elsewhere_module"):
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    by_name = import_module("importable_module").Found
    from_test = import_module("test_module").Found
    from_elsewhere = import_module("elsewhere_module").Found
    marker = b"in the code"
    assert marker not in pickled(by_name)
    assert marker in pickled(from_test)
    assert marker not in pickled(len)  # of a module without a file
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != str(tmp_path)])
    assert marker in pickled(from_elsewhere)
    for name in ("importable_module", "test_module", "elsewhere_module"):
        monkeypatch.delitem(sys.modules, name)
