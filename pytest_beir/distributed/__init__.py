"""Retrieval on the workers of a Dask scheduler, with the scores of a single process."""
