"""The measures that can be scored, each in a file of its own, and their names.

A new one is a file with a `Measure`, a line in `MEASURES` and a test.
"""

from __future__ import annotations

import re

from pytest_beir.errors import ScoringError
from pytest_beir.scoring.measures.average_precision import AVERAGE_PRECISION
from pytest_beir.scoring.measures.capped_recall import CAPPED_RECALL
from pytest_beir.scoring.measures.expected_reciprocal_rank import EXPECTED_RECIPROCAL_RANK
from pytest_beir.scoring.measures.judged import JUDGED_SHARE
from pytest_beir.scoring.measures.measure import Measure, Metric
from pytest_beir.scoring.measures.ndcg import NDCG
from pytest_beir.scoring.measures.precision import PRECISION
from pytest_beir.scoring.measures.r_precision import R_PRECISION
from pytest_beir.scoring.measures.recall import RECALL
from pytest_beir.scoring.measures.reciprocal_rank import RECIPROCAL_RANK
from pytest_beir.scoring.measures.success import SUCCESS
from pytest_beir.suggestions import did_you_mean

MEASURES: tuple[Measure, ...] = (
    NDCG,
    RECALL,
    PRECISION,
    RECIPROCAL_RANK,
    SUCCESS,
    AVERAGE_PRECISION,
    R_PRECISION,
    CAPPED_RECALL,
    EXPECTED_RECIPROCAL_RANK,
    JUDGED_SHARE,
)

_BY_KIND = {measure.kind: measure for measure in MEASURES}
_BY_SPELLING = {each: measure for measure in MEASURES for each in measure.spellings}
_WRITTEN = re.compile(
    r"(?P<kind>[A-Za-z_]+)"
    r"(?:\((?:rel=(?P<rel>[1-9][0-9]{0,8})|dcg='(?P<dcg>log2|exp-log2)')\))?"
    r"(?:@(?P<cutoff>[1-9][0-9]{0,8}))?"
    r"(?P<binary>\(binary\))?"
)
_ELSEWHERE = re.compile(
    r"(?P<kind>[a-z_-]+?)(?P<parameter>\([^()]*\))?(?:(?:@|_at_|_cut_|_)(?P<cutoff>[1-9][0-9]*))?"
    r"(?P<binary>\(binary\))?",
    re.IGNORECASE,
)


def parse_metric(name: str) -> Metric:
    """The metric that has this name.

    Raises:
        ScoringError: There is none; the text lists the known forms.

    """
    metric = _parsed(name) if isinstance(name, str) else None
    if metric:
        return metric
    raise ScoringError(
        f"unknown metric {name!r}; write one of {forms()}, where k is the cut-off, for example"
        f" nDCG@10{nearest_metric(name)}"
    )


def forms(*, recorded: bool = True) -> str:
    """Every way to write a metric, as a list in words; without `recorded`, no Judged@k."""
    chosen = MEASURES if recorded else [each for each in MEASURES if each is not JUDGED_SHARE]
    plain = [each.forms[0] for each in chosen]
    return ", ".join([*plain, *(form for each in chosen for form in each.forms[1:])])


def spelled_here(written: str) -> str | None:
    """The name of a metric in this project's spelling (`ndcg_at_10` is nDCG@10), if it is one."""
    match = _ELSEWHERE.fullmatch(written.strip())
    measure = _BY_SPELLING.get(match["kind"].lower()) if match else None
    if match is None or measure is None:
        return None
    cutoff = f"@{match['cutoff']}" if match["cutoff"] else ""
    binary = "(binary)" if match["binary"] else ""
    name = f"{measure.kind}{match['parameter'] or ''}{cutoff}{binary}"
    return name if _parsed(name) else None


def nearest_metric(name: object) -> str:
    """`; did you mean 'R@100'?`, or an empty text."""
    if not isinstance(name, str):
        return ""
    known = spelled_here(name)
    if known:
        return f"; did you mean {known!r}?"
    written = re.search(r"[1-9][0-9]*", name)
    cutoff = written[0] if written else "10"
    return did_you_mean(
        name, [form.replace("@k", f"@{cutoff}") for each in MEASURES for form in each.forms]
    )


def _parsed(name: str) -> Metric | None:
    match = _WRITTEN.fullmatch(name)
    measure = _BY_KIND.get(match["kind"]) if match else None
    if match is None or measure is None or not _suits(measure, match):
        return None
    return Metric(
        name=name,
        measure=measure,
        cutoff=int(match["cutoff"]) if match["cutoff"] else None,
        rel=int(match["rel"] or 1),
        binary=bool(match["binary"]),
        exponential=match["dcg"] == "exp-log2",
    )


def _suits(measure: Measure, match: re.Match[str]) -> bool:
    given = [name for name in ("rel", "dcg", "binary") if match[name]]
    if match["binary"] and match["dcg"] == "exp-log2":
        return False
    cutoffs = {"needed": bool(match["cutoff"]), "none": not match["cutoff"], "optional": True}
    return cutoffs[measure.cutoff] and all(name in measure.takes for name in given)
