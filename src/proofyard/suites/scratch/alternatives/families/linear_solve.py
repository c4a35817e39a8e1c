"""Linear equations: each is reduced by those before it, and the reduced ones are kept as a basis in echelon form."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "solve": ("equations",),
    "implies": ("equations", "equation"),
    "residuals": ("equations", "values", "denominator"),
}

Row = list[Fraction]  # the coefficients of all variables in order, then the right side


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    equations = args.get("equations")
    if not isinstance(equations, list) or not 1 <= len(equations) <= 5 or not all(map(_is_equation, equations)):
        return False
    if op == "implies":
        return _is_equation(args.get("equation"))
    return op == "solve" or (
        _are_amounts(args.get("values"), 25, 1000000) and _is_integer(args.get("denominator", 1), 1, 1000)
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    equations = args["equations"]
    if op == "residuals":
        return _residuals(equations, args["values"], args.get("denominator", 1))
    if op == "solve":
        return _solve(equations)
    names = _names([*equations, args["equation"]])
    basis, _ = _basis(equations, names)
    row = _reduced(_row(args["equation"], names), basis)
    if any(row[:-1]):
        return {"answer": "independent"}
    return {"answer": "contradicted" if row[-1] else "implied"}


def _is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _are_amounts(value: Any, most: int, bound: int) -> bool:
    """Whether a value is an object of at most so many integers, none larger than the bound."""
    return (
        isinstance(value, dict)
        and len(value) <= most
        and all(_is_integer(item, -bound, bound) for item in value.values())
    )


def _is_equation(value: Any) -> bool:
    """Whether a value is an equation."""
    return (
        isinstance(value, dict)
        and _are_amounts(value.get("terms"), 5, 1000)
        and _is_integer(value.get("equals"), -1000, 1000)
    )


def _names(equations: Iterable[dict[str, Any]]) -> list[str]:
    """All variables in order."""
    return sorted({name for equation in equations for name in equation["terms"]})


def _row(equation: dict[str, Any], names: list[str]) -> Row:
    """An equation as a row."""
    return [*(Fraction(equation["terms"].get(name, 0)) for name in names), Fraction(equation["equals"])]


def _minus(row: Row, times: Fraction, other: Row) -> Row:
    """A row minus a multiple of another."""
    return [item - times * less for item, less in zip(row, other, strict=True)]


def _reduced(row: Row, basis: dict[int, Row]) -> Row:
    """A row without the leading variables of the basis."""
    for lead, other in basis.items():
        row = _minus(row, row[lead], other)
    return row


def _basis(equations: list[dict[str, Any]], names: list[str]) -> tuple[dict[int, Row], list[int]]:
    """The reduced rows by their leading variables, and the numbers of the equations that add nothing."""
    basis: dict[int, Row] = {}
    redundant: list[int] = []
    for number, equation in enumerate(equations, 1):
        row = _reduced(_row(equation, names), basis)
        lead = next((at for at, item in enumerate(row) if item), len(row))
        if lead == len(names):
            raise Refused("inconsistent", {"equation": number})
        if lead == len(row):
            redundant.append(number)
            continue
        row = [item / row[lead] for item in row]
        basis = {at: _minus(other, other[lead], row) for at, other in basis.items()} | {lead: row}
    return basis, redundant


def _value(value: Fraction) -> int | str:
    """A value of a result."""
    return int(value) if value.denominator == 1 else str(value)


def _solve(equations: list[dict[str, Any]]) -> dict[str, Any]:
    """All solutions."""
    names = _names(equations)
    basis, redundant = _basis(equations, names)
    solved: list[dict[str, Any]] = []
    for lead, row in sorted(basis.items()):
        per = {name: _value(-row[at]) for at, name in enumerate(names) if row[at] and at != lead}
        solved.append({"variable": names[lead], "constant": _value(row[-1]), "per": per})
    free = [name for at, name in enumerate(names) if at not in basis]
    return {"solved": solved, "free": free, "redundant": redundant}


def _residuals(equations: list[dict[str, Any]], values: dict[str, int], denominator: int) -> dict[str, Any]:
    """By how much the values miss the equations."""
    for name in _names(equations):
        if name not in values:
            raise Refused("missing_value", {"variable": name})
    missed = [
        Fraction(sum(times * values[name] for name, times in equation["terms"].items()), denominator)
        - equation["equals"]
        for equation in equations
    ]
    return {"residuals": [_value(item) for item in missed], "solution": not any(missed)}
