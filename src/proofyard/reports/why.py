"""Why attempts failed: each gets one reason of the closed list (or a failure of infrastructure), the move that first went
wrong, and the evidence. By rules alone, on the verdict, the agent's moves, and grades of the workspace after them.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from proofyard.core import Evidence, Failure, Grade, Move, Outcome, Reason, Record, Trial, Verdict
from proofyard.reports.why_process import Process, process_of

__all__ = ["CUT", "Seen", "Why", "attribute", "refined"]

CUT: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
"""What models say when the limit of tokens cut them off."""

_UNFINISHED: Final = frozenset(
    {
        Reason.NO_SUBMISSION,
        Reason.UNPARSABLE,
        Reason.SYNTAX,
        Reason.IMPORT_ERROR,
        Reason.MISSING_OPERATION,
        Reason.CRASH,
        Reason.NO_TESTS,
    }
)
"""What work looks like that was broken off."""

_SYNTAX: Final = ("SyntaxError", "IndentationError", "TabError")
_IMPORTS: Final = ("ImportError", "ModuleNotFoundError")


class Seen(NamedTuple):
    """What is known of an attempt. grades: of its snapshots, by the digest of their tree; may be empty or have gaps."""

    trial: Trial
    verdict: Verdict | None = None
    moves: tuple[Move, ...] = ()
    grades: Mapping[str, Grade] = {}


class Why(Record, frozen=True, kw_only=True):
    """What came of an attempt, and why.

    outcome: passed, failed, invalid, error (infrastructure) or ungraded. reason: only where it failed; failure: of the
    infrastructure, only with error. sure: the rules leave no other reading. move: the move that first went wrong, None if
    there are none or none did. evidence: what says so, for a person.
    """

    trial: str
    task: str
    k: int
    subject: str
    outcome: str
    reason: Reason | None = None
    failure: Failure | None = None
    sure: bool = True
    move: int | None = None
    evidence: str = ""
    process: Process = Process()


class _Found(NamedTuple):
    reason: Reason
    sure: bool
    move: int | None
    evidence: str


def attribute(seen: Seen) -> Why:
    """Say why an attempt ended as it did."""
    trial, verdict = seen.trial, seen.verdict
    outcome = "ungraded" if verdict is None else str(verdict.outcome)
    why = Why(
        trial=trial.id,
        task=trial.task,
        k=trial.k,
        subject=trial.subject_name,
        outcome=outcome,
        process=process_of(seen.moves, seen.grades),
    )
    failure = trial.failure if verdict is None else verdict.failure
    if failure is not None and not (verdict is None and failure.counts):
        said = f"{failure.boundary}: {failure.message} [{failure.code}]"
        return msgspec.structs.replace(why, outcome="error", failure=failure, move=_last(seen.moves), evidence=said)
    if verdict is None and failure is not None:
        return _with(why, "failed", _broken_off(seen, failure))
    if verdict is None or verdict.outcome is not Outcome.FAILED:
        note = "" if verdict is None else verdict.evidence.note
        return msgspec.structs.replace(why, evidence=note)
    return _with(why, outcome, _failed(seen, verdict))


def _with(why: Why, outcome: str, found: _Found) -> Why:
    return msgspec.structs.replace(
        why, outcome=outcome, reason=found.reason, sure=found.sure, move=found.move, evidence=found.evidence
    )


def _failed(seen: Seen, verdict: Verdict) -> _Found:
    shown = refined(verdict)
    broken = _regressed(seen)
    if shown is Reason.TAMPER:
        return _Found(shown, True, _introduced(seen, verdict), _words(verdict.evidence))
    if broken is not None:
        return broken
    return _of_agent(seen, verdict, shown) or _Found(
        shown, shown is not Reason.CRASH, _introduced(seen, verdict), _words(verdict.evidence)
    )


def refined(grade: Grade) -> Reason:
    """The grader's reason, made more exact where a crash says by itself what it comes from."""
    reason = grade.reason or Reason.WRONG_RESULT
    last = next((line for line in reversed(grade.evidence.stderr.splitlines()) if line.strip()), "")
    if reason is Reason.IMPORT_ERROR and last.startswith(_SYNTAX):
        return Reason.SYNTAX
    if reason is not Reason.CRASH:
        return reason
    if grade.evidence.where.endswith(("(malformed)", "(conflicts)")):
        return Reason.ERROR_HANDLING
    if grade.evidence.where.endswith("(restart)"):
        return Reason.PERSISTENCE
    if grade.evidence.where == "loading the file":
        said = grade.evidence.note
        return Reason.SYNTAX if any(name in said for name in _SYNTAX) else Reason.IMPORT_ERROR
    return Reason.IMPORT_ERROR if last.startswith(_IMPORTS) else reason


def _regressed(seen: Seen) -> _Found | None:
    """Was right and then broken: the first move after the last passing snapshot whose workspace does not pass."""
    right = None
    wrong = None
    for move in seen.moves:
        if move.snapshot is None:
            continue
        grade = seen.grades.get(move.snapshot.tree)
        if grade is not None and grade.outcome is Outcome.PASSED:
            right, wrong = move.n, None
        elif right is not None and wrong is None:
            wrong = move.n
    if right is None or wrong is None:
        return None
    return _Found(Reason.REGRESSION, True, wrong, f"the workspace passed every assertion after move {right}")


def _of_agent(seen: Seen, verdict: Verdict, shown: Reason) -> _Found | None:
    """What ended the attempt, where that rather than the program's own fault is why it failed."""
    own, failure, last = seen.trial.reason, seen.trial.failure, _last(seen.moves)
    note = seen.trial.provenance.get("note", "")
    unfinished = shown in _UNFINISHED
    if own is Reason.BUDGET:
        return _Found(own, unfinished or _under_way(seen), last, note or "the budget was used up")
    if failure is not None and failure.code == "agent_timeout":
        return _Found(Reason.TIMEOUT, unfinished or _under_way(seen), last, failure.message)
    cut = _cut(seen.moves)
    if own is Reason.TRUNCATED or (cut is not None and unfinished):
        said = "the limit of tokens cut the model's answer off"
        return _Found(Reason.TRUNCATED, unfinished, cut or last, f"{said}; {_words(verdict.evidence)}")
    if own is not None:
        return _Found(own, unfinished, last, note or _words(verdict.evidence))
    if shown is Reason.NO_SUBMISSION:
        return _Found(shown, True, last, _words(verdict.evidence))
    return None


def _broken_off(seen: Seen, failure: Failure) -> _Found:
    """An attempt that counts although nothing of it was graded: its agent ran out of time or gave up."""
    reason = Reason.TIMEOUT if failure.code == "agent_timeout" else Reason.NO_SUBMISSION
    return _Found(reason, True, _last(seen.moves), failure.message)


def _under_way(seen: Seen) -> bool:
    """Whether work was getting on when it was ended: progress within the last third of the moves, as far as is known."""
    process = process_of(seen.moves, seen.grades)
    return process.tail_moves is not None and process.tail_moves * 3 <= process.moves


def _cut(moves: tuple[Move, ...]) -> int | None:
    """The last move of the agent, if the limit of tokens cut it off."""
    own = [move for move in moves if move.source == "agent"]
    return own[-1].n if own and own[-1].stop in CUT else None


def _last(moves: tuple[Move, ...]) -> int | None:
    return next((move.n for move in reversed(moves) if move.source == "agent"), None)


def _introduced(seen: Seen, verdict: Verdict) -> int | None:
    """The move since which the workspace fails as it does in the end; without snapshots the last that changed a file."""
    final = _shape(verdict)
    found = None
    for move in reversed(seen.moves):
        if move.snapshot is None:
            continue
        grade = verdict if move.snapshot.tree == verdict.submission else seen.grades.get(move.snapshot.tree)
        if grade is None or grade.outcome is not Outcome.FAILED or _shape(grade) != final:
            break
        found = move.n
    if found is not None:
        return found
    edits = [move.n for move in seen.moves if move.changed]
    return edits[-1] if edits else _last(seen.moves)


def _shape(grade: Grade) -> tuple[Reason, str]:
    return refined(grade), grade.evidence.where


def _words(evidence: Evidence) -> str:
    parts = [part for part in (evidence.where, evidence.note) if part]
    lines = [line for line in evidence.stderr.splitlines() if line.strip()]
    return "; ".join([*parts, *lines[-1:]])
