"""The short notation for faults."""

import pytest

from proofyard.testing import FAULTS, Fault, parse_faults


def test_notation() -> None:
    assert parse_faults("429:2, 529,ok,cut:hard,hang:3,500*2,") == [
        Fault("rate_limit", "2"),
        Fault("overloaded"),
        None,
        Fault("cut", "hard"),
        Fault("stall", "3"),
        Fault("server_error"),
        Fault("server_error"),
    ]
    assert parse_faults("") == []
    assert [one.name for one in parse_faults(",".join(FAULTS)) if one] == list(FAULTS)
    with pytest.raises(ValueError, match="unknown fault 'nonsense'"):
        parse_faults("429,nonsense")


def test_values() -> None:
    assert Fault("stall", "2.5").number(9) == 2.5
    assert Fault("stall").number(9) == 9
