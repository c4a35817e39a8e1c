"""Exact statistics: the module `statistics` on fractions, and ranks by bisection."""

import statistics
from bisect import bisect_left, bisect_right
from fractions import Fraction
from math import ceil, isqrt
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "describe": ("values", "kind"),
    "quantiles": ("values", "percents", "method"),
    "ranks": ("values", "ties", "order"),
}


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if not _are_integers(args.get("values"), 0, 100, (-1000000, 1000000)):
        return False
    if op == "describe":
        return args.get("kind", "sample") in ("sample", "population")
    if op == "quantiles":
        percents = _are_integers(args.get("percents"), 1, 10, (0, 100))
        return percents and args.get("method") in ("nearest", "linear", "hazen")
    order = args.get("order", "ascending") in ("ascending", "descending")
    return order and args.get("ties") in ("first", "low", "dense", "average")


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    values: list[int] = args["values"]
    if op == "describe":
        return _describe(values, sample=args.get("kind", "sample") == "sample")
    if op == "ranks":
        tied = sorted({value for value in values if values.count(value) > 1})
        sign = -1 if args.get("order") == "descending" else 1
        return {"doubled": _doubled([sign * value for value in values], args["ties"]), "tied": tied}
    if not values:
        raise Refused("too_few_values")
    ordered = sorted(values)
    return {"quantiles": [_quantile(ordered, percent, args["method"]) for percent in args["percents"]]}


def _are_integers(value: Any, least: int, most: int, bounds: tuple[int, int]) -> bool:
    """Whether a value is an array of `least` to `most` integers within bounds."""
    return (
        isinstance(value, list)
        and least <= len(value) <= most
        and all(isinstance(item, int) and not isinstance(item, bool) for item in value)
        and all(bounds[0] <= item <= bounds[1] for item in value)
    )


def _thousandths(value: Fraction) -> int:
    """A value in thousandths, a half away from zero."""
    size = int(abs(value) * 1000 + Fraction(1, 2))
    return -size if value < 0 else size


def _describe(values: list[int], *, sample: bool) -> dict[str, Any]:
    """Sum, mean, modes and spread."""
    if len(values) < (2 if sample else 1):
        raise Refused("too_few_values")
    exact = [Fraction(value) for value in values]
    variance = Fraction(statistics.variance(exact) if sample else statistics.pvariance(exact))
    return {
        "count": len(values),
        "sum": sum(values),
        "mean": _thousandths(Fraction(sum(values), len(values))),
        "modes": sorted(statistics.multimode(values)),
        "variance": _thousandths(variance),
        "deviation": (isqrt(int(variance * 4000000)) + 1) // 2,  # half of twice the root, rounded
    }


def _quantile(ordered: list[int], percent: int, method: str) -> int:
    """One quantile in thousandths."""
    last = len(ordered) - 1
    position = Fraction(last * percent, 100)
    if method == "nearest":
        position = Fraction(max(ceil(Fraction(len(ordered) * percent, 100)), 1) - 1)
    elif method == "hazen":
        position = Fraction(len(ordered) * percent, 100) - Fraction(1, 2)
        position = min(max(position, Fraction(0)), Fraction(last))
    lower, upper = int(position), min(int(position) + 1, last)
    return _thousandths(ordered[lower] + (position - lower) * (ordered[upper] - ordered[lower]))


def _doubled(values: list[int], ties: str) -> list[int]:
    """Twice the ranks of the values, the least first."""
    ordered = sorted(set(values)) if ties == "dense" else sorted(values)
    ranks: list[int] = []
    for at, value in enumerate(values):
        before, upto = bisect_left(ordered, value), bisect_right(ordered, value)
        if ties == "average":
            ranks.append(before + upto + 1)
        else:
            ranks.append(2 * (before + 1 + (values[:at].count(value) if ties == "first" else 0)))
    return ranks
