"""What a task folder must hold to be proved: a reference, an alternative, shortcuts, one of which tampers."""

from collections.abc import Sequence
from typing import Final

from proofyard.formats.harbor.lint import lint
from proofyard.suites.harbor import HarborSuite

__all__ = ["package_faults"]

_NEEDED: Final = {"no-alternative", "no-shortcut", "no-tampering"}


def package_faults(suite: HarborSuite, name: str) -> Sequence[str]:
    """What is wrong with the folder of a task, without running it. Raises UnknownNameError."""
    found = lint(suite.folders[name], suite.terms)
    return [f"folder: {one.message}" for one in found if one.level == "error" or one.code in _NEEDED]
