"""Unit conversion against the constants of scipy and Python's decimal arithmetic with 60 digits."""

from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import constants as c  # type: ignore[import-untyped]

from proofyard.suites.scratch.families.unit_convert import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "the constants of scipy, Python's decimal with 60 digits"

GRAM = c.gram
TABLE: dict[str, dict[str, float]] = {
    "length": {
        "mm": c.milli,
        "cm": c.centi,
        "m": 1,
        "km": c.kilo,
        "in": c.inch,
        "ft": c.foot,
        "yd": c.yard,
        "mi": c.mile,
    },
    "mass": {"mg": GRAM / 1000, "g": GRAM, "kg": 1, "t": c.metric_ton, "oz": c.oz, "lb": c.lb},
    "time": {"ms": c.milli, "s": 1, "min": c.minute, "h": c.hour, "d": c.day, "wk": c.week},
}
SIZES = {u: Decimal(f"{size:.13g}") for units in TABLE.values() for u, size in units.items()}
KINDS = {u: kind for kind, units in TABLE.items() for u in units} | dict.fromkeys("KCF", "temperature")
WIDE = Context(prec=60, rounding=ROUND_HALF_EVEN)
VALUES = st.builds(
    lambda sign, whole, part: f"{sign}{whole}" + (f".{part}" if part else ""),
    st.sampled_from(["", "-"]),
    st.integers(0, 999) | st.integers(0, 999999999),
    st.text(st.sampled_from("0123456789"), max_size=6),
)
UNITS = st.sampled_from(sorted(KINDS)) | st.sampled_from(["kG", "", "µm"]).filter(bool)


def error(source: str, targets: list[str]) -> dict[str, Any] | None:
    unknown = [unit for unit in (source, *targets) if unit not in KINDS]
    if unknown:
        return {"code": "unknown_unit", "unit": unknown[0]}
    other = [unit for unit in targets if KINDS[unit] != KINDS[source]]
    return {"code": "incompatible", "unit": other[0]} if other else None


def kelvin(value: Decimal, unit: str) -> Fraction:
    if unit == "F":
        return (Fraction(value) - 32) / Fraction(9, 5) + kelvin(Decimal(0), "C")
    return Fraction(value) + Fraction(str(c.zero_Celsius)) if unit == "C" else Fraction(value)


def from_kelvin(value: Fraction, unit: str) -> Fraction:
    celsius = value - Fraction(str(c.zero_Celsius))
    return {"K": value, "C": celsius, "F": celsius * Fraction(9, 5) + 32}[unit]


def check_convert(args: dict[str, Any]) -> None:
    result = play(FAMILY, "convert", args)
    source, target, places = args["from"], args["to"], args.get("places", 2)
    failed = error(source, [target])
    if failed:
        assert result == failed
        return
    given_value = Decimal(args["value"])
    if KINDS[source] == "temperature":
        if kelvin(given_value, source) < 0:
            assert result == {"code": "below_absolute_zero"}
            return
        exact = from_kelvin(kelvin(given_value, source), target)
    else:
        exact = Fraction(given_value) * Fraction(SIZES[source]) / Fraction(SIZES[target])
    with localcontext(WIDE):
        wanted = (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(Decimal(1).scaleb(-places))
        text = f"{wanted:f}"
    assert result == {"value": text.removeprefix("-") if wanted == 0 else text, "exact": Fraction(wanted) == exact}


def check_split(args: dict[str, Any]) -> None:
    result = play(FAMILY, "split", args)
    source, into, places = args["from"], args["into"], args.get("places", 0)
    failed = error(source, into)
    if failed:
        assert result == failed
    elif KINDS[source] == "temperature":
        assert result == {"code": "not_additive"}
    elif any(SIZES[a] <= SIZES[b] for a, b in pairwise(into)):
        assert result == {"code": "not_descending"}
    else:
        assert result["negative"] == (Decimal(args["value"]) < 0)
        assert [part["unit"] for part in result["parts"]] == into
        assert all(len(part) == 2 for part in result["parts"])
        amounts = [part["amount"] for part in result["parts"]]
        assert all(str(int(amount)) == amount for amount in amounts[:-1])
        with localcontext(WIDE):
            left = abs(Decimal(args["value"])) * SIZES[source]
            for unit, amount in zip(into[:-1], amounts, strict=False):
                left -= int(amount) * SIZES[unit]
                assert 0 <= left < SIZES[unit]
            rest = left - Decimal(amounts[-1]) * SIZES[into[-1]]
            assert 0 <= rest < SIZES[into[-1]].scaleb(-places)
        whole, point, digits = amounts[-1].partition(".")
        assert (str(int(whole)), len(digits), bool(point)) == (whole, places, places > 0)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted({*KINDS.values()})), st.data())
def test_conversions(kind: str, data: st.DataObject) -> None:
    units = st.sampled_from([unit for unit in KINDS if KINDS[unit] == kind])
    value = data.draw(VALUES)
    check_convert(
        {"value": value, "from": data.draw(units), "to": data.draw(units), "places": data.draw(st.integers(0, 12))}
    )
    check_convert({"value": value, "from": data.draw(UNITS), "to": data.draw(UNITS)})


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(TABLE)), VALUES, st.data())
def test_splits(kind: str, value: str, data: st.DataObject) -> None:
    units = sorted(TABLE[kind], key=lambda unit: -TABLE[kind][unit])
    into = data.draw(st.lists(st.sampled_from(units), min_size=1, max_size=4))
    ordered = sorted(set(into), key=units.index)
    source = data.draw(st.sampled_from(units))
    check_split({"value": value, "from": source, "into": ordered, "places": data.draw(st.integers(0, 6))})
    check_split({"value": value, "from": data.draw(UNITS), "into": into})


def test_its_own_inputs() -> None:
    for args in of(FAMILY, "convert", 250):
        check_convert(args)
    for args in of(FAMILY, "split", 250):
        check_split(args)
