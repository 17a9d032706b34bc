"""Measure, draw, write: `python -m benchmarks.calibration`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchmarks.calibration import (
    answers,
    plots,
    pools,
    power,
    releases,
    report,
    session,
    single_test,
    small_sets,
    suites,
    tolerance,
)
from benchmarks.calibration.pairs import Pairs

if TYPE_CHECKING:
    from collections.abc import Callable

_ROOT = Path(__file__).resolve().parents[2]
_QUICK = 0.05
_Result = TypeVar("_Result")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a twentieth of the replicates")
    parser.add_argument("--scale", type=float, default=1.0, help="a share of the replicates")
    parser.add_argument("--page", choices=("verdicts", "test", "both"), default="both")
    parser.add_argument(
        "--data", type=Path, default=_ROOT.parent / "shared" / "data", help="the real paired data"
    )
    parser.add_argument(
        "--output", type=Path, help="where to write; default docs/, with --quick build/calibration/"
    )
    options = parser.parse_args()
    scores = options.data / "perquery" / "paperpilot"
    runs = options.data / "runs" / "trec-robust03"
    for folder in (scores, runs):
        if not folder.is_dir():
            print(f"{folder}: no such folder; --data says where the real data are", file=sys.stderr)
            return 2
    output = options.output or (
        _ROOT / "build" / "calibration" if options.quick else _ROOT / "docs"
    )
    scale = _QUICK if options.quick else options.scale
    pairs = Pairs(scores)
    output.mkdir(parents=True, exist_ok=True)
    if options.page in ("verdicts", "both"):
        verdicts = answers.Verdicts(
            tolerance=_timed("within tolerance", lambda: tolerance.measure(pairs, scale)),
            suites=_timed("flags, diffuse, a year", lambda: suites.measure(pairs, scale)),
            small=_timed("small sets", lambda: small_sets.measure(pairs, runs, scale)),
        )
        _write(output / "calibration.md", report.render_verdicts(verdicts))
    if options.page in ("test", "both"):
        results = report.Results(
            single=_timed("one test", lambda: single_test.measure(pairs, scale)),
            sessions=_timed("sessions", lambda: session.measure(pairs, scale)),
            power=_timed("power", lambda: power.measure(pairs, scale)),
            histories=_timed("releases", lambda: releases.measure(pairs, scale)),
            pools=_timed("pools", lambda: pools.measure(runs, scale)),
        )
        plots.save_all(
            output / "calibration",
            results.single,
            results.sessions,
            results.power,
            results.histories,
        )
        _write(output / "calibration-test.md", report.render(pairs, results))
    return 0


def _write(page: Path, text: str) -> None:
    page.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {page}")


def _timed(name: str, call: Callable[[], _Result]) -> _Result:
    start = time.process_time()
    result = call()
    print(f"{name}: {time.process_time() - start:.1f} CPU s", flush=True)
    return result


if __name__ == "__main__":
    sys.exit(main())
