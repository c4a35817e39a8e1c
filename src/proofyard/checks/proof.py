"""A verification as a record: what each known submission of each task came to, and whether it is as it must be."""

import msgspec

from proofyard.core import Outcome, Reason, Record

__all__ = ["Known", "TaskProof", "Totals", "Verification", "totals_of"]


class Known(Record, frozen=True, kw_only=True):
    """What one known submission came to. outcome: None if it was not graded (the verification was interrupted).

    declared: the reason it must fail for. applicable: False for a shortcut that answers as the reference does on every
    case, so that it is none. note: what was seen first, or why a shortcut does not apply. wall_ms: the wall clock of a
    session where it was graded under another one than submissions are. check: the check that must stop it, `stopped` whether
    it did, failed_checks: all that did. gradings: how many there were; the first that is not as it must be is shown.
    """

    name: str
    outcome: Outcome | None = None
    score: float | None = None
    reason: Reason | None = None
    declared: Reason | None = None
    applicable: bool = True
    note: str = ""
    wall_ms: int = 0
    check: str = ""
    failed_checks: str = ""
    stopped: bool = True
    gradings: int = 1


class TaskProof(Record, frozen=True, kw_only=True):
    """One task. reference: the outcome of each attempt. nop: the empty project. faults: all that is not as it must be;
    remarks: what else an author should look at.
    """

    task: str
    subset: str = ""
    family: str = ""
    ok: bool
    assertions: int = 0
    reference: tuple[Outcome, ...] = ()
    nop: Known
    shortcuts: tuple[Known, ...] = ()
    alternatives: tuple[Known, ...] = ()
    faults: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class Totals(Record, frozen=True, kw_only=True):
    """Sums over the tasks. shortcuts: those that apply; of them `told` failed for their declared reason."""

    tasks: int = 0
    proved: int = 0
    assertions: int = 0
    references_passed: int = 0
    references_graded: int = 0
    nop_failed: int = 0
    shortcuts: int = 0
    told: int = 0
    not_applicable: int = 0
    with_alternative: int = 0


class Verification(Record, frozen=True, kw_only=True):
    """A verification of a suite, or of some tasks of it.

    seed: of a private set. rungs: how many gradings ran at which rung of isolation. waiting_wall_ms: the wall clock under
    which shortcuts that wait for ever were graded. complete: False after an interruption. errors: infrastructure failures.
    changed: what was not as in an earlier start, so that the gradings kept of its family were dropped.
    """

    format: str = "proofyard.verification"
    schema: int = 1
    suite: str
    version: str
    seed: int | None = None
    attempts: int
    python: str
    hardware: dict[str, str] = msgspec.field(default_factory=dict)
    isolation: dict[str, str] = msgspec.field(default_factory=dict)
    rungs: dict[str, int] = msgspec.field(default_factory=dict)
    waiting_wall_ms: int = 0
    totals: Totals
    tasks: tuple[TaskProof, ...]
    complete: bool = True
    errors: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[TaskProof, ...]:
        """The tasks that are not proved."""
        return tuple(task for task in self.tasks if not task.ok)


def totals_of(tasks: tuple[TaskProof, ...]) -> Totals:
    """Return the sums over tasks."""
    applying = [known for task in tasks for known in task.shortcuts if known.applicable]
    return Totals(
        tasks=len(tasks),
        proved=sum(task.ok for task in tasks),
        assertions=sum(task.assertions for task in tasks),
        references_passed=sum(task.reference.count(Outcome.PASSED) for task in tasks),
        references_graded=sum(len(task.reference) for task in tasks),
        nop_failed=sum(task.nop.outcome is Outcome.FAILED for task in tasks),
        shortcuts=len(applying),
        told=sum(_told(known) for known in applying),
        not_applicable=sum(len(task.shortcuts) for task in tasks) - len(applying),
        with_alternative=sum(any(known.score == 1.0 for known in task.alternatives) for task in tasks),
    )


def _told(known: Known) -> bool:
    return known.outcome is Outcome.FAILED and known.reason is known.declared and known.stopped
