"""Two texts become a baseline, or an error that says where they are wrong and what mends it."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pytest_beir.baselines import queries_table
from pytest_beir.baselines.baseline import Baseline
from pytest_beir.baselines.schema import DECIMALS, FORMAT, Document, document, migrated
from pytest_beir.errors import BaselineError
from pytest_beir.files.atomic import UNFINISHED, parts_of
from pytest_beir.files.content import read_text
from pytest_beir.files.validation_messages import explain
from pytest_beir.files.yaml_with_lines import LocatedYaml, parse, show
from pytest_beir.scoring.scorer import JUDGED

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from pytest_beir.baselines.schema import RecordedPart

_REMEDY = (
    "restore both files of the baseline from version control, or delete them and store it again"
    " with `pytest --beir --beir-update`"
)
_ROUNDING = 1.5 * 10**-DECIMALS


def read(yaml_path: Path, table_path: Path) -> Baseline | None:
    """The baseline in the two files, or None if neither exists.

    A pair whose writer was killed between the two is read as if it had been finished.

    Raises:
        BaselineError: they are malformed, do not belong together, or are of a later format.

    """
    yaml_text, table_text = _text(yaml_path), _text(table_path)
    if table_text is not None and queries_table.digest(table_text) not in (yaml_text or ""):
        yaml_text = rest_of(yaml_path, table_text) or yaml_text
        if yaml_text is None and is_being_deleted(yaml_path):
            return None
    if yaml_text is None and table_text is None:
        return None
    if yaml_text is None or table_text is None:
        there, gone = (table_path, yaml_path) if yaml_text is None else (yaml_path, table_path)
        raise _error(there, None, f"its other half {gone.name} is missing")
    content = _content(yaml_path, yaml_text)
    table = _table(table_path, table_text)
    if len(table.scores.top10) != content.dataset.queries:
        count = (
            f"{len(table.scores.top10)} queries, {yaml_path.name} says {content.dataset.queries}"
        )
        raise _error(table_path, None, f"it has {count}")
    if table.sha256 != content.scores:
        made = f"it is not the table that {yaml_path.name} was written with"
        raise _error(table_path, None, f"{made} (half written, edited or merged)")
    _check_metrics(yaml_path, content, table)
    recorded = content.recorded
    _check_recorded(yaml_path, recorded, table.scores.top10)
    baseline = Baseline(
        content.retriever,
        content.identity(),
        content.definitions(),
        table.scores if content.format == 1 else replace(table.scores, missing=recorded.missing),
        table.anchor,
        content.history(),
        recorded.same_text,
        recorded.model_extra or {},
    )
    _check_parts(yaml_path, baseline)
    _check_means(yaml_path, content, baseline)
    return baseline


def rest_of(yaml_path: Path, table_text: str) -> str | None:
    """What a process that was killed between two renames left of the pair: the yaml of the table.

    None where there is nothing of the kind. The two were complete before the first rename.
    """
    for part in parts_of(yaml_path):
        with suppress(BaselineError):
            text = read_text(part, BaselineError)
            if queries_table.digest(table_text) in text:
                return text
    return None


def is_being_deleted(yaml_path: Path) -> bool:
    """Whether a process was killed while it deleted the pair, after its first file."""
    return deletion_mark(yaml_path).exists()


def deletion_mark(yaml_path: Path) -> Path:
    """The file that says, as long as it exists, that the pair is not wanted any more."""
    return yaml_path.parent / UNFINISHED / f"{yaml_path.name}.deleted0"


def _error(path: Path, line: int | None, message: str) -> BaselineError:
    return BaselineError(message, file=path, line=line, remedy=_REMEDY)


def _text(path: Path) -> str | None:
    try:
        return read_text(path, BaselineError)
    except BaselineError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        error.remedy = _REMEDY
        raise


def _content(path: Path, text: str) -> Document:
    conflict = queries_table.conflict_line(text)
    if conflict:
        raise _error(path, conflict, "a merge conflict is not resolved here")
    try:
        found = parse(text, BaselineError)
    except BaselineError as error:
        raise _error(path, error.line, error.message) from None
    if not isinstance(found.value, dict):
        raise _error(path, 1, "expected the keys of a baseline")
    _check_format(path, found)
    try:
        return Document.model_validate(migrated(found.value))
    except ValidationError as error:
        problems = sorted(
            (found.line(place), f"{show(place)}: {text}" if place else text)
            for place, text in explain(error, Document)
        )
        more = "".join(f"; line {line}: {text}" for line, text in problems[1:])
        raise _error(path, problems[0][0], f"{problems[0][1]}{more}") from None


def _check_format(path: Path, found: LocatedYaml) -> None:
    version, line = found.value.get("format"), found.line(("format",))
    if type(version) is not int or version < 1:
        raise _error(path, line, f"the key 'format' says {version!r}, not {FORMAT}")
    if version > FORMAT:
        raise BaselineError(
            f"format {version} is of a later pytest-beir than this one, which reads {FORMAT}",
            file=path,
            line=line,
            remedy="upgrade",
        )


def _table(path: Path, text: str) -> queries_table.QueriesTable:
    try:
        return queries_table.parse(text)
    except BaselineError as error:
        raise _error(path, error.line, error.message) from None


def _check_metrics(path: Path, content: Document, table: queries_table.QueriesTable) -> None:
    if list(content.metrics) != list(table.scores.values):
        ours, theirs = ", ".join(content.metrics), ", ".join(table.scores.values)
        raise _error(path, None, f"it has the metrics {ours}, its table {theirs}")
    for metric, part in content.metrics.items():
        for key, value in (("anchor", part.anchor), ("drift", part.drift)):
            if (value is None) != (metric == JUDGED):
                missing = "missing" if value is None else "out of place"
                raise _error(path, None, f"metrics.{metric}: the key {key!r} is {missing}")


def _check_recorded(path: Path, recorded: RecordedPart, queries: Collection[str]) -> None:
    """What is recorded of queries is of queries that there are, and each has one text."""
    alike = [query for group in recorded.same_text for query in group]
    for name, ids in (("missing", recorded.missing), ("same_text", alike)):
        for query, times in Counter(ids).items():
            if query not in queries or times > 1:
                wrong = "is given twice" if times > 1 else "is not a query"
                raise _error(path, None, f"recorded.{name}: {query!r} {wrong}")


def _check_parts(path: Path, baseline: Baseline) -> None:
    """Every query of a divided dataset has the name of its part, and no part is empty."""
    parts = baseline.identity.members
    found = {query.partition("/")[0] for query in baseline.scores.top10}
    if parts and found != set(parts):
        others = ", ".join(sorted(found ^ set(parts)))
        raise _error(
            path, None, f"it has the parts {', '.join(parts)}, its queries do not ({others})"
        )


def _check_means(path: Path, content: Document, baseline: Baseline) -> None:
    """Means are what people review, so they may not say what the scores do not."""
    computed = document(baseline, content.scores)
    for metric, part in content.metrics.items():
        true = computed.metrics[metric]
        pairs = [("mean", part.mean, true.mean)]
        if part.anchor and true.anchor:
            pairs.append(("anchor.mean", part.anchor.mean, true.anchor.mean))
            pairs.append(("drift", part.drift or 0.0, true.drift or 0.0))
        for name, written, value in pairs:
            if abs(written - value) > _ROUNDING:
                says = f"metrics.{metric}.{name} says {written}, the scores give {value}"
                raise _error(path, None, says)
