"""The gate: paired comparisons, verdicts and averages; values in, values out."""
