"""Rankings that a cluster made, gated here."""

import pytest
from pytest_beir import RunFiles


@pytest.fixture(scope="session")
def retriever():
    return RunFiles("runs/{dataset}.trec", name="cluster")
