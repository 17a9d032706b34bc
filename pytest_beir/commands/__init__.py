"""Commands of `pytest-beir`, one module each."""
