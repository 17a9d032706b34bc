"""Reports: the results as a terminal summary, Markdown and JSON."""
