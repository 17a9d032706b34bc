"""Inspection: what a dataset is like, and what is wrong with it."""
