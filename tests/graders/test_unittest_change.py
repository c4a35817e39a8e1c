import collections
import datetime
import decimal
import enum
import fractions
import importlib.util
from typing import Any, NamedTuple

import pytest

from proofyard.graders.unittest_change import Sites, other


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Point(NamedTuple):
    x: int
    y: int


VALUES: list[Any] = [
    True, False, 0, 1, -5, 10**30, 0.0, -2.5, 1e300, float("nan"), float("inf"), 2 + 3j, decimal.Decimal("1.5"),
    fractions.Fraction(1, 3), "", "text", b"", b"bytes", bytearray(b"x"), Colour.RED, datetime.date(2024, 2, 29),
    datetime.datetime(9999, 12, 31), datetime.timedelta(0), {}, {"a": 1}, {"a": {"b": []}}, [], [1], [[]], (), (1,),
    Point(1, 2), set(), {1}, frozenset("a"), collections.Counter("aab"), collections.OrderedDict(a=1),
    collections.defaultdict(list, a=[1]),
    collections.deque([1]),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_another_value_of_the_same_type(value: Any) -> None:
    changed = other(value)
    assert changed != value
    if not isinstance(value, collections.deque):
        assert type(changed) is type(value)


@pytest.mark.parametrize(
    "value", [int, None, object(), len, iter([1]), collections.deque], ids=lambda value: type(value).__name__
)
def test_of_what_is_not_known_something_else(value: Any) -> None:
    assert other(value) == "7919"


def test_numbers_are_far_from_what_rounding_allows() -> None:
    for value in (0, 1.5, -1.5, 1e-9, 123456.789):
        assert abs(other(value) - value) > 1000


def test_a_class_that_raises_is_no_matter() -> None:
    class Bad(dict[str, int]):
        def copy(self) -> Any:
            raise RuntimeError

    assert other(Bad()) == "7919"


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")
def test_arrays() -> None:
    import numpy as np

    for value in (np.arange(4), np.array([1.5, 2]), np.array([True]), np.array(["a"]), np.zeros((2, 2)), np.array([])):
        assert not np.array_equal(other(value), value)
    assert other(np.arange(4)).dtype == np.arange(4).dtype
    assert type(other(np.float64(2))) is np.float64
    assert other(np.int32(2)) != 2


def test_sites_count_and_go_on() -> None:
    sites = Sites()
    for fails in (True, False, True):
        with sites("amber 1"):
            assert not fails
    with sites("amber 2"):
        raise TypeError
    with pytest.raises(SystemExit), sites("amber 3"):
        raise SystemExit
    assert sites.seen == {"amber 1": [2, 1], "amber 2": [1, 0], "amber 3": [0, 0]}
