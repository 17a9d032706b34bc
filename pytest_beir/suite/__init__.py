"""The suite as a whole: a run put together, its averages, what it can see, strict flags."""
