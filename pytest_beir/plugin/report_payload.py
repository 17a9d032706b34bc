"""What a test leaves on its report: the payload, the block of details, the numbers for JUnit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import BeirError, RetrieverError
from pytest_beir.evaluation.result import failed
from pytest_beir.plugin import results, retriever_identity, state, suite_collector
from pytest_beir.plugin.payload import encode, plain, put
from pytest_beir.reports.wording import is_worth_reading, one_line
from pytest_beir.retrieval.user_code import described, printable

if TYPE_CHECKING:
    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.plugin.options import Options
    from pytest_beir.plugin.retriever_identity import RetrieverIdentity

_SKIPS = (pytest.skip.Exception, pytest.xfail.Exception)
_OWN = Path(__file__).resolve().parents[1]
_WHOLE = ("long", "native")  # values of --tb that ask for pytest's traceback


def attach(
    item: pytest.Item,
    call: pytest.CallInfo[None],
    report: pytest.TestReport,
    options: Options,
) -> None:
    """Put the test's result on its report, errors in setup included."""
    if report.when == "teardown" or (report.when == "setup" and report.passed):
        return
    if suite_collector.dataset_of(item) not in options.names:
        return
    found = item.stash.get(state.EVALUATION, None)
    if found is None and report.when == "setup" and _is_error(call, report):
        found = _crashed(item, call, options)
        state.remember(item, found)
    is_sent = hasattr(item.config, "workerinput")
    whose = _retriever(item, options)
    if found is None or _is_expected(item, report):
        absence = _absence(item, call, report, xfailed=found is not None)
        put(report, plain({"absent": absence, **whose}, "the result"), is_sent=is_sent)
        return
    encoded = item.stash.get(state.ENCODED, None) or encode(found)
    compared = _baseline(item, found) if is_sent else {}
    put(report, {"evaluation": encoded, **plain(whose, "the result"), **compared}, is_sent=is_sent)
    item.user_properties.extend(_properties(found))  # JUnit reads them off the teardown's report
    block = item.stash.get(state.BLOCK, None)
    if block and (report.failed or is_worth_reading(found)):
        report.sections.append(("beir", block))


def shorten(item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport) -> None:
    """Show an error of ours, raised in a user's fixture, by its text: it names what mends it."""
    error = call.excinfo.value if call.excinfo is not None else None
    if not (report.when == "setup" and report.failed and isinstance(error, BeirError)):
        return
    is_of_user = isinstance(error, RetrieverError) and error.__cause__ is not None
    option = item.config.option
    if is_of_user or option.fulltrace or option.tbstyle in _WHOLE:
        return
    place = _called_from(error.__traceback__)
    if place is not None:
        code = place.tb_frame.f_code
        root, file = item.config.rootpath, Path(code.co_filename)
        file = file.relative_to(root) if file.is_relative_to(root) else file
        text = f"{error.with_code}\n  raised in {code.co_name}, {file}:{place.tb_lineno}"
        shown = pytest.fail.Exception(text, pytrace=False).with_traceback(place)
        report.longrepr = item.repr_failure(pytest.ExceptionInfo.from_exception(shown))


def _called_from(entry: TracebackType | None) -> TracebackType | None:
    """The innermost entry that is no code of this project, alone."""
    place = None
    while entry is not None:
        if _OWN not in Path(entry.tb_frame.f_code.co_filename).parents:
            place = TracebackType(None, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
        entry = entry.tb_next
    return place


def _baseline(item: pytest.Item, found: Evaluation) -> dict[str, Baseline | None]:
    """What a worker compared with: whoever watches needs it too, and need not read it again."""
    known = item.config.stash.get(state.BASELINES, {})
    key = (found.retriever, found.dataset)
    return {"baseline": known.pop(key)} if key in known else {}


def _is_error(call: pytest.CallInfo[None], report: pytest.TestReport) -> bool:
    """Whether the setup failed, whatever a hook made of its report; a skip is none."""
    is_skip = call.excinfo is not None and isinstance(call.excinfo.value, _SKIPS)
    return report.failed or (call.excinfo is not None and not is_skip)


def _is_expected(item: pytest.Item, report: pytest.TestReport) -> bool:
    """Whether the user marked the test `xfail`; a hook that calls a failure one is no mark."""
    return hasattr(report, "wasxfail") and item.get_closest_marker("xfail") is not None


def _crashed(item: pytest.Item, call: pytest.CallInfo[None], options: Options) -> Evaluation:
    """An error before there was a verdict: in a fixture, mostly the user's `retriever`."""
    raised = call.excinfo
    if raised is None:
        reason = "failed"
    elif isinstance(raised.value, pytest.fail.Exception):
        reason = printable(str(raised.value))
    else:
        error = raised.value
        code = f" [{error.code}]" if isinstance(error, BeirError) else ""
        reason = f"a fixture raised {described(error)}{code}"
    dataset = suite_collector.dataset_of(item) or ""
    crashed = failed(_identity(item, options).fallback, dataset, "", reason)
    return replace(crashed, message=one_line(crashed, options.command))


def _absence(
    item: pytest.Item,
    call: pytest.CallInfo[None],
    report: pytest.TestReport,
    *,
    xfailed: bool,
) -> str:
    why: str = "xfailed" if xfailed or hasattr(report, "wasxfail") else report.outcome
    text = ""
    if report.skipped and item.config.getoption("benchmark_only", default=False):
        text = (
            "--benchmark-only skips the tests of quality; choose the latency tests with "
            "-k latency instead"
        )
    elif report.skipped and isinstance(report.longrepr, tuple):
        text = str(report.longrepr[2]).removeprefix("Skipped: ")
    elif report.failed and call.excinfo is not None:
        text = described(call.excinfo.value)
    if report.passed:
        why = "passed, and was expected to fail" if xfailed else "no verdict was asked for"
    return f"{why}: {text}" if text else why


def _retriever(item: pytest.Item, options: Options) -> dict[str, object]:
    """Whose result it is, and on which dataset."""
    source = results.Source.of(_identity(item, options), item.stash.get(state.NAME, None))
    return {"source": source.plain(), "dataset": suite_collector.dataset_of(item) or ""}


def _identity(item: pytest.Item, options: Options) -> RetrieverIdentity:
    try:
        return retriever_identity.identify(item, options.project)
    except BeirError:
        return retriever_identity.unknown(options.project)


def _properties(found: Evaluation) -> list[tuple[str, object]]:
    """A handful of numbers for JUnit readers; the per-query scores have no place there."""
    pairs: list[tuple[str, object]] = [("beir.verdict", found.verdict)]
    for metric in found.metrics.values():
        if not metric.gated:
            continue
        pairs.append((f"beir.{metric.metric}", metric.now))
        if metric.current is not None:
            pairs.append((f"beir.{metric.metric}.baseline", metric.baseline))
            pairs.append((f"beir.{metric.metric}.delta", metric.current.delta))
            pairs.append((f"beir.{metric.metric}.lower", metric.current.lower))
            pairs.append((f"beir.{metric.metric}.p_drop", metric.current.p_drop))
    if found.judged_at_10[0] is not None:
        pairs.append(("beir.Judged@10", found.judged_at_10[0]))
    return pairs
