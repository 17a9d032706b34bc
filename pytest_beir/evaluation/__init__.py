"""Evaluation: one dataset, one retriever: retrieve, check, score, compare, explain."""
