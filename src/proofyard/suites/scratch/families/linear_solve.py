"""Contract, inputs and the golden case of the family `linear-solve`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import linear_solve as program

__all__ = ["FAMILY"]

NOTES = (
    'An **equation** is an object `{"terms": {...}, "equals": integer}`: `terms` has 0 to 5 keys, the names of variables, '
    'and their integer coefficients; `{"terms": {"x": 2, "y": -1}, "equals": 3}` means 2x - y = 3. Coefficients and '
    "`equals` are from -1000 to 1000; they may be 0, and `terms` may be empty. Other keys are ignored.",
    "The variables of a system are all names in its equations, those with the coefficient 0 too. Any string is a name. "
    "Names are compared exactly and ordered by code point, as Python compares strings. Equations are numbered from 1.",
    "All arithmetic is exact. A **value** in a result is a JSON integer if it is an integer, else a string `p/q` in lowest "
    "terms with `q` of 2 or more, the minus sign of a negative value at the front.",
)

EQUATIONS = Param(name="equations", type="array of 1 to 5 equations", text="the system")
INCONSISTENT = ErrorDoc(
    code="inconsistent",
    when="the system has no solution",
    extra=(("equation", "integer: the least number k such that equations 1 to k, taken together, have no solution"),),
)

SOLVE = OperationDoc(
    name="solve",
    summary="All solutions of a system.",
    parameters=(EQUATIONS,),
    result='`{"solved": [{"variable": string, "constant": value, "per": {name: value, ...}}, ...], "free": [string, ...], '
    '"redundant": [integer, ...]}`: the solved variables in their order, the free variables in their order, and the '
    "numbers of the redundant equations, ascending.",
    errors=(INCONSISTENT,),
    rules=(
        "A variable is **solved** if the system implies an equation that expresses it by a constant and variables after it "
        "in the order (by none of them, too). All other variables are **free**: whatever values they are given, there is "
        "exactly one solution with them.",
        "Each solved variable is expressed by the free ones: it is `constant` plus the sum of each value in `per` times "
        "the free variable of that name. `per` names only the free variables for which that value is not 0; with a unique "
        "solution `free` is `[]` and each `per` is `{}`.",
        "An equation is redundant if it follows from the equations before it: every solution of them fulfils it. An "
        "equation that always holds (0 = 0) is redundant, also as the first.",
    ),
)

IMPLIES = OperationDoc(
    name="implies",
    summary="Whether an equation follows from a system.",
    parameters=(EQUATIONS, Param(name="equation", type="equation", text="the equation in question")),
    result='`{"answer": string}`: `implied` if every solution of the system fulfils the equation, `contradicted` if none '
    "does, else `independent`.",
    errors=(INCONSISTENT,),
    rules=(
        "The equation may have variables that the system has not; they may take any value. So 0x = 0 is implied by every "
        "system and 0x = 1 contradicted by every one.",
    ),
)

RESIDUALS = OperationDoc(
    name="residuals",
    summary="By how much given values miss each equation.",
    parameters=(
        EQUATIONS,
        Param(
            name="values",
            type="object with 0 to 25 keys, each value an integer, -1000000 to 1000000",
            text="the numerators of the variables by name; names that the system has not are ignored",
        ),
        Param(
            name="denominator",
            type="integer, 1 to 1000",
            text="what all numerators are divided by; default 1",
            required=False,
        ),
    ),
    result='`{"residuals": [value, ...], "solution": boolean}`: for each equation in order its left side minus its right '
    "side, and whether all of these are 0.",
    errors=(
        ErrorDoc(
            code="missing_value",
            when="a variable of the system (with the coefficient 0 too) is not in `values`",
            extra=(("variable", "string: the first such variable in the order"),),
        ),
    ),
)

NAMES = ("x", "y", "z", "a", "b", "Q", "x1", "x10", "x2", "é")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("solve", "solve", "implies", "residuals"))
    names = rng.sample(NAMES, rng.randint(2, 4))
    values = {name: rng.randint(-9, 9) for name in names}
    share = rng.choice((0.1, 0.4))
    equations: list[dict[str, Any]] = []
    for _ in range(rng.randint(2, 4)):
        equations.append(_combined(rng, equations) if equations and rng.random() < share else _random(rng, values))
    if rng.random() < 0.03:
        equations.append({**equations[0], "equals": equations[0]["equals"] + 1})
    if op == "solve":
        return op, {"equations": equations}
    if op == "implies":
        last = _combined(rng, equations) if rng.random() < 0.7 else _random(rng, values)
        return op, {"equations": equations, "equation": {**last, "equals": last["equals"] + rng.choice((0, 0, 1))}}
    given = {name: value + rng.choice((0, 0, 0, 1)) for name, value in {**values, "w": 5}.items()}
    args: dict[str, Any] = {"equations": equations, "values": given}
    if rng.random() < 0.5:
        factor = rng.randint(2, 7)
        args |= {
            "denominator": factor,
            "values": {name: value * factor + rng.choice((0, 1)) for name, value in given.items()},
        }
    if rng.random() < 0.06:
        del given[names[0]]
        args["values"] = given
    return op, args


def _random(rng: Random, values: dict[str, int]) -> dict[str, Any]:
    """An equation that the values fulfil, with some variables left out."""
    chosen = [name for name in values if rng.random() < 0.8]
    terms = {name: rng.choice((0, 1, -1, 2, rng.randint(-12, 12))) for name in chosen}
    return {"terms": terms, "equals": sum(factor * values[name] for name, factor in terms.items())}


def _combined(rng: Random, equations: list[dict[str, Any]]) -> dict[str, Any]:
    """A sum of multiples of two of the equations."""
    one, other = rng.choice(equations), rng.choice(equations)
    p, q = rng.choice((1, 2, -3)), rng.choice((0, -1, 2))
    names = {**one["terms"], **other["terms"]}
    terms = {name: p * one["terms"].get(name, 0) + q * other["terms"].get(name, 0) for name in names}
    equals = p * one["equals"] + q * other["equals"]
    fits = max(map(abs, [*terms.values(), equals])) <= 999
    return {"terms": terms, "equals": equals} if fits else one


def _equation(text: str) -> dict[str, Any]:
    """An equation from a short text: `2:x -1:y = 3`."""
    left, right = text.split("=")
    pairs = [term.split(":") for term in left.split()]
    return {"terms": {name: int(factor) for factor, name in pairs}, "equals": int(right)}


def _solve(*equations: str) -> Input:
    return "solve", {"equations": [_equation(text) for text in equations]}


def _implies(equation: str, *equations: str) -> Input:
    return "implies", {"equations": [_equation(text) for text in equations], "equation": _equation(equation)}


def _residuals(values: dict[str, int], *equations: str, **more: int) -> Input:
    return "residuals", {"equations": [_equation(text) for text in equations], "values": values, **more}


WIDE = tuple(" ".join(f"{(7 * i + 3 * j * j) % 13 - 6}:v{5 * i + j}" for j in range(5)) + f" = {i}" for i in range(5))
HILBERT = tuple(" ".join(f"{round(840 / (i + j + 1))}:v{j}" for j in range(5)) + " = 1" for i in range(5))

BOUNDARY: tuple[Input, ...] = (
    _solve("1:x 2:y -1:z = 4", "2:x 4:y 3:z = 13", "3:x 6:y 2:z = 17"),
    _solve("= 0"),
    _solve("= 5"),
    _solve("0:x = 0"),
    _solve("0:x = -1"),
    _solve("1:x = 1", "1:x = 2", "0:x = 3"),
    _solve("1:x 1:y = 1", "1:x -1:y = 3", "2:x = 4", "1:y = 5"),
    _solve("2:x = 1"),
    _solve("-3:x = 6"),
    _solve("4:x = -6"),
    _solve("0:x 2:y = 7"),
    _solve("1:y = 1", "1:x = 2"),
    _solve("1:x 1:y = 0"),
    _solve("1:y 1:x 1:Z 1:é = 10"),
    _solve("1:x10 1:x2 1:x1 = 1", "1:x2 -3:x1 = 0"),
    _solve("1:c = 1", "1:b 1:c = 2", "1:a 1:b 1:c = 3"),
    _solve("1:a 1:b 1:c = 3", "1:b 1:c = 2", "1:c = 1"),
    _solve("1:a 1:b 1:d = 3", "2:b 1:c = 2", "3:b 1:d = 1"),
    _solve("2:x 3:y = 5", "4:x 6:y = 10", "-2:x -3:y = -5", "1:x = 1", "1:y = 1"),
    _solve("0:a 0:b 1:c 2:d = 3", "0:a 1:b 1:c 1:d = 1"),
    _solve("1:x 1:y = 1", "= 0", "1:x 1:y = 1"),
    _solve("1:x 1:y = 1", "= 0", "1:x 1:y = 2", "1:x = 5"),
    _solve("1000:x -999:y = 1000", "-998:x 997:y = -1000"),
    _solve("1:x 0:w 5:y = 2"),
    _solve("3:p 2:q 7:r = 0", "1:p -1:q 1:r = 0", "2:p 5:q -3:r = 0"),
    _solve(*WIDE),
    _solve(*HILBERT),
    _implies("2:x 2:y = 2", "1:x 1:y = 1"),
    _implies("2:x 2:y = 3", "1:x 1:y = 1"),
    _implies("2:x 1:y = 2", "1:x 1:y = 1"),
    _implies("1:x = 1", "1:y = 1"),
    _implies("0:x = 0", "1:y = 1"),
    _implies("0:x = 1", "1:y = 1"),
    _implies("= 0", "= 0"),
    _implies("= 2", "= 0"),
    _implies("= 0", "= 1"),
    _implies("1:x = 1", "1:y = 1", "2:y = 2", "3:y = 2"),
    _implies("6:x = 3", "2:x 1:y = 4", "1:y = 3"),
    _implies("1:a 0:q = 3", "1:b 1:c = 1", "1:a 1:b = 3", "1:c = 1"),
    _residuals({}, "= 0"),
    _residuals({}, "= 3"),
    _residuals({"x": 2}, "1:x = 2", "2:x = 4"),
    _residuals({"x": 2, "y": 0}, "1:x = 2", "1:y 1:x = 4"),
    _residuals({"x": 1}, "0:y 1:x = 1"),
    _residuals({"X": 1}, "1:z 1:y 1:x = 1", "1:w = 0"),
    _residuals({"b": 1, "d": 3}, "1:a 1:b = 1", "1:c 1:é = 0"),
    _residuals({"x": 1, "y": 2, "w": 9}, "2:x 4:y = 5", "1:x = 1", denominator=2),
    _residuals({"x": -7, "y": 3}, "1:x 1:y = 0", "2:x = 1", "0:x = -4", denominator=6),
    _residuals({"x": 1000000, "y": -1000000}, "1000:x -1000:y = -1000", denominator=1000),
    _residuals({"x": 1}, "1:x = 0", denominator=999),
    _residuals({"": 4}, "3: = 12", denominator=1),
    _residuals({f"v{i}": i - 12 for i in range(25)}, *WIDE),
)

ONE = _equation("1:x = 1")
GOOD = {"equations": [ONE]}


def _bad(**changes: Any) -> dict[str, Any]:
    """A system with an equation that contradicts, and one with a change; None takes the key away."""
    changed = {key: value for key, value in {**ONE, **changes}.items() if value is not None}
    return {"equations": [ONE, _equation("1:x = 2"), changed]}


MALFORMED: tuple[Input, ...] = (
    ("solve", {}),
    ("solve", {"equations": []}),
    ("solve", {"equations": ONE}),
    ("solve", {"equations": None}),
    ("solve", {"equations": [ONE] * 6}),
    ("solve", {"equations": [ONE, "x = 1"]}),
    ("solve", _bad(terms=None)),
    ("solve", _bad(equals=None)),
    ("solve", _bad(terms=[1, 2])),
    ("solve", _bad(terms={"x": "1"})),
    ("solve", _bad(terms={"x": 1.0})),
    ("solve", _bad(terms={"x": True})),
    ("solve", _bad(terms={"x": 1001})),
    ("solve", _bad(terms={"x": -1001})),
    ("solve", _bad(terms={f"x{i}": 1 for i in range(6)})),
    ("solve", _bad(equals=1001)),
    ("solve", _bad(equals=-1001)),
    ("solve", _bad(equals="1/2")),
    ("solve", _bad(equals=False)),
    ("implies", GOOD),
    ("implies", {"equation": ONE}),
    ("implies", {**GOOD, "equation": [ONE]}),
    ("implies", {**GOOD, "equation": {"terms": {"x": 1}}}),
    ("implies", {**_bad(), "equation": {"terms": {"x": None}, "equals": 1}}),
    ("implies", {**_bad(equals=2.0), "equation": ONE}),
    ("residuals", GOOD),
    ("residuals", {"values": {"x": 1}}),
    ("residuals", {**GOOD, "values": [1]}),
    ("residuals", {**GOOD, "values": {"x": 1000001}}),
    ("residuals", {**GOOD, "values": {"x": -1000001}}),
    ("residuals", {**GOOD, "values": {"y": True}}),
    ("residuals", {**GOOD, "values": {f"x{i}": 1 for i in range(26)}}),
    ("residuals", {**GOOD, "values": {"x": 1}, "denominator": 0}),
    ("residuals", {**GOOD, "values": {"x": 1}, "denominator": 1001}),
    ("residuals", {**GOOD, "values": {"x": 1}, "denominator": 2.0}),
    ("residuals", {**GOOD, "values": {"x": 1}, "denominator": True}),
)

FAMILY = Family(
    number=29,
    slug="linear-solve",
    category="numbers",
    title="Linear equations",
    purpose="Solves systems of linear equations with named variables exactly, also those with many solutions, and tells "
    "which equations are redundant, implied or contradicted.",
    notes=NOTES,
    operations=(SOLVE, IMPLIES, RESIDUALS),
    program=program,
    # Order: a, b, c. Equation 2 is a = 1 - 2b; in equation 1: 3(1 - 2b) + 2b + c = 5, so b = (c - 2)/4 = -1/2 + c/4 and
    # a = 1 + 1 - c/2 = 2 - c/2. Equation 3 is the sum of the two. c cannot be expressed by variables after it: it is free.
    golden=Case(
        op="solve",
        args={"equations": [_equation(e) for e in ("3:a 2:b 1:c = 5", "2:b 1:a = 1", "4:a 4:b 1:c = 6")]},
        expected={
            "solved": [
                {"variable": "a", "constant": 2, "per": {"c": "-1/2"}},
                {"variable": "b", "constant": "-1/2", "per": {"c": "1/4"}},
            ],
            "free": ["c"],
            "redundant": [3],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
