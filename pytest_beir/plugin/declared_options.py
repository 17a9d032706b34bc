"""The command line options, declared: names and help texts, nothing computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def declare(parser: pytest.Parser) -> None:
    """Add every `--beir…` option to pytest's parser."""
    group = parser.getgroup("beir", "regression tests for retrievers (BEIR)")
    add = group.addoption
    add("--beir", action="store_true", help="collect the suite: one test per dataset")
    add(
        "--beir-datasets",
        metavar="A,B,SET",
        action="append",
        help="the declared suite: names, named sets, suites of beir.yaml, NAME=FOLDER or folders",
    )
    add(
        "--beir-only",
        metavar="A,B",
        action="append",
        help="run these of the declared suite; its family, α and average stay the suite's",
    )
    add("--beir-config", metavar="FILE", help="default: beir.yaml of the project folder")
    add("--beir-cache", metavar="DIR", help="where downloads and side files live")
    add("--beir-offline", action="store_true", help="never connect")
    add("--beir-baselines", metavar="DIR", help="default: baselines/ of the project folder")
    add(
        "--beir-baselines-from",
        metavar="REV",
        help="gate on the baselines of a git revision, so that no change moves its own bar",
    )
    add("--beir-update", action="store_true", help="write baselines that are new or improved")
    add(
        "--beir-accept",
        metavar="KINDS",
        help="write these as well: neutral,dropped,incomparable,slower (needs --beir-reason)",
    )
    add("--beir-reason", metavar="TEXT", help="why it is accepted; kept in the baseline")
    add("--beir-update-on-ci", action="store_true", help="allow writing baselines where CI is set")
    add("--beir-prune", action="store_true", help="delete baselines that no suite names")
    add("--beir-runs", metavar="DIR", help="save every ranking as a TREC run file")
    add("--beir-resume", action="store_true", help="with --beir-runs: go on from saved rankings")
    add(
        "--beir-report",
        metavar="DIR",
        help="write beir.json, beir.md, scores/ and, with the extra report, beir.html",
    )
    add(
        "--beir-strict",
        metavar="FLAGS",
        nargs="?",
        const="default",
        help="flags that fail; without a value the default list",
    )
    add(
        "--beir-conformance",
        action="store_true",
        help="also collect the behaviour tests of the retriever",
    )
    add(
        "--beir-latency",
        action="store_true",
        help="also collect the latency tests (pytest-benchmark)",
    )
    add("--beir-repeat", metavar="K", help="index and retrieve K times, and estimate noise")
    add(
        "--beir-scheduler",
        metavar="ADDRESS",
        help="retrieve on the workers of a Dask scheduler: tcp://HOST:PORT, a file, or local:N",
    )
