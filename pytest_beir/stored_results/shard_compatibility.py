"""Whether reports are shards of one suite, made of the same commit by the same retrievers."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import ReportError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_beir.stored_results.report_folder import ReportFolder


def refuse_foreign(shards: Sequence[ReportFolder]) -> None:
    """Refuse shards that are not of one run.

    Raises:
        ReportError: Names every report of another suite, commit or retriever's version.

    """
    problems = list(_foreign(shards, "suite", lambda shard: shard.report.suite.id, _suite))
    if not problems:
        problems += _foreign(shards, "commit", lambda shard: shard.commit)
        for name in dict.fromkeys(each.name for s in shards for each in s.report.retrievers):
            having = [s for s in shards if _measured(s, name)]
            problems += _foreign(having, f"version of {name}", partial(_version, name))
    if problems:
        raise ReportError("; ".join(problems))


def _version(retriever: str, shard: ReportFolder) -> str | None:
    return shard.version(retriever)


def _measured(shard: ReportFolder, retriever: str) -> bool:
    """Whether a retriever answered there at all, so that its version is known."""
    return any(name == retriever and r.metrics for (name, _), r in shard.results.items())


def _foreign(
    shards: Sequence[ReportFolder],
    what: str,
    value: Callable[[ReportFolder], str | None],
    detail: Callable[[ReportFolder, ReportFolder], str] | None = None,
) -> Iterator[str]:
    """Name the shards that differ from what most have; of two, the second."""
    if not shards:
        return
    usual = Counter(map(value, shards)).most_common(1)[0][0]
    example = next(shard for shard in shards if value(shard) == usual)
    for shard in shards:
        if value(shard) != usual:
            more = f" ({detail(example, shard)})" if detail else ""
            yield (
                f"{shard.path} is foreign: its {what} is {value(shard) or 'unknown'}, that of"
                f" {example.path} {usual or 'unknown'}{more}"
            )


def _suite(known: ReportFolder, other: ReportFolder) -> str:
    """What two suites differ in."""
    parts = []
    ours = {each.name: each for each in known.settings.datasets}
    theirs = {each.name: each for each in other.settings.datasets}
    lacking, added = ours.keys() - theirs.keys(), theirs.keys() - ours.keys()
    if lacking:
        parts.append(f"it does not declare {', '.join(sorted(lacking))}")
    if added:
        parts.append(f"it declares {', '.join(sorted(added))}")
    parts += [
        f"{name} has another split, weight or rule on identical ids"
        for name in sorted(ours.keys() & theirs.keys())
        if ours[name] != theirs[name]
    ]
    parts += [
        f"{key} is {new}, not {old}"
        for key, old, new in _unequal(known.settings.gate, other.settings.gate)
    ]
    return "; ".join(parts)


def _unequal(one: Any, other: Any, key: str = "") -> Iterator[tuple[str, Any, Any]]:
    """(key, value here, value there) of every leaf that differs in nested settings."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            below = f"{key}.{name}" if key else name
            yield from _unequal(one.get(name), other.get(name), below)
    elif one != other:
        yield key, one, other
