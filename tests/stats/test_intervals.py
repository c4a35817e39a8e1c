import random

import pytest

from proofyard.stats import clustered_interval, normal_quantile, wilson


@pytest.mark.parametrize(("passed", "n"), [(0, 7), (7, 7), (3, 10), (1, 2), (499, 1000), (0, 1)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_wilson_agrees_with_scipy(passed: int, n: int, confidence: float) -> None:
    from scipy import stats as oracle  # it takes seconds, and each worker reads all test files

    wanted = oracle.binomtest(passed, n).proportion_ci(confidence, method="wilson")
    assert wilson(passed, n, confidence) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_wilson_of_nothing_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1, 2])
def test_confidence_out_of_range(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        normal_quantile(confidence)


def test_singleton_clusters_with_mixed_scores_come_close_to_wilson() -> None:
    clusters = {str(i): [float(i < 30)] for i in range(100)}
    found = clustered_interval(clusters)
    assert found is not None
    low, high = wilson(30, 100)
    assert (found.mean, found.n) == (0.3, 100)
    # the small-sample factor G/(G-1) makes it a trace wider
    assert low - 0.002 <= found.low <= low
    assert high <= found.high <= high + 0.002


def test_identical_scores_within_clusters_count_as_one() -> None:
    clusters = {str(i): [float(i < 6)] * 50 for i in range(20)}
    found = clustered_interval(clusters)
    assert found is not None
    low, high = wilson(6, 20)
    assert found.low == pytest.approx(low, abs=0.01)
    assert found.high == pytest.approx(high, abs=0.01)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_all_alike_rests_on_whole_clusters(score: float) -> None:
    found = clustered_interval({"a": [score] * 10, "b": [score] * 10})
    assert found is not None
    assert (found.mean, found.low, found.high) == (score, *wilson(2 * score, 2))


def test_nothing_and_nonsense() -> None:
    assert clustered_interval({}) is None
    assert clustered_interval({"a": []}) is None
    with pytest.raises(ValueError, match="scores"):
        clustered_interval({"a": [1.5]})


def test_coverage_of_clustered_scores_by_simulation() -> None:
    chance = random.Random(7)
    hits = 0
    for _ in range(400):
        clusters = {}
        for g in range(40):
            p = chance.betavariate(2, 2)
            clusters[str(g)] = [float(chance.random() < p) for _ in range(8)]
        found = clustered_interval(clusters)
        assert found is not None
        hits += found.low <= 0.5 <= found.high
    assert 0.91 <= hits / 400 <= 0.985
