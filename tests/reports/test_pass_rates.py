"""Rates of samples: what each is out of."""

import pytest

from proofyard.core import Outcome
from proofyard.reports import Asked, Counted, count, rates_of
from proofyard.stats import clustered_interval, pass_at_k

ASKED = {
    "a": Asked(("Time", "General"), ("os", "re"), True),
    "b": Asked(("General",), ("re",), False),
    "c": Asked((), (), True),
}
COUNTED = {"a": Counted(4, 2, 1), "b": Counted(2, 1, 0)}


def test_counting_by_outcome() -> None:
    outcomes = [Outcome.PASSED, Outcome.FAILED, Outcome.ERROR, Outcome.INVALID, None]
    assert count(outcomes) == Counted(5, 1, 3)
    assert count([]) == Counted(0, 0, 0)


def test_strict_and_gated() -> None:
    overall = rates_of(COUNTED, ASKED, [1, 2, 5])[0]
    assert (overall.kind, overall.tasks, overall.covered, overall.gated_tasks) == ("overall", 3, 2, 2)
    assert (overall.planned, overall.samples, overall.passed, overall.unjudged) == (12, 6, 3, 1)
    one, two, five = overall.strict
    # Out of four samples each: task a passes 2, b 1 (two of its samples are missing), c none.
    assert one.value == pytest.approx((2 / 4 + 1 / 4 + 0) / 3, abs=1e-15)
    assert two.value == pytest.approx((5 / 6 + 1 / 2 + 0) / 3, abs=1e-15)
    interval = clustered_interval({"a": [0.5], "b": [0.25], "c": [0.0]})
    assert interval is not None
    assert (one.low, one.high) == (interval.low, interval.high)
    assert (five.k, five.value, five.low, five.high) == (5, None, None, None)
    assert overall.gated[0].value == pytest.approx((2 / 4 + 0) / 2, abs=1e-15)
    assert overall.gated[1].value == pytest.approx(pass_at_k(4, 2, 2) / 2, abs=1e-15)  # type: ignore[operator]


def test_rows_by_domain_and_library() -> None:
    rows = rates_of(COUNTED, ASKED, [1])
    assert [(row.kind, row.name, row.tasks, row.samples) for row in rows] == [
        ("overall", "overall", 3, 6),
        ("domain", "General", 2, 6),
        ("domain", "Time", 1, 4),
        ("library", "os", 1, 4),
        ("library", "re", 2, 6),
    ]
    assert rows[2].strict[0].value == 0.5


def test_no_gate_no_gated_rates() -> None:
    (overall,) = rates_of(COUNTED, {"a": Asked(), "b": Asked()}, [1])
    assert (overall.gated, overall.gated_tasks) == ((), None)


def test_a_gate_that_nothing_passes() -> None:
    (overall,) = rates_of(COUNTED, {"b": Asked(gated=False)}, [1])
    assert (overall.gated_tasks, overall.gated[0].value) == (0, None)


def test_samples_planned_but_never_made_count() -> None:
    (overall,) = rates_of({"b": Counted(2, 1, 0)}, {"b": Asked()}, [1, 4], 4)
    assert (overall.planned, overall.strict[0].value, overall.strict[1].value) == (4, 0.25, 1.0)


def test_no_samples_at_all() -> None:
    (overall,) = rates_of({}, {"a": Asked()}, [1])
    assert (overall.covered, overall.planned, overall.strict[0].value) == (0, 0, None)
