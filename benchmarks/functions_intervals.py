"""How often the 95 % interval of pass@k holds the truth, by simulation of tasks of different difficulty.

python -m benchmarks.functions_intervals [REPETITIONS]

A setting draws each task's chance of passing from a beta distribution, then samples. The truth is the mean of
1 - (1 - p)^k over all tasks that could have been drawn: intervals are over tasks, as `docs/functions.md` says.
"""

import math
import random
import sys
from typing import Final, NamedTuple

from proofyard.reports.pass_rates import Asked, Counted, rates_of
from proofyard.stats import clustered_interval, pass_at_k

__all__ = ["SETTINGS", "Setting", "coverage"]


class Setting(NamedTuple):
    """Tasks, samples of each, k, and the two parameters of the beta distribution."""

    tasks: int
    samples: int
    k: int
    a: float
    b: float

    @property
    def truth(self) -> float:
        """The mean of 1 - (1 - p)^k: one minus the k-th moment of 1 - p."""
        return 1 - math.prod((self.b + i) / (self.a + self.b + i) for i in range(self.k))


class Coverage(NamedTuple):
    """How often the interval held the truth, and its mean width."""

    hits: int
    repetitions: int
    width: float


SETTINGS: Final = (
    Setting(148, 1, 1, 0.5, 0.8),
    Setting(148, 5, 1, 0.5, 0.8),
    Setting(164, 10, 5, 0.5, 0.8),
    Setting(164, 10, 10, 0.3, 1.5),
    Setting(30, 5, 1, 1.0, 1.0),
    Setting(164, 1, 1, 9.0, 0.5),
    Setting(164, 20, 10, 5.0, 1.0),
    Setting(20, 1, 1, 0.2, 4.0),
)


def coverage(setting: Setting, repetitions: int, seed: int, confidence: float = 0.95) -> Coverage:
    """Simulate evaluations of a setting. At 95 % the interval is the one that reports show."""
    chance = random.Random(seed)
    hits, width = 0, 0.0
    for _ in range(repetitions):
        passed = {}
        for task in range(setting.tasks):
            p = chance.betavariate(setting.a, setting.b)
            passed[str(task)] = sum(chance.random() < p for _ in range(setting.samples))
        low, high = _interval(setting, passed, confidence)
        hits += low <= setting.truth <= high
        width += high - low
    return Coverage(hits, repetitions, width / repetitions)


def _interval(setting: Setting, passed: dict[str, int], confidence: float) -> tuple[float, float]:
    if confidence == 0.95:
        counted = {task: Counted(setting.samples, count) for task, count in passed.items()}
        (row,) = rates_of(counted, dict.fromkeys(passed, Asked()), [setting.k])
        (rate,) = row.strict
        assert rate.low is not None and rate.high is not None
        return rate.low, rate.high
    values = {task: [pass_at_k(setting.samples, count, setting.k) or 0.0] for task, count in passed.items()}
    found = clustered_interval(values, confidence)
    assert found is not None
    return found.low, found.high


def main(repetitions: int) -> None:
    print(f"{'tasks':>6}{'samples':>9}{'k':>4}{'truth':>8}{'held':>9}{'width':>8}   of {repetitions}")
    for setting in SETTINGS:
        found = coverage(setting, repetitions, seed=1)
        held = f"{100 * found.hits / repetitions:.1f} %"
        print(f"{setting.tasks:>6}{setting.samples:>9}{setting.k:>4}{setting.truth:>8.3f}{held:>9}{found.width:>8.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
