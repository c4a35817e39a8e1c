"""Bipartite matching: no assignment is ever searched for, as the greatest shortage of a group tells how many get a task."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "assign": ("people", "tasks"),
    "choices": ("people", "tasks"),
    "shortage": ("people", "tasks"),
}

Cans = list[list[str]]
Places = dict[str, int]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:  # noqa: ARG001
    """Whether all arguments of the operation are there and have the right type and range."""
    people, tasks = args.get("people"), args.get("tasks")
    return (
        isinstance(people, list)
        and 1 <= len(people) <= 8
        and all(map(_is_person, people))
        and isinstance(tasks, list)
        and 1 <= len(tasks) <= 8
        and all(map(_is_task, tasks))
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    names: list[str] = [person["name"] for person in args["people"]]
    cans: Cans = [list(dict.fromkeys(person["can"])) for person in args["people"]]
    places: Places = {task["name"]: task["places"] for task in args["tasks"]}
    if len(set(names)) < len(names):
        raise Refused("duplicate_person")
    if len(places) < len(args["tasks"]):
        raise Refused("duplicate_task")
    for name, can in zip(names, cans, strict=True):
        if not places.keys() >= set(can):
            raise Refused("unknown_task", {"person": name})
    return {"assign": _assign, "choices": _choices, "shortage": _shortage}[op](names, cans, places)


def _is_name(value: Any) -> bool:
    """Whether a value is a string of 1 to 30 code points."""
    return isinstance(value, str) and 1 <= len(value) <= 30


def _is_person(value: Any) -> bool:
    """Whether a value is a person."""
    if not isinstance(value, dict) or not _is_name(value.get("name")):
        return False
    can = value.get("can")
    return isinstance(can, list) and len(can) <= 5 and all(map(_is_name, can))


def _is_task(value: Any) -> bool:
    """Whether a value is a task."""
    if not isinstance(value, dict) or not _is_name(value.get("name")):
        return False
    places = value.get("places")
    return isinstance(places, int) and not isinstance(places, bool) and 1 <= places <= 3


def _neediest(cans: Cans, places: Places) -> tuple[int, int]:
    """The greatest shortage and the smallest group that has it, as bits; groups are built up by their last person."""
    numbers = {task: at for at, task in enumerate(places)}
    sizes = [0]
    for count in places.values():
        sizes += [size + count for size in sizes]
    tasks, best, smallest = [0], 0, 0
    for at, can in enumerate(cans):
        own = sum(1 << numbers[task] for task in can)
        tasks += [group | own for group in tasks]
        for group in range(1 << at, 2 << at):
            short = group.bit_count() - sizes[tasks[group]]
            if (short, -group.bit_count()) > (best, -smallest.bit_count()):
                best, smallest = short, group
    return best, smallest


def _most(cans: Cans, places: Places) -> int:
    """How many people have a task in a full assignment: all but the greatest shortage."""
    return len(cans) - _neediest(cans, places)[0]


def _assign(names: list[str], cans: Cans, places: Places) -> Any:
    """The best full assignment: each person gets the first task after which as many of the others can have one."""
    wanted = _most(cans, places)
    assigned, left, given = wanted, dict(places), []
    for at, name in enumerate(names):
        chosen = None
        for task in cans[at]:
            rest = {**left, task: left[task] - 1}
            if rest[task] >= 0 and _most(cans[at + 1 :], rest) == wanted - 1:
                chosen, left, wanted = task, rest, wanted - 1
                break
        given.append({"person": name, "task": chosen})
    free = [{"task": task, "places": count} for task, count in left.items() if count]
    return {"assigned": assigned, "people": given, "free": free}


def _choices(names: list[str], cans: Cans, places: Places) -> Any:
    """The tasks that each person has in some full assignment."""
    full, found = _most(cans, places), []
    for at, name in enumerate(names):
        others = cans[:at] + cans[at + 1 :]
        possible = [task for task in cans[at] if _most(others, {**places, task: places[task] - 1}) == full - 1]
        found.append({"person": name, "possible": possible, "always": _most(others, places) < full})
    return {"people": found}


def _shortage(names: list[str], cans: Cans, places: Places) -> Any:
    """The group that lacks the most places."""
    short, bits = _neediest(cans, places)
    group = [at for at in range(len(cans)) if bits >> at & 1]
    tasks = [task for task in places if any(task in cans[at] for at in group)]
    return {"shortage": short, "people": [names[at] for at in group], "tasks": tasks}
