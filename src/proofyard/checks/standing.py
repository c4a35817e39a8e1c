"""Whether a shortcut of a task folder is one: it ran to its end, it left something, and the check that must stop it exists."""

from collections.abc import Iterable, Sequence

import msgspec

from proofyard.checks.graded import Attempted, Graded
from proofyard.core import Solution, Task, Verdict
from proofyard.graders import CUT, CommandParameters

__all__ = ["failed_checks", "remarks", "seen_checks", "standing_faults", "stopped_by"]


def failed_checks(verdict: Verdict) -> str:
    """The checks that a grader says have failed, with commas between."""
    return verdict.provenance.get("failed_checks", "")


def stopped_by(verdict: Verdict, check: str) -> bool:
    """Whether a check is among those that failed. A name may itself hold a comma."""
    return _among(check, failed_checks(verdict))


def seen_checks(verdicts: Iterable[Verdict]) -> str:
    """The longest list of checks that any of the gradings of a task gave, with commas between."""
    return max((verdict.provenance.get("checks", "") for verdict in verdicts), key=len, default="")


def standing_faults(task: Task, shortcut: Solution, found: Graded, tried: Attempted) -> list[str]:
    """Why a shortcut shows nothing of the tests, one line each."""
    about = f"shortcut {shortcut.name}"
    mine = tried.get((task.id, f"given:{shortcut.name}"), ())
    idle = {one.tree for trial in tried.get((task.id, "nop"), ()) for one in trial.submissions}
    broken = [trial.failure.message for trial in mine if trial.failure is not None]
    faults = [f"{about}: its script broke down, so that it shows nothing: {broken[0]}"] if broken else []
    if any(one.tree in idle for trial in mine for one in trial.submissions):
        faults.append(f"{about}: it left all as it was, so that it shows no more than doing nothing")
    names = seen_checks(_all_of(task, found))
    if shortcut.check and _is_missing(shortcut.check, names):
        faults.append(f"{about}: there is no check {shortcut.check}; the tests list {names}")
    return faults


def remarks(task: Task, found: Graded) -> list[str]:
    """What is no fault and yet may be none of what the author meant, one line each."""
    said = []
    idle = {failed_checks(verdict) for verdict in found.get((task.id, "nop"), ())} - {""}
    for one in task.steps[0].hidden.solutions:
        mine = {failed_checks(verdict) for verdict in found.get((task.id, f"given:{one.name}"), ())}
        if one.kind == "shortcut" and mine and mine <= idle:
            said.append(f"shortcut {one.name}: fails the very checks that doing nothing fails ({min(mine)})")
    names = seen_checks(_all_of(task, found))
    reasons = msgspec.json.decode(task.steps[0].grader.parameters, type=CommandParameters).reasons
    missing = [name for name in reasons if _is_missing(name, names)]
    return [*said, *(f"metadata.proofyard.checks.{name}: the tests list no such check" for name in missing)]


def _all_of(task: Task, found: Graded) -> Sequence[Verdict]:
    return [verdict for (name, _), verdicts in found.items() if name == task.id for verdict in verdicts]


def _is_missing(name: str, names: str) -> bool:
    """Whether a check is known not to be there: nothing is known where there is no list, or one that was cut."""
    return bool(names) and not names.endswith(CUT) and not _among(name, names)


def _among(name: str, names: str) -> bool:
    return f", {name}, " in f", {names}, "
