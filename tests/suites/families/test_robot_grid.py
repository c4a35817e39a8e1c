"""One robot with complex numbers; the swarm by trying every set of robots that could move."""

from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.robot_grid import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "complex numbers; every set of movers tried"
NORTH = {"N": 1 + 0j, "E": -1j, "S": -1 + 0j, "W": 1j}
BELT = {"^": 1 + 0j, ">": -1j, "v": -1 + 0j, "<": 1j}
COMMAND = st.builds("{}{}".format, st.sampled_from(["", "", "", "1", "3", "9", "0"]), st.sampled_from("LRFFFFBx"))
GRID = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.text("....#^>v<", min_size=n, max_size=n), min_size=1, max_size=4)
)


def place(start: dict[str, Any]) -> complex:
    """North is the real axis, west the imaginary one."""
    return complex(-start["row"], -start["column"])


def cells_of(rows: list[str]) -> dict[complex, str]:
    return {complex(-r, -c): char for r, row in enumerate(rows) for c, char in enumerate(row)}


def words(program: str) -> tuple[list[str], int]:
    """All single commands, and where it stops being a program (its length if nowhere)."""
    found: list[str] = []
    at = 0
    while at < len(program):
        count, letter = (program[at], program[at + 1 : at + 2]) if program[at] in "123456789" else ("1", program[at])
        if letter == "" or letter not in "LRFB":
            return found, at
        found += [letter] * int(count)
        at += 1 if letter == program[at] else 2
    return found, at


def grid_fault(rows: list[str]) -> dict[str, Any]:
    for n, row in enumerate(rows):
        if len(row) - len(rows[0]) or row.translate(str.maketrans("", "", ".#^>v<")):
            return {"code": "bad_grid", "row": n}
    return {}


def compass(heading: complex) -> str:
    return next(name for name, value in NORTH.items() if value == heading)


def check_drive(args: dict[str, Any]) -> None:
    result = play(FAMILY, "drive", args)
    cells = cells_of(args["rows"])
    at, heading = place(args["start"]), NORTH[args["start"]["heading"]]
    letters, end = words(args["program"])
    failed = grid_fault(args["rows"])
    if not failed and cells.get(at, "#") == "#":
        failed = {"code": "bad_start"}
    if not failed and end < len(args["program"]):
        failed = {"code": "bad_program", "position": end}
    if failed:
        assert result == failed
        return
    trail, bumps = [at], 0
    for letter in letters:
        heading *= {"L": 1j, "R": -1j}.get(letter, 1)
        step = {"F": heading, "B": -heading}.get(letter, 0)
        if cells.get(at + step, "#") == "#":
            bumps += 1
        else:
            at += step
        trail.append(at)
        belt = BELT.get(cells[at], 0)
        at += belt if cells.get(at + belt, "#") != "#" else 0
        trail.append(at)
    assert result == {
        "row": -int(at.real),
        "column": -int(at.imag),
        "heading": compass(heading),
        "bumps": bumps,
        "visited": len(set(trail)),
    }


def movers(cells: dict[complex, str], here: list[complex], want: list[complex]) -> set[int]:
    """The greatest set of robots that can move at once, found by trying all sets, the greatest first."""
    able = [
        i
        for i, target in enumerate(want)
        if target != here[i]
        and cells.get(target, "#") != "#"
        and not any(j != i and want[j] == target and want[j] != here[j] for j in range(len(want)))
    ]
    for size in range(len(able), 0, -1):
        for chosen in combinations(able, size):
            after = [want[i] if i in chosen else here[i] for i in range(len(here))]
            swaps = any(want[i] == here[j] and want[j] == here[i] for i in chosen for j in chosen)
            if len(set(after)) == len(after) and not swaps:
                return set(chosen)
    return set()


def check_swarm(args: dict[str, Any]) -> None:
    result = play(FAMILY, "swarm", args)
    cells, robots = cells_of(args["rows"]), args["robots"]
    failed = grid_fault(args["rows"])
    here: list[complex] = []
    programs = []
    for n, robot in enumerate(robots):
        letters, end = words(robot["program"])
        if not failed and (cells.get(place(robot), "#") == "#" or place(robot) in here):
            failed = {"code": "bad_start", "robot": n}
        if not failed and end < len(robot["program"]):
            failed = {"code": "bad_program", "robot": n, "position": end}
        here.append(place(robot))
        programs.append(letters)
    if failed:
        assert result == failed
        return
    heading = [NORTH[robot["heading"]] for robot in robots]
    bumps = [0] * len(robots)
    ticks = max(len(program) for program in programs)
    for tick in range(ticks):
        want = list(here)
        for n, program in enumerate(programs):
            if tick < len(program):
                heading[n] *= {"L": 1j, "R": -1j}.get(program[tick], 1)
                want[n] += {"F": heading[n], "B": -heading[n]}.get(program[tick], 0)
        going = movers(cells, here, want)
        bumps = [b + (want[n] != here[n] and n not in going) for n, b in enumerate(bumps)]
        here = [want[n] if n in going else here[n] for n in range(len(here))]
    rows = zip(here, heading, bumps, strict=True)
    assert result == {
        "robots": [
            {"row": -int(at.real), "column": -int(at.imag), "heading": compass(h), "bumps": b} for at, h, b in rows
        ],
        "ticks": ticks,
    }


@settings(max_examples=50, deadline=None)
@given(GRID, st.integers(0, 4), st.integers(0, 4), st.sampled_from("NESW"), st.lists(COMMAND, max_size=12))
def test_drive(rows: list[str], row: int, column: int, heading: str, program: list[str]) -> None:
    start = {"row": row, "column": column, "heading": heading}
    check_drive({"rows": rows, "start": start, "program": "".join(program)})


def test_drive_on_its_own_inputs() -> None:
    for args in of(FAMILY, "drive", 300):
        check_drive(args)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from("NESW"), st.text("FFFLRB", max_size=4)),
        min_size=2,
        max_size=6,
        unique_by=lambda robot: robot[:2],
    )
)
def test_swarm(robots: list[Any]) -> None:
    keys = ("row", "column", "heading", "program")
    check_swarm({"rows": ["...", "...", "..."], "robots": [dict(zip(keys, robot, strict=True)) for robot in robots]})


def test_swarm_on_its_own_inputs() -> None:
    for args in of(FAMILY, "swarm", 150):
        check_swarm(args)
