"""The command's front door: one line for what goes wrong, whatever the console is."""

from __future__ import annotations

import errno
import io
import sys

import pytest

from pytest_beir.cli import main, parser


class Broken(io.StringIO):
    """A standard output that takes nothing."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def write(self, _text: str) -> int:
        raise OSError(self.number, "refused")

    def fileno(self) -> int:
        raise OSError(self.number, "refused")


def test_an_error_ends_with_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["datasets", "no-such-dataset"]) != 0
    assert capsys.readouterr().err.endswith("[BEIR201]\n")
    assert main(["check", "~nosuch-user/x"]) == 4
    assert "no user is called 'nosuch-user'" in capsys.readouterr().err


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EPIPE])
@pytest.mark.parametrize("words", [["datasets"], ["power"], ["datasets", "--json"]])
def test_a_full_or_closed_standard_output_is_one_line(
    number: int,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdout", Broken(number))
    assert main(words) == 1
    message = "pytest-beir: error: standard output cannot be written (refused)\n"
    assert capsys.readouterr().err == message


def test_without_a_standard_output_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["datasets"]) == 1
    assert "standard output is closed" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize(
    "words", [["datasets"], ["datasets", "msmarco"], ["power"], ["reference", "scifact"]]
)
def test_no_console_is_too_poor_for_a_command(
    encoding: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    assert main(words) == 0
    assert len(raw.getvalue().decode(encoding)) > 100


def test_what_a_file_is_called_does_not_steer_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", "x\x1b[2Jy", "b", "--dataset=docs"]) == 4
    shown = capsys.readouterr().err
    assert "\x1b" not in shown
    assert r"x\u001b[2Jy" in shown


def test_the_help_is_the_same_whether_or_not_the_commands_are_loaded() -> None:
    assert parser([]).format_help() == parser().format_help()


def test_without_a_command_the_usage_is_told_and_nothing_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 4
    assert "the following arguments are required: COMMAND" in capsys.readouterr().err
