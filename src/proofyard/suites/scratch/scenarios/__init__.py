"""The hidden scenarios of each tier, written once for any family, and what they add up to."""

from proofyard.suites.scratch.scenarios.plan import examples_for, scenarios_of
from proofyard.suites.scratch.scenarios.totals import count, totals

__all__ = ["count", "examples_for", "scenarios_of", "totals"]
