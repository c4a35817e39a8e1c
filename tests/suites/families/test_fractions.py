"""Fractions against Python's decimal arithmetic, integers over one denominator, and a walk through the Stern-Brocot tree."""

from decimal import Context, Decimal
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.fractions import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "integers over a common denominator, Python's decimal, a walk through the Stern-Brocot tree"

TOPS, BOTTOMS = st.integers(0, 999999), st.integers(1, 999)
SIGNS = st.sampled_from(["", "-"])
NUMBERS = (
    st.builds(lambda s, p: f"{s}{p}", SIGNS, TOPS)
    | st.builds(lambda s, p, q: f"{s}{p}/{q}", SIGNS, st.integers(0, 50) | TOPS, st.integers(1, 30) | BOTTOMS)
    | st.builds(lambda s, w, p, q: f"{s}{w} {p}/{q}", SIGNS, TOPS, st.integers(0, 50), st.integers(1, 30) | BOTTOMS)
)
ZERO = {"code": "zero_denominator"}


def value(text: str) -> tuple[int, int]:
    """Numerator and denominator, not in lowest terms; the denominator may be 0."""
    sign = -1 if text[0] == "-" else 1
    whole, _, rest = text.lstrip("-").rpartition(" ")
    top, _, bottom = rest.partition("/")
    q = int(bottom or 1)
    return sign * (int(whole or 0) * q + int(top)), q


def written(top: int, bottom: int) -> str:
    common = gcd(top, bottom)
    top, bottom = top // common, bottom // common
    return str(top) if bottom == 1 else f"{top}/{bottom}"


def check_total(terms: list[str]) -> None:
    result = play(FAMILY, "total", {"terms": terms})
    pairs = [value(term) for term in terms]
    if any(q == 0 for _, q in pairs):
        assert result == ZERO
        return
    bottom = lcm(*(q for _, q in pairs))
    top = sum(p * (bottom // q) for p, q in pairs)
    assert result["quotient"] == written(top, bottom)
    mixed = result["mixed"]
    assert value(mixed)[0] * bottom == top * value(mixed)[1]
    sign, size = "-" * (top < 0), abs(top)
    whole, part = size // bottom, size % bottom
    if part == 0:
        assert mixed == f"{sign}{whole}"
    elif whole == 0:
        assert mixed == sign + written(part, bottom)
    else:
        assert mixed == f"{sign}{whole} {written(part, bottom)}"


def check_decimal(text: str) -> None:
    result = play(FAMILY, "decimal", {"fraction": text})
    top, bottom = value(text)
    if bottom == 0:
        assert result == ZERO
        return
    written_out = result["decimal"]
    fixed, _, period = written_out.rstrip(")").partition("(")
    whole, _, start = fixed.partition(".")
    # The value: digits before the period, and the period over as many nines.
    size = Fraction(int((whole + start).lstrip("-")), 10 ** len(start))
    size += Fraction(int(period), 10 ** len(start) * (10 ** len(period) - 1)) if period else 0
    assert size == Fraction(abs(top), bottom)
    assert whole.startswith("-") == (top < 0)
    assert whole.lstrip("-") == str(abs(top) // bottom)
    # The shortest form: 10^start is the least power that makes the denominator free of 2 and 5, the period the order of 10.
    q = bottom // gcd(top, bottom)
    twos = next(n for n in range(20) if gcd(q // gcd(q, 10**n), 10) == 1)
    assert len(start) == twos
    odd = q // gcd(q, 10**twos)
    assert len(period) == (next(n for n in range(1, 1000) if pow(10, n, odd) == 1) if odd > 1 else 0)
    assert (")" in written_out) == ("(" in written_out) == bool(period)
    assert ("." in written_out) == (q > 1)
    if not period:
        assert Decimal(written_out) == Context(prec=40).divide(Decimal(top), Decimal(bottom))


def check_closest(text: str, most: int) -> None:
    """The neighbours with a small denominator enclose the number: found in the Stern-Brocot tree."""
    result = play(FAMILY, "closest", {"fraction": text, "max_denominator": most})
    p, q = value(text)
    if q == 0:
        assert result == ZERO
        return
    whole = p // q
    low, high = (whole, 1), (whole + 1, 1)
    while low[1] + high[1] <= most:
        middle = (low[0] + high[0], low[1] + high[1])
        if middle[0] * q == p * middle[1]:
            low = high = middle
            break
        low, high = (low, middle) if middle[0] * q > p * middle[1] else (middle, high)
    exact = [a for a in (low, high) if a[0] * q == p * a[1]]
    gaps = (Fraction(p, q) - Fraction(*low), Fraction(*high) - Fraction(p, q))
    if exact:
        expected = exact[0]
    elif gaps[0] == gaps[1]:
        expected = high if high[1] < low[1] else low
    else:
        expected = low if gaps[0] < gaps[1] else high
    assert result["quotient"] == written(*expected)
    a, b = p * expected[1] - q * expected[0], q * expected[1]
    assert result["difference"] == written(abs(a), b)


@settings(max_examples=80)
@given(st.lists(NUMBERS, min_size=1, max_size=6))
def test_totals(terms: list[str]) -> None:
    check_total(terms)


@settings(max_examples=100, deadline=None)
@given(NUMBERS)
def test_decimals(text: str) -> None:
    check_decimal(text)


@settings(max_examples=100, deadline=None)
@given(NUMBERS, st.integers(1, 200) | st.integers(1, 12))
def test_closest(text: str, most: int) -> None:
    check_closest(text, most)


def test_its_own_inputs() -> None:
    for args in of(FAMILY, "total", 300):
        check_total(args["terms"])
    for args in of(FAMILY, "decimal", 300):
        check_decimal(args["fraction"])
    for args in of(FAMILY, "closest", 200):
        check_closest(args["fraction"], args["max_denominator"])


def test_small_fractions_against_all_candidates() -> None:
    for q in range(1, 10):
        for p in range(-q, q + 2):
            for most in range(1, 6):
                every: list[tuple[Any, ...]] = [
                    (abs(Fraction(a, b) - Fraction(p, q)), Fraction(a, b).denominator, Fraction(a, b))
                    for b in range(1, most + 1)
                    for a in range(-b - 1, 2 * b + 1)
                ]
                best = min(every)
                result = play(FAMILY, "closest", {"fraction": f"{p}/{q}", "max_denominator": most})
                assert result == {"quotient": str(best[2]), "difference": str(best[0])}
