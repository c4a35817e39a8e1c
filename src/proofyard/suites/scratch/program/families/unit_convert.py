"""Conversion between units of length, mass, time and temperature, and quantities split into several units."""

import re
from fractions import Fraction
from typing import Any

from ..arguments import array, integer, optional, required, string
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

VALUE = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,6})?")
UNIT = string(1, 8)
LENGTH = "mm 0.001 cm 0.01 m 1 km 1000 in 0.0254 ft 0.3048 yd 0.9144 mi 1609.344"
MASS = "mg 0.001 g 1 kg 1000 t 1000000 oz 28.349523125 lb 453.59237"
TIME = "ms 0.001 s 1 min 60 h 3600 d 86400 wk 604800"
TEMPERATURE = "K 1 C 1 F 5/9"
SCALES = (LENGTH, MASS, TIME, TEMPERATURE)
KINDS = {unit: scale for scale in SCALES for unit in scale.split()[::2]}
SIZES = {unit: Fraction(size) for scale in SCALES for unit, size in re.findall(r"(\S+) (\S+)", scale)}
OFFSETS = {"C": Fraction("273.15"), "F": Fraction("459.67")}


def decimal(value: object, where: str) -> None:
    """Check a decimal number, as a string."""
    if not isinstance(value, str) or VALUE.fullmatch(value) is None:
        raise InvalidArgsError(f"{where} must be a decimal number as a string")


def check_convert(args: dict[str, Any]) -> None:
    """Check the arguments of `convert`."""
    required(args, "value", decimal)
    required(args, "from", UNIT)
    required(args, "to", UNIT)
    optional(args, "places", integer(0, 12))


def check_split(args: dict[str, Any]) -> None:
    """Check the arguments of `split`."""
    required(args, "value", decimal)
    required(args, "from", UNIT)
    required(args, "into", array(UNIT, 1, 5))
    optional(args, "places", integer(0, 6))


def convert(args: dict[str, Any]) -> object:
    """One quantity in another unit."""
    source, target = args["from"], args["to"]
    require_kind(source, [target])
    value = (Fraction(args["value"]) + OFFSETS.get(source, 0)) * SIZES[source]
    if KINDS[source] == TEMPERATURE and value < 0:
        raise DomainError("below_absolute_zero", "no temperature is below 0 K")
    exact = value / SIZES[target] - OFFSETS.get(target, 0)
    scale = 10 ** args.get("places", 2)
    rounded = round(exact * scale)
    return {"value": written(rounded, args.get("places", 2)), "exact": rounded == exact * scale}


def split(args: dict[str, Any]) -> object:
    """One quantity as whole numbers of some units and a rest in the last."""
    units = args["into"]
    require_kind(args["from"], units)
    if KINDS[args["from"]] == TEMPERATURE:
        raise DomainError("not_additive", "temperatures cannot be split")
    sizes = [SIZES[unit] for unit in units]
    if sizes != sorted(set(sizes), reverse=True):
        raise DomainError("not_descending", "each unit must be smaller than the one before it")
    value = Fraction(args["value"]) * SIZES[args["from"]]
    left = abs(value)
    counts = []
    for size in sizes[:-1]:
        count, left = divmod(left, size)
        counts.append(str(count))
    places = args.get("places", 0)
    counts.append(written(int(left / sizes[-1] * 10**places), places))
    parts = [{"unit": unit, "amount": count} for unit, count in zip(units, counts, strict=True)]
    return {"negative": value < 0, "parts": parts}


def require_kind(source: str, targets: list[str]) -> None:
    """Refuse units that are not there, and targets that measure something else than the source."""
    for unit in (source, *targets):
        if unit not in KINDS:
            raise DomainError("unknown_unit", f"there is no unit {unit!r}", unit=unit)
    for unit in targets:
        if KINDS[unit] != KINDS[source]:
            raise DomainError("incompatible", f"{source} and {unit} do not measure the same", unit=unit)


def written(value: int, places: int) -> str:
    """An integer with its last digits after a point."""
    digits = str(abs(value)).rjust(places + 1, "0")
    point = len(digits) - places
    return ("-" if value < 0 else "") + digits[:point] + ("." + digits[point:] if places else "")


OPERATIONS = {
    "convert": Operation(("value", "from", "to", "places"), check_convert, convert),
    "split": Operation(("value", "from", "into", "places"), check_split, split),
}
