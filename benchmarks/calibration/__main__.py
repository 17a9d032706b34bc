"""Measure, draw, write: `python -m benchmarks.calibration`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.calibration import plots, report
from benchmarks.calibration.measure import measure
from benchmarks.calibration.pairs import Pairs

_ROOT = Path(__file__).resolve().parents[2]
_QUICK = 0.05


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a twentieth of the replicates")
    parser.add_argument("--scale", type=float, default=1.0, help="a share of the replicates")
    parser.add_argument("--jobs", type=int, default=1, help="chapters measured at a time")
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
    results = measure(pairs, runs, scale, options.jobs)
    output.mkdir(parents=True, exist_ok=True)
    plots.save_all(output / "calibration", results)
    _write(output / "calibration.md", report.render_verdicts(results))
    _write(output / "calibration-test.md", report.render_test(pairs, results))
    return 0


def _write(page: Path, text: str) -> None:
    page.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {page}")


if __name__ == "__main__":
    sys.exit(main())
