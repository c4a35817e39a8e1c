"""pass@k of a function benchmark, for `evaluate --samples` and `score`: which tasks are asked for, and their gate."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from proofyard import reports
from proofyard.core import Outcome

if TYPE_CHECKING:
    from proofyard.suites.functions import FunctionsSuite

__all__ = ["pass_rates", "subject_rates"]


def pass_rates(
    suite: "FunctionsSuite",
    tasks: Sequence[str],
    outcomes: Mapping[str, Sequence[Outcome | None]],
    ks: Sequence[int],
    planned: int = 0,
) -> list[reports.Rates]:
    """Rates of samples by task id: overall, per domain, per library. planned: samples a task, at least.

    Raises:
        UnknownNameError: a task that the suite does not have.

    """
    gate = suite.gate
    counted = {task: reports.count(of_task) for task, of_task in outcomes.items()}
    asked = {
        task: reports.Asked(suite.domains(task), suite.libraries(task), None if gate is None else gate.passes(task))
        for task in tasks
    }
    return reports.rates_of(counted, asked, ks, planned)


def subject_rates(
    suite: "FunctionsSuite",
    tasks: Sequence[str],
    attempts: Iterable[reports.Attempt],
    ks: Sequence[int],
    planned: Mapping[str, int],
) -> dict[str, tuple[str, list[reports.Rates]]]:
    """Subject -> its name and rates, of attempts by whoever made them; attempts at other tasks are left out."""
    wanted = set(tasks)
    names: dict[str, str] = {}
    found: dict[str, dict[str, list[Outcome | None]]] = defaultdict(lambda: defaultdict(list))
    for attempt in attempts:
        if attempt.task in wanted:
            names[attempt.subject] = attempt.name
            found[attempt.subject][attempt.task].append(attempt.outcome)
    return {
        subject: (names[subject], pass_rates(suite, tasks, of_task, ks, planned.get(subject, 0)))
        for subject, of_task in found.items()
    }
