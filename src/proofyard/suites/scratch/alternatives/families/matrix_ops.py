"""Matrix operations: determinants by expansion along the first row, inverses by cofactors, all in fractions."""

import re
from fractions import Fraction
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "multiply": ("left", "right"),
    "power": ("matrix", "exponent"),
    "determinant": ("matrix",),
    "reduce": ("matrix",),
}
RATIO = re.compile("(-?[0-9]{1,4})/([0-9]{1,3})")
Matrix = list[list[Fraction]]


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _is_entry(value: Any) -> bool:
    """Whether a value is an entry."""
    if isinstance(value, str):
        return RATIO.fullmatch(value) is not None
    return type(value) is int and -1000000 <= value <= 1000000


def _is_matrix(value: Any) -> bool:
    """Whether a value is a matrix."""
    if not isinstance(value, list) or not 1 <= len(value) <= 5:
        return False
    if not all(isinstance(row, list) and 1 <= len(row) <= 5 and len(row) == len(value[0]) for row in value):
        return False
    return all(_is_entry(entry) for row in value for entry in row)


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all types and ranges are right."""
    exponent = args.get("exponent")
    if op == "power" and (type(exponent) is not int or not -2 <= exponent <= 4):
        return False
    return all(_is_matrix(args.get(name)) for name in OPS[op] if name != "exponent")


def _entry(value: int | str) -> Fraction:
    """The value of an entry."""
    top, _, bottom = str(value).partition("/")
    if bottom and int(bottom) == 0:
        raise Refused("zero_denominator")
    return Fraction(int(top), int(bottom or 1))


def _shown(value: Fraction) -> int | str:
    """A value as results have it."""
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def _product(left: Matrix, right: Matrix) -> Matrix:
    """The product of two matrices that fit."""
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Fraction()) for column in columns] for row in left]


def _without(matrix: Matrix, y: int, x: int) -> Matrix:
    """A matrix without one row and one column."""
    return [row[:x] + row[x + 1 :] for row in matrix[:y] + matrix[y + 1 :]]


def _determinant(matrix: Matrix) -> Fraction:
    """The determinant; 1 for a matrix without rows."""
    if not matrix:
        return Fraction(1)
    terms = (entry * _determinant(_without(matrix, 0, x)) * (-1) ** x for x, entry in enumerate(matrix[0]) if entry)
    return sum(terms, Fraction())


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse by cofactors."""
    whole, places = _determinant(matrix), range(len(matrix))
    if whole == 0:
        raise Refused("singular")
    return [[_determinant(_without(matrix, x, y)) * (-1) ** (x + y) / whole for x in places] for y in places]


def _power(matrix: Matrix, exponent: int) -> Matrix:
    """A square matrix to an integer power."""
    base = matrix if exponent >= 0 else _inverse(matrix)
    places = range(len(matrix))
    result = [[Fraction(x == y) for x in places] for y in places]
    for _ in range(abs(exponent)):
        result = _product(result, base)
    return result


def _reduce(matrix: Matrix) -> tuple[list[int], Matrix]:
    """The pivots and the reduced matrix."""
    pivots: list[int] = []
    for column in range(len(matrix[0])):
        rank = len(pivots)
        chosen = next((row for row in matrix[rank:] if row[column]), None)
        if chosen is None:
            continue
        lead = [entry / chosen[column] for entry in chosen]
        others = [row for row in matrix if row is not chosen]
        matrix = [[a - row[column] * b for a, b in zip(row, lead, strict=True)] for row in others]
        matrix.insert(rank, lead)
        pivots.append(column)
    return pivots, matrix


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation."""
    first, *rest = [[[_entry(entry) for entry in row] for row in args[name]] for name in OPS[op] if name != "exponent"]
    if op == "reduce":
        pivots, reduced = _reduce(first)
        return {"rank": len(pivots), "pivots": pivots, "matrix": [[_shown(entry) for entry in row] for row in reduced]}
    if op == "multiply":
        if len(first[0]) != len(rest[0]):
            raise Refused("shape_mismatch")
        result = _product(first, rest[0])
    elif len(first) != len(first[0]):
        raise Refused("not_square")
    elif op == "determinant":
        return {"determinant": _shown(_determinant(first))}
    else:
        result = _power(first, args["exponent"])
    return {"matrix": [[_shown(entry) for entry in row] for row in result]}
