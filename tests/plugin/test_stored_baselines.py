"""Which process of a run reads the stored baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.plugin.conftest import RETRIEVER

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

OPENED = """
import os, pathlib, sys

PROCESS = os.environ.get("PYTEST_XDIST_WORKER", "watching")

def note(event, arguments):
    if event == "open" and "baselines" in pathlib.Path(str(arguments[0])).parts:
        name = pathlib.Path(str(arguments[0])).name
        log = os.open(HERE / f"{PROCESS}.opened", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(log, f"{name}\\n".encode())
        os.close(log)

sys.addaudithook(note)
"""


def test_a_baseline_that_a_worker_sent_is_not_read_again(spread: Project) -> None:
    spread.store()
    stored = {name.rpartition("/")[2] for name in spread.baselines()}
    spread.conftest(RETRIEVER + OPENED)
    assert spread.run("--beir-report=report").ret == 0
    opened = {path.stem: path.read_text().split() for path in sorted(spread.path.glob("*.opened"))}
    by_workers = sorted(
        name for process in opened if process != "watching" for name in opened[process]
    )
    assert set(by_workers) >= stored  # the audit sees what is read
    assert opened.get("watching", []) == []
