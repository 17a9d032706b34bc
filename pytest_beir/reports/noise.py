"""What repeated retrievals showed, in a line: identical rankings, or how much they vary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import plural
from pytest_beir.reports.numbers import score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.gate.noise import Noise

_NAMED = 3


def repeats_line(noises: Sequence[Noise], varying: Sequence[str]) -> str:
    """The outcome of `--beir-repeat` on one dataset; `varying` are queries ranked differently."""
    repeats, queries = noises[0].repeats, noises[0].queries
    if not varying:
        whole = plural(queries, "query")
        return f"deterministic: {repeats} retrievals ranked all of {whole} alike"
    named = ", ".join(varying[:_NAMED]) + (", …" if len(varying) > _NAMED else "")
    parts = [
        f"{each.metric} of {plural(len(each.by_query), 'query')} varies, of the mean by "
        f"sd {score(each.sd, 4)}: a drop up to {score(each.bound, 4)} is within the noise"
        for each in noises
        if each.by_query
    ]
    return (
        f"noisy: {repeats} retrievals ranked {len(varying)} of "
        f"{plural(queries, 'query')} differently ({named}); "
        f"{'; '.join(parts) or 'no score varies'}"
    )
