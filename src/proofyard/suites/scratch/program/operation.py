"""One operation as a value: which arguments it knows, how they are checked, what it does."""

from collections.abc import Callable
from typing import Any

__all__ = ["Operation"]


class Operation:
    """An operation that requests can name.

    parameters: the names of all arguments it knows; others are ignored. check: raises InvalidArgsError for all that can
    be said of types and ranges without doing the work. run: takes arguments that passed `check` and returns a JSON
    value, or raises DomainError.
    """

    def __init__(
        self,
        parameters: tuple[str, ...],
        check: Callable[[dict[str, Any]], None],
        run: Callable[[dict[str, Any]], object],
    ) -> None:
        self.parameters = parameters
        self.check = check
        self.run = run
