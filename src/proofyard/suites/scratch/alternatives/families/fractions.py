"""Fractions: the period of a decimal expansion is the order of ten modulo the denominator."""

import re
from fractions import Fraction
from math import gcd
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "total": ("terms",),
    "decimal": ("fraction",),
    "closest": ("fraction", "max_denominator"),
}

_FORM = re.compile("(-?)(?:(?:([0-9]{1,6}) )?([0-9]{1,6})/([0-9]{1,3})|([0-9]{1,6}))")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "total":
        terms = args.get("terms")
        return isinstance(terms, list) and 1 <= len(terms) <= 20 and all(map(_is_fraction, terms))
    return _is_fraction(args.get("fraction")) and (op == "decimal" or _is_integer(args.get("max_denominator"), 1, 200))


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "total":
        total = sum(map(_value, args["terms"]), Fraction(0))
        return {"quotient": str(total), "mixed": _mixed(total)}
    value = _value(args["fraction"])
    if op == "decimal":
        return {"decimal": _decimal(value)}
    closest = _closest(value, args["max_denominator"])
    return {"quotient": str(closest), "difference": str(abs(closest - value))}


def _is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_fraction(value: Any) -> bool:
    """Whether a value is a string in one of the three forms."""
    return isinstance(value, str) and _FORM.fullmatch(value) is not None


def _value(text: str) -> Fraction:
    """The value of a text in one of the three forms."""
    match = _FORM.fullmatch(text)
    assert match is not None
    sign, whole, top, bottom, alone = match.groups()
    if bottom is not None and int(bottom) == 0:
        raise Refused("zero_denominator")
    value = Fraction(int(alone)) if bottom is None else int(whole or 0) + Fraction(int(top), int(bottom))
    return -value if sign else value


def _mixed(value: Fraction) -> str:
    """A value as a mixed number."""
    whole, left = divmod(abs(value), 1)
    parts = [str(part) for part in (whole, left) if part]
    return ("-" if value < 0 else "") + (" ".join(parts) or "0")


def _decimal(value: Fraction) -> str:
    """The expansion: twos and fives of the denominator delay the period, all else makes its length."""
    whole, left = divmod(abs(value), 1)
    text = ("-" if value < 0 else "") + str(whole)
    if not left:
        return text
    delay, core = 0, left.denominator
    while (common := gcd(core, 10)) > 1:
        delay, core = delay + 1, core // common
    if core == 1:
        return f"{text}.{int(left * 10**delay):0{delay}d}"
    period = next(size for size in range(1, core) if pow(10, size, core) == 1)
    digits = f"{int(left * 10 ** (delay + period)):0{delay + period}d}"
    return f"{text}.{digits[:delay]}({digits[delay:]})"


def _closest(value: Fraction, most: int) -> Fraction:
    """The closest fraction: of each denominator only the two around the value can be it."""
    lower = [(denominator, int(value * denominator // 1)) for denominator in range(1, most + 1)]
    around = (Fraction(top + more, bottom) for bottom, top in lower for more in (0, 1))
    return min(around, key=lambda item: (abs(item - value), item.denominator, item))
