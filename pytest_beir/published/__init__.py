"""Scores that others published, and which of their averages may be compared at all."""
