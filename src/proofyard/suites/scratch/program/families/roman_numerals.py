"""Writes, reads and adds Roman numerals, with parentheses for thousands."""

import re
from itertools import pairwise
from typing import Any

from ..arguments import array, boolean, integer, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

LARGEST = 3_999_999
NUMERAL = string(high=40)
FORM = re.compile(r"(?:\(([IVXLCDM]+)\))?([IVXLCDM]*)")
CAPITALS = str.maketrans("ivxlcdm", "IVXLCDM")
SIGNS = ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I")
VALUES = dict(zip(SIGNS, (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), strict=True))


def check_format(args: dict[str, Any]) -> None:
    """Check the arguments of `format`."""
    required(args, "number", integer(1, LARGEST))
    optional(args, "additive", boolean)


def check_parse(args: dict[str, Any]) -> None:
    """Check the arguments of `parse`."""
    required(args, "numeral", NUMERAL)
    optional(args, "lenient", boolean)


def check_total(args: dict[str, Any]) -> None:
    """Check the arguments of `total`."""
    required(args, "terms", array(NUMERAL, 1, 10))


def write(args: dict[str, Any]) -> object:
    """The numeral of a number."""
    return {"numeral": numeral(args["number"], args.get("additive", False))}


def parse(args: dict[str, Any]) -> object:
    """The number of a numeral, which must have its standard form unless the reading is lenient."""
    text = args["numeral"]
    if not args.get("lenient", False):
        return {"number": standard(text, {}), "standard": text}
    value = number(text.translate(CAPITALS), {})
    return {"number": value, "standard": numeral(in_range(value), False)}


def total(args: dict[str, Any]) -> object:
    """The sum of terms; those with a minus sign are taken away."""
    value = 0
    for place, term in enumerate(args["terms"], 1):
        size = standard(term.removeprefix("-"), {"term": place})
        value += -size if term.startswith("-") else size
    return {"number": value, "numeral": numeral(in_range(value), False)}


def standard(text: str, where: dict[str, int]) -> int:
    """The number of a numeral in its standard form."""
    value = number(text, where)
    if value > LARGEST or numeral(value, False) != text:
        raise DomainError("not_standard", f"{text} is not the standard form", number=value, **where)
    return value


def number(text: str, where: dict[str, int]) -> int:
    """The number of a numeral in whatever form."""
    form = FORM.fullmatch(text)
    if form is None or not text:
        raise DomainError("bad_numeral", "this is no numeral", **where)
    return 1000 * worth(form[1] or "") + worth(form[2])


def worth(letters: str) -> int:
    """The sum of letters; one that stands directly before a greater one is taken away."""
    values = [VALUES[letter] for letter in letters]
    return sum(-value if value < after else value for value, after in pairwise([*values, 0]))


def numeral(value: int, additive: bool) -> str:
    """The standard form, or the one that takes nothing away."""
    if value >= 4000:
        return f"({numeral(value // 1000, additive)}){numeral(value % 1000, additive)}"
    made = ""
    for sign, size in VALUES.items():
        if len(sign) == 1 or not additive:
            made += sign * (value // size)
            value %= size
    return made


def in_range(value: int) -> int:
    """The value, if it has a numeral."""
    if not 1 <= value <= LARGEST:
        raise DomainError("out_of_range", f"{value} has no numeral", number=value)
    return value


OPERATIONS = {
    "format": Operation(("number", "additive"), check_format, write),
    "parse": Operation(("numeral", "lenient"), check_parse, parse),
    "total": Operation(("terms",), check_total, total),
}
