"""Whether the verdicts on a task's known submissions are as they must be. Pure: nothing is run here."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from proofyard.checks.graded import Attempted, Graded, differing, seen_first
from proofyard.checks.proof import Known, TaskProof
from proofyard.checks.standing import failed_checks, remarks, standing_faults, stopped_by
from proofyard.core import Outcome, Solution, Suite, Task, Verdict

__all__ = ["Differs", "Terms", "judge", "not_graded"]

Differs = Callable[[str, str], str]
"""Task id and name of a shortcut -> where its answers first differ from the reference's, "" if they never do."""


class Terms(NamedTuple):
    """How a task was graded. attempts: of the reference. differs: None where a suite cannot say. waiting_wall_ms: the wall
    clock of those shortcuts that wait for ever. package: what is wrong with the folder of a task, for suites of folders: there
    every alternative has to pass, and nothing and every shortcut have to score 0.
    """

    attempts: int
    differs: Differs | None = None
    waiting_wall_ms: int = 0
    package: Callable[[str], Sequence[str]] | None = None


def judge(task: Task, found: Graded, terms: Terms, tried: Attempted) -> TaskProof:
    """Return what was found of a task, with everything that is not as it must be. tried: what was graded."""
    solutions = task.steps[0].hidden.solutions
    reference = found.get((task.id, "oracle"), ())
    strict = terms.package is not None
    nothing = found.get((task.id, "nop"), ())
    nop = _known(Solution(name="nop", kind="sample", expected=Outcome.FAILED), nothing)
    shortcuts = []
    faults = [*(terms.package(task.id) if terms.package else ()), *_reference_faults(reference, terms.attempts)]
    faults += [*_empty_faults(nop), *(_zero_faults("nothing at all", nothing) if strict else ())]
    for solution in (one for one in solutions if one.kind == "shortcut"):
        known = _known(solution, _verdicts(task, found, solution), terms.waiting_wall_ms)
        known, wrong = _shortcut(task.id, known, terms.differs)
        shortcuts.append(known)
        faults += wrong
        if strict:
            faults += standing_faults(task, solution, found, tried)
            faults += _zero_faults(f"shortcut {solution.name}", _verdicts(task, found, solution))
    alternatives = [_known(one, _verdicts(task, found, one)) for one in solutions if one.kind == "alternative"]
    faults += _each_faults(alternatives) if strict else _alternative_faults(alternatives)
    return TaskProof(
        task=task.id,
        subset=task.subset,
        family=task.family,
        ok=not faults,
        assertions=max((sum(group.total for group in verdict.groups.values()) for verdict in reference), default=0),
        reference=tuple(verdict.outcome for verdict in reference),
        nop=nop,
        shortcuts=tuple(shortcuts),
        alternatives=tuple(alternatives),
        faults=tuple(faults),
        remarks=tuple(remarks(task, found)) if strict else (),
    )


def not_graded(suite: Suite, name: str) -> TaskProof:
    """Of a task that was not come to."""
    place = suite.place(name)
    return TaskProof(
        task=name, subset=place.subset, family=place.family, ok=False, nop=Known(name="nop"), faults=("not graded",)
    )


def _verdicts(task: Task, found: Graded, solution: Solution) -> Sequence[Verdict]:
    return found.get((task.id, f"given:{solution.name}"), ())


def _known(solution: Solution, verdicts: Sequence[Verdict], waiting_wall_ms: int = 0) -> Known:
    known = Known(name=solution.name, declared=solution.reason, wall_ms=waiting_wall_ms if solution.waits else 0)
    if not verdicts:
        return known
    verdict = next((one for one in verdicts if not _as_expected(solution, one)), verdicts[-1])
    return Known(
        name=known.name,
        declared=known.declared,
        wall_ms=known.wall_ms,
        outcome=verdict.outcome,
        score=verdict.score,
        reason=verdict.reason,
        note=seen_first(verdict),
        check=solution.check,
        failed_checks=failed_checks(verdict),
        stopped=not solution.check or stopped_by(verdict, solution.check),
        gradings=len(verdicts),
    )


def _as_expected(solution: Solution, verdict: Verdict) -> bool:
    """Whether one of several gradings is as it must be; the first that is not is shown."""
    if solution.kind == "shortcut" and solution.reason is not None and verdict.reason is not solution.reason:
        return False
    checked = not solution.check or stopped_by(verdict, solution.check)
    return verdict.outcome is solution.expected and (solution.kind != "shortcut" or checked)


def _zero_faults(what: str, verdicts: Sequence[Verdict]) -> list[str]:
    scores = sorted({verdict.score for verdict in verdicts if verdict.score})
    return [f"{what}: scores {scores[-1]:g}, not 0"] if scores else []


def _each_faults(alternatives: Sequence[Known]) -> list[str]:
    return [
        f"alternative {known.name}: {known.outcome or 'not graded'}: {known.note}"
        for known in alternatives
        if known.outcome is not Outcome.PASSED
    ]


def _reference_faults(verdicts: Sequence[Verdict], attempts: int) -> list[str]:
    faults = [
        f"reference: attempt {number} {verdict.outcome}: {seen_first(verdict)}"
        for number, verdict in enumerate(verdicts, start=1)
        if verdict.outcome is not Outcome.PASSED
    ]
    if len(verdicts) != attempts:
        faults.append(f"reference: {len(verdicts)} of {attempts} attempts have a verdict")
    difference = differing(verdicts)
    return [*faults, f"reference: {difference}"] if difference else faults


def _empty_faults(nop: Known) -> list[str]:
    if nop.outcome is Outcome.FAILED:
        return []
    return [f"empty project: {nop.outcome}: {nop.note}" if nop.outcome else "empty project: not graded"]


def _shortcut(task: str, known: Known, differs: Differs | None) -> tuple[Known, list[str]]:
    """The shortcut, perhaps told to be none, and all that is wrong with it."""
    about = f"shortcut {known.name}"
    if known.outcome is None:
        return known, [f"{about}: not graded"]
    if known.outcome is Outcome.PASSED:
        difference = "the suite cannot say where its answers differ" if differs is None else differs(task, known.name)
        if difference:
            return known, [f"{about}: passed, though: {difference}"]
        return Known(
            name=known.name,
            outcome=known.outcome,
            score=known.score,
            declared=known.declared,
            wall_ms=known.wall_ms,
            gradings=known.gradings,
            applicable=False,
            note="it answers every request of the task as the reference does",
        ), []
    if known.outcome is not Outcome.FAILED:
        return known, [f"{about}: {known.outcome}: {known.note}"]
    seen = f"failed checks: {known.failed_checks}" if known.failed_checks else known.note
    wrong = []
    if known.reason is not known.declared:
        wrong.append(f"{about}: failed for {known.reason}, not for {known.declared}: {known.note}")
    if not known.stopped:
        wrong.append(f"{about}: check {known.check} did not stop it: {seen}")
    return known, wrong


def _alternative_faults(alternatives: Sequence[Known]) -> list[str]:
    if any(known.outcome is Outcome.PASSED and known.score == 1.0 for known in alternatives):
        return []
    if not alternatives:
        return ["there is no alternative"]
    first = alternatives[0]
    return [f"no alternative passes: {first.name} {first.outcome or 'was not graded'}: {first.note}"]
