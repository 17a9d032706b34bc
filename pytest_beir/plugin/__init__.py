"""The pytest plugin: a thin front door to `pytest_beir.evaluation.evaluation`."""
