"""Contract, inputs and the golden case of the family `stack-machine`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import stack_machine as program

__all__ = ["FAMILY"]

NOTES = (
    "The machine has a stack of integers. All values are signed 32-bit integers, -2147483648 to 2147483647: a result "
    "outside wraps round (2147483647 + 1 is -2147483648).",
    "A program is an array of lines, counted from 1; each line is one instruction or one label. Below, the stack is "
    "shown bottom first: `a b -> b a` takes b from the top, then a, and puts b back, then a on top of it.",
    "Instructions on the stack: `push N` ( -> N), `pop` (a -> ), `dup` (a -> a a), `swap` (a b -> b a), `over` (a b -> "
    "a b a), `rot` (a b c -> b c a).",
    "Arithmetic, each `a b -> result`: `add` a + b, `sub` a - b, `mul` a * b, `div` the quotient a / b cut towards "
    "zero, `mod` the remainder that goes with it, a - b * (a `div` b), so it has the sign of a or is 0; `eq` 1 if a = b, else "
    "0; `lt` 1 if a < b, else 0.",
    "Others: `out` (a -> ) appends a to the output; `jump NAME` goes on after the label NAME; `jumpz NAME` (a -> ) "
    "does so if a is 0, and otherwise nothing; `halt` ends the program. A label is a line `NAME:`; it does nothing. "
    "It may stand before or after the lines that jump to it. A program also ends after its last line.",
    "**Syntax.** NAME is one or more of the letters `a` to `z` (names of instructions are allowed). N is `0`, or "
    "digits `0` to `9` without a leading zero and with an optional `-` before them, in the range of values; not `-0`, `+1` or "
    "`007`. Exactly one blank (U+0020) stands between a word and its operand, and no other white space anywhere; "
    "instructions are in lower case. Everything else, an empty line included, is no line of a program.",
)

LINE = ("line", "integer: the number of that line")
PROGRAM = Param(name="program", type="array of 0 to 60 strings, each of 0 to 30 code points", text="the program")
BAD_PROGRAM = ErrorDoc(
    code="bad_program",
    when="the program can't be loaded, whether or not the faulty line would ever be reached",
    extra=(
        LINE,
        (
            "reason",
            "string: `instruction` if the line is no line of a program, `repeated_label` if it is a label that an "
            "earlier line has already, `unknown_label` if it jumps to a label that the program does not have",
        ),
    ),
)
LOADING = (
    "the first line with the reason `instruction` or `repeated_label` decides; only if there is none, the first line "
    "with `unknown_label`"
)

EXECUTE = OperationDoc(
    name="execute",
    summary="Runs a program.",
    parameters=(
        PROGRAM,
        Param(
            name="stack",
            type="array of 0 to 20 integers, each -2147483648 to 2147483647",
            text="the stack at the start, bottom first; default `[]`",
            required=False,
        ),
        Param(
            name="max_steps",
            type="integer, 1 to 1000",
            text="how many steps may be done; default 1000",
            required=False,
        ),
    ),
    result='`{"output": [integer, ...], "stack": [integer, ...], "steps": integer}`: the output, the stack at the '
    "end, bottom first, and the number of steps done.",
    errors=(
        BAD_PROGRAM,
        ErrorDoc(
            code="fault",
            when="the program has to stop at an instruction that can't be done",
            extra=(
                LINE,
                (
                    "reason",
                    "string: `steps` if `max_steps` steps have been done already, `underflow` if the stack has fewer "
                    "values than the instruction takes, `division` if it is a `div` or `mod` and b is 0; looked for in "
                    "this order",
                ),
            ),
        ),
    ),
    error_order=f"`bad_program` comes first: {LOADING}",
    rules=(
        "Every instruction done is one step, `halt` and jumps included; labels are none, and passing them is allowed "
        "when all steps are used up. A program that ends after exactly `max_steps` steps is fine.",
        "`over` takes two values and puts three back, so it needs two on the stack; likewise `dup` needs one, `swap` "
        "two and `rot` three.",
    ),
)

EFFECT = OperationDoc(
    name="effect",
    summary="What a program without jumps does to the height of the stack.",
    parameters=(PROGRAM,),
    result='`{"needs": integer, "leaves": integer, "peak": integer}`: the smallest number of values on the stack with '
    "which the program runs without `underflow`; how many values are there at the end if it starts with exactly so "
    "many; and the greatest number of values there at the start or after any of its instructions.",
    errors=(
        BAD_PROGRAM,
        ErrorDoc(
            code="not_straight",
            when="a line is a label, `jump` or `jumpz`, also one after a `halt`",
            extra=(("line", "integer: the number of the first such line"),),
        ),
    ),
    error_order=f"`bad_program` comes first: {LOADING}",
    rules=(
        "Nothing is computed: division by zero does not matter here. Instructions after the first `halt` do not count.",
    ),
)

PLAIN = ("pop", "dup", "dup", "swap", "over", "over", "rot", "add", "sub", "mul", "div", "mod", "eq", "lt", "out")
LOOP = ("top:", "dup", "out", "push {}", "sub", "dup", "push 0", "lt", "jumpz top")


def generate(rng: Random) -> Input:
    """One input of a random operation: straight code, sometimes around a loop that counts down."""
    lines = [_line(rng) for _ in range(rng.randint(4, 22))]
    if rng.random() < 0.35:
        if rng.random() < 0.3:
            lines.insert(rng.randint(1, len(lines)), "halt")
        if rng.random() < 0.1:
            lines.insert(rng.randint(0, len(lines)), rng.choice(("top:", "jump top", "push 2147483648", "Pop")))
        return "effect", {"program": lines}
    values = [rng.choice((rng.randint(-20, 20), rng.randint(-(2**31), 2**31 - 1))) for _ in range(rng.randint(6, 14))]
    args: dict[str, Any] = {"program": lines, "stack": values}
    if rng.random() < 0.5:
        place = rng.randint(0, len(lines))
        loop = [text.format(rng.randint(3, 9)) for text in (f"push {rng.randint(10, 40)}", *LOOP)]
        args["program"] = [*lines[:place], *loop, *lines[place:]]
    if rng.random() < 0.1:
        args["max_steps"] = rng.randint(5, 40)
    return "execute", args


def _line(rng: Random) -> str:
    if rng.random() < 0.4:
        return f"push {rng.choice((rng.randint(-9, 9), rng.randint(1, 99), rng.randint(-(2**31), 2**31 - 1)))}"
    return rng.choice(PLAIN)


def _args(program: str, **more: Any) -> dict[str, Any]:
    """Arguments from a short text: lines separated by commas."""
    return {"program": program.split(", "), **more}


LOW, HIGH = -(2**31), 2**31 - 1
COUNT = "push 3, top:, dup, out, push 1, sub, dup, jumpz end, jump top, end:, pop"
PAIRS = ((7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3), (0, -5), (2, 7), (-2, 7), (LOW, -1), (HIGH, -1))
BAD = (
    "",
    "nop",
    "Push 1",
    "push",
    "push 1 ",
    " push 1",
    "push  1",
    "push\t1",
    "push 007",
    "push -0",
    "push +1",
    "push 1.0",
    "push - 1",
    "push x",
    "push ٣",
    "push 2147483648",
    "push -2147483649",
    "push 99999999999999999999",
    "add 1",
    "pop\n",
    "jump",
    "jumpz end ",
    "jump end:",
    "jumpz  end",
    "jump 3",
    "call end",
    "End:",
    "end :",
    "e1:",
    ":",
    "halt; pop",
    wide(30),
)

BOUNDARY: tuple[Input, ...] = (
    ("execute", _args("push 7, push -2, div, out, push -7, push 2, mod, out, pop, out")),
    ("execute", {"program": []}),
    ("execute", {"program": [], "stack": [5, -1], "max_steps": 1}),
    ("execute", _args("dup, out, dup, over, rot, swap", stack=[1, 2, 3])),
    ("execute", _args("rot", stack=[1, 2, 3, 4])),
    ("execute", _args("over, swap, pop", stack=[1, 2])),
    *(
        ("execute", {"program": [op], "stack": [9] * n})
        for op, n in (("pop", 0), ("dup", 0), ("out", 0), ("swap", 1), ("over", 1), ("rot", 2), ("lt", 1), ("div", 1))
    ),
    ("execute", _args("x:, jumpz x")),
    ("execute", _args("push 1, mod")),
    ("execute", _args("push 0, mod, halt", stack=[5])),
    ("execute", _args("push 4, push 0, div")),
    ("execute", _args("push 0, div")),
    *(("execute", _args("over, over, div, rot, rot, mod", stack=list(pair))) for pair in PAIRS),
    ("execute", _args(f"push {HIGH}, push 1, add, out, push {LOW}, push 1, sub, out, push {LOW}, dup, mul, out")),
    ("execute", _args(f"push {LOW}, push -1, mul, out, push 65536, push 32768, mul, out, push {HIGH}, dup, mul, out")),
    ("execute", _args(f"push {HIGH}, dup, add, push {LOW}, dup, add", stack=[HIGH, LOW])),
    (
        "execute",
        _args("push 2, push 2, eq, push 2, push 3, eq, push 2, push 3, lt, push 3, push 3, lt, push 4, push 3, lt"),
    ),
    ("execute", _args("push -1, push 1, lt, push -1, push -1, eq, push 10, push 3, sub")),
    ("execute", _args(COUNT)),
    ("execute", _args(COUNT, max_steps=18)),
    ("execute", _args(COUNT, max_steps=17)),
    ("execute", _args(COUNT, max_steps=1)),
    ("execute", _args("x:, jump x")),
    ("execute", _args("x:, push 1, jump x, pop", max_steps=7)),
    ("execute", _args("push 1, halt, pop, pop", max_steps=2)),
    ("execute", _args("push 1, halt, pop, pop", max_steps=1)),
    ("execute", _args("push 1, x:, y:", max_steps=1)),
    ("execute", _args("push 1, x:, pop", max_steps=1)),
    ("execute", _args("push 1, x:, pop, pop", max_steps=2)),
    ("execute", _args("pop, pop", max_steps=1, stack=[0])),
    ("execute", _args("jump end, pop, end:")),
    ("execute", _args("halt:, push 0, jumpz push, out, push:, push -1, jumpz halt, push 5, out")),
    ("execute", _args("push -1, jumpz x, push 2, x:, push 3")),
    ("execute", _args("push 5, sub, dup, out, dup, jumpz e, push 8, e:, halt, e2x")),
    *(("execute", _args("halt, end:", stack=[]) | {"program": ["halt", "end:", text]}) for text in BAD),
    ("execute", _args("x:, x:, jump y")),
    ("execute", _args("jump y, x:, y:, x:, bad!")),
    ("execute", _args("jump y, x:, bad!, x:")),
    ("execute", _args("halt, jump y, jumpz z, x:")),
    ("execute", _args("halt, jumpz pop, jump z")),
    ("execute", {"program": ["push 1"] * 60}),
    ("execute", {"program": ["x:", *["mul"] * 18, *["push 46341"] * 18, "jump x"], "stack": [3] * 20}),
    ("effect", {"program": []}),
    ("effect", _args("push 1, push 2")),
    *(
        ("effect", {"program": [op]})
        for op in ("pop", "dup", "swap", "over", "rot", "out", "halt", "push 3", "add", "mod", "eq")
    ),
    ("effect", _args("pop, push 1, push 2, push 3, pop, pop")),
    ("effect", _args("push 1, rot, out, out, out, dup")),
    ("effect", _args("add, push 0, div, over, over, rot, pop, pop")),
    ("effect", _args("dup, halt, rot, rot, push 1, halt, pop")),
    ("effect", _args("pop, x:, halt")),
    ("effect", _args("halt, jump x, x:")),
    ("effect", _args("pop, pop, jumpz x, x:")),
    ("effect", _args("x:, pop, y:, Pop")),
    ("effect", _args("pop, jump x, halt")),
    ("effect", {"program": ["pop", wide(30)]}),
    ("effect", {"program": ["over"] * 60}),
)

GOOD = _args("push 1, out", stack=[1])

MALFORMED: tuple[Input, ...] = (
    ("execute", {}),
    ("execute", {"stack": []}),
    ("execute", {"program": "halt"}),
    ("execute", {"program": None}),
    ("execute", {"program": [["push", 1]]}),
    ("execute", {"program": ["push 1", 5]}),
    ("execute", {"program": ["nop", None]}),
    ("execute", {"program": ["x" * 31]}),
    ("execute", {"program": ["pop", wide(31)]}),
    ("execute", {"program": ["halt"] * 61}),
    *(("execute", {**GOOD, "stack": bad}) for bad in (5, None, [1.0], [True], ["1"], [1, None], [LOW - 1], [HIGH + 1])),
    ("execute", {**GOOD, "stack": [1] * 21}),
    *(("execute", {**GOOD, "max_steps": bad}) for bad in (0, -1, 1001, 5.0, True, "5", None)),
    ("execute", {"program": ["nop"], "max_steps": 0}),
    ("effect", {}),
    ("effect", {"program": {"1": "pop"}}),
    ("effect", {"program": ["pop", False]}),
    ("effect", {"program": ["pop"] * 61}),
    ("effect", {"program": ["x:", wide(31)]}),
)

FAMILY = Family(
    number=62,
    slug="stack-machine",
    category="simulation",
    title="Stack machine",
    purpose="Runs the programs of a small stack machine with 32-bit integers, and tells how many values a program without "
    "jumps needs on the stack and leaves there.",
    notes=NOTES,
    operations=(EXECUTE, EFFECT),
    program=program,
    # Stack [17, -5]. over: 17 -5 17; over: 17 -5 17 -5; div: 17 / -5 = -3.4, towards zero -3, out. Left 17 -5; mod:
    # 17 - (-5)(-3) = 2. The loop: dup out (2), push 1 sub (1), dup jumpz: 1 is not 0, jump top; dup out (1), sub (0), dup
    # jumpz: to end with 0 on the stack. push 2147483647, add: 2147483647; push 1, add: -2147483648. Steps: 5 to mod, 7 in the
    # first round (dup out push sub dup jumpz jump), 6 in the second, 4 at the end: 22.
    golden=Case(
        op="execute",
        args=_args(
            "over, over, div, out, mod, top:, dup, out, push 1, sub, dup, jumpz end, jump top, end:, "
            "push 2147483647, add, push 1, add",
            stack=[17, -5],
        ),
        expected={"output": [-3, 2, 1], "stack": [-2147483648], "steps": 22},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
