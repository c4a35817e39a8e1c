"""Train a version of the model `demand` and record its errors: python train.py DAYS.json ROUNDS LAST.

LAST: only so many of the latest days are trained on.
"""

import json
import sys
from pathlib import Path
from typing import Annotated

from regressor import fit, mae
from zenml import Model, log_metadata, pipeline, step

Days = list[dict[str, float]]


@step
def split(days: Days) -> tuple[Annotated[Days, "train_days"], Annotated[Days, "val_days"]]:
    """Keep every third day for validation."""
    return [day for n, day in enumerate(days) if n % 3], [day for n, day in enumerate(days) if n % 3 == 0]


@step
def train(train_days: Days, val_days: Days, rounds: int, last: int) -> Annotated[dict[str, float], "regressor"]:
    """Fit, and record on the version how well it does."""
    model = fit(train_days[-last:], rounds)
    log_metadata({"train_mae": mae(model, train_days[-last:]), "val_mae": mae(model, val_days)}, infer_model=True)
    return model


@pipeline(model=Model(name="demand"))
def demand_training(days: Days, rounds: int, last: int) -> None:
    """Each run makes a new version."""
    train_days, val_days = split(days)
    train(train_days, val_days, rounds, last)


if __name__ == "__main__":
    demand_training(days=json.loads(Path(sys.argv[1]).read_text()), rounds=int(sys.argv[2]), last=int(sys.argv[3]))
