"""Forecast the loaves for a batch of days: python forecast.py BATCH.json."""

import json
import sys
from pathlib import Path
from typing import Annotated

from regressor import predict
from zenml import Model, get_step_context, pipeline, step


@step
def forecast(days: list[dict[str, float]]) -> Annotated[list[float], "predictions"]:
    """Loaves for each day, in the order of the batch."""
    model = get_step_context().model.load_artifact("regressor")
    return [predict(model, day) for day in days]


@pipeline(model=Model(name="demand", version="1"))
def demand_forecast(days: list[dict[str, float]]) -> None:
    """One batch."""
    forecast(days)


if __name__ == "__main__":
    demand_forecast(days=json.loads(Path(sys.argv[1]).read_text()))
