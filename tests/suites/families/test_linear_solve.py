"""Linear equations against ranks modulo a large prime and against putting the solution into the equations."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.linear_solve import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "ranks modulo a prime, and substitution into the equations"

PRIME = 2**89 - 1
EQUATION = st.builds(
    lambda terms, equals: {"terms": terms, "equals": equals},
    st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), st.integers(-3, 3), max_size=4),
    st.integers(-4, 4),
)
SYSTEMS = st.lists(EQUATION, min_size=1, max_size=5)


def rank(rows: list[list[int]]) -> int:
    """The rank modulo a prime that no minor of such small matrices has as a factor, but by a rare chance."""
    left, count = [[v % PRIME for v in row] for row in rows], 0
    while left:
        row = left.pop()
        spot = next((i for i, v in enumerate(row) if v), None)
        if spot is not None:
            count += 1
            inverse = pow(row[spot], -1, PRIME)
            left = [
                [(a - other[spot] * inverse * b) % PRIME for a, b in zip(other, row, strict=True)] for other in left
            ]
    return count


def names_of(equations: list[dict[str, Any]]) -> list[str]:
    return sorted({name for equation in equations for name in equation["terms"]})


def rows_of(equations: list[dict[str, Any]], names: list[str], constant: bool = True) -> list[list[int]]:
    return [[e["terms"].get(name, 0) for name in names] + ([e["equals"]] if constant else []) for e in equations]


def first_contradiction(equations: list[dict[str, Any]], names: list[str]) -> dict[str, Any] | None:
    for k in range(1, len(equations) + 1):
        if rank(rows_of(equations[:k], names)) > rank(rows_of(equations[:k], names, constant=False)):
            return {"code": "inconsistent", "equation": k}
    return None


def check_solve(equations: list[dict[str, Any]]) -> None:
    result = play(FAMILY, "solve", {"equations": equations})
    names = names_of(equations)
    failed = first_contradiction(equations, names)
    if failed:
        assert result == failed
        return
    free, solved = result["free"], result["solved"]
    assert sorted([*free, *(row["variable"] for row in solved)]) == names
    assert (free, [row["variable"] for row in solved]) == (sorted(free), sorted(row["variable"] for row in solved))
    assert len(solved) == rank(rows_of(equations, names, constant=False))
    for row in solved:
        assert set(row["per"]) <= set(free)
        assert all(name > row["variable"] and value != 0 for name, value in row["per"].items())
        assert all(isinstance(v, int) or str(Fraction(v)) == v for v in (row["constant"], *row["per"].values()))
        assert len(row) == 3
    # With all free variables 0, and then each of them 1 in turn, the equations hold: so they hold for all values.
    for chosen in (None, *free):
        values = {name: Fraction(name == chosen) for name in free}
        for row in solved:
            values[row["variable"]] = Fraction(row["constant"]) + Fraction(row["per"].get(chosen, 0))
        for equation in equations:
            assert sum(c * values[name] for name, c in equation["terms"].items()) == equation["equals"]
    every = rows_of(equations, names)
    assert result["redundant"] == [k for k in range(1, len(every) + 1) if rank(every[:k]) == rank(every[: k - 1])]


def check_implies(args: dict[str, Any]) -> None:
    result = play(FAMILY, "implies", args)
    equations, equation = args["equations"], args["equation"]
    names = names_of([*equations, equation])
    failed = first_contradiction(equations, names)
    if failed:
        assert result == failed
    elif rank(rows_of([*equations, equation], names)) == rank(rows_of(equations, names)):
        assert result == {"answer": "implied"}
    else:
        bad = first_contradiction([*equations, equation], names)
        assert result == {"answer": "contradicted" if bad else "independent"}


@settings(max_examples=100, deadline=None)
@given(SYSTEMS)
def test_solve(equations: list[dict[str, Any]]) -> None:
    check_solve(equations)


@settings(max_examples=100, deadline=None)
@given(SYSTEMS, EQUATION)
def test_implies(equations: list[dict[str, Any]], equation: dict[str, Any]) -> None:
    check_implies({"equations": equations, "equation": equation})


def test_its_own_systems() -> None:
    for args in of(FAMILY, "solve", 150):
        check_solve(args["equations"])
    for args in of(FAMILY, "implies", 200):
        check_implies(args)


def test_residuals_on_its_own_inputs() -> None:
    for args in of(FAMILY, "residuals", 300):
        result = play(FAMILY, "residuals", args)
        missing = sorted(set(names_of(args["equations"])) - set(args["values"]))
        if missing:
            assert result == {"code": "missing_value", "variable": missing[0]}
            continue
        below = args.get("denominator", 1)
        for value, equation in zip(result["residuals"], args["equations"], strict=True):
            scaled = sum(c * args["values"][n] for n, c in equation["terms"].items()) - below * equation["equals"]
            assert Fraction(value) * below == scaled
            assert isinstance(value, int) or str(Fraction(value)) == value
        assert result["solution"] == all(value == 0 for value in result["residuals"])
