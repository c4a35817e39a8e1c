"""The steps of the nightly job."""

import csv
from pathlib import Path
from typing import Annotated

from zenml import step

Sales = list[dict[str, str]]


@step
def read_export(day: str) -> Annotated[Sales, "sales"]:
    """Read the tills' export of a day, as it is written."""
    with Path("exports", f"{day}.csv").open(encoding="utf-8", newline="") as file:
        *sales, end = csv.DictReader(file)
    if end["ticket"] != "end" or int(end["route"]) != len(sales):
        raise ValueError(f"the export of {day} has no end, or not as many sales as its end says")
    return sales


@step
def to_cents(sales: Sales) -> Annotated[list[int], "cents"]:
    """What each sale came to."""
    return [round(float(sale["amount"]) * 100) for sale in sales]


@step
def add_up(cents: list[int]) -> Annotated[dict[str, int], "takings"]:
    """What the day came to, in cents."""
    return {
        "sales": len(cents),
        "total": sum(cents),
        "largest": max(cents),
        "given_back": -sum(cent for cent in cents if cent < 0),
    }
