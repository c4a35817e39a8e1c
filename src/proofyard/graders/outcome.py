"""From counts and the first shortfall to a grade: passed only if nothing fell short."""

from collections.abc import Mapping
from typing import NamedTuple

from proofyard.core import Evidence, Grade, Group, Outcome, Reason, Usage

__all__ = ["Shortfall", "graded", "invalid"]


class Shortfall(NamedTuple):
    """The first thing that went wrong."""

    reason: Reason
    evidence: Evidence


def graded(
    groups: Mapping[str, Group], shortfall: Shortfall | None, usage: Usage, provenance: Mapping[str, str]
) -> Grade:
    """A grade of 1 or 0 from assertions by group; `metrics` hold their sums."""
    return Grade(
        outcome=Outcome.PASSED if shortfall is None else Outcome.FAILED,
        score=1.0 if shortfall is None else 0.0,
        reason=None if shortfall is None else shortfall.reason,
        groups=dict(groups),
        metrics={
            "assertions_passed": float(sum(group.passed for group in groups.values())),
            "assertions_total": float(sum(group.total for group in groups.values())),
        },
        evidence=Evidence() if shortfall is None else shortfall.evidence,
        usage=usage,
        provenance=dict(provenance),
    )


def invalid(note: str) -> Grade:
    """The grade where the task itself is at fault: no score."""
    return Grade(outcome=Outcome.INVALID, evidence=Evidence(note=note))
