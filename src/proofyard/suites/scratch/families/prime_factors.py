"""Contract, inputs and the golden case of the family `prime-factors`."""

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import prime_factors as program

__all__ = ["FAMILY"]

NOTES = (
    "A **prime** is an integer of 2 or more with no positive divisors but 1 and itself.",
    "All results are exact integers; some are greater than the arguments may be.",
)

FACTOR = OperationDoc(
    name="factor",
    summary="The factorisation of an integer, its divisors and its square root.",
    parameters=(Param(name="number", type="integer, -100000000 to 100000000", text="the integer"),),
    result='`{"text": string, "divisors": integer, "divisor_sum": integer, "root": [integer, integer]}`.',
    errors=(ErrorDoc(code="zero", when="the number is 0"),),
    rules=(
        "`text` is the factorisation: the prime factors in ascending order, each once, joined by ` * `; a prime that "
        "divides the number e times with e of 2 or more is written `p^e`. A negative number has `-` in front: -12 is "
        "`-2^2 * 3`. 1 is `1` and -1 is `-1`.",
        "`divisors` is how many positive divisors the number has, 1 and its absolute value included, and `divisor_sum` is "
        "their sum.",
        "`root` is `[a, b]` with number = a * a * b, a the greatest positive integer for which that is possible; b has the "
        "sign of the number. So the square root of the number is a times the square root of b.",
    ),
)

PRIMES = OperationDoc(
    name="primes",
    summary="The primes among consecutive integers.",
    parameters=(
        Param(name="start", type="integer, 0 to 1000000", text="the first of the integers"),
        Param(name="length", type="integer, 1 to 400", text="how many integers are looked at"),
    ),
    result='`{"primes": [integer, ...], "twins": integer, "widest_gap": [integer, integer] or null}`: the primes from '
    "`start` to `start` + `length` - 1, ascending; how many pairs of them differ by exactly 2; and the widest gap.",
    rules=(
        "Only primes among these integers count, also for pairs and gaps: a pair with one of its primes outside does not "
        "count. A prime may belong to two pairs.",
        "`widest_gap` is the pair of neighbouring primes with the greatest difference, the lesser first; of equally wide "
        "gaps the first. It is `null` with fewer than two primes.",
    ),
)

ZEROS = OperationDoc(
    name="zeros",
    summary="How many zeros a factorial ends with.",
    parameters=(
        Param(
            name="number",
            type="integer, 0 to 1000000000000",
            text="n, whose factorial n! = 1 * 2 * ... * n is taken; 0! is 1",
        ),
        Param(name="base", type="integer, 2 to 1000000", text="the base in which n! is written"),
    ),
    result='`{"zeros": integer, "prime": integer}`: how many digits 0 stand at the end of n! in that base, that is the '
    "greatest k for which base^k divides n!, and the prime that decides it.",
    rules=(
        "For a prime p that divides the base e times (e is the greatest power) and n! f times, f / e rounded down is a bound "
        "of k, and k is the least of these bounds. `prime` is the least prime whose bound is k.",
    ),
)

SMALL = (2, 2, 2, 3, 3, 5, 5, 7, 11, 13)


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("factor", "factor", "primes", "zeros"))
    if op == "factor":
        number = _composite(rng, 10**8) if rng.random() < 0.8 else rng.randint(10**7, 10**8)
        return op, {"number": number * rng.choice((1, 1, -1))}
    if op == "primes":
        return op, {"start": rng.randint(1, rng.choice((10**4, 10**6))), "length": rng.randint(20, 150)}
    return op, {"number": rng.randint(1, 10 ** rng.choice((3, 6, 12))), "base": _composite(rng, 10**6)}


def _composite(rng: Random, most: int) -> int:
    """A product of primes, many of them repeated."""
    product = rng.randint(2, most // 20000)
    while product < most // 400 and rng.random() < 0.95:
        product *= rng.choice(SMALL)
    return product


def _factor(number: int) -> Input:
    return "factor", {"number": number}


def _primes(start: int, length: int) -> Input:
    return "primes", {"start": start, "length": length}


def _zeros(number: int, base: int) -> Input:
    return "zeros", {"number": number, "base": base}


BOUNDARY: tuple[Input, ...] = (
    _factor(-720),
    _factor(0),
    _factor(1),
    _factor(-1),
    _factor(2),
    _factor(-3),
    _factor(4),
    _factor(-9),
    _factor(49),
    _factor(97),
    _factor(99999989),
    _factor(-99999989),
    _factor(99980001),
    _factor(99460729),
    _factor(99400891),
    _factor(2**26),
    _factor(-(2**26)),
    _factor(3**16),
    _factor(100000000),
    _factor(-100000000),
    _factor(73513440),
    _factor(9699690),
    _factor(2 * 49999991),
    _factor(4 * 24999983),
    _factor(6 * 6),
    _factor(-8),
    _primes(0, 1),
    _primes(0, 2),
    _primes(0, 3),
    _primes(0, 4),
    _primes(0, 6),
    _primes(1, 2),
    _primes(2, 1),
    _primes(2, 2),
    _primes(3, 3),
    _primes(3, 5),
    _primes(4, 1),
    _primes(24, 5),
    _primes(23, 7),
    _primes(5, 2),
    _primes(0, 400),
    _primes(1000000, 400),
    _primes(999601, 400),
    _primes(492113, 115),
    _primes(994009, 1),
    _primes(113, 15),
    _primes(114, 14),
    _zeros(0, 2),
    _zeros(1, 2),
    _zeros(2, 2),
    _zeros(4, 10),
    _zeros(5, 10),
    _zeros(24, 10),
    _zeros(25, 10),
    _zeros(3, 4),
    _zeros(4, 8),
    _zeros(10, 12),
    _zeros(6, 12),
    _zeros(3, 6),
    _zeros(20, 36),
    _zeros(1, 30),
    _zeros(1000000000000, 1000000),
    _zeros(1000000000000, 2),
    _zeros(999999999999, 999983),
    _zeros(999982, 999983),
    _zeros(999983, 999983),
    _zeros(100, 524288),
)

MALFORMED: tuple[Input, ...] = (
    ("factor", {}),
    ("factor", {"number": None}),
    ("factor", {"number": "12"}),
    ("factor", {"number": 12.0}),
    ("factor", {"number": True}),
    ("factor", {"number": [12]}),
    ("factor", {"number": 100000001}),
    ("factor", {"number": -100000001}),
    ("primes", {"start": 5}),
    ("primes", {"length": 5}),
    ("primes", {"start": -1, "length": 5}),
    ("primes", {"start": 1000001, "length": 5}),
    ("primes", {"start": False, "length": 5}),
    ("primes", {"start": 2.0, "length": 5}),
    ("primes", {"start": 2, "length": 0}),
    ("primes", {"start": 2, "length": 401}),
    ("primes", {"start": 2, "length": True}),
    ("primes", {"start": 2, "length": "5"}),
    ("zeros", {"number": 5}),
    ("zeros", {"base": 10}),
    ("zeros", {"number": -1, "base": 10}),
    ("zeros", {"number": 1000000000001, "base": 10}),
    ("zeros", {"number": True, "base": 10}),
    ("zeros", {"number": 5.5, "base": 10}),
    ("zeros", {"number": 5, "base": 1}),
    ("zeros", {"number": 5, "base": 1000001}),
    ("zeros", {"number": 5, "base": 10.0}),
    ("zeros", {"number": 5, "base": None}),
)

FAMILY = Family(
    number=30,
    slug="prime-factors",
    category="numbers",
    title="Prime factors",
    purpose="Factorises integers and tells what follows from their factors: divisors, square roots, the zeros at the end of "
    "a factorial; and lists primes.",
    notes=NOTES,
    operations=(FACTOR, PRIMES, ZEROS),
    program=program,
    # -360 = -(2^3 * 3^2 * 5): (3+1)(2+1)(1+1) = 24 divisors, their sum (1+2+4+8)(1+3+9)(1+5) = 15 * 13 * 6 = 1170. The
    # greatest square in it is (2 * 3)^2 = 36, and -360 = 36 * -10.
    golden=Case(
        op="factor",
        args={"number": -360},
        expected={"text": "-2^3 * 3^2 * 5", "divisors": 24, "divisor_sum": 1170, "root": [6, -10]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
