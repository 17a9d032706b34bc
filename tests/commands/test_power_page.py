"""The page on power, followed as it stands."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest

from pytest_beir.commands import power

TEXT = (Path(__file__).resolve().parents[2] / "docs/power.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```console\n\$ (.*?)\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_the_output_is_that_of_the_page(
    command: str,
    output: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "beir.yaml").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    program, *words = shlex.split(command)
    assert program == "pytest-beir"
    parser = argparse.ArgumentParser()
    power.register(parser.add_subparsers())
    given = parser.parse_args(words)
    assert given.run(given) == 0
    printed = capsys.readouterr().out
    assert [line.rstrip() for line in printed.splitlines()] == output.splitlines()


def test_the_page_has_an_example() -> None:
    assert COMMANDS
