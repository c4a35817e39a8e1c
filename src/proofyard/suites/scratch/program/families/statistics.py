"""Exact statistics of integers: location and spread, quantiles by three methods, and ranks with ties."""

from collections import Counter
from fractions import Fraction
from math import isqrt
from typing import Any

from ..arguments import array, enum, integer, optional, required
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

VALUES = array(integer(-(10**6), 10**6), high=100)


def check_describe(args: dict[str, Any]) -> None:
    """Check the arguments of `describe`."""
    required(args, "values", VALUES)
    optional(args, "kind", enum("sample", "population"))


def check_quantiles(args: dict[str, Any]) -> None:
    """Check the arguments of `quantiles`."""
    required(args, "values", VALUES)
    required(args, "percents", array(integer(0, 100), 1, 10))
    required(args, "method", enum("nearest", "linear", "hazen"))


def check_ranks(args: dict[str, Any]) -> None:
    """Check the arguments of `ranks`."""
    required(args, "values", VALUES)
    required(args, "ties", enum("first", "low", "dense", "average"))
    optional(args, "order", enum("ascending", "descending"))


def describe(args: dict[str, Any]) -> object:
    """Count, sum, mean, modes, variance and standard deviation."""
    values = args["values"]
    freedom = len(values) - (args.get("kind", "sample") == "sample")
    if freedom < 1:
        raise DomainError("too_few_values", "there are too few values")
    mean = Fraction(sum(values), len(values))
    variance = sum((value - mean) ** 2 for value in values) / freedom
    counts = Counter(values)
    most = max(counts.values())
    return {
        "count": len(values),
        "sum": sum(values),
        "mean": thousandths(mean),
        "modes": sorted(value for value in counts if counts[value] == most),
        "variance": thousandths(variance),
        "deviation": (isqrt(int(4000000 * variance)) + 1) // 2,
    }


def quantiles(args: dict[str, Any]) -> object:
    """One quantile for each percent."""
    ordered = sorted(args["values"])
    if not ordered:
        raise DomainError("too_few_values", "there are no values")
    return {"quantiles": [thousandths(quantile(ordered, percent, args["method"])) for percent in args["percents"]]}


def ranks(args: dict[str, Any]) -> object:
    """Twice the rank of each value, and the values that occur more than once."""
    given = args["values"]
    values = [-value for value in given] if args.get("order") == "descending" else given
    found = []
    for place, value in enumerate(values):
        before = [other for other in values if other < value]
        tied = {"first": 2 * values[:place].count(value), "average": values.count(value) - 1}
        below = len(set(before) if args["ties"] == "dense" else before)
        found.append(2 + 2 * below + tied.get(args["ties"], 0))
    return {"doubled": found, "tied": sorted(value for value, count in Counter(given).items() if count > 1)}


def quantile(ordered: list[int], percent: int, method: str) -> Fraction:
    """The value at a percentage of the way through ordered values."""
    count = len(ordered)
    if method == "nearest":
        position = Fraction(max(-(-percent * count // 100) - 1, 0))
    elif method == "linear":
        position = Fraction(percent * (count - 1), 100)
    else:
        position = max(Fraction(percent * count - 50, 100), Fraction(0))
    left = int(position)
    right = min(left + 1, count - 1)
    return ordered[left] + (position - left) * (ordered[right] - ordered[left])


def thousandths(value: Fraction) -> int:
    """A value in thousandths, rounded to the nearest, halves away from zero."""
    size = int(2000 * abs(value) + 1) // 2
    return -size if value < 0 else size


OPERATIONS = {
    "describe": Operation(("values", "kind"), check_describe, describe),
    "quantiles": Operation(("values", "percents", "method"), check_quantiles, quantiles),
    "ranks": Operation(("values", "ties", "order"), check_ranks, ranks),
}
