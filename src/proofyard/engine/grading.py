"""One grading: a submission and a grader, fault by fault attributed. Used by workers and for a single solution."""

import math
from collections.abc import Callable

import msgspec

from proofyard.agents import unread
from proofyard.core import (
    Blobs,
    Evidence,
    Failure,
    Given,
    Grade,
    Grader,
    InfrastructureError,
    Outcome,
    Reason,
    Sandbox,
    SandboxSpec,
    Step,
    Tree,
    Usage,
    UsageError,
    digest_of,
)

__all__ = ["grade_tree", "grader_digest"]

_EVIDENCE_MOST = 8192


def grader_digest(step: Step, grader: Grader, *, public_only: bool = False) -> str:
    """SHA-256 naming all that decides a verdict: the step's hidden parts and the version of the grader's code."""
    named: dict[str, object] = {"step": step.grader_digest, "version": grader.version}
    if public_only:
        named["public_only"] = True
    return digest_of(named)


def grade_tree(
    step: Step, tree: Tree, grader: Grader, open_sandbox: Callable[[SandboxSpec], Sandbox], given: Given, blobs: Blobs
) -> Grade:
    """Grade a submission. What breaks on the way becomes an error, never a score; every sandbox opened is closed.

    Raises:
        UsageError: the grader cannot do what is asked (no public examples).

    """
    path = unread(tree)
    if path is not None:
        note = f"the submission is over the size limit (at {path!r}) and was not read further"
        return Grade(outcome=Outcome.FAILED, score=0.0, reason=Reason.OUTPUT_LIMIT, evidence=Evidence(note=note))
    opened: list[Sandbox] = []

    def open_one(spec: SandboxSpec) -> Sandbox:
        opened.append(open_sandbox(spec))
        return opened[-1]

    try:
        grade = _checked(grader.grade(step, tree, open_one, given, blobs))
    except UsageError:
        raise
    except InfrastructureError as error:
        grade = _error(error.failure, opened)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:500]
        grade = _error(Failure(code="grader_crash", message=f"grader {grader.kind}: {text}"), opened)
    finally:
        for sandbox in opened:
            sandbox.close()
    return msgspec.structs.replace(grade, evidence=_clipped(grade.evidence))


def _error(failure: Failure, opened: list[Sandbox]) -> Grade:
    provenance = dict(opened[-1].provenance) if opened else {}
    return Grade(outcome=Outcome.ERROR, failure=failure, usage=Usage(), provenance=provenance)


def _checked(grade: Grade) -> Grade:
    numbers = [*grade.metrics.values(), *([] if grade.score is None else [grade.score])]
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError("a number of the grade is not finite")
    return grade


def _clipped(evidence: Evidence) -> Evidence:
    """A journal line is for people and tools to read: what a hostile program printed must not make it megabytes long."""
    values = {name: getattr(evidence, name) for name in evidence.__struct_fields__}
    clipped = {name: _clip(value) for name, value in values.items() if len(value) > _EVIDENCE_MOST}
    return msgspec.structs.replace(evidence, **clipped) if clipped else evidence


def _clip(text: str) -> str:
    return f"{text[:_EVIDENCE_MOST]}… ({len(text) - _EVIDENCE_MOST} more characters)"
