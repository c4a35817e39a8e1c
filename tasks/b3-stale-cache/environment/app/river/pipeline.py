"""The rating as a pipeline."""

from zenml import pipeline

from river.steps import fit_swing, load_levels, rate


@pipeline
def river_rating(levels_file: str, limits_file: str) -> None:
    """Levels, their swing, the rating."""
    levels = load_levels(levels_file)
    swing = fit_swing(levels)
    rate(levels, swing, limits_file)
