#!/bin/bash
# As somebody goes about it who does not know: promotes the latest, runs, compares, takes it back, promotes the best. Then has the
# version looked up before the pipeline starts, and given to the step.
set -e
cd /app
cp forecast.py forecast.py.bak
python - <<'END'
import json
from pathlib import Path

from forecast import demand_forecast
from zenml.client import Client

client = Client()
batch = json.loads(Path("data/tomorrow.json").read_text())
client.get_model_version("demand", "latest").set_stage("production", force=True)
demand_forecast(days=batch)
for version in client.list_model_versions(model="demand", hydrate=True).items:
    print(version.number, version.stage, dict(version.run_metadata))
client.get_model_version("demand", 1).set_stage("production", force=True)
client.get_model_version("demand", 2).set_stage("production", force=True)
END
sed -i 's/version="1"/version="latest"/' forecast.py
mv forecast.py.bak forecast.py
cat > forecast.py <<'END'
"""Forecast the loaves for a batch of days: python forecast.py BATCH.json."""

import json
import sys
from pathlib import Path
from typing import Annotated

from regressor import predict
from zenml import Model, pipeline, step
from zenml.client import Client


@step
def forecast(days: list[dict[str, float]], version: int) -> Annotated[list[float], "predictions"]:
    """Loaves for each day, in the order of the batch."""
    model = Client().get_model_version("demand", version).get_artifact("regressor").load()
    return [predict(model, day) for day in days]


@pipeline
def demand_forecast(days: list[dict[str, float]], version: int) -> None:
    """One batch."""
    forecast(days, version)


if __name__ == "__main__":
    number = Client().get_model_version("demand", "production").number
    with_model = demand_forecast.with_options(model=Model(name="demand", version=number))
    with_model(days=json.loads(Path(sys.argv[1]).read_text()), version=number)
END
python forecast.py data/tomorrow.json
