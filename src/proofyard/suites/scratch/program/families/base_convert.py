"""Numbers in any base from 2 to 36 or -2 to -36: integers between all of them, fractions with rounding."""

from typing import Any

from ..arguments import integer, optional, required, string
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

TEXT = string(1, 80)
BASE = integer(2, 36)
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
VALUES = {char: value for value, lower in enumerate(DIGITS) for char in (lower, lower.upper())}


def signed_base(value: object, where: str) -> None:
    """Check a base that may be negative."""
    integer(-36, 36)(value, where)
    if value in {-1, 0, 1}:
        raise InvalidArgsError(f"{where} must be from -36 to -2 or from 2 to 36")


def check_convert(args: dict[str, Any]) -> None:
    """Check the arguments of `convert`."""
    required(args, "digits", TEXT)
    required(args, "from_base", signed_base)
    required(args, "to_base", signed_base)
    optional(args, "group", integer(1, 10))


def check_expand(args: dict[str, Any]) -> None:
    """Check the arguments of `expand`."""
    required(args, "digits", TEXT)
    required(args, "from_base", BASE)
    required(args, "to_base", BASE)
    required(args, "places", integer(0, 40))


def convert(args: dict[str, Any]) -> object:
    """An integer in another base."""
    value, _ = read(args["digits"], args["from_base"], "_")
    base = args["to_base"]
    unsigned = abs(value) if base == abs(base) else value
    sign = "-" if unsigned != value else ""
    digits = write(unsigned, base)
    group = args.get("group", len(digits))
    first = len(digits) % group
    groups = [digits[:first]] if first else []
    groups += [digits[start : start + group] for start in range(first, len(digits), group)]
    return {"digits": sign + "_".join(groups)}


def expand(args: dict[str, Any]) -> object:
    """A number with a fraction in another base, rounded."""
    value, after_point = read(args["digits"], args["from_base"], "_.")
    places = args["places"]
    top, bottom = abs(value) * args["to_base"] ** places, args["from_base"] ** after_point
    rounded = (2 * top + bottom) // (2 * bottom)
    sign = "-" if args["digits"][0] == "-" and rounded else ""
    digits = write(rounded, args["to_base"]).rjust(places + 1, "0")
    point = len(digits) - places
    return {
        "digits": sign + digits[:point] + ("." + digits[point:] if places else ""),
        "exact": top % bottom == 0,
    }


def read(text: str, base: int, marks: str) -> tuple[int, int]:
    """The value of the digits without their point, and how many of them stand after it."""
    value = 0
    after_digit = False
    for position, char in enumerate(text.removeprefix("-"), start=text.startswith("-")):
        if char in VALUES and VALUES[char] < abs(base):
            value = value * base + VALUES[char]
            after_digit = True
        elif char in marks and after_digit:
            after_digit = False
            marks = "_" if char == "." else marks
        else:
            raise DomainError("bad_digit", f"{char!r} cannot stand here", position=position)
    if not after_digit:
        raise DomainError("bad_digit", "a digit is missing at the end", position=len(text))
    after_point = text.partition(".")[2].replace("_", "")
    return (-value if text[0] == "-" else value), len(after_point)


def write(value: int, base: int) -> str:
    """The digits of a number, which must not be negative unless the base is."""
    digits = ""
    while value:
        digit = value % abs(base)
        digits = DIGITS[digit] + digits
        value = (value - digit) // base
    return digits or "0"


OPERATIONS = {
    "convert": Operation(("digits", "from_base", "to_base", "group"), check_convert, convert),
    "expand": Operation(("digits", "from_base", "to_base", "places"), check_expand, expand),
}
