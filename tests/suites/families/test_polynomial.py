"""Polynomials against the equations that define a division, a search of all roots by value, and Python's arithmetic."""

from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.polynomial import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "defining equations, a search of every candidate by value, and Python's own arithmetic on the text"

POLYNOMIALS = st.lists(st.integers(-20, 20), max_size=6)
BOUND = 500


def times(left: list[Any], right: list[Any]) -> list[Any]:
    result = [0] * (len(left) + len(right))
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result


def cut(values: list[Any]) -> list[Any]:
    values = list(values)
    while values and values[-1] == 0:
        values.pop()
    return values


def check_division(args: dict[str, Any]) -> None:
    result = play(FAMILY, "divide", args)
    dividend, divisor = cut(args["dividend"]), cut(args["divisor"])
    if not divisor:
        assert result == {"code": "zero_divisor"}
        return
    scale, quotient, remainder = result["scale"], result["quotient"], result["remainder"]
    product = times(quotient, divisor)
    length = max(len(product), len(remainder), len(dividend))
    total = [
        (product + [0] * length)[i] + (remainder + [0] * length)[i] - scale * (dividend + [0] * length)[i]
        for i in range(length)
    ]
    assert not any(total)
    assert len(remainder) < len(divisor)
    assert cut(quotient) == quotient
    assert cut(remainder) == remainder
    assert scale > 0
    assert gcd(scale, *quotient, *remainder) == 1  # a smaller scale would be a divisor of this one


@settings(max_examples=100)
@given(POLYNOMIALS, POLYNOMIALS)
def test_division_by_its_equation(dividend: list[int], divisor: list[int]) -> None:
    check_division({"dividend": dividend, "divisor": divisor})


def test_division_on_its_own_inputs() -> None:
    for args in of(FAMILY, "divide", 300):
        check_division(args)


def value(polynomial: list[int], at: Fraction) -> Fraction:
    return sum((c * at**power for power, c in enumerate(polynomial)), Fraction(0))


def check_roots(args: dict[str, Any], highest: int) -> None:
    """All p/q up to a bound are tried; a root in lowest terms is not beyond the greatest coefficient."""
    result = play(FAMILY, "roots", args)
    polynomial = cut(args["polynomial"])
    if not polynomial:
        assert result == {"code": "zero_polynomial"}
        return
    product = result["rest"]
    for row in result["roots"]:
        p, q = row["root"]
        assert (gcd(p, q), q > 0, row["multiplicity"] > 0) == (1, True, True)
        for _ in range(row["multiplicity"]):
            product = times(product, [-p, q])
    assert cut(product) == polynomial
    assert cut(result["rest"]) == result["rest"]
    found = [Fraction(*row["root"]) for row in result["roots"]]
    assert all(before < after for before, after in pairwise(found))
    rest = result["rest"]
    limit = min(highest, max(map(abs, rest)))
    for q in range(1, limit + 1):
        for p in range(-limit, limit + 1):
            assert sum(c * p**power * q ** (len(rest) - 1 - power) for power, c in enumerate(rest)) != 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-9, 9), max_size=5), st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 4)), max_size=3))
def test_roots_by_value(rest: list[int], roots: list[tuple[int, int]]) -> None:
    polynomial = rest
    for p, q in roots:
        polynomial = times(polynomial, [-p, q])
    polynomial = cut(polynomial)
    if len(polynomial) <= 9 and all(abs(c) <= BOUND for c in polynomial):
        check_roots({"polynomial": polynomial}, 12)


def test_roots_on_its_own_inputs() -> None:
    for args in of(FAMILY, "roots", 150):
        check_roots(args, 25)


def check_text(polynomial: list[int], name: str | None) -> None:
    """The text has the value of the polynomial where Python reads it, and the look that the contract asks for."""
    args: dict[str, Any] = {"polynomial": polynomial, **({"variable": name} if name else {})}
    text = play(FAMILY, "write", args)["text"]
    plain = play(FAMILY, "write", {"polynomial": polynomial})["text"]
    assert text.replace(name or "x", "x") == plain or name == "2^-x"
    spelt = "".join(
        f"{c}*" if c.isdigit() and after == "x" else c for c, after in zip(plain, plain[1:] + " ", strict=True)
    )
    spelt = spelt.replace("^", "**")
    for at in (-3, 1, 2, 10):
        assert eval(spelt, {"x": at}) == value(polynomial, Fraction(at))
    words = plain.removeprefix("-").replace(" - ", " + ").split(" + ")
    powers = [0 if "x" not in w else int(w.split("^")[1]) if "^" in w else 1 for w in words]
    assert powers == sorted(set(powers), reverse=True)
    assert all(w == w.strip("- ") for w in words)
    assert not any(w.startswith(("0x", "1x")) or w.endswith(("^0", "^1")) for w in words)
    assert (words == ["0"]) == (not any(polynomial))
    assert len(words) == max(1, sum(c != 0 for c in polynomial))


@settings(max_examples=100)
@given(st.lists(st.integers(-3, 3) | st.integers(-500, 500), max_size=9))
def test_text_by_its_value(polynomial: list[int]) -> None:
    check_text(polynomial, None)


def test_text_on_its_own_inputs() -> None:
    for args in of(FAMILY, "write", 300):
        check_text(args["polynomial"], args.get("variable"))
