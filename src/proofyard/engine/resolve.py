"""From a request to a plan: suite, tasks and subjects are looked up by name; nothing is run or written."""

from collections.abc import Sequence

from proofyard.agents import AgentPlugin
from proofyard.core import Plan, Subject, Suite, UsageError
from proofyard.engine.plugins import load
from proofyard.engine.request import RunRequest

__all__ = ["check_same", "label", "resolve", "subject_of"]


def resolve(request: RunRequest, suite: Suite, tasks: Sequence[str]) -> Plan:
    """Return the plan of a request.

    Raises:
        UsageError: an agent is unknown or its argument is no good, or the numbers make no sense.

    """
    if request.attempts < 1:
        raise UsageError(f"attempts must be at least 1, not {request.attempts}")
    subjects = tuple(subject_of(text) for text in request.agents)
    if not subjects:
        raise UsageError("a run needs an agent")
    if len({subject.digest for subject in subjects}) < len(subjects):
        raise UsageError("an agent is named twice; ask for more attempts instead")
    return Plan(
        suite=suite.name,
        version=suite.version,
        tasks=tuple(tasks),
        subjects=subjects,
        attempts=request.attempts,
        subset=request.subset,
        grade=request.grade,
    )


def subject_of(text: str) -> Subject:
    """Return the subject that `name` or `name:argument` stands for. Raises UsageError."""
    name, _, argument = text.partition(":")
    plugin: AgentPlugin = load("agents", name)
    return Subject(agent=name, version=plugin.version, parameters=plugin.parameters(argument))


def label(subject: Subject) -> str:
    """A subject's name for tables: the agent, its model, its parameters."""
    return ":".join([subject.name, *subject.parameters.values()])[:80]


def check_same(before: Plan, now: Plan, where: str) -> None:
    """Check that a plan may continue a run: everything the same, or more attempts, or more subjects.

    Raises:
        UsageError: it may not; the message says what differs.

    """
    for what, old, new in (
        ("suite", before.suite, now.suite),
        ("dataset version", before.version, now.version),
        ("subset", before.subset or "all", now.subset or "all"),
        ("grading", "on" if before.grade else "off", "on" if now.grade else "off"),
    ):
        if old != new:
            raise UsageError(f"{where} was started with {what} {old}, not {new}; choose another --output")
    if before.tasks != now.tasks:
        raise UsageError(f"{where} was started with other tasks ({len(before.tasks)}); choose another --output")
    known = {subject.digest for subject in now.subjects}
    gone = [label(subject) for subject in before.subjects if subject.digest not in known]
    if gone:
        asked = ", ".join(label(subject) for subject in now.subjects)
        raise UsageError(f"{where} measures {', '.join(gone)}, not {asked}; choose another --output")
    if now.attempts < before.attempts:
        raise UsageError(
            f"{where} was planned with {before.attempts} attempts; ask for as many or more, or choose another --output"
        )
