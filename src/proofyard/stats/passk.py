"""pass@k, the unbiased estimator of Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1."""

from math import prod

__all__ = ["pass_at_k"]


def pass_at_k(n: int, passed: int, k: int) -> float | None:
    """Probability that at least one of `k` attempts, drawn from `n` of which `passed` passed, passes.

    1 - C(n - passed, k) / C(n, k), computed as a product. None if fewer than `k` attempts were made: never an estimate
    from a smaller k in silence.

    Raises:
        ValueError: the counts make no sense.
    """
    if k < 1 or n < 0 or not 0 <= passed <= n:
        raise ValueError(f"pass@k of n={n}, passed={passed}, k={k}")
    if n < k:
        return None
    if n - passed < k:
        return 1.0
    return 1.0 - prod(1.0 - k / i for i in range(n - passed + 1, n + 1))
