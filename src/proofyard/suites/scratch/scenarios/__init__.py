"""The hidden scenarios of each tier, written once for any family, and what they add up to."""

from proofyard.suites.scratch.scenarios.plan import scenarios_of
from proofyard.suites.scratch.scenarios.totals import count, totals

__all__ = ["count", "scenarios_of", "totals"]
