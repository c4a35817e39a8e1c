from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofyard.stats import pass_at_k


def brute_force(n: int, passed: int, k: int) -> float:
    draws = list(combinations(range(n), k))
    return sum(any(i < passed for i in draw) for draw in draws) / len(draws)


@given(st.integers(1, 9), st.data())
def test_equals_the_count_of_all_draws(n: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    assert pass_at_k(n, passed, k) == pytest.approx(brute_force(n, passed, k), abs=1e-12)


def test_fewer_attempts_than_k_is_no_number() -> None:
    assert pass_at_k(4, 4, 5) is None


@pytest.mark.parametrize(("n", "passed", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0), (-1, 0, 1)])
def test_counts_that_make_no_sense_are_refused(n: int, passed: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass@k"):
        pass_at_k(n, passed, k)


def test_agrees_with_the_estimator_of_other_tools() -> None:
    """1 - prod(1 - k / (n - c + 1 .. n)) in numpy's floating point, as BigCodeBench, EvalPlus and human-eval have it."""
    for n in (*range(1, 40), 100, 200, 1000):
        for k in (1, 2, 5, 10, 25, 100):
            if k > n:
                continue
            for passed in {*range(min(n, 40) + 1), n - k, n - k + 1, n - 1, n} & {*range(n + 1)}:
                terms = 1.0 - k / np.arange(n - passed + 1, n + 1)
                theirs = 1.0 if n - passed < k else 1.0 - float(np.prod(terms))
                assert pass_at_k(n, passed, k) == pytest.approx(theirs, abs=1e-12), (n, passed, k)
