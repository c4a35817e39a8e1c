"""How high the river stands, how its level swings, and how often that is too high."""
