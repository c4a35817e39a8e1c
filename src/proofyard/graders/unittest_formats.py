"""Runs inside the sandbox: how long unittest words a failure. In a file of its own: unittest leads to it, and it to nothing."""

import difflib
import pprint
from collections.abc import Iterable
from typing import Any

from proofyard.graders.unittest_hidden import Hidden

__all__ = ["Formats"]

SHORT = 2000


class Formats(Hidden):
    """Stands in for `pprint` and `difflib` where unittest words a failure: what is long is cut, as nobody would read it, and
    comparing it line by line may take longer than all tests.

    longest: characters of a value that is set out and compared; 0 where nobody reads what is said.
    """

    def __init__(self, longest: int = SHORT) -> None:
        self._longest = longest

    def pformat(self, value: Any) -> str:
        """A value over several lines if it is short, else its beginning."""
        text = repr(value)
        return pprint.pformat(value) if len(text) <= self._longest else f"{text[:SHORT]}..."

    def ndiff(self, one: list[str], other: list[str]) -> Iterable[str]:
        """The difference of short texts."""
        size = sum(map(len, one)) + sum(map(len, other))
        return difflib.ndiff(one, other) if size <= 2 * self._longest else ("(long)",)
