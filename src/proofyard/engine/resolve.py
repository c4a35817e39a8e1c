"""From a request to a plan: suite, tasks and subjects are looked up by name; nothing is run or written."""

from collections.abc import Mapping

from proofyard.agents import AgentPlugin
from proofyard.core import Plan, Subject, Suite, Task, UsageError, digest_of
from proofyard.engine.plugins import load
from proofyard.engine.request import RunRequest

__all__ = ["brief_digests", "check_same", "dataset_digest", "label", "load_tasks", "resolve", "subject_of"]


def resolve(request: RunRequest, suite: Suite, tasks: Mapping[str, Task]) -> Plan:
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


def load_tasks(suite: Suite, subset: str, names: tuple[str, ...] = ()) -> dict[str, Task]:
    """Return the tasks of a subset, or those named, in dataset order.

    Raises:
        UnknownNameError: a subset or a task is not there.
        UsageError: nothing is left, or a task cannot be run.

    """
    ids = suite.ids(subset)
    wanted = set(names)
    for name in names:
        if name not in ids:
            suite.load(name)
            raise UsageError(f"task {name} is not in subset {subset!r}")
    tasks = {name: suite.load(name) for name in ids if not wanted or name in wanted}
    if not tasks:
        raise UsageError(f"suite {suite.name} has no tasks" + (f" in subset {subset!r}" if subset else ""))
    for task in tasks.values():
        if len(task.steps) != 1:
            raise UsageError(f"task {task.id} has {len(task.steps)} steps; only tasks of one step can be run")
    return tasks


def brief_digests(tasks: Mapping[str, Task]) -> dict[str, str]:
    """Task id -> digest of its brief."""
    return {name: task.steps[0].brief.digest for name, task in tasks.items()}


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


def dataset_digest(briefs: Mapping[str, str]) -> str:
    """A digest over all briefs of a run, by which a dataset changed without a new version is noticed."""
    return digest_of(dict(briefs))
