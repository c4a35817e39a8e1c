"""Robots on a grid: places and headings are complex numbers (columns real, rows imaginary), stops spread until stable."""

import re
from collections import Counter
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"drive": ("rows", "start", "program"), "swarm": ("rows", "robots")}
HEADINGS: dict[str, complex] = {"N": -1j, "E": 1, "S": 1j, "W": -1}
BELTS: dict[str, complex] = {"^": -1j, ">": 1, "v": 1j, "<": -1}
TURNS: dict[str, complex] = {"L": -1j, "R": 1j}
MOVES = {"F": 1, "B": -1}
COMMAND = re.compile("([1-9]?)([LRFB])")


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _text(value: Any, low: int, high: int) -> bool:
    """Whether a value is a string of a length in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _is_place(value: Any) -> bool:
    """Whether a value is an object with a place and a heading."""
    if not isinstance(value, dict) or not isinstance(value.get("heading"), str):
        return False
    numbers = (value.get("row"), value.get("column"))
    return value["heading"] in HEADINGS and all(type(number) is int and 0 <= number <= 19 for number in numbers)


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all types and ranges are right."""
    rows, robots = args.get("rows"), args.get("robots")
    if not (isinstance(rows, list) and 1 <= len(rows) <= 20 and all(_text(row, 1, 20) for row in rows)):
        return False
    if op == "drive":
        return _is_place(args.get("start")) and _text(args.get("program"), 0, 100)
    if not isinstance(robots, list) or not 1 <= len(robots) <= 8:
        return False
    return all(_is_place(robot) and _text(robot.get("program"), 0, 20) for robot in robots)


def _cells(rows: list[str]) -> dict[complex, str]:
    """The free cells of a grid by place."""
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]) or not set(row) <= set("#.^>v<"):
            raise Refused("bad_grid", row=number)
    return {complex(x, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "#"}


def _commands(program: str, **extra: int) -> str:
    """A program with its repetitions written out."""
    commands, position = "", 0
    while position < len(program):
        command = COMMAND.match(program, position)
        if command is None:
            raise Refused("bad_program", **extra, position=position)
        commands += command[2] * int(command[1] or 1)
        position = command.end()
    return commands


def _state(place: complex, heading: complex, bumps: int) -> dict[str, Any]:
    """Where a robot is, as results have it."""
    name = next(name for name, direction in HEADINGS.items() if direction == heading)
    return {"row": int(place.imag), "column": int(place.real), "heading": name, "bumps": bumps}


def _drive(cells: dict[complex, str], place: complex, heading: complex, commands: str) -> dict[str, Any]:
    """One robot with belts."""
    bumps, visited = 0, {place}
    for command in commands:
        heading *= TURNS.get(command, 1)
        target = place + heading * MOVES.get(command, 0)
        if target in cells:
            place = target
        else:
            bumps += 1
        carried = place + BELTS.get(cells[place], 0)
        visited |= {place, carried} & cells.keys()
        place = carried if carried in cells else place
    return {**_state(place, heading, bumps), "visited": len(visited)}


def _tick(cells: dict[complex, str], places: list[complex], targets: list[complex]) -> list[complex]:
    """The places after all robots have tried to be at their targets; a robot that stays has its own place as target."""
    wishes = Counter(target for place, target in zip(places, targets, strict=True) if place != target)
    changes = set(zip(places, targets, strict=True))
    after = [
        place if target not in cells or wishes[target] > 1 or (target, place) in changes else target
        for place, target in zip(places, targets, strict=True)
    ]
    while True:
        staying = {place for place, new in zip(places, after, strict=True) if place == new}
        stopped = [place if new in staying else new for place, new in zip(places, after, strict=True)]
        if stopped == after:
            return after
        after = stopped


def _swarm(cells: dict[complex, str], robots: list[dict[str, Any]]) -> dict[str, Any]:
    """Several robots without belts."""
    places: list[complex] = []
    programs: list[str] = []
    for number, robot in enumerate(robots):
        place = complex(robot["column"], robot["row"])
        if place not in cells or place in places:
            raise Refused("bad_start", robot=number)
        places.append(place)
        programs.append(_commands(robot["program"], robot=number))
    headings = [HEADINGS[robot["heading"]] for robot in robots]
    bumps = [0] * len(robots)
    ticks = max(map(len, programs))
    for tick in range(ticks):
        commands = [program[tick : tick + 1] for program in programs]
        headings = [heading * TURNS.get(do, 1) for heading, do in zip(headings, commands, strict=True)]
        moves = zip(places, headings, commands, strict=True)
        targets = [place + heading * MOVES.get(do, 0) for place, heading, do in moves]
        places = _tick(cells, places, targets)
        bumps = [old + (place != goal) for old, place, goal in zip(bumps, places, targets, strict=True)]
    return {"robots": [_state(*state) for state in zip(places, headings, bumps, strict=True)], "ticks": ticks}


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation."""
    cells = _cells(args["rows"])
    if op == "swarm":
        return _swarm(cells, args["robots"])
    start = args["start"]
    place = complex(start["column"], start["row"])
    if place not in cells:
        raise Refused("bad_start")
    return _drive(cells, place, HEADINGS[start["heading"]], _commands(args["program"]))
