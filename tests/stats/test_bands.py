import pytest

from proofyard.stats import BAND_RULE, band


@pytest.mark.parametrize(("rates", "expected"), [
    ([], "unmeasured"),
    ([0.8], "saturated"),
    ([0.8, 1.0], "saturated"),
    ([0.799], "headroom"),
    ([0.2], "headroom"),
    ([0.199, 0.0], "floor"),
    ([0.0, 0.5, 1.0], "headroom"),
    ([0.0, 1.0], "mixed"),
])  # fmt: skip
def test_bands(rates: list[float], expected: str) -> None:
    assert band(rates) == expected


def test_the_rule_names_each_band_and_both_bounds() -> None:
    for word in ("saturated", "floor", "headroom", "mixed", "unmeasured", "0.8", "0.2"):
        assert word in BAND_RULE


def test_a_rate_is_between_0_and_1() -> None:
    with pytest.raises(ValueError, match="rates must lie in"):
        band([1.2])
