"""Counting assertions: rows that carry a kind. A row which repeats another's state, request and response carries none."""

from collections import Counter
from collections.abc import Iterable

from proofyard.core import AssertionKind, Scenario

__all__ = ["count", "totals"]


def totals(scenarios: Iterable[Scenario]) -> Counter[AssertionKind]:
    """How many assertions there are of each kind."""
    return Counter(
        row.kind for s in scenarios for session in s.sessions for row in session.rows if row.kind is not None
    )


def count(scenarios: Iterable[Scenario]) -> int:
    """How many assertions there are."""
    return totals(scenarios).total()
