"""BM25 on a dataset that is shipped."""

import pytest
from pytest_beir import BM25


@pytest.fixture(scope="session")
def retriever():
    return BM25()
