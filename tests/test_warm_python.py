"""A copy of a Python is a process as any other to those who start it."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.warm_python import WarmPython

SAID = """
import json, os, sys
print(json.dumps([sys.argv, os.getcwd(), os.environ.get("GIVEN"), sys.stdin.read()]))
print("an error", file=sys.stderr)
sys.exit(3)
"""
NUMBERS = "{str(number) for number in range(50)}"


@pytest.fixture
def warm(warm_python: WarmPython | None) -> WarmPython:
    if warm_python is None:
        pytest.skip("needs Linux")
    return warm_python


def run(warm: WarmPython, source: str, *arguments: str) -> tuple[int, str, str]:
    Path("in").write_text("typed", encoding="utf-8")
    with Path("in").open() as typed, Path("out").open("w") as out, Path("err").open("w") as err:
        files = [each.fileno() for each in (typed, out, err)]
        status = warm.run(source, *arguments, files=files)
    return status, Path("out").read_text(encoding="utf-8"), Path("err").read_text(encoding="utf-8")


def test_it_has_its_own_arguments_folder_environment_and_files(
    warm: WarmPython, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIVEN", "here")
    status, out, errors = run(warm, SAID, "one", "two")
    assert (status, errors) == (3, "an error\n")
    assert json.loads(out) == [["-c", "one", "two"], os.path.realpath(tmp_path), "here", "typed"]


def test_a_failure_and_a_signal_show_in_its_status(
    warm: WarmPython, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, errors = run(warm, "raise ValueError('broken')")
    assert (status, errors.splitlines()[-1]) == (1, "ValueError: broken")
    killed = f"import os; os.kill(os.getpid(), {int(signal.SIGTERM)})"
    assert run(warm, killed)[0] == -signal.SIGTERM


def test_workers_of_one_run_have_sets_of_different_orders(
    warm: WarmPython, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("execnet", reason="workers need pytest-xdist")
    monkeypatch.chdir(tmp_path)
    source = f"""
import execnet
group = execnet.Group(["popen", "popen"])
channels = [each.remote_exec("channel.send(list({NUMBERS}))") for each in group]
orders = [each.receive() for each in channels]
print(sorted(orders[0]) == sorted(orders[1]), orders[0] == orders[1])
group.terminate()
"""
    assert run(warm, source)[:2] == (0, "True False\n")
