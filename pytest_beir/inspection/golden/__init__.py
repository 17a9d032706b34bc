"""Golden sets: a team's own judgements and documents, on their way to a dataset folder."""
