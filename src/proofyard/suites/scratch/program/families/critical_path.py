"""Plans the tasks of a project: times, slack and the critical path, and what a delay changes."""

from typing import Any

from ..arguments import array, integer, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)
TASKS = array(
    structure(
        {"name": NAME, "duration": integer(0, 1000)}, {"after": array(NAME, high=10), "not_before": integer(0, 10000)}
    ),
    1,
    25,
)


def check_plan(args: dict[str, Any]) -> None:
    """Check the arguments of `plan`."""
    required(args, "tasks", TASKS)


def check_delay(args: dict[str, Any]) -> None:
    """Check the arguments of `delay`."""
    required(args, "tasks", TASKS)
    required(args, "task", NAME)
    required(args, "by", integer(1, 1000))


def plan(args: dict[str, Any]) -> object:
    """The times and the slack of all tasks, and the critical path."""
    tasks = read(args["tasks"])
    starts = earliest(tasks)
    ends = {name: starts[name] + task["duration"] for name, task in tasks.items()}
    length = max(ends.values())
    latest: dict[str, int] = {}
    rows = {}
    for name in reversed(starts):
        following = [other for other, task in tasks.items() if name in task["after"]]
        latest[name] = min((latest[other] for other in following), default=length) - tasks[name]["duration"]
        rows[name] = {
            "task": name,
            "start": starts[name],
            "end": ends[name],
            "slack": latest[name] - starts[name],
            "free_slack": min((starts[other] for other in following), default=length) - ends[name],
        }
    path = [next(name for name in tasks if ends[name] == length)]
    while before := [name for name in tasks if name in tasks[path[0]]["after"] and ends[name] == starts[path[0]]]:
        path.insert(0, before[0])
    return {"length": length, "tasks": [rows[name] for name in tasks], "path": path}


def delay(args: dict[str, Any]) -> object:
    """What changes if one task takes longer."""
    tasks, name = read(args["tasks"]), args["task"]
    before = earliest(tasks)
    if name not in tasks:
        raise DomainError("no_such_task", f"there is no task {name!r}")
    old = length_of(tasks, before)
    tasks[name]["duration"] += args["by"]
    after = earliest(tasks)
    new = length_of(tasks, after)
    moved = [{"task": other, "by": after[other] - before[other]} for other in tasks if after[other] > before[other]]
    return {"length": new, "later": new - old, "moved": moved}


def read(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The tasks by name, in order, if they are sound."""
    tasks = {item["name"]: {"after": [], "not_before": 0, **item} for item in items}
    if len(tasks) < len(items):
        raise DomainError("duplicate_task", "two tasks have the same name")
    for name, task in tasks.items():
        if not tasks.keys() >= set(task["after"]):
            raise DomainError("unknown_task", f"{name!r} comes after a task that is not there", task=name)
    return tasks


def earliest(tasks: dict[str, dict[str, Any]]) -> dict[str, int]:
    """The earliest start of each task; a task stands after all those that it waits for."""
    starts: dict[str, int] = {}
    while len(starts) < len(tasks):
        ready = [n for n, task in tasks.items() if n not in starts and starts.keys() >= set(task["after"])]
        if not ready:
            raise DomainError("cycle", "tasks wait for each other")
        for name in ready:
            ends = [starts[other] + tasks[other]["duration"] for other in tasks[name]["after"]]
            starts[name] = max([tasks[name]["not_before"], *ends])
    return starts


def length_of(tasks: dict[str, dict[str, Any]], starts: dict[str, int]) -> int:
    """When the last task ends."""
    ends: list[int] = [starts[name] + task["duration"] for name, task in tasks.items()]
    return max(ends)


OPERATIONS = {
    "plan": Operation(("tasks",), check_plan, plan),
    "delay": Operation(("tasks", "task", "by"), check_delay, delay),
}
