"""Roman numerals: written greedily from a list of values, and read by a pattern of two parts."""

import re
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "format": ("number", "additive"),
    "parse": ("numeral", "lenient"),
    "total": ("terms",),
}

_MOST = 3999999
_LETTERS = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
_SIGNS = {"M": 1000, "CM": 900, "D": 500, "CD": 400, "C": 100, "XC": 90, "L": 50, "XL": 40, "X": 10} | {
    "IX": 9,
    "V": 5,
    "IV": 4,
    "I": 1,
}
_NUMERAL = re.compile(r"(?=.)(?:\(([IVXLCDM]+)\))?([IVXLCDM]*)")
_CAPITALS = str.maketrans("ivxlcdm", "IVXLCDM")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "format":
        number = args.get("number")
        whole = isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= _MOST
        return whole and isinstance(args.get("additive", False), bool)
    if op == "parse":
        return _is_text(args.get("numeral")) and isinstance(args.get("lenient", False), bool)
    terms = args.get("terms")
    return isinstance(terms, list) and 1 <= len(terms) <= 10 and all(_is_text(term) for term in terms)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "format":
        return {"numeral": _numeral(args["number"], _LETTERS if args.get("additive", False) else _SIGNS)}
    if op == "parse":
        return _parsed(args["numeral"], args.get("lenient", False))
    total = 0
    for place, term in enumerate(args["terms"], 1):
        try:
            number = _parsed(term.removeprefix("-"), lenient=False)["number"]
        except Refused as error:
            raise Refused(error.code, {**error.extra, "term": place}) from None
        total += -number if term.startswith("-") else number
    if not 1 <= total <= _MOST:
        raise Refused("out_of_range", {"number": total})
    return {"number": total, "numeral": _numeral(total, _SIGNS)}


def _numeral(number: int, signs: dict[str, int]) -> str:
    """The form of a number in these signs."""
    if number > 3999:
        return f"({_numeral(number // 1000, signs)}){_numeral(number % 1000, signs)}"
    text = ""
    for sign, value in signs.items():
        text += sign * (number // value)
        number %= value
    return text


def _parsed(numeral: str, lenient: bool) -> dict[str, Any]:
    """The number of a numeral and its standard form."""
    found = _NUMERAL.fullmatch(numeral.translate(_CAPITALS) if lenient else numeral)
    if not found:
        raise Refused("bad_numeral")
    number = 1000 * _sum(found[1] or "") + _sum(found[2])
    standard = _numeral(number, _SIGNS) if number <= _MOST else None
    if standard is None or not (lenient or standard == numeral):
        raise Refused("out_of_range" if lenient else "not_standard", {"number": number})
    return {"number": number, "standard": standard}


def _sum(letters: str) -> int:
    """The sum of the letters of one part."""
    values = [_LETTERS[letter] for letter in letters]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=False))


def _is_text(value: Any) -> bool:
    """Whether a value is a string of a numeral's length."""
    return isinstance(value, str) and len(value) <= 40
