"""Files on the ground floor: names, lines, YAML, whole writes."""
