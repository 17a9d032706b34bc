"""BM25 in parts on the workers of a Dask cluster, with the scores of a single process."""

import pytest
from pytest_beir import BM25


@pytest.fixture(scope="session")
def retriever():
    return BM25()
