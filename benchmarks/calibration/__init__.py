"""How often the gate cries wolf, and what it finds, measured on real paired data.

Run `python -m benchmarks.calibration` from the project's root; it rewrites `docs/calibration.md`
and its plots. `--quick` takes a twentieth of the replicates.
"""
