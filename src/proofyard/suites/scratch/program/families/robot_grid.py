"""Robots that drive by program on a grid: one among conveyor belts, or several at once that must not collide."""

import re
from typing import Any

from ..arguments import array, enum, integer, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

ROWS = array(string(1, 20), 1, 20)
PLACE = {"row": integer(0, 19), "column": integer(0, 19), "heading": enum("N", "E", "S", "W")}
ROBOT = structure({**PLACE, "program": string(high=20)})
HEADINGS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
BELTS = {"^": "N", ">": "E", "v": "S", "<": "W"}
TURNS = {"L": 3, "R": 1}

Cell = tuple[int, int]


def check_drive(args: dict[str, Any]) -> None:
    """Check the arguments of `drive`."""
    required(args, "rows", ROWS)
    required(args, "start", structure(PLACE))
    required(args, "program", string(high=100))


def check_swarm(args: dict[str, Any]) -> None:
    """Check the arguments of `swarm`."""
    required(args, "rows", ROWS)
    required(args, "robots", array(ROBOT, 1, 8))


def drive(args: dict[str, Any]) -> object:
    """One robot among walls and belts."""
    rows, start = checked(args["rows"]), args["start"]
    cell, heading = (start["row"], start["column"]), start["heading"]
    if not free(rows, cell):
        raise DomainError("bad_start", "the robot starts in a wall or outside")
    visited, bumps = {cell}, 0
    for command in commands(args["program"]):
        target = goal(cell, heading, command)
        heading = turned(heading, TURNS.get(command, 0))
        if free(rows, target):
            cell = target
        else:
            bumps += 1
        visited.add(cell)
        carried = ahead(cell, BELTS.get(rows[cell[0]][cell[1]]))
        if free(rows, carried):
            cell = carried
        visited.add(cell)
    return {**shown(cell, heading), "bumps": bumps, "visited": len(visited)}


def swarm(args: dict[str, Any]) -> object:
    """Robots that all take a command in each tick."""
    rows = checked(args["rows"])
    cells: list[Cell] = []
    programs = []
    for index, robot in enumerate(args["robots"]):
        cell = (robot["row"], robot["column"])
        if not free(rows, cell) or cell in cells:
            raise DomainError("bad_start", "a robot starts in a wall, outside or on another one", robot=index)
        cells.append(cell)
        programs.append(commands(robot["program"], robot=index))
    headings = [robot["heading"] for robot in args["robots"]]
    bumps = [0] * len(cells)
    ticks = max(map(len, programs))
    for tick in range(ticks):
        now = [program[tick : tick + 1] for program in programs]
        wanted = [goal(*robot) for robot in zip(cells, headings, now, strict=True)]
        headings = [turned(h, TURNS.get(command, 0)) for h, command in zip(headings, now, strict=True)]
        stopped = collisions(rows, cells, wanted)
        cells = [cell if i in stopped else wanted[i] for i, cell in enumerate(cells)]
        bumps = [count + (i in stopped) for i, count in enumerate(bumps)]
    ends = zip(cells, headings, bumps, strict=True)
    return {"robots": [{**shown(cell, heading), "bumps": count} for cell, heading, count in ends], "ticks": ticks}


def collisions(rows: list[str], cells: list[Cell], wanted: list[Cell]) -> set[int]:
    """Which of the robots that want to move can't."""
    moves = {i: (cells[i], wanted[i]) for i in range(len(cells)) if wanted[i] != cells[i]}
    stopped = {
        i
        for i, (cell, target) in moves.items()
        if not free(rows, target) or wanted.count(target) > 1 or (target, cell) in moves.values()
    }
    while more := {i for i in moves.keys() - stopped if wanted[i] in [cells[j] for j in stopped]}:
        stopped |= more
    return stopped


def checked(rows: list[str]) -> list[str]:
    """The rows, if they make a grid."""
    for index, row in enumerate(rows):
        if len(row) != len(rows[0]) or not set(row) <= {".", "#", *BELTS}:
            raise DomainError("bad_grid", "the rows differ in length or hold other characters", row=index)
    return rows


def commands(program: str, **extra: int) -> str:
    """All commands of a program, the repeated ones as often as they are done."""
    rest = re.sub("^([1-9]?[LRFB])*", "", program)
    if rest:
        position = len(program) - len(rest)
        raise DomainError("bad_program", "the program has something that is no command", position=position, **extra)
    return re.sub("([1-9])(.)", lambda found: int(found[1]) * found[2], program)


def goal(cell: Cell, heading: str, command: str) -> Cell:
    """The cell that a robot wants to be in after a command."""
    return ahead(cell, {"F": heading, "B": turned(heading, 2)}.get(command))


def ahead(cell: Cell, heading: str | None) -> Cell:
    """The next cell; without a heading the same."""
    down, right = HEADINGS[heading] if heading else (0, 0)
    return (cell[0] + down, cell[1] + right)


def turned(heading: str, quarters: int) -> str:
    """The heading after quarter turns to the right."""
    return "NESW"[("NESW".index(heading) + quarters) % 4]


def free(rows: list[str], cell: Cell) -> bool:
    """Whether a cell is inside the grid and no wall."""
    row, column = cell
    return 0 <= row < len(rows) and 0 <= column < len(rows[0]) and rows[row][column] != "#"


def shown(cell: Cell, heading: str) -> dict[str, Any]:
    """Where a robot is."""
    return {"row": cell[0], "column": cell[1], "heading": heading}


OPERATIONS = {
    "drive": Operation(("rows", "start", "program"), check_drive, drive),
    "swarm": Operation(("rows", "robots"), check_swarm, swarm),
}
