"""Base conversion: the longest beginning that a number can have is matched by a pattern, whose end is the fault."""

import re
from fractions import Fraction
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "convert": ("digits", "from_base", "to_base", "group"),
    "expand": ("digits", "from_base", "to_base", "places"),
}

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    digits = args.get("digits")
    if not isinstance(digits, str) or not 1 <= len(digits) <= 80:
        return False
    bases = (args.get("from_base"), args.get("to_base"))
    if op == "expand":
        return all(_is_integer(base, 2, 36) for base in bases) and _is_integer(args.get("places"), 0, 40)
    known = all(_is_integer(base, -36, 36) and base not in (-1, 0, 1) for base in bases)
    return known and _is_integer(args.get("group", 1), 1, 10)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    value = _value(args["digits"], args["from_base"], pointed=op == "expand")
    if op == "expand":
        return _expand(value, args["to_base"], args["places"])
    text = _written(int(value), args["to_base"])
    return {"digits": _grouped(text, args.get("group", len(text)))}


def _is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _value(text: str, base: int, *, pointed: bool) -> Fraction:
    """The value of a number in a base."""
    allowed = _DIGITS[: abs(base)]
    run_of = f"[{allowed}{allowed[10:].upper()}]+"
    marked = f"{run_of}(?:_{run_of})*"
    after = rf"(?:_|\.(?:{marked}_?)?)?" if pointed else "_?"
    match = re.match(f"-?(?:{marked}{after})?", text)
    assert match is not None
    if match.end() < len(text) or text[-1] in "-_.":
        raise Refused("bad_digit", {"position": match.end()})
    whole, _, fraction = text.lstrip("-").replace("_", "").lower().partition(".")
    value = Fraction(0)
    for digit in whole + fraction:
        value = value * base + _DIGITS.index(digit)
    value /= Fraction(base) ** len(fraction)
    return -value if text[0] == "-" else value


def _written(value: int, base: int) -> str:
    """An integer in a base, positive or negative."""
    if base > 0 and value < 0:
        return "-" + _written(-value, base)
    text = ""
    while value or not text:
        digit = value % abs(base)
        text = _DIGITS[digit] + text
        value = (value - digit) // base
    return text


def _grouped(text: str, size: int) -> str:
    """A number with a mark before every group of digits but the first."""
    sign, digits = ("-", text[1:]) if text[0] == "-" else ("", text)
    first = len(digits) % size
    groups = [digits[:first], *(digits[at : at + size] for at in range(first, len(digits), size))]
    return sign + "_".join(filter(None, groups))


def _expand(value: Fraction, base: int, places: int) -> dict[str, Any]:
    """A value with so many places, rounded as an integer of the smallest places."""
    scaled = abs(value) * base**places
    rounded = int(scaled + Fraction(1, 2))
    text = _written(rounded, base).rjust(places + 1, "0")
    if places:
        text = f"{text[:-places]}.{text[-places:]}"
    return {"digits": ("-" if value < 0 and rounded else "") + text, "exact": rounded == scaled}
