"""Systems of linear equations with named variables, solved exactly."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..arguments import array, integer, mapping, optional, required, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

Row = list[Fraction]
Rows = dict[int, Row]

COEFFICIENT = integer(-1000, 1000)
EQUATION = structure({"terms": mapping(COEFFICIENT, high=5), "equals": COEFFICIENT})
EQUATIONS = array(EQUATION, 1, 5)


def check_solve(args: dict[str, Any]) -> None:
    """Check the arguments of `solve`."""
    required(args, "equations", EQUATIONS)


def check_implies(args: dict[str, Any]) -> None:
    """Check the arguments of `implies`."""
    required(args, "equations", EQUATIONS)
    required(args, "equation", EQUATION)


def check_residuals(args: dict[str, Any]) -> None:
    """Check the arguments of `residuals`."""
    required(args, "equations", EQUATIONS)
    required(args, "values", mapping(integer(-(10**6), 10**6), high=25))
    optional(args, "denominator", integer(1, 1000))


def solve(args: dict[str, Any]) -> object:
    """The solved variables in terms of the free ones."""
    names = names_of(args["equations"])
    rows, redundant = eliminated(args["equations"], names)
    free = [column for column in range(len(names)) if column not in rows]
    solved = [
        {
            "variable": names[column],
            "constant": written(row[-1]),
            "per": {names[other]: written(-row[other]) for other in free if row[other]},
        }
        for column, row in sorted(rows.items())
    ]
    return {"solved": solved, "free": [names[column] for column in free], "redundant": redundant}


def implies(args: dict[str, Any]) -> object:
    """Whether an equation follows from others, contradicts them, or neither."""
    names = names_of([*args["equations"], args["equation"]])
    rows, _ = eliminated(args["equations"], names)
    *coefficients, constant = reduced(read(args["equation"], names), rows)
    if any(coefficients):
        return {"answer": "independent"}
    return {"answer": "contradicted" if constant else "implied"}


def residuals(args: dict[str, Any]) -> object:
    """By how much values miss each equation."""
    values, denominator = args["values"], args.get("denominator", 1)
    for name in names_of(args["equations"]):
        if name not in values:
            raise DomainError("missing_value", f"{name!r} has no value", variable=name)
    found = []
    for equation in args["equations"]:
        left = sum(factor * values[name] for name, factor in equation["terms"].items())
        found.append(written(Fraction(left, denominator) - equation["equals"]))
    return {"residuals": found, "solution": not any(found)}


def names_of(equations: list[dict[str, Any]]) -> list[str]:
    """All variables in order."""
    return sorted({name for equation in equations for name in equation["terms"]})


def read(equation: dict[str, Any], names: list[str]) -> Row:
    """The coefficients of all variables, and the constant."""
    return [Fraction(equation["terms"].get(name, 0)) for name in names] + [Fraction(equation["equals"])]


def eliminated(equations: list[dict[str, Any]], names: list[str]) -> tuple[Rows, list[int]]:
    """The reduced rows by the column of their leading 1, and the numbers of the equations that brought none."""
    rows: Rows = {}
    redundant = []
    for number, equation in enumerate(equations, start=1):
        *coefficients, constant = reduced(read(equation, names), rows)
        leading = next((column for column, value in enumerate(coefficients) if value), None)
        if leading is not None:
            row = [value / coefficients[leading] for value in (*coefficients, constant)]
            rows = {column: reduced(other, {leading: row}) for column, other in rows.items()}
            rows[leading] = row
        elif constant:
            raise DomainError("inconsistent", f"equation {number} contradicts those before it", equation=number)
        else:
            redundant.append(number)
    return rows, redundant


def reduced(row: Sequence[Fraction], rows: Rows) -> Row:
    """A row without the leading variables of others."""
    left = list(row)
    for column, other in rows.items():
        left = [a - left[column] * b for a, b in zip(left, other, strict=True)]
    return left


def written(value: Fraction) -> int | str:
    """An integer as a number, any other value as a quotient in lowest terms."""
    return value.numerator if value.denominator == 1 else str(value)


OPERATIONS = {
    "solve": Operation(("equations",), check_solve, solve),
    "implies": Operation(("equations", "equation"), check_implies, implies),
    "residuals": Operation(("equations", "values", "denominator"), check_residuals, residuals),
}
