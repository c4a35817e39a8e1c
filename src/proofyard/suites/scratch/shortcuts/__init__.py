"""Submissions that must fail, each for its reason: programs that know only the public examples, and the reference with one
fault. A fault is a change to the text of the reference's files; where the text is not found as it was, nothing is made.
"""

from collections.abc import Mapping

from proofyard.core import Blobs, Example, Solution, tree_of
from proofyard.suites.scratch.shortcuts.durability import DURABILITY
from proofyard.suites.scratch.shortcuts.requests import REQUESTS
from proofyard.suites.scratch.shortcuts.services import SERVICE_FAULTS
from proofyard.suites.scratch.shortcuts.shortcut import Shortcut, patched
from proofyard.suites.scratch.shortcuts.whole import constant_answers, echo_examples
from proofyard.suites.scratch.tiers import Tier

__all__ = ["SHORTCUTS", "Shortcut", "changed_answers", "shortcuts_of"]

SHORTCUTS: tuple[Shortcut, ...] = (*REQUESTS, *SERVICE_FAULTS, *DURABILITY)
"""All faults of the reference. A name comes once a tier."""


def shortcuts_of(
    tier: Tier, reference: Mapping[str, str], examples: tuple[Example, ...], blobs: Blobs
) -> tuple[Solution, ...]:
    """The shortcuts of a tier, made from the files of its reference.

    Raises:
        ValueError: the reference is not the one the changes were written for.

    """
    base = tree_of(reference, blobs)
    faults = [patched(base, reference, one, blobs) for one in SHORTCUTS if tier.name in one.tiers]
    return (echo_examples(examples, blobs), constant_answers(examples, blobs), *faults)


def changed_answers(tier: Tier) -> frozenset[str]:
    """The names of those shortcuts of a tier that answer some request in another way than the reference, if they apply."""
    return frozenset(one.name for one in SHORTCUTS if tier.name in one.tiers and not one.alike)
