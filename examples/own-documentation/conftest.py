"""Put your own search in the place of BM25."""

import pytest
from pytest_beir import BM25


@pytest.fixture(scope="session")
def retriever():
    return BM25()
