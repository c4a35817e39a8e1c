"""Unit conversion: each unit is a straight line to the base unit of its kind, all in fractions."""

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "convert": ("value", "from", "to", "places"),
    "split": ("value", "from", "into", "places"),
}

_SIZES = {
    "length": "mm 0.001 cm 0.01 m 1 km 1000 in 0.0254 ft 0.3048 yd 0.9144 mi 1609.344",
    "mass": "mg 0.001 g 1 kg 1000 t 1000000 oz 28.349523125 lb 453.59237",
    "time": "ms 0.001 s 1 min 60 h 3600 d 86400 wk 604800",
    "temperature": "K 1 C 1 F 5/9",
}
_ZERO = {"C": Fraction("273.15"), "F": Fraction("459.67")}  # what is added before the size counts
_KIND: dict[str, str] = {}
_SIZE: dict[str, Fraction] = {}
for _kind, _row in _SIZES.items():
    for _unit, _size in zip(_row.split()[::2], _row.split()[1::2], strict=True):
        _KIND[_unit], _SIZE[_unit] = _kind, Fraction(_size)

_DECIMAL = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,6})?")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    value, wanted = args.get("value"), [args.get("to")] if op == "convert" else args.get("into")
    return (
        isinstance(value, str)
        and _DECIMAL.fullmatch(value) is not None
        and isinstance(wanted, list)
        and 1 <= len(wanted) <= 5
        and all(isinstance(unit, str) and 1 <= len(unit) <= 8 for unit in [args.get("from"), *wanted])
        and _is_integer(args.get("places", 0), 0, 12 if op == "convert" else 6)
    )


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    source, wanted = args["from"], [args["to"]] if op == "convert" else args["into"]
    for unit in (source, *wanted):
        if unit not in _KIND:
            raise Refused("unknown_unit", {"unit": unit})
    for unit in wanted:
        if _KIND[unit] != _KIND[source]:
            raise Refused("incompatible", {"unit": unit})
    base = (Fraction(args["value"]) + _ZERO.get(source, 0)) * _SIZE[source]
    if op == "convert":
        return _convert(base, args["to"], args.get("places", 2))
    return _split(base, wanted, args.get("places", 0))


def _is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _written(scaled: int, places: int) -> str:
    """An integer of the smallest places as a decimal."""
    digits = str(abs(scaled)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return "-" + text if scaled < 0 else text


def _convert(base: Fraction, unit: str, places: int) -> dict[str, Any]:
    """An amount of the base unit in another one."""
    if _KIND[unit] == "temperature" and base < 0:
        raise Refused("below_absolute_zero")
    scaled = (base / _SIZE[unit] - _ZERO.get(unit, 0)) * 10**places
    rounded = round(scaled)  # a half goes to the even integer
    return {"value": _written(rounded, places), "exact": rounded == scaled}


def _split(base: Fraction, units: list[str], places: int) -> dict[str, Any]:
    """An amount of the base unit in several ones."""
    if _KIND[units[0]] == "temperature":
        raise Refused("not_additive")
    sizes = [_SIZE[unit] for unit in units]
    if any(size >= before for before, size in pairwise(sizes)):
        raise Refused("not_descending")
    left = abs(base)
    parts: list[dict[str, str]] = []
    for unit in units[:-1]:
        amount, left = divmod(left, _SIZE[unit])
        parts.append({"unit": unit, "amount": str(amount)})
    parts.append({"unit": units[-1], "amount": _written(int(left * 10**places / sizes[-1]), places)})
    return {"negative": base < 0, "parts": parts}
