"""Prime factors of integers and what follows from them, primes in a range, and the zeros at the end of factorials."""

from itertools import pairwise
from math import prod
from typing import Any

from ..arguments import integer, required
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]


def check_factor(args: dict[str, Any]) -> None:
    """Check the arguments of `factor`."""
    required(args, "number", integer(-(10**8), 10**8))


def check_primes(args: dict[str, Any]) -> None:
    """Check the arguments of `primes`."""
    required(args, "start", integer(0, 10**6))
    required(args, "length", integer(1, 400))


def check_zeros(args: dict[str, Any]) -> None:
    """Check the arguments of `zeros`."""
    required(args, "number", integer(0, 10**12))
    required(args, "base", integer(2, 10**6))


def factor(args: dict[str, Any]) -> object:
    """The factorisation of a number, its divisors and its square root."""
    number = args["number"]
    if number == 0:
        raise DomainError("zero", "0 has no factorisation")
    powers = factors(abs(number))
    text = " * ".join(f"{p}^{e}" if e > 1 else str(p) for p, e in powers.items()) or "1"
    outside = prod(p ** (e // 2) for p, e in powers.items())
    return {
        "text": f"-{text}" if number < 0 else text,
        "divisors": prod(e + 1 for e in powers.values()),
        "divisor_sum": prod(sum(p**k for k in range(e + 1)) for p, e in powers.items()),
        "root": [outside, number // outside**2],
    }


def primes(args: dict[str, Any]) -> object:
    """The primes among consecutive integers, and their widest gap."""
    start, length = args["start"], args["length"]
    stop = start + length
    composite: set[int] = set()
    for divisor in range(2, 1001):
        first = max(2 * divisor, -(-start // divisor) * divisor)
        composite.update(range(first, stop, divisor))
    found = [number for number in range(max(start, 2), stop) if number not in composite]
    gaps = list(pairwise(found))
    widest = max(gaps, key=lambda gap: gap[1] - gap[0], default=None)
    return {
        "primes": found,
        "twins": sum(high - low == 2 for low, high in gaps),
        "widest_gap": widest and list(widest),
    }


def zeros(args: dict[str, Any]) -> object:
    """How many zeros the factorial of a number ends with in a base, and which prime decides."""
    counts = []
    for p, e in factors(args["base"]).items():
        times, left = 0, args["number"]
        while left:
            left //= p
            times += left
        counts.append((times // e, p))
    least, prime = min(counts)
    return {"zeros": least, "prime": prime}


def factors(number: int) -> dict[int, int]:
    """The prime factors of a positive number, ascending, and how often each divides it."""
    found: dict[int, int] = {}
    p = 2
    while number > 1:
        if p * p > number:
            p = number
        while number % p == 0:
            number //= p
            found[p] = found.get(p, 0) + 1
        p += 1
    return found


OPERATIONS = {
    "factor": Operation(("number",), check_factor, factor),
    "primes": Operation(("start", "length"), check_primes, primes),
    "zeros": Operation(("number", "base"), check_zeros, zeros),
}
