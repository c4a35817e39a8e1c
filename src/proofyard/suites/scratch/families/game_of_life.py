"""Contract, inputs and the golden case of the family `game-of-life`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import game_of_life as program

__all__ = ["FAMILY"]

NOTES = (
    "A grid is an array of rows, top first; each character is a cell: `#` is alive, `.` is dead. The grid given is "
    "generation 0. All cells of the next generation are computed from the present one at the same time.",
    "**Neighbours** of a cell are the cells at the eight places one step away, horizontally, vertically or "
    "diagonally. What lies outside the grid depends on `outside`: with `dead` every cell there is dead for good, with "
    "`alive` every one is alive for good, and with `wrap` the grid has no outside: left of the first column comes the "
    "last one, above the first row comes the last one, and the other way round. With `wrap` and fewer than three rows "
    "or columns the same cell stands at several of the eight places and counts once for each; it may be the cell "
    "itself (in a grid of one cell it is all eight of its own neighbours).",
    "**Rule.** A rule is written like `B3/S23`: `B`, then digits, `/S`, then digits; the digits are `0` to `8`, on "
    "either side strictly ascending, perhaps none. A dead cell becomes alive if the number of its live neighbours is "
    "among the digits after `B`; a live cell stays alive if that number is among those after `S`; every other cell is "
    "dead. Nothing else is a rule: not `S23/B3`, `b3/s23`, `B3/S32`, `B33/S23`, `23/3` or one with a space.",
    "The population of a generation is the number of live cells in the grid.",
)

GRID = (
    Param(
        name="rows",
        type="array of 1 to 12 strings, each of 1 to 12 code points",
        text="the grid; all rows shall have the same length and hold only `.` and `#`",
    ),
    Param(
        name="rule",
        type="string, 0 to 30 code points",
        text="the rule; default `B3/S23`",
        required=False,
    ),
    Param(
        name="outside",
        type="string, `dead`, `alive` or `wrap`",
        text="what is outside the grid; default `dead`",
        required=False,
    ),
)
ERRORS = (
    ErrorDoc(
        code="bad_grid",
        when="a row is not as long as the first one, or holds another character than `.` and `#`",
        extra=(("row", "integer: the place of the first such row, counted from 0"),),
    ),
    ErrorDoc(code="bad_rule", when="`rule` is not a rule"),
)

EVOLVE = OperationDoc(
    name="evolve",
    summary="A later generation.",
    parameters=(
        *GRID,
        Param(name="generations", type="integer, 0 to 20", text="the number of the generation wanted"),
    ),
    result='`{"rows": [string, ...], "populations": [integer, ...]}`: the grid of that generation, and the '
    "populations of generations 0 to `generations`, both included.",
    errors=ERRORS,
)

CYCLE = OperationDoc(
    name="cycle",
    summary="When the generations begin to repeat.",
    parameters=(*GRID, Param(name="limit", type="integer, 1 to 20", text="the last generation to look at")),
    result='`{"start": integer, "period": integer, "peak": integer, "peak_at": integer}`: the number of the '
    "generation that comes back first, after how many generations it does, the greatest population of all generations "
    "before it comes back, and the number of the first generation with that population.",
    errors=(*ERRORS, ErrorDoc(code="no_cycle", when="generations 0 to `limit` are all different")),
    rules=(
        "Let n be the smallest number of a generation that equals an earlier one, cell for cell (a moved pattern is "
        "not equal), and s the number of that earlier one: `start` is s, `period` is n - s, and `peak` is the "
        "greatest population of generations 0 to n - 1.",
        "An empty grid that stays empty has `start` 0 and `period` 1.",
    ),
)

RULES = ("B36/S23", "B2/S", "B3/S12345", "B1357/S1357", "B3678/S34678", "B0123478/S34678", "B3/S012345678", "B2/S34")


def generate(rng: Random) -> Input:
    """One input of a random operation; small grids repeat soon."""
    height, width = rng.randint(2, 9), rng.randint(3, 9)
    if rng.random() < 0.1:
        height = 1
    density = rng.choice((0.25, 0.35, 0.5))
    rows = ["".join("#" if rng.random() < density else "." for _ in range(width)) for _ in range(height)]
    args: dict[str, Any] = {"rows": rows}
    if rng.random() < 0.4:
        args["rule"] = rng.choice(RULES)
    if rng.random() < 0.7:
        args["outside"] = rng.choice(("wrap", "wrap", "alive", "dead"))
    if rng.random() < 0.05:
        args["rows"][-1] += rng.choice(".#xO ")
    if rng.random() < 0.4:
        return "cycle", {**args, "limit": rng.randint(12, 20)}
    return "evolve", {**args, "generations": rng.randint(1, 12)}


def _args(rows: str, **more: Any) -> dict[str, Any]:
    """Arguments with rows from a short text in which a blank separates them."""
    return {"rows": rows.split(" "), **more}


GLIDER = ".#... ..#.. ###.. ..... ....."
BLINKER = "..... ..... .###. ..... ....."
BLOCK = "......... ........# ##....... ......... ........."
PENTOMINO = "............ ............ ............ ............ .....##..... ....##...... .....#...... ............"
FULL = " ".join(["############"] * 12)

BOUNDARY: tuple[Input, ...] = (
    ("cycle", _args("..... .###. .....", limit=6, outside="alive")),
    ("evolve", _args("#", generations=0)),
    ("evolve", _args("#", generations=1, outside="wrap", rule="B/S8")),
    ("evolve", _args("#", generations=1, outside="wrap")),
    ("evolve", _args(".", generations=2, outside="wrap", rule="B0/S8")),
    ("evolve", _args(".", generations=2, outside="alive", rule="B8/S8")),
    ("evolve", _args("#", generations=2, outside="dead", rule="B0/S")),
    ("evolve", _args("## ..", generations=1, outside="wrap", rule="B45/S6")),
    ("evolve", _args("#. ..", generations=2, outside="wrap", rule="B24/S0")),
    ("evolve", _args("#.. .#.", generations=3, outside="wrap", rule="B23/S23")),
    ("evolve", _args("#. .# ..", generations=3, outside="wrap", rule="B23/S3")),
    ("evolve", _args("##.#.", generations=4, outside="wrap", rule="B35/S356")),
    ("evolve", _args("# # . # .", generations=4, outside="wrap", rule="B35/S356")),
    ("evolve", _args(GLIDER, generations=4)),
    ("evolve", _args(GLIDER, generations=12)),
    ("evolve", _args(GLIDER, generations=20, outside="wrap")),
    ("evolve", _args(GLIDER, generations=7, outside="wrap")),
    ("evolve", _args(GLIDER, generations=3, outside="alive")),
    ("evolve", _args(BLOCK, generations=2, outside="wrap")),
    ("evolve", _args("...... ...... ......", generations=3, rule="B123/S345", outside="alive")),
    ("evolve", _args(".. .. ..", generations=2, rule="B35/S", outside="alive")),
    ("evolve", _args(PENTOMINO, generations=20)),
    ("evolve", _args(PENTOMINO, generations=20, outside="wrap", rule="B3/S23")),
    ("evolve", _args(FULL, generations=3)),
    ("evolve", _args(FULL, generations=20, rule="B012345678/S012345678", outside="wrap")),
    ("evolve", _args(".#. #.# .#.", generations=1, rule="B/S")),
    ("evolve", _args(".#.# #### ..#. #.##", generations=1, rule="B01/S15")),
    *(("evolve", _args("##. .#. ...", generations=1, rule=f"B{n}/S{8 - n}", outside="wrap")) for n in range(9)),
    *(
        ("evolve", _args("##. .#.", generations=1, rule=rule))
        for rule in (
            "",
            "S23/B3",
            "b3/s23",
            "B3/S32",
            "B33/S23",
            "B3/S22",
            "B9/S23",
            "B3/S9",
            "23/3",
            "B3S23",
            " B3/S23",
            "B3/S23\n",
            "B3/S2 3",
            "B3/S23/3",
            "B٣/S23",
            wide(30),
        )
    ),
    ("evolve", _args("... ... .. ....", generations=1)),
    ("evolve", _args("... .... ...", generations=1, rule="?")),
    ("evolve", _args("... .#. .O. ..", generations=0)),
    ("evolve", _args("#.X ...", generations=0)),
    ("evolve", {"rows": ["#. ", "..#"], "generations": 1}),
    ("evolve", _args(f"............ {wide(12)}", generations=1)),
    ("cycle", _args(f"............ {wide(12)}", limit=1)),
    ("cycle", _args("... ..", limit=3, rule="B3")),
    ("cycle", _args("... ...", limit=3, rule=wide(30))),
    ("cycle", _args(". .", limit=1)),
    ("cycle", _args("##. ##. ...", limit=1)),
    ("cycle", _args(BLINKER, limit=2)),
    ("cycle", _args(BLINKER, limit=1)),
    ("cycle", _args(GLIDER, limit=20, outside="wrap")),
    ("cycle", _args(GLIDER, limit=19, outside="wrap")),
    ("cycle", _args(GLIDER, limit=18)),
    ("cycle", _args(PENTOMINO, limit=20)),
    ("cycle", _args("..#.. .##.. ..... #...#", limit=20)),
    ("cycle", _args("###", limit=20)),
    ("cycle", _args("### ###", limit=20)),
    ("cycle", _args(".....", limit=5, outside="alive", rule="B567/S")),
    ("cycle", _args("#.#.#.# .#.#.#.", limit=20, rule="B2/S", outside="wrap")),
)

GOOD = _args(GLIDER, generations=3)
LOOK = _args(GLIDER, limit=3)

MALFORMED: tuple[Input, ...] = (
    ("evolve", {"generations": 3}),
    ("evolve", {"rows": GOOD["rows"]}),
    ("evolve", {**GOOD, "rows": []}),
    ("evolve", {**GOOD, "rows": "..."}),
    ("evolve", {**GOOD, "rows": [["#", "."]]}),
    ("evolve", {**GOOD, "rows": ["..", ""]}),
    ("evolve", {**GOOD, "rows": ["..", "...", 5]}),
    ("evolve", {**GOOD, "rows": ["..", "...", None]}),
    ("evolve", {**GOOD, "rows": ["." * 13]}),
    ("evolve", {**GOOD, "rows": ["..", wide(13)]}),
    ("evolve", {**GOOD, "rows": ["."] * 13}),
    *(("evolve", {**GOOD, "generations": bad}) for bad in (-1, 21, 3.0, True, "3", None)),
    *(("evolve", {**GOOD, "rule": bad}) for bad in (None, 3, ["B3/S23"], "B" + "3" * 30, wide(31))),
    *(("evolve", {**GOOD, "outside": bad}) for bad in (None, "Wrap", "", True)),
    ("evolve", {**GOOD, "rule": "?", "outside": "torus"}),
    ("cycle", {"limit": 3}),
    ("cycle", GOOD),
    *(("cycle", {**LOOK, "limit": bad}) for bad in (0, -1, 21, 3.0, True, "3", None)),
    ("cycle", {**LOOK, "rows": ["..", 0]}),
    ("cycle", {**LOOK, "rule": False}),
    ("cycle", {**LOOK, "outside": 0}),
)

FAMILY = Family(
    number=60,
    slug="game-of-life",
    category="simulation",
    title="Game of Life",
    purpose="Runs the Game of Life and its relatives on a small grid, and finds when the generations begin to repeat.",
    notes=NOTES,
    operations=(EVOLVE, CYCLE),
    program=program,
    # Columns wrap, so with three columns a cell has the whole of the rows above and below as neighbours, and the two other
    # cells of its own row. Row 0 (##.): rows 3 and 1 around it hold 0 + 1. Its live cells have 1 + 1 = 2: they stay; its dead
    # cell has 2 + 1 = 3: born. Row 1 (..#): around it 2 + 0; its live cell has 2: stays; the dead ones have 1 + 2 = 3: born.
    # Row 2: around it 1 + 0: dead. Row 3: around it 0 + 2: 2 each, dead. So ### ### ... ... with 6. Then rows 0 and 1 have
    # 2 + 3 = 5 each: dead; row 2 sees row 1 and row 3 sees row 0: 3 each, born. Populations 3, 6, 6.
    golden=Case(
        op="evolve",
        args=_args("##. ..# ... ...", generations=2, outside="wrap"),
        expected={"rows": ["...", "...", "###", "###"], "populations": [3, 6, 6]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
