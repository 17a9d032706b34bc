"""Datasets: the catalogue, the files, and what is read from them."""
