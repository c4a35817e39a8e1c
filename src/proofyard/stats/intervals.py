"""Intervals for a proportion or a mean of scores in [0, 1].

Sources: Wilson 1927, "Probable Inference"; Miller 2024, "Adding Error Bars to Evals" (arXiv 2411.00640) for clustered
standard errors; Franco et al. 2019 for Wilson's interval with an effective sample size.
"""

from collections.abc import Iterable, Mapping
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

__all__ = ["Interval", "clustered_interval", "normal_quantile", "wilson"]


class Interval(NamedTuple):
    """A point estimate with its bounds, and the number of clusters it rests on (`n` for plain proportions)."""

    mean: float
    low: float
    high: float
    n: int


def normal_quantile(confidence: float) -> float:
    """Two-sided quantile of the standard normal: 1.96 for 0.95.

    Raises:
        ValueError: `confidence` is not between 0 and 1, both excluded.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1: {confidence}")
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(passed: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion. `n` may be an effective sample size; n = 0 gives (0, 1).

    Raises:
        ValueError: the counts make no sense.
    """
    if n < 0 or not 0 <= passed <= n:
        raise ValueError(f"wilson of passed={passed}, n={n}")
    if n == 0:
        return (0.0, 1.0)
    z = normal_quantile(confidence)
    p = passed / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if passed == 0 else max(0.0, middle - half)
    high = 1.0 if passed == n else min(1.0, middle + half)
    return (low, high)


def clustered_interval(clusters: Mapping[str, Iterable[float]], confidence: float = 0.95) -> Interval | None:
    """Mean of all scores with Wilson's interval at the effective sample size that the clusters leave.

    The variance of the mean is the cluster-robust one, G/(G-1) * sum over clusters of (sum of residuals)^2 / n^2; the
    effective size is p(1-p) over it, never above n and never below the number of clusters G when p is 0 or 1 (then
    the data tell nothing of the correlation, and whole clusters are counted). None without any score.

    Raises:
        ValueError: a score lies outside [0, 1].
    """
    groups = [list(values) for values in clusters.values()]
    groups = [values for values in groups if values]
    flat = [value for values in groups for value in values]
    if not flat:
        return None
    if any(not 0 <= value <= 1 for value in flat):
        raise ValueError("scores must lie in [0, 1]")
    n, count = len(flat), len(groups)
    mean = sum(flat) / n
    spread = mean * (1 - mean)
    if spread <= 0 or count == 1:
        size = float(count)
    else:
        variance = sum(sum(value - mean for value in values) ** 2 for values in groups) / n**2 * count / (count - 1)
        size = min(float(n), spread / variance) if variance > 0 else float(n)
    low, high = wilson(mean * size, size, confidence)
    return Interval(mean, low, high, count)
