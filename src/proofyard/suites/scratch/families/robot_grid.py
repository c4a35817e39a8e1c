"""Contract, inputs and the golden case of the family `robot-grid`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import robot_grid as program

__all__ = ["FAMILY"]

NOTES = (
    "A grid is an array of rows, top (north) first; each character is a cell: `#` is a wall, `.` is floor, and `^`, "
    "`>`, `v`, `<` are floor with a belt that runs north, east, south or west. Rows and columns are counted from 0. "
    "What lies outside the grid can't be entered, just like a wall; every other cell is **free**.",
    "A robot stands in a cell and faces north, east, south or west (`N`, `E`, `S`, `W`).",
    "**Programs.** A program is a sequence of commands without anything between them, perhaps empty. A command is one "
    "of the letters `L` (turn left by a quarter), `R` (turn right by a quarter), `F` (move one cell forward) and `B` "
    "(move one cell backward, the heading stays), perhaps with one digit `1` to `9` directly before it: then it is "
    "done that many times, each as a command of its own. So `3FR` is `FFFR`. `0F`, `12F` (no command begins with "
    "`12`), `F3` (the `3` begins nothing), `f` and blanks are not programs.",
)

ROWS = Param(
    name="rows",
    type="array of 1 to 20 strings, each of 1 to 20 code points",
    text="the grid; all rows shall have the same length and hold only the characters of a grid",
)
BAD_GRID = ErrorDoc(
    code="bad_grid",
    when="a row is not as long as the first one, or holds a character that is no cell",
    extra=(("row", "integer: the place of the first such row, counted from 0"),),
)
POSITION = (
    "position",
    "integer: the code point, counted from 0, at which the first thing begins that is no command; for a digit that "
    "is not followed by a command letter, or is 0, that is the digit",
)
ROBOT = ("robot", "integer: the place of that robot in `robots`, counted from 0")

DRIVE = OperationDoc(
    name="drive",
    summary="One robot among walls and belts.",
    parameters=(
        ROWS,
        Param(
            name="start",
            type='object `{"row": integer, "column": integer, "heading": string}`',
            text="where the robot starts; `row` and `column` are 0 to 19, `heading` is `N`, `E`, `S` or `W`; other "
            "keys are ignored",
        ),
        Param(name="program", type="string, 0 to 100 code points", text="its program"),
    ),
    result='`{"row": integer, "column": integer, "heading": string, "bumps": integer, "visited": integer}`: where the '
    "robot is at the end, how often it bumped, and in how many different cells it has been, the first one included.",
    errors=(
        BAD_GRID,
        ErrorDoc(code="bad_start", when="the cell it starts in is not free"),
        ErrorDoc(code="bad_program", when="`program` is not a program", extra=(POSITION,)),
    ),
    rules=(
        "`F` and `B` into a cell that is not free are a bump: the robot stays where it is.",
        "After each command of any kind, turns and bumps included, a robot that then stands on a belt is carried one "
        "cell in the direction of the belt, unless that cell is not free; its heading stays. It is carried only once "
        "for each command, even if it comes onto another belt. Not being carried is no bump. Before the first command "
        "no belt runs.",
        "A cell that a robot enters by a command and is carried out of at once counts as visited.",
    ),
)

SWARM = OperationDoc(
    name="swarm",
    summary="Several robots that all move at the same time.",
    parameters=(
        ROWS,
        Param(
            name="robots",
            type='array of 1 to 8 objects `{"row": integer, "column": integer, "heading": string, "program": string}`',
            text="the robots; `row`, `column` and `heading` as in `drive`, `program` has 0 to 20 code points; other "
            "keys are ignored",
        ),
    ),
    result='`{"robots": [{"row": integer, "column": integer, "heading": string, "bumps": integer}, ...], "ticks": '
    "integer}`: for each robot in the order given where it is at the end and how often it bumped; and the number of "
    "ticks, which is the number of commands of the longest program, repetitions counted.",
    errors=(
        BAD_GRID,
        ErrorDoc(
            code="bad_start",
            when="the cell a robot starts in is not free, or an earlier robot starts there",
            extra=(ROBOT,),
        ),
        ErrorDoc(code="bad_program", when="the program of a robot is not a program", extra=(ROBOT, POSITION)),
    ),
    error_order="`bad_grid` comes first; then the robots are checked in order, each for `bad_start` before "
    "`bad_program`, and the first fault decides",
    rules=(
        "Belts do not run here: they are plain floor.",
        "In tick n every robot does the n-th command of its program, all at the same time; one whose program is over "
        "stands still. Turns always succeed.",
        "A robot that does `F` or `B` wants to enter a cell. It is **stopped** if that cell is not free; or if "
        "another robot wants to enter the same cell in this tick, whether or not that other one is stopped anyway; or "
        "if the robot in that cell wants to enter this robot's cell (they can't change places); or if the robot in "
        "that cell does not leave it in this tick, because it turns, stands still, or is itself stopped.",
        "All robots that are not stopped move; so robots in a line can move on together, and three or more can move "
        "round in a ring. Being stopped is a bump: the robot stays where it is, and that command is done.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation; little space, so that robots meet walls and each other."""
    op = rng.choice(("drive", "swarm", "swarm"))
    height, width = rng.randint(2, 6), rng.randint(3, 7)
    tiles = "......##^>v<" if op == "drive" else ".......#>"
    rows = ["".join(rng.choice(tiles) for _ in range(width)) for _ in range(height)]
    places = [(r, c) for r, row in enumerate(rows) for c, tile in enumerate(row) if tile != "#"] or [(0, 0)]
    if rng.random() < 0.04:
        rows[-1] += "."
    if op == "drive":
        start = _place(*rng.choice(places), rng.choice("NESW"))
        return op, {"rows": rows, "start": start, "program": _program(rng, rng.randint(5, 25), 0.2)}
    count = min(len(places), rng.randint(2, 8))
    robots = [
        {**_place(*place, rng.choice("NESW")), "program": _program(rng, rng.randint(2, 12), 0.1)}
        for place in rng.sample(places, count)
    ]
    if rng.random() < 0.05:
        robots[-1]["program"] += rng.choice(("0F", "f", "12L", "4"))
    return op, {"rows": rows, "robots": robots}


def _place(row: int, column: int, heading: str) -> dict[str, Any]:
    return {"row": row, "column": column, "heading": heading}


def _program(rng: Random, length: int, repeated: float) -> str:
    parts = [str(rng.randint(1, 4)) if rng.random() < repeated else "" for _ in range(length)]
    return "".join(part + rng.choice("FFFFFBLR") for part in parts)[:100]


def _drive(rows: str, place: str, program: str) -> Input:
    """A drive from short texts: rows separated by blanks, the place `02N` is row 0, column 2, facing north."""
    start = _place(int(place[0]), int(place[1]), place[2])
    return "drive", {"rows": rows.split(" "), "start": start, "program": program}


def _swarm(rows: str, *robots: str) -> Input:
    """A swarm; a robot `02N:FFL` has its place and its program."""
    read = [text.split(":") for text in robots]
    made = [{**_place(int(p[0]), int(p[1]), p[2]), "program": program} for p, program in read]
    return "swarm", {"rows": rows.split(" "), "robots": made}


OPEN = "..... ..... ..... ....."
LOOP = ">>v ^.v ^<<"
BIG = " ".join(["." * 20] * 20)

BOUNDARY: tuple[Input, ...] = (
    _swarm(".....", "00E:3F", "01E:FLF", "04W:FB"),
    _drive(".", "00N", ""),
    _drive(".", "00N", "FBRL9F"),
    _drive("#", "00N", "x"),
    _drive(OPEN, "40N", "F"),
    _drive(OPEN, "05N", "0"),
    _drive(OPEN, "34S", "FLF"),
    _drive(OPEN, "00W", "FRF"),
    _drive(OPEN, "22N", "FLFLFLFL"),
    _drive(OPEN, "22N", "RFRFRFRF"),
    _drive(OPEN, "22N", "FR" * 5),
    _drive(OPEN, "22E", "9B2FL3FR"),
    _drive(OPEN, "22S", "B" * 100),
    _drive(".#. ... ##.", "10E", "LF2RF2L2FLFF"),
    _drive(LOOP, "00S", ""),
    _drive(LOOP, "00S", "L"),
    _drive(LOOP, "00S", "LLLLLLLL"),
    _drive(LOOP, "00W", "FF"),
    _drive(LOOP, "11N", "FFFFFF"),
    _drive(LOOP, "11E", "F3B"),
    _drive("^.> .#. <.v", "00N", "LRLR"),
    _drive("^.> .#. <.v", "02S", "FF2RF"),
    _drive("^.> .#. <.v", "20S", "BFFR"),
    _drive(".>#", "00E", "FFLF"),
    _drive(".v. #.#", "00E", "FFF"),
    _drive(".<.", "02W", "FF"),
    _drive(".<.", "00E", "FFFF"),
    _drive(".^. .^. ...", "21N", "F"),
    _drive(">>>>>.", "00W", "RRR"),
    _drive("><", "00N", "RRR"),
    _drive("<.>^v#", "01E", "4FL"),
    _drive("..#.. .#.", "00N", "F"),
    _drive(".#v <^> .x.", "00N", "F"),
    _drive(".. .V", "00N", "F"),
    *(
        _drive(OPEN, "22N", text)
        for text in ("0F", "F0F", "12F", "F12F", "F3", "3", "f", "FfF", "F F", "FN", "2FX", "٣F", "LRFB\n", "-F")
    ),
    _drive(BIG, "00E", "9F9FF" + "9FR" * 31 + "F"),
    ("drive", {"rows": [wide(20)], "start": _place(19, 19, "N"), "program": wide(100)}),
    ("drive", {"rows": [".", "."], "start": {**_place(0, 0, "N"), "junk": 1}, "program": wide(100)}),
    _swarm(".", "00N:"),
    _swarm(OPEN, "00N:F", "00S:F"),
    _swarm(OPEN, "00N:x", "00S:F"),
    _swarm(OPEN, "00N:F", "05N:x"),
    _swarm(".#", "00N:F", "01N:"),
    _swarm(OPEN, "00N:F", "40N:"),
    _swarm(OPEN, "00N:F", "01N:LL0R", "02N:z"),
    _swarm(OPEN, "00N:F", "01N:9"),
    _swarm(".... .. x", "00N:F", "00N:9"),
    _swarm(">v.. ^<..", "00E:LL", "03W:FFF"),
    _swarm(".....", "00E:F", "01E:F"),
    _swarm(".....", "00E:F", "01W:F"),
    _swarm(".....", "00E:F", "01E:"),
    _swarm(".....", "00E:F", "01E:L"),
    _swarm(".....", "00E:F", "02W:F"),
    _swarm(".....", "00E:2F", "03W:2F"),
    _swarm(".....", "00E:FF", "01E:LF"),
    _swarm(".....", "02E:FFF", "01E:FFF", "00E:FFF"),
    _swarm(".....", "00E:FFF", "01E:FFF", "02E:FFF"),
    _swarm(".....", "00W:B", "01W:B", "04E:B"),
    _swarm(".....", "00E:F", "01E:F", "02E:F", "04W:F"),
    _swarm(".....", "00E:F", "01E:F", "02W:F"),
    _swarm("... ...", "00E:F", "01S:F", "11W:F", "10N:F"),
    _swarm("... ...", "00E:2F", "01S:2F", "11W:2F", "10N:FR"),
    _swarm("... ... ...", "00E:F", "01S:F", "11W:F", "10N:F", "02W:F"),
    _swarm("... ... ...", "01S:F", "10E:F", "12W:F", "21N:F", "11N:F"),
    _swarm("... ... ...", "01S:F", "21N:F"),
    _swarm("... .#. ...", "01S:F", "00E:F", "10N:F", "21W:FRF"),
    _swarm(".....", "04E:F", "03E:F", "01E:F", "02W:F"),
    _swarm("... ...", "02W:F", "00E:F", "11N:F", "12W:F"),
    _swarm("... ...", "01N:F", "00E:F", "10N:F"),
    _swarm("....", "00E:3F", "03N:L2F", "01E:2FL"),
    _swarm(OPEN, *[f"{i // 5}{i % 5}{'NESW'[i % 4]}:{'9F9B' * 5}" for i in range(8)]),
    (
        "swarm",
        {"rows": ["."], "robots": [{**_place(0, 0, "N"), "program": "F"}, {**_place(0, 0, "N"), "program": wide(20)}]},
    ),
    ("swarm", {"rows": [wide(20)], "robots": [{**_place(0, 0, "N"), "program": wide(20)}]}),
)

GOOD = _drive(OPEN, "22N", "FFLF")[1]
MANY = _swarm(OPEN, "22N:FFLF", "00E:F")[1]


def _bad_start(**changes: Any) -> Input:
    """A drive with a start of which fields are changed; a field changed to "gone" is taken away."""
    return "drive", {**GOOD, "start": {k: v for k, v in {**GOOD["start"], **changes}.items() if v != "gone"}}


def _bad_robot(**changes: Any) -> Input:
    robot = {k: v for k, v in {**MANY["robots"][1], **changes}.items() if v != "gone"}
    return "swarm", {**MANY, "robots": [MANY["robots"][0], MANY["robots"][0], robot]}


MALFORMED: tuple[Input, ...] = (
    *(("drive", {k: v for k, v in GOOD.items() if k != name}) for name in GOOD),
    ("drive", {**GOOD, "rows": []}),
    ("drive", {**GOOD, "rows": "..."}),
    ("drive", {**GOOD, "rows": ["...", ""]}),
    ("drive", {**GOOD, "rows": ["...", "....", 5]}),
    ("drive", {**GOOD, "rows": ["." * 21]}),
    ("drive", {**GOOD, "rows": [wide(21)]}),
    ("drive", {**GOOD, "rows": ["."] * 21}),
    ("drive", {**GOOD, "start": [0, 0, "N"]}),
    ("drive", {**GOOD, "start": None}),
    *(_bad_start(**{name: "gone"}) for name in ("row", "column", "heading")),
    *(_bad_start(row=bad) for bad in (-1, 20, 1.0, True, "1", None)),
    *(_bad_start(column=bad) for bad in (-1, 20, 1.0, False)),
    *(_bad_start(heading=bad) for bad in ("n", "", "NE", 0, None)),
    *(("drive", {**GOOD, "program": bad}) for bad in (None, 5, ["F"], "F" * 101, wide(101))),
    ("swarm", {"rows": MANY["rows"]}),
    ("swarm", {"robots": MANY["robots"]}),
    ("swarm", {**MANY, "robots": []}),
    ("swarm", {**MANY, "robots": MANY["robots"][0]}),
    ("swarm", {**MANY, "robots": [MANY["robots"][0]] * 9}),
    *(_bad_robot(**{name: "gone"}) for name in ("row", "column", "heading", "program")),
    _bad_robot(row=20),
    _bad_robot(column=-1),
    _bad_robot(row=True),
    _bad_robot(heading="north"),
    _bad_robot(program="F" * 21),
    _bad_robot(program=wide(21)),
    _bad_robot(program=None),
    ("swarm", {**MANY, "rows": ["..", ".", None]}),
)

FAMILY = Family(
    number=61,
    slug="robot-grid",
    category="simulation",
    title="Robots on a grid",
    purpose="Drives robots by program on a grid: one robot among walls and belts, or several at the same time that must "
    "not run into each other.",
    notes=NOTES,
    operations=(DRIVE, SWARM),
    program=program,
    # From (0,0) facing east. F: to (0,1), a belt east: carried to (0,2), a belt south, but only one ride a command. R: faces
    # south; the belt carries to (1,2). F: wall below: bump; (1,2) is floor. B: to (0,2), carried to (1,2) again. R: west. F: to
    # (1,1). F: wall: bump. Cells: (0,0) (0,1) (0,2) (1,2) (1,1): 5.
    golden=Case(
        op="drive",
        args=_drive(".>v. #... ..#.", "00E", "FRFBR2F")[1],
        expected={"row": 1, "column": 1, "heading": "W", "bumps": 2, "visited": 5},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
