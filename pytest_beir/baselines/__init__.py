"""Baselines: what is stored, how it is read and written, and when it may be replaced."""
