"""What is recorded already: three trainings, the first version in production, and a forecast by it."""

import json
import os
import sys
from pathlib import Path


def main() -> None:
    os.chdir("/app")
    sys.path.insert(0, "/app")
    from forecast import demand_forecast
    from train import demand_training
    from zenml.client import Client

    days = json.loads(Path("data/days.json").read_text())
    for number, rounds, last in ((1, 12, 40), (2, 1000, 40), (3, 1000, 4)):
        demand_training.with_options(run_name=f"training-{number}")(days=days, rounds=rounds, last=last)
    client = Client()
    client.get_model_version("demand", "1").set_stage("production")
    demand_forecast.with_options(run_name="forecast-tomorrow")(days=json.loads(Path("data/tomorrow.json").read_text()))
    for version in client.list_model_versions(model="demand", hydrate=True).items:
        print(version.number, version.stage, version.run_metadata)


main()
