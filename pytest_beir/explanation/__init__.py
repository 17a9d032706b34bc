"""What explains a drop: where it is, which queries, what was unjudged."""
