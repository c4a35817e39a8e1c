"""Prime factors against lists of all divisors, primes that no number divides, and factorials written out."""

import re
from itertools import pairwise
from math import factorial, isqrt, prod
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.prime_factors import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "all divisors by search, a strong pseudoprime test, factorials written out"

TERM = re.compile(r"([1-9][0-9]*)(?:\^([1-9][0-9]*))?")


def is_prime(n: int) -> bool:
    """Miller-Rabin with bases that leave no exception below 3 * 10^9."""
    if n < 2 or any(n % p == 0 for p in (2, 3, 5, 7) if n != p):
        return False
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7):
        if n != base and pow(base, odd, n) != 1 and all(pow(base, odd << k, n) != n - 1 for k in range(twos)):
            return False
    return True


def check_factor(number: int) -> dict[str, Any]:
    result: dict[str, Any] = play(FAMILY, "factor", {"number": number})
    if number == 0:
        assert result == {"code": "zero"}
        return result
    text = result["text"]
    assert text.startswith("-") == (number < 0)
    terms = text.removeprefix("-").split(" * ")
    assert len(result) == 4
    if abs(number) == 1:
        assert terms == ["1"]
        powers = []
    else:
        found = [TERM.fullmatch(term) for term in terms]
        assert all(found)
        powers = [(int(m[1]), int(m[2] or 1)) for m in found if m]
        assert terms == [f"{p}^{e}" if e >= 2 else f"{p}" for p, e in powers]
    bases = [p for p, _ in powers]
    assert bases == sorted(set(bases))
    assert all(is_prime(p) for p in bases)
    assert prod(p**e for p, e in powers) == abs(number)
    a, b = result["root"]
    assert (a > 0, a * a * b) == (True, number)
    assert all(b % (p * p) for p in bases)
    return result


@settings(max_examples=100, deadline=None)
@given(st.integers(-3000, 3000))
def test_divisors_by_search(number: int) -> None:
    result = check_factor(number)
    if number:
        divisors = [d for d in range(1, abs(number) + 1) if number % d == 0]
        assert (result["divisors"], result["divisor_sum"]) == (len(divisors), sum(divisors))
        assert result["root"][0] == max(d for d in range(1, 60) if number % (d * d) == 0)


def test_factors_of_its_own_inputs() -> None:
    for args in of(FAMILY, "factor", 150):
        number = args["number"]
        result = check_factor(number)
        if number and abs(number) < 10**7:
            low = [d for d in range(1, isqrt(abs(number)) + 1) if number % d == 0]
            divisors = {*low, *(abs(number) // d for d in low)}
            assert (result["divisors"], result["divisor_sum"]) == (len(divisors), sum(divisors))


def check_primes(start: int, length: int) -> None:
    result = play(FAMILY, "primes", {"start": start, "length": length})
    found = [n for n in range(start, start + length) if is_prime(n)]
    pairs = list(pairwise(found))
    widest = None
    for low, high in pairs:
        if widest is None or high - low > widest[1] - widest[0]:
            widest = [low, high]
    twins = [n for n in found if n + 2 in found]
    assert result == {"primes": found, "twins": len(twins), "widest_gap": widest}


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 150) | st.integers(0, 10**6), st.integers(1, 40))
def test_primes(start: int, length: int) -> None:
    check_primes(start, length)


def test_primes_of_its_own_inputs() -> None:
    for args in of(FAMILY, "primes", 100):
        check_primes(args["start"], args["length"])


def test_zeros_of_factorials_written_out() -> None:
    for number in (*range(16), 24, 25, 27, 100):
        value = factorial(number)
        for base in (*range(2, 40), 64, 100, 1000, 1024):
            digits, count = value, 0
            while digits % base == 0:
                digits, count = digits // base, count + 1
            result = play(FAMILY, "zeros", {"number": number, "base": base})
            assert result["zeros"] == count
            assert result["prime"] == next(p for p in range(2, base + 1) if bound(value, base, p) == count)


def bound(value: int, base: int, p: int) -> int | None:
    """How often p^e divides the value, where p divides the base e times; None if p is not a prime factor."""
    if not is_prime(p) or base % p:
        return None
    e = max(k for k in range(1, 25) if base % p**k == 0)
    count = 0
    while value % p**e == 0:
        value, count = value // p**e, count + 1
    return count


def test_zeros_of_its_own_inputs() -> None:
    """By Legendre's other formula: p divides n! (n - s) / (p - 1) times, s the sum of the digits of n in base p."""
    for args in of(FAMILY, "zeros", 200):
        number, base = args["number"], args["base"]
        bounds = []
        for p in (p for p in range(2, base + 1) if base % p == 0 and is_prime(p)):
            left, digits = number, 0
            while left:
                left, digit = divmod(left, p)
                digits += digit
            e = max(k for k in range(1, 25) if base % p**k == 0)
            bounds.append(((number - digits) // (p - 1) // e, p))
        assert play(FAMILY, "zeros", args) == dict(zip(("zeros", "prime"), min(bounds), strict=True))
