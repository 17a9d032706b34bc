"""Retrieval: a user's retriever, whatever its form, becomes one ranking per judged query."""
