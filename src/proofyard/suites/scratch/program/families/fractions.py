"""Exact fractions: sums, decimal expansions with their period, and the closest fraction with a small denominator."""

import re
from fractions import Fraction
from typing import Any

from ..arguments import array, integer, required
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

FRACTION = re.compile(r"(-?)(?:([0-9]{1,6}) )?([0-9]{1,6})(?:/([0-9]{1,3}))?")


def fraction(value: object, where: str) -> None:
    """Check one fraction: an integer, a quotient or a mixed number, as a string."""
    found = FRACTION.fullmatch(value) if isinstance(value, str) else None
    if found is None or (found[2] and not found[4]):
        raise InvalidArgsError(f"{where} must be a string of the form p, p/q or w p/q")


def check_total(args: dict[str, Any]) -> None:
    """Check the arguments of `total`."""
    required(args, "terms", array(fraction, 1, 20))


def check_decimal(args: dict[str, Any]) -> None:
    """Check the arguments of `decimal`."""
    required(args, "fraction", fraction)


def check_closest(args: dict[str, Any]) -> None:
    """Check the arguments of `closest`."""
    required(args, "fraction", fraction)
    required(args, "max_denominator", integer(1, 200))


def total(args: dict[str, Any]) -> object:
    """The sum of all terms, as a quotient and as a mixed number."""
    value = sum((read(term) for term in args["terms"]), Fraction(0))
    sign = "-" if value < 0 else ""
    whole, part = divmod(abs(value), 1)
    pieces = [str(piece) for piece in (whole, part) if piece]
    return {"quotient": str(value), "mixed": sign + (" ".join(pieces) or "0")}


def decimal(args: dict[str, Any]) -> object:
    """The decimal expansion, its period in parentheses."""
    value = read(args["fraction"])
    sign = "-" if value < 0 else ""
    whole, rest = divmod(abs(value.numerator), value.denominator)
    digits = ""
    seen: dict[int, int] = {}
    while rest and rest not in seen:
        seen[rest] = len(digits)
        digit, rest = divmod(10 * rest, value.denominator)
        digits += str(digit)
    if rest:
        digits = f"{digits[: seen[rest]]}({digits[seen[rest] :]})"
    return {"decimal": f"{sign}{whole}" + (f".{digits}" if digits else "")}


def closest(args: dict[str, Any]) -> object:
    """The closest fraction whose denominator is not too great."""
    value = read(args["fraction"])
    near = []
    for bottom in range(1, args["max_denominator"] + 1):
        below = value.numerator * bottom // value.denominator
        near += [(abs(Fraction(top, bottom) - value), bottom, top) for top in (below, below + 1)]
    difference, bottom, top = min(near)
    return {"quotient": str(Fraction(top, bottom)), "difference": str(difference)}


def read(text: str) -> Fraction:
    """The value of a fraction."""
    sign, whole, top, bottom = re.findall(FRACTION, text)[0]
    if bottom and int(bottom) == 0:
        raise DomainError("zero_denominator", f"the denominator of {text!r} is zero")
    size = int(whole or 0) + Fraction(int(top), int(bottom or 1))
    return -size if sign else size


OPERATIONS = {
    "total": Operation(("terms",), check_total, total),
    "decimal": Operation(("fraction",), check_decimal, decimal),
    "closest": Operation(("fraction", "max_denominator"), check_closest, closest),
}
