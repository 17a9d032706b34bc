"""How long searches take, as ratios to a fixed piece of work done in between."""
