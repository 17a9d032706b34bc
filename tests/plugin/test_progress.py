"""The line that says how far a retriever is: right, and never in the way of pytest's own lines."""

from __future__ import annotations

import fcntl
import os
import pty
import shlex
import struct
import subprocess
import sys
import termios
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.plugin.progress import Progress, Screen

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

COLUMNS, ROWS = 80, 60


class FakeCorpus:
    """A corpus of a hundred documents."""

    documents_read = 0

    def __len__(self) -> int:
        return 100


@pytest.fixture
def corpus() -> FakeCorpus:
    return FakeCorpus()


@pytest.fixture
def progress(corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch) -> Progress:
    """Progress on the dataset `docs`, begun at second 100 of the clock."""
    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    part = SimpleNamespace(corpus=corpus)
    dataset: Any = SimpleNamespace(name="docs", parts=[part])
    config: Any = SimpleNamespace(stash={})
    return Progress(config, dataset)


def test_documents_are_counted_while_they_are_read(progress: Progress, corpus: FakeCorpus) -> None:
    progress(0, 300)
    assert progress.line(103.4) == "docs: 300 queries, working for 0:03"
    corpus.documents_read = 25
    assert progress.line(110.0) == "docs: 25 of 100 documents, 2.5/s, 0:30 left"
    corpus.documents_read = 100
    assert progress.line(3823.0) == "docs: 100 documents read, working for 1:02:03"


def test_queries_are_counted_from_the_first_answer_on(
    progress: Progress, corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.documents_read = 100
    progress(0, 3000)
    monkeypatch.setattr("time.monotonic", lambda: 150.0)
    progress(1000, 3000)
    assert progress.line(150.0) == "docs: 1,000 of 3,000 queries, 20/s, 1:40 left"


def test_a_log_gets_plain_lines_that_start_at_the_left() -> None:
    reading, writing = os.pipe()
    screen = Screen(writing, live=False)
    screen.show("docs: 1 of 2 queries")
    screen.clear()
    os.close(writing)
    assert os.read(reading, 1000) == b"\ndocs: 1 of 2 queries\n"
    os.close(reading)


def test_a_reader_that_has_gone_stops_nobody() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    Screen(writing, live=False).show("docs")
    os.close(writing)


@pytest.mark.parametrize(
    ("done", "seconds", "said"),
    [
        (1, 4.0, "1 of 300 queries, 0.2/s, 19:56 left"),  # 299 more at a quarter a second
        (99, 10.0, "99 of 300 queries, 9.9/s, 0:20 left"),
        (100, 10.0, "100 of 300 queries, 10/s, 0:20 left"),
        (299, 10.0, "299 of 300 queries, 30/s, 0:00 left"),
        (300, 10.0, "300 of 300 queries, 30/s"),
        (10, 0.0, "10 of 300 queries, 0.0/s"),  # no time has passed: nothing is foretold
    ],
)
def test_the_rate_is_that_of_the_search_and_foretells_the_rest(
    progress: Progress, done: int, seconds: float, said: str
) -> None:
    progress(done, 300)
    progress._searching_since = 100.0
    assert progress.line(100.0 + seconds) == f"docs: {said}"


def screen_of(monkeypatch: pytest.MonkeyPatch, descriptor: int, **changed: Any) -> Screen | None:
    """What pytest with these options and this terminal would show progress on."""
    stream: Any = SimpleNamespace(fileno=lambda: descriptor)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("TERM", changed.get("term", "xterm"))
    option = SimpleNamespace(
        capture=changed.get("capture", "fd"), verbose=changed.get("verbose", 0)
    )
    config: Any = SimpleNamespace(option=option, add_cleanup=lambda _: None)
    return Screen.of(config)


@pytest.mark.parametrize(
    ("changed", "live"),
    [({}, True), ({"verbose": -1}, True), ({"term": "dumb"}, False), ({"capture": "no"}, False)],
)
def test_a_line_moves_only_where_the_cursor_can_and_nobody_else_writes(
    monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], live: bool
) -> None:
    screen = screen_of(monkeypatch, pty.openpty()[1], **changed)
    assert screen is not None
    assert screen.live is live


def test_a_log_is_written_to_unless_it_is_to_be_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writing = os.pipe()
    screen = screen_of(monkeypatch, writing)
    assert screen is not None
    assert not screen.live
    assert screen_of(monkeypatch, writing, verbose=-1) is None


def test_a_stream_of_somebodys_own_making_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", SimpleNamespace())
    option = SimpleNamespace(capture="fd", verbose=0)
    config: Any = SimpleNamespace(option=option, add_cleanup=lambda _: None)
    assert Screen.of(config) is None


SLOW = """
import time

import pytest


class Slow:
    def index(self, corpus):
        for _ in corpus.items():
            time.sleep(0.03)

    def search(self, queries, top_k):
        time.sleep(0.3)
        return {query: {"d" + query[1:]: 1.0} for query in queries}


@pytest.fixture(scope="session")
def retriever():
    return Slow()
"""


@pytest.mark.parametrize("arguments", [[], ["-v"]], ids=["plain", "verbose"])
def test_on_a_terminal_a_line_moves_below_and_leaves_no_trace(
    project: Project, arguments: list[str]
) -> None:
    pyte = pytest.importorskip("pyte", reason="needs pyte, which draws a terminal")
    project.config("datasets: [{name: alpha, path: data/alpha}]\nquery_batch: 10\n")
    project.conftest(SLOW)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    warm = project.warm_python
    python = [sys.executable] if warm is None else shlex.split(warm.command())
    command = [*python, "-m", "pytest", "-p", "beir", "--beir", "--tb=no", *arguments]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(COLUMNS)}
    with subprocess.Popen(
        command, cwd=project.path, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    ):
        os.close(theirs)
        screen = pyte.Screen(COLUMNS, ROWS)
        stream = pyte.ByteStream(screen)
        seen: set[str] = set()
        while True:
            try:
                written = os.read(ours, 65536)
            except OSError:  # the end of it, on Linux
                break
            if not written:
                break
            stream.feed(written)
            lines = [line.rstrip() for line in screen.display]
            place = next((n for n, line in enumerate(lines) if line.startswith("alpha: ")), None)
            if place is not None:
                seen.add(lines[place])
                assert lines[place - 1].startswith("conftest.py")
    os.close(ours)
    assert any(" of 60 documents, " in line for line in seen)
    assert any(" of 40 queries, " in line for line in seen)
    final = [line.rstrip() for line in screen.display]
    assert not any(line.startswith("alpha: ") for line in final)
    told = "conftest.py::beir[alpha] FAILED" if arguments else "alpha              nDCG@10  1.000"
    assert any(line.startswith(told) for line in final), "\n".join(final)
