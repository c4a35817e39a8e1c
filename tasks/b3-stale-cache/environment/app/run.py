"""The nightly job: rate the river by what the gauge wrote. Run it in this folder: `python run.py`."""

from river.pipeline import river_rating

if __name__ == "__main__":
    river_rating(levels_file="data/levels.csv", limits_file="data/limits.json")
