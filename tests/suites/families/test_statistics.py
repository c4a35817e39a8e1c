"""Exact statistics against Python's statistics on fractions, numpy's quantiles and scipy's ranks."""

import statistics
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata  # type: ignore[import-untyped]

from proofyard.suites.scratch.families.statistics import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "Python's statistics on exact fractions, numpy's quantiles, scipy's ranks"

LISTS = st.lists(st.integers(-9, 9) | st.integers(-(10**6), 10**6), max_size=12)
TOO_FEW = {"code": "too_few_values"}


def is_rounded(result: int, exact: Fraction) -> bool:
    """To the nearest thousandth, halves away from zero."""
    gap = abs(1000 * exact) - abs(result)
    return Fraction(-1, 2) <= gap < Fraction(1, 2) and result * exact >= 0


def check_describe(args: dict[str, Any]) -> None:
    result = play(FAMILY, "describe", args)
    kind, values = args.get("kind", "sample"), args["values"]
    if len(values) < (2 if kind == "sample" else 1):
        assert result == TOO_FEW
        return
    exact = [Fraction(v) for v in values]
    variance = statistics.variance(exact) if kind == "sample" else statistics.pvariance(exact)
    assert (result["count"], result["sum"]) == (len(values), sum(values))
    assert result["modes"] == sorted(statistics.multimode(values))
    assert is_rounded(result["mean"], statistics.mean(exact))
    assert is_rounded(result["variance"], variance)
    low, high = Fraction(2 * result["deviation"] - 1, 2000), Fraction(2 * result["deviation"] + 1, 2000)
    assert low <= 0 or low**2 <= variance
    assert variance < high**2
    assert len(result) == 6


def exact_quantile(values: list[int], percent: int, method: str) -> Fraction:
    exact = sorted(Fraction(v) for v in values)
    if method == "nearest":  # the least value that so many percent of the values do not exceed
        return next(v for v in exact if 100 * sum(w <= v for w in exact) >= percent * len(exact))
    if len(exact) == 1:
        return exact[0]
    if method == "linear":
        inner = [exact[0], *statistics.quantiles(exact, n=100, method="inclusive"), exact[-1]]
        return Fraction(inner[percent])
    # A straight line between the middles of n equal stretches: v(i) stands at (2i + 1) / 2n.
    middles = [Fraction(100 * (2 * i + 1), 2 * len(exact)) for i in range(len(exact))]
    for (x, a), (y, b) in zip(zip(middles, exact, strict=True), zip(middles[1:], exact[1:], strict=True), strict=False):
        if x <= percent <= y:
            return (a * (y - percent) + b * (percent - x)) / (y - x)
    return exact[0] if percent < middles[0] else exact[-1]


def check_quantiles(args: dict[str, Any]) -> None:
    result = play(FAMILY, "quantiles", args)
    values, method = args["values"], args["method"]
    if not values:
        assert result == TOO_FEW
        return
    assert len(result["quantiles"]) == len(args["percents"])
    for got, percent in zip(result["quantiles"], args["percents"], strict=True):
        assert is_rounded(got, exact_quantile(values, percent, method))
        if method != "nearest":
            near = np.quantile(values, percent / 100, method=method)
            assert abs(got - 1000 * near) <= 0.5 + 1e-3


def check_ranks(args: dict[str, Any]) -> None:
    result = play(FAMILY, "ranks", args)
    values = args["values"]
    sign = -1 if args.get("order") == "descending" else 1
    method = {"first": "ordinal", "low": "min", "dense": "dense", "average": "average"}[args["ties"]]
    ranked = rankdata([sign * v for v in values], method=method)
    assert result["doubled"] == [round(2 * float(r)) for r in ranked]
    assert result["tied"] == [v for v, same in groupby(sorted(values)) if len(list(same)) > 1]


@settings(max_examples=60, deadline=None)
@given(LISTS, st.sampled_from(["sample", "population"]))
def test_describe(values: list[int], kind: str) -> None:
    check_describe({"values": values, "kind": kind})


@settings(max_examples=60, deadline=None)
@given(LISTS, st.lists(st.integers(0, 100), min_size=1, max_size=4), st.sampled_from(["nearest", "linear", "hazen"]))
def test_quantiles(values: list[int], percents: list[int], method: str) -> None:
    check_quantiles({"values": values, "percents": percents, "method": method})


@settings(max_examples=60, deadline=None)
@given(LISTS, st.sampled_from(["first", "low", "dense", "average"]), st.sampled_from(["ascending", "descending"]))
def test_ranks(values: list[int], ties: str, order: str) -> None:
    check_ranks({"values": values, "ties": ties, "order": order})


def test_its_own_inputs() -> None:
    for args in of(FAMILY, "describe", 150):
        check_describe(args)
    for args in of(FAMILY, "quantiles", 100):
        check_quantiles(args)
    for args in of(FAMILY, "ranks", 150):
        check_ranks(args)
