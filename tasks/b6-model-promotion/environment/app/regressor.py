"""A small linear model: how many loaves are sold on a day."""

FEATURES = ("workday", "rain", "discount", "fair")


def predict(model: dict[str, float], day: dict[str, float]) -> float:
    """Loaves sold on a day like this one."""
    return model["base"] + sum(model[name] * day[name] for name in FEATURES)


def fit(days: list[dict[str, float]], rounds: int) -> dict[str, float]:
    """Least squares by gradient descent."""
    model = dict.fromkeys(("base", *FEATURES), 0.0)
    for _ in range(rounds):
        errors = [predict(model, day) - day["sold"] for day in days]
        model["base"] -= 0.2 * sum(errors) / len(days)
        for name in FEATURES:
            model[name] -= 0.2 * sum(error * day[name] for error, day in zip(errors, days, strict=True)) / len(days)
    return {name: round(value, 4) for name, value in model.items()}


def mae(model: dict[str, float], days: list[dict[str, float]]) -> float:
    """Mean absolute error, in loaves."""
    return round(sum(abs(predict(model, day) - day["sold"]) for day in days) / len(days), 4)
