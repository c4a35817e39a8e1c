"""Polynomials: pseudo-division that stays in the integers, and roots by trial of all candidates the ends allow."""

from fractions import Fraction
from math import gcd
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "divide": ("dividend", "divisor"),
    "roots": ("polynomial",),
    "write": ("polynomial", "variable"),
}


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "divide":
        return _is_polynomial(args.get("dividend")) and _is_polynomial(args.get("divisor"))
    if not _is_polynomial(args.get("polynomial")):
        return False
    variable = args.get("variable", "x") if op == "write" else "x"
    return isinstance(variable, str) and 1 <= len(variable) <= 4


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "divide":
        return _divide(_trim(args["dividend"]), _trim(args["divisor"]))
    polynomial = _trim(args["polynomial"])
    return _roots(polynomial) if op == "roots" else {"text": _write(polynomial, args.get("variable", "x"))}


def _is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_polynomial(value: Any) -> bool:
    """Whether a value is an array of coefficients."""
    return isinstance(value, list) and len(value) <= 9 and all(_is_integer(item, -500, 500) for item in value)


def _trim(coefficients: list[int]) -> list[int]:
    """A copy without zeros at the end."""
    size = max((at for at, item in enumerate(coefficients, 1) if item), default=0)
    return coefficients[:size]


def _divide(dividend: list[int], divisor: list[int]) -> dict[str, Any]:
    """Multiplies the dividend so that every step of the division is whole, and reduces all by what is common then."""
    if not divisor:
        raise Refused("zero_divisor")
    steps = max(len(dividend) - len(divisor) + 1, 0)
    multiplier = divisor[-1] ** steps
    rest = [item * multiplier for item in dividend]
    quotient = [0] * steps
    for shift in reversed(range(steps)):
        quotient[shift] = rest[shift + len(divisor) - 1] // divisor[-1]
        for at, item in enumerate(divisor):
            rest[shift + at] -= quotient[shift] * item
    common = gcd(multiplier, *quotient, *rest) * (-1 if multiplier < 0 else 1)
    return {
        "scale": multiplier // common,
        "quotient": _trim([item // common for item in quotient]),
        "remainder": _trim([item // common for item in rest]),
    }


def _divisors(number: int) -> list[int]:
    """The positive divisors of an integer that is not 0."""
    return [item for item in range(1, abs(number) + 1) if number % item == 0]


def _without(polynomial: list[int], root: Fraction) -> list[int] | None:
    """The polynomial p/q divided by qx - p, None if that leaves a remainder."""
    found = [0]
    for item in reversed(polynomial[1:]):
        quotient, left = divmod(item + root.numerator * found[-1], root.denominator)
        if left:
            return None
        found.append(quotient)
    return None if polynomial[0] + root.numerator * found[-1] else found[:0:-1]


def _roots(polynomial: list[int]) -> dict[str, Any]:
    """Divides by every candidate as often as it goes."""
    if not polynomial:
        raise Refused("zero_polynomial")
    lowest = next(item for item in polynomial if item)
    positive = {Fraction(p, q) for p in _divisors(lowest) for q in _divisors(polynomial[-1])}
    roots: list[dict[str, Any]] = []
    for root in sorted({Fraction(0), *positive, *(-item for item in positive)}):
        times = 0
        while len(polynomial) > 1 and (left := _without(polynomial, root)) is not None:
            polynomial, times = left, times + 1
        if times:
            roots.append({"root": [root.numerator, root.denominator], "multiplicity": times})
    return {"roots": roots, "rest": polynomial}


def _write(polynomial: list[int], variable: str) -> str:
    """The text: every term with its sign in front, the first sign mended at the end."""
    text = ""
    for power, item in reversed(list(enumerate(polynomial))):
        if item:
            letters = "" if power == 0 else variable if power == 1 else f"{variable}^{power}"
            number = "" if abs(item) == 1 and power else str(abs(item))
            text += (" - " if item < 0 else " + ") + number + letters
    if not text:
        return "0"
    return text[3:] if text[1] == "+" else "-" + text[3:]
