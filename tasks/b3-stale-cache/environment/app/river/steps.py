"""The steps of the rating."""

import csv
import json
from math import fsum
from pathlib import Path
from typing import Annotated

from zenml import step


@step
def load_levels(levels_file: str) -> Annotated[list[int], "levels"]:
    """Read the gauge's file: one level a row, in centimetres."""
    with Path(levels_file).open(encoding="utf-8", newline="") as file:
        return [int(row["level_cm"]) for row in csv.DictReader(file)]


@step
def fit_swing(levels: list[int]) -> Annotated[dict[str, float], "swing"]:
    """Find the period that explains the levels best. On the full record of the gauge this takes hours."""
    best = (float("inf"), 0)
    for period in range(2, len(levels) // 2 + 1):
        phases = [levels[start::period] for start in range(period)]
        errors = [fsum((level - fsum(phase) / len(phase)) ** 2 for level in phase) for phase in phases]
        best = min(best, (round(fsum(errors) / (len(levels) - period), 6), period))
    return {"period": best[1], "error": best[0], "mean": round(fsum(levels) / len(levels), 6), "top": max(levels)}


@step
def rate(levels: list[int], swing: dict[str, float], limits_file: str) -> Annotated[dict[str, float], "rating"]:
    """Say how often the river stood above the limits, and how that compares with its swing."""
    limits = json.loads(Path(limits_file).read_text(encoding="utf-8"))
    return {
        "watch": sum(level > limits["watch_cm"] for level in levels),
        "alarm": sum(level > limits["alarm_cm"] for level in levels),
        "room": round(limits["alarm_cm"] - swing["mean"], 3),
        "period": swing["period"],
    }
