"""An embedding model; MODEL may be a name on the hub or a folder."""

import os

import pytest


@pytest.fixture(scope="session")
def retriever():
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(os.environ.get("MODEL", "sentence-transformers/all-MiniLM-L6-v2"))
