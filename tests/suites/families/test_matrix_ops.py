"""Matrix operations against permutations, minors and the equations that define them."""

from fractions import Fraction
from itertools import combinations, permutations
from math import prod
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.matrix_ops import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "sums over permutations, minors, and defining equations"

ENTRIES = st.integers(-9, 9) | st.builds(lambda p, q: f"{p}/{q}", st.integers(-20, 20), st.integers(1, 12))


def matrices(rows: int, columns: int) -> st.SearchStrategy[list[list[Any]]]:
    return st.lists(st.lists(ENTRIES, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


SQUARE = st.integers(1, 4).flatmap(lambda n: matrices(n, n))
SHAPES = st.tuples(st.integers(1, 5), st.integers(1, 5))


def exact(given_rows: list[list[Any]]) -> list[list[Fraction]]:
    return [[Fraction(x) for x in row] for row in given_rows]


def leibniz(rows: list[list[Fraction]]) -> Fraction:
    size, total = len(rows), Fraction(0)
    for order in permutations(range(size)):
        sign = (-1) ** sum(1 for i, j in combinations(order, 2) if i > j)
        total += sign * prod((rows[i][order[i]] for i in range(size)), start=Fraction(1))
    return total


def naive(left: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]]:
    result = []
    for i in range(len(left)):
        result.append([Fraction(0)] * len(right[0]))
        for j in range(len(right[0])):
            for k in range(len(right)):
                result[i][j] += left[i][k] * right[k][j]
    return result


def well_written(value: Any) -> bool:
    if isinstance(value, int):
        return True
    p, q = value.split("/")
    return str(Fraction(value)) == value and int(q) > 1 and p.lstrip("-").isdigit()


def has_zero(rows: list[list[Any]]) -> bool:
    return any(isinstance(x, str) and int(x.split("/")[1]) == 0 for row in rows for x in row)


@given(SHAPES.flatmap(lambda s: st.tuples(matrices(*s), st.integers(1, 5).flatmap(lambda n: matrices(s[1], n)))))
def test_products(pair: tuple[list[list[Any]], list[list[Any]]]) -> None:
    result = play(FAMILY, "multiply", {"left": pair[0], "right": pair[1]})["matrix"]
    assert exact(result) == naive(exact(pair[0]), exact(pair[1]))
    assert all(well_written(x) for row in result for x in row)


@given(SQUARE)
def test_determinants_by_permutations(rows: list[list[Any]]) -> None:
    result = play(FAMILY, "determinant", {"matrix": rows})["determinant"]
    assert Fraction(result) == leibniz(exact(rows))
    assert well_written(result)


@given(SQUARE, st.integers(-2, 4))
def test_powers_by_their_equations(rows: list[list[Any]], exponent: int) -> None:
    result = play(FAMILY, "power", {"matrix": rows, "exponent": exponent})
    unit = [[Fraction(i == j) for j in range(len(rows))] for i in range(len(rows))]
    if exponent < 0 and leibniz(exact(rows)) == 0:
        assert result == {"code": "singular"}
        return
    positive = unit
    for _ in range(abs(exponent)):
        positive = naive(exact(rows), positive)
    powered = exact(result["matrix"])
    assert powered == positive if exponent >= 0 else naive(powered, positive) == unit


def rank_by_minors(rows: list[list[Fraction]]) -> int:
    for size in range(min(len(rows), len(rows[0])), 0, -1):
        for some in combinations(range(len(rows)), size):
            for columns in combinations(range(len(rows[0])), size):
                if leibniz([[rows[i][j] for j in columns] for i in some]) != 0:
                    return size
    return 0


def check_reduced(rows: list[list[Any]], result: dict[str, Any]) -> None:
    reduced, pivots = exact(result["matrix"]), result["pivots"]
    assert (len(reduced), len(reduced[0])) == (len(rows), len(rows[0]))
    assert pivots == sorted(set(pivots))
    assert result["rank"] == len(pivots) == rank_by_minors(exact(rows))
    for index, row in enumerate(reduced):
        if index >= len(pivots):
            assert not any(row)
            continue
        assert not any(row[: pivots[index]])
        assert [other[pivots[index]] for other in reduced] == [Fraction(i == index) for i in range(len(reduced))]
    # Same row space: each given row is the combination of reduced rows that its entries at the pivots name.
    for row in exact(rows):
        combined = [sum((row[p] * reduced[i][j] for i, p in enumerate(pivots)), Fraction(0)) for j in range(len(row))]
        assert combined == row


@given(st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(lambda s: matrices(*s)))
def test_reduction_by_its_definition(rows: list[list[Any]]) -> None:
    check_reduced(rows, play(FAMILY, "reduce", {"matrix": rows}))


def test_reduction_on_its_own_inputs() -> None:
    for args in of(FAMILY, "reduce", 150):
        result = play(FAMILY, "reduce", args)
        if has_zero(args["matrix"]):
            assert result == {"code": "zero_denominator"}
        else:
            check_reduced(args["matrix"], result)


def test_errors_on_its_own_inputs() -> None:
    for op in ("multiply", "power", "determinant"):
        for args in of(FAMILY, op, 300):
            given_rows = [rows for rows in args.values() if isinstance(rows, list)]
            first = given_rows[0]
            square = len(first) == len(first[0])
            if any(has_zero(rows) for rows in given_rows):
                code = "zero_denominator"
            elif op == "multiply":
                code = "" if len(first[0]) == len(given_rows[1]) else "shape_mismatch"
            elif not square:
                code = "not_square"
            else:
                code = "singular" if args.get("exponent", 0) < 0 and leibniz(exact(first)) == 0 else ""
            assert play(FAMILY, op, args).get("code", "") == code
