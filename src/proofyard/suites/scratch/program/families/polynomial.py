"""Polynomials with integer coefficients: division with remainder, rational roots, and the usual way to write them."""

from fractions import Fraction
from math import gcd, lcm
from typing import Any

from ..arguments import array, integer, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

POLYNOMIAL = array(integer(-500, 500), high=9)


def check_divide(args: dict[str, Any]) -> None:
    """Check the arguments of `divide`."""
    required(args, "dividend", POLYNOMIAL)
    required(args, "divisor", POLYNOMIAL)


def check_roots(args: dict[str, Any]) -> None:
    """Check the arguments of `roots`."""
    required(args, "polynomial", POLYNOMIAL)


def check_write(args: dict[str, Any]) -> None:
    """Check the arguments of `write`."""
    required(args, "polynomial", POLYNOMIAL)
    optional(args, "variable", string(1, 4))


def divide(args: dict[str, Any]) -> object:
    """Quotient and remainder, multiplied by the least number that makes both whole."""
    divisor = trimmed(args["divisor"])
    if not divisor:
        raise DomainError("zero_divisor", "the divisor is the zero polynomial")
    quotient, rest = long_division(args["dividend"], divisor)
    scale = lcm(*(value.denominator for value in (*quotient, *rest)))
    return {"scale": scale, "quotient": whole(quotient, scale), "remainder": whole(rest, scale)}


def roots(args: dict[str, Any]) -> object:
    """All rational roots, and what is left when they are divided out."""
    left = trimmed(args["polynomial"])
    if not left:
        raise DomainError("zero_polynomial", "every number is a root of the zero polynomial")
    found = []
    for root in candidates(left):
        times = 0
        while value_at(left, root) == 0:
            quotient, _ = long_division(left, [-root.numerator, root.denominator])
            left = whole(quotient, 1)
            times += 1
        if times:
            found.append({"root": [root.numerator, root.denominator], "multiplicity": times})
    return {"roots": found, "rest": left}


def write(args: dict[str, Any]) -> object:
    """The polynomial as text, from the highest power down."""
    text = ""
    for power, value in reversed(list(enumerate(args["polynomial"]))):
        if value:
            sign = f"{value:+}"[0]
            text += f" {sign} " if text else sign.strip("+")
            text += term(abs(value), power, args.get("variable", "x"))
    return {"text": text or "0"}


def term(size: int, power: int, variable: str) -> str:
    """One term without its sign."""
    if power == 0:
        return str(size)
    return (str(size) if size > 1 else "") + variable + (f"^{power}" if power > 1 else "")


def long_division(dividend: list[int], divisor: list[int]) -> tuple[list[Fraction], list[Fraction]]:
    """Quotient and remainder over the rationals."""
    rest = [Fraction(value) for value in dividend]
    quotient: list[Fraction] = []
    while len(rest) >= len(divisor):
        factor = rest[-1] / divisor[-1]
        quotient.insert(0, factor)
        for index, value in enumerate(divisor, start=len(rest) - len(divisor)):
            rest[index] -= factor * value
        rest.pop()
    return quotient, rest


def candidates(polynomial: list[int]) -> list[Fraction]:
    """All numbers that may be roots, ascending: 0, and divisors of the lowest over divisors of the highest coefficient."""
    lowest = next(value for value in polynomial if value)
    tops, bottoms = divisors(lowest), divisors(polynomial[-1])
    positive = [Fraction(p, q) for p in tops for q in bottoms if gcd(p, q) == 1]
    return sorted([Fraction(0), *positive, *(-value for value in positive)])


def divisors(number: int) -> list[int]:
    """The positive divisors of a number that is not 0."""
    return [value for value in range(1, abs(number) + 1) if number % value == 0]


def value_at(polynomial: list[int], root: Fraction) -> int:
    """The value at a root p/q, times a power of q."""
    p, q, length = root.numerator, root.denominator, len(polynomial)
    return sum(value * p**power * q ** (length - power) for power, value in enumerate(polynomial))


def whole(polynomial: list[Fraction], scale: int) -> list[int]:
    """The coefficients times a scale that makes them integers, without zeros at the top."""
    return trimmed([int(value * scale) for value in polynomial])


def trimmed(polynomial: list[int]) -> list[int]:
    """The coefficients without zeros of the highest powers."""
    length = max((power for power, value in enumerate(polynomial, start=1) if value), default=0)
    return polynomial[:length]


OPERATIONS = {
    "divide": Operation(("dividend", "divisor"), check_divide, divide),
    "roots": Operation(("polynomial",), check_roots, roots),
    "write": Operation(("polynomial", "variable"), check_write, write),
}
