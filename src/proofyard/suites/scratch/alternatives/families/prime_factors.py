"""Prime factors: trial division, a sieve of the interval alone, and the formula of Legendre."""

from collections import Counter
from itertools import pairwise
from math import isqrt, prod
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "factor": ("number",),
    "primes": ("start", "length"),
    "zeros": ("number", "base"),
}


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "factor":
        return _is_integer(args.get("number"), -100000000, 100000000)
    if op == "primes":
        return _is_integer(args.get("start"), 0, 1000000) and _is_integer(args.get("length"), 1, 400)
    return _is_integer(args.get("number"), 0, 10**12) and _is_integer(args.get("base"), 2, 1000000)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "factor":
        return _factor(args["number"])
    if op == "primes":
        return _primes(args["start"], args["length"])
    zeros, prime = min((_power(args["number"], p) // e, p) for p, e in _factors(args["base"]).items())
    return {"zeros": zeros, "prime": prime}


def _is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _factors(number: int) -> Counter[int]:
    """The prime factors of a positive integer with their powers, ascending."""
    found: Counter[int] = Counter()
    divisor = 2
    while number > 1:
        if divisor * divisor > number:
            divisor = number
        if number % divisor:
            divisor += 1
        else:
            found[divisor] += 1
            number //= divisor
    return found


def _factor(number: int) -> dict[str, Any]:
    """The factorisation and what follows from it."""
    if number == 0:
        raise Refused("zero")
    sign = -1 if number < 0 else 1
    powers = _factors(abs(number))
    text = " * ".join(str(prime) if power == 1 else f"{prime}^{power}" for prime, power in powers.items())
    return {
        "text": ("-" if sign < 0 else "") + (text or "1"),
        "divisors": prod(power + 1 for power in powers.values()),
        "divisor_sum": prod((prime ** (power + 1) - 1) // (prime - 1) for prime, power in powers.items()),
        "root": [
            prod(prime ** (power // 2) for prime, power in powers.items()),
            sign * prod(prime ** (power % 2) for prime, power in powers.items()),
        ],
    }


def _primes(start: int, length: int) -> dict[str, Any]:
    """The primes of an interval: all its integers from 2 but the multiples of smaller ones."""
    stop = start + length
    left = set(range(max(start, 2), stop))
    for step in range(2, isqrt(stop) + 1):
        left.difference_update(range(max(step * step, -(-start // step) * step), stop, step))
    primes = sorted(left)
    pairs = [[lower, upper] for lower, upper in pairwise(primes)]
    return {
        "primes": primes,
        "twins": sum(prime + 2 in left for prime in primes),
        "widest_gap": max(pairs, key=lambda pair: pair[1] - pair[0], default=None),
    }


def _power(number: int, prime: int) -> int:
    """How often a prime divides the factorial of a number."""
    total = 0
    while number := number // prime:
        total += number
    return total
