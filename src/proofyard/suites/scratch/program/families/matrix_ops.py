"""Products, powers, determinants and row reduction of small matrices of exact rationals."""

import re
from fractions import Fraction
from typing import Any

from ..arguments import array, integer, required
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

Matrix = list[list[Fraction]]

QUOTIENT = re.compile(r"-?[0-9]{1,4}/[0-9]{1,3}")


def entry(value: object, where: str) -> None:
    """Check one entry: an integer, or a quotient as a string."""
    if isinstance(value, str):
        if QUOTIENT.fullmatch(value) is None:
            raise InvalidArgsError(f"{where} must have the form p/q")
    else:
        integer(-1000000, 1000000)(value, where)


def matrix(value: object, where: str) -> None:
    """Check a matrix: rows of equal length."""
    rows = array(array(entry, 1, 5), 1, 5)(value, where)
    if len({len(row) for row in rows}) > 1:
        raise InvalidArgsError(f"the rows of {where} must have the same length")


def check_multiply(args: dict[str, Any]) -> None:
    """Check the arguments of `multiply`."""
    required(args, "left", matrix)
    required(args, "right", matrix)


def check_power(args: dict[str, Any]) -> None:
    """Check the arguments of `power`."""
    required(args, "matrix", matrix)
    required(args, "exponent", integer(-2, 4))


def check_matrix(args: dict[str, Any]) -> None:
    """Check the arguments of `determinant` and of `reduce`."""
    required(args, "matrix", matrix)


def multiply(args: dict[str, Any]) -> object:
    """The product of two matrices."""
    left, right = read(args["left"]), read(args["right"])
    if any(len(row) != len(right) for row in left):
        raise DomainError("shape_mismatch", "left must have as many columns as right has rows")
    return {"matrix": write(product(left, right))}


def power(args: dict[str, Any]) -> object:
    """A matrix raised to an integer."""
    base, exponent = read_square(args["matrix"]), args["exponent"]
    if exponent < 0:
        base = inverse(base)
    result = identity(len(base))
    for _ in range(abs(exponent)):
        result = product(result, base)
    return {"matrix": write(result)}


def determinant(args: dict[str, Any]) -> object:
    """The determinant of a square matrix."""
    _, _, value = reduced(read_square(args["matrix"]))
    return {"determinant": write_entry(value)}


def reduce(args: dict[str, Any]) -> object:
    """The reduced row echelon form of a matrix."""
    rows, pivots, _ = reduced(read(args["matrix"]))
    return {"rank": len(pivots), "pivots": pivots, "matrix": write(rows)}


def product(left: Matrix, right: Matrix) -> Matrix:
    """The product of matrices whose shapes fit."""
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns] for row in left]


def identity(size: int) -> Matrix:
    """The identity matrix."""
    return [[Fraction(row == column) for column in range(size)] for row in range(size)]


def inverse(square: Matrix) -> Matrix:
    """The inverse of a square matrix, by reducing it beside the identity."""
    size = len(square)
    beside = [row + unit for row, unit in zip(square, identity(size), strict=True)]
    rows, pivots, _ = reduced(beside)
    if pivots != list(range(size)):
        raise DomainError("singular", "the matrix has no inverse")
    return [row[size:] for row in rows]


def reduced(given: Matrix) -> tuple[Matrix, list[int], Fraction]:
    """The reduced row echelon form, its pivot columns, and the determinant (if the matrix is square)."""
    rows = [list(row) for row in given]
    pivots: list[int] = []
    value = Fraction(1)
    for column in range(len(rows[0])):
        top = len(pivots)
        found = next((index for index in range(top, len(rows)) if rows[index][column] != 0), None)
        if found is None:
            value = Fraction(0)
            continue
        if found != top:
            rows[top], rows[found] = rows[found], rows[top]
            value = -value
        pivot = rows[top][column]
        value *= pivot
        rows[top] = [x / pivot for x in rows[top]]
        for index, row in enumerate(rows):
            if index != top:
                rows[index] = [x - row[column] * y for x, y in zip(row, rows[top], strict=True)]
        pivots.append(column)
    return rows, pivots, value


def read(given: list[list[int | str]]) -> Matrix:
    """A matrix argument as fractions."""
    try:
        return [[Fraction(item) for item in row] for row in given]
    except ZeroDivisionError:
        raise DomainError("zero_denominator", "a denominator is zero") from None


def read_square(given: list[list[int | str]]) -> Matrix:
    """A matrix argument that must be square."""
    rows = read(given)
    if any(len(row) != len(rows) for row in rows):
        raise DomainError("not_square", "the matrix must have as many columns as rows")
    return rows


def write(rows: Matrix) -> list[list[int | str]]:
    """A matrix as JSON."""
    return [[write_entry(item) for item in row] for row in rows]


def write_entry(value: Fraction) -> int | str:
    """An integer as a number, any other value as a quotient in lowest terms."""
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


OPERATIONS = {
    "multiply": Operation(("left", "right"), check_multiply, multiply),
    "power": Operation(("matrix", "exponent"), check_power, power),
    "determinant": Operation(("matrix",), check_matrix, determinant),
    "reduce": Operation(("matrix",), check_matrix, reduce),
}
