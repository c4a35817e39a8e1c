"""The 95 % interval of pass@k over tasks, by simulation: it holds the truth about as often as it says, never much less."""

import pytest
from benchmarks.functions_intervals import SETTINGS, Setting, coverage


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_truth_lies_inside(setting: Setting) -> None:
    found = coverage(setting, repetitions=200, seed=5)
    assert found.hits / found.repetitions >= 0.925, found
    assert 0 < found.width < 1


def test_an_interval_that_is_too_narrow_is_noticed() -> None:
    """The check can fail: intervals of half the confidence hold the truth far less often."""
    found = coverage(SETTINGS[0], repetitions=200, seed=5, confidence=0.5)
    assert 0.4 < found.hits / found.repetitions < 0.65
