"""Critical paths: the tasks are sorted by the standard library, then starts go forward and latest ends backward."""

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

Test = Callable[[Any], bool]
Tasks = dict[str, dict[str, Any]]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _integer(least: int, most: int) -> Test:
    """Integers from `least` to `most`."""
    return lambda value: type(value) is int and least <= value <= most


def _text(most: int) -> Test:
    """Strings of 1 to `most` code points."""
    return lambda value: isinstance(value, str) and 1 <= len(value) <= most


def _array(least: int, most: int, item: Test) -> Test:
    """Arrays of so many items, each of them right."""
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(item, value))


def _keys(needed: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    """Objects with all needed keys, where these and the optional ones are right."""
    tests = needed | (optional or {})
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in needed)
        and all(test(value[name]) for name, test in tests.items() if name in value)
    )


_TASK = _keys(
    {"name": _text(30), "duration": _integer(0, 1000)},
    {"after": _array(0, 10, _text(30)), "not_before": _integer(0, 10000)},
)
_ARGS: dict[str, dict[str, Test]] = {
    "plan": {"tasks": _array(1, 25, _TASK)},
    "delay": {"tasks": _array(1, 25, _TASK), "task": _text(30), "by": _integer(1, 1000)},
}

OPS: dict[str, tuple[str, ...]] = {op: tuple(tests) for op, tests in _ARGS.items()}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_ARGS[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    tasks = {task["name"]: {"after": [], **task} for task in args["tasks"]}
    if len(tasks) < len(args["tasks"]):
        raise Refused("duplicate_task")
    for name, task in tasks.items():
        if not tasks.keys() >= set(task["after"]):
            raise Refused("unknown_task", task=name)
    try:
        order = list(TopologicalSorter({name: task["after"] for name, task in tasks.items()}).static_order())
    except CycleError:
        raise Refused("cycle") from None
    if op == "plan":
        return _plan(tasks, order)
    return _delay(tasks, order, args["task"], args["by"])


def _times(tasks: Tasks, order: list[str]) -> tuple[dict[str, int], dict[str, int]]:
    """The starts and the ends of all tasks."""
    starts: dict[str, int] = {}
    ends: dict[str, int] = {}
    for name in order:
        task = tasks[name]
        starts[name] = max([task.get("not_before", 0), *(ends[before] for before in task["after"])])
        ends[name] = starts[name] + task["duration"]
    return starts, ends


def _plan(tasks: Tasks, order: list[str]) -> dict[str, Any]:
    """The times and the slack of all tasks, and the critical path."""
    starts, ends = _times(tasks, order)
    length = max(ends.values())
    latest: dict[str, int] = {}
    rows: dict[str, dict[str, Any]] = {}
    for name in reversed(order):
        followers = [other for other in tasks if name in tasks[other]["after"]]
        latest[name] = min((latest[other] for other in followers), default=length) - tasks[name]["duration"]
        rows[name] = {
            "task": name,
            "start": starts[name],
            "end": ends[name],
            "slack": latest[name] - starts[name],
            "free_slack": min((starts[other] for other in followers), default=length) - ends[name],
        }
    path: list[str] = []
    found = next((name for name in tasks if ends[name] == length), None)
    while found is not None:
        path.insert(0, found)
        before = tasks[found]["after"]
        found = next((name for name in tasks if name in before and ends[name] == starts[path[0]]), None)
    return {"length": length, "tasks": [rows[name] for name in tasks], "path": path}


def _delay(tasks: Tasks, order: list[str], late: str, by: int) -> dict[str, Any]:
    """What changes if one task takes longer."""
    if late not in tasks:
        raise Refused("no_such_task")
    starts, ends = _times(tasks, order)
    slower = tasks | {late: tasks[late] | {"duration": tasks[late]["duration"] + by}}
    new_starts, new_ends = _times(slower, order)
    length = max(new_ends.values())
    differences = {name: new_starts[name] - starts[name] for name in tasks}
    moved = [{"task": name, "by": difference} for name, difference in differences.items() if difference]
    return {"length": length, "later": length - max(ends.values()), "moved": moved}
