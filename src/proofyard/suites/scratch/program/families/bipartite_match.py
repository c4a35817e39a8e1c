"""Who does which task: the best assignment, what else would be as good, and why some go without."""

from typing import Any

from ..arguments import array, integer, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)
PERSON = structure({"name": NAME, "can": array(NAME, high=5)})
TASK = structure({"name": NAME, "places": integer(1, 3)})


def check(args: dict[str, Any]) -> None:
    """Check the arguments, which are the same for all operations."""
    required(args, "people", array(PERSON, 1, 8))
    required(args, "tasks", array(TASK, 1, 8))


def assign(args: dict[str, Any]) -> object:
    """The best assignment, person by person."""
    wanted, room = read(args)
    most = left = filled(wanted, room)
    rows = []
    for index, person in enumerate(args["people"]):
        task = next((task for task in person["can"] if is_possible(task, wanted[index + 1 :], room, left)), None)
        rows.append({"person": person["name"], "task": task})
        if task is not None:
            room[task] -= 1
            left -= 1
    return {
        "assigned": most,
        "people": rows,
        "free": [{"task": task, "places": places} for task, places in room.items() if places > 0],
    }


def choices(args: dict[str, Any]) -> object:
    """What each person may do in assignments of as many people as possible."""
    wanted, room = read(args)
    most = filled(wanted, room)
    rows = []
    for index, person in enumerate(args["people"]):
        others = wanted[:index] + wanted[index + 1 :]
        possible = [task for task in dict.fromkeys(person["can"]) if is_possible(task, others, room, most)]
        rows.append({"person": person["name"], "possible": possible, "always": filled(others, room) < most})
    return {"people": rows}


def shortage(args: dict[str, Any]) -> object:
    """The smallest group of people that lacks the most places."""
    wanted, room = read(args)
    groups: list[list[int]] = [[]]
    for index in range(len(wanted)):
        groups += [[*group, index] for group in groups]

    def spare(group: list[int]) -> int:
        return sum(room[task] for task in tasks_of(group)) - len(group)

    def tasks_of(group: list[int]) -> set[str]:
        return {task for index in group for task in wanted[index]}

    worst = min(groups, key=lambda group: (spare(group), len(group)))
    return {
        "shortage": -spare(worst),
        "people": [args["people"][index]["name"] for index in worst],
        "tasks": [task for task in room if task in tasks_of(worst)],
    }


def read(args: dict[str, Any]) -> tuple[list[list[str]], dict[str, int]]:
    """What each person can do, and the places of each task, once the names are known to be right."""
    people, tasks = args["people"], args["tasks"]
    if len({person["name"] for person in people}) < len(people):
        raise DomainError("duplicate_person", "two people have the same name")
    room = {task["name"]: task["places"] for task in tasks}
    if len(room) < len(tasks):
        raise DomainError("duplicate_task", "two tasks have the same name")
    for person in people:
        if not room.keys() >= set(person["can"]):
            raise DomainError("unknown_task", "a person can do something that is no task", person=person["name"])
    return [person["can"] for person in people], room


def is_possible(task: str, others: list[list[str]], room: dict[str, int], most: int) -> bool:
    """Whether a person can do a task while as many of the others have one that there are `most` in all."""
    return room[task] > 0 and filled(others, {**room, task: room[task] - 1}) == most - 1


def filled(wanted: list[list[str]], room: dict[str, int]) -> int:
    """How many people can have a place at the same time."""
    holders: dict[tuple[str, int], int] = {}

    def seat(person: int, tried: set[tuple[str, int]]) -> bool:
        for place in ((task, number) for task in wanted[person] for number in range(room[task])):
            if place not in tried:
                tried.add(place)
                if place not in holders or seat(holders[place], tried):
                    holders[place] = person
                    return True
        return False

    return sum(seat(person, set()) for person in range(len(wanted)))


OPERATIONS = {
    "assign": Operation(("people", "tasks"), check, assign),
    "choices": Operation(("people", "tasks"), check, choices),
    "shortage": Operation(("people", "tasks"), check, shortage),
}
