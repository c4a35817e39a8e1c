"""What a back end of `evaluate --execution` is asked and answers, and how often it is asked."""

import time
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, Protocol, TypeVar

from proofyard.core import Failure, InfrastructureError, Verdict

__all__ = ["Backend", "Order", "TransientError", "attempts"]

PAUSES_S: Final = (2.0, 10.0)
"""Between the attempts: one more than these."""
_Result = TypeVar("_Result")


class TransientError(Exception):
    """Something that another attempt may not meet."""


class Order(NamedTuple):
    """What is to be graded. samples: lines of `task_id` and `solution`, whole programs. data: the benchmark's
    rows, a line each, none if they came from the hub.

    tasks: those with samples. whole: whether these are all tasks of the subset. wall_s: seconds it may take. parallel: samples
    at once, None for what the other side thinks best.
    """

    benchmark: str
    samples: bytes
    data: bytes
    split: str
    subset: str
    tasks: tuple[str, ...]
    whole: bool
    pass_k: tuple[int, ...]
    wall_s: float
    parallel: int | None


class Backend(Protocol):
    """Grades samples somewhere else."""

    @property
    def where(self) -> str:
        """What did it, for the record."""
        ...

    def evaluate(self, order: Order, tell: Callable[[str], None]) -> Mapping[tuple[str, int], Verdict]:
        """Return the verdict of each sample, by task and number.

        Raises:
            UsageError: the other side cannot grade this.
            InfrastructureError: there was no answer, after all attempts.

        """
        ...


def attempts(once: Callable[[], _Result], tell: Callable[[str], None], pauses: tuple[float, ...] = PAUSES_S) -> _Result:
    """Try, and try again after each pause. Raises InfrastructureError with the last reason."""
    for pause in (*pauses, None):
        try:
            return once()
        except TransientError as error:
            if pause is None:
                text = f"{len(pauses) + 1} attempts, the last: {error}"
                raise InfrastructureError(Failure(code="worker_lost", message=text)) from error
            tell(f"{error}; again in {pause:g} s")
            time.sleep(pause)
    raise AssertionError("unreachable")
