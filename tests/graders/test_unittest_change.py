import collections
import datetime
import decimal
import enum
import fractions
import importlib.util
import unittest.mock
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
    for least in (0, 1, -1):
        for _ in range(20):
            changed = other(value, least=least)
            assert changed != value
            if not isinstance(value, collections.deque):
                assert type(changed) is type(value)


@pytest.mark.parametrize(
    "value", [int, None, object(), len, iter([1]), collections.deque], ids=lambda value: type(value).__name__
)
def test_of_what_is_not_known_something_else(value: Any) -> None:
    assert {type(other(value)) for _ in range(40)} == {int, str}


def test_numbers_are_as_large_and_twice_as_far_as_the_least() -> None:
    for value in (0, 1.5, -1.5, 0.25, 123456.789, 7, 1000, -40, fractions.Fraction(7, 2)):
        near = min(abs(other(value, least=least) - value) for least in (1, -1))
        assert near > 0
        for _ in range(50):
            assert 2 * near - 1e-6 <= abs(other(value) - value) <= max(2.1 * abs(value), 7)


def test_numbers_that_may_be_compared_with_a_tolerance_are_all_changed() -> None:
    items = [1.5, "x", [2.5, 3], 1, (0.5,)]
    kept = [False, True, False, True, False]
    assert [one == two for one, two in zip(items, other(items), strict=True)] == kept
    named = dict(zip("abcde", items, strict=True))
    assert [named[name] == value for name, value in other(named).items()] == kept
    assert sum(one != two for one, two in zip([1, 2, 3], other([1, 2, 3]), strict=True)) == 1


def test_texts_look_alike() -> None:
    for value in ("Some text", "2024-01-31", "a@b.org", "X"):
        for _ in range(20):
            changed = other(value)
            assert len(changed) == len(value)
            assert sum(one != two for one, two in zip(value, changed, strict=True)) == 1
            assert [letter.isdigit() for letter in changed] == [letter.isdigit() for letter in value]


def test_a_class_that_raises_is_no_matter() -> None:
    class Bad(dict[str, int]):
        def copy(self) -> Any:
            raise RuntimeError

    assert type(other(Bad())) is str


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")
def test_arrays() -> None:
    import numpy as np

    arrays = (np.arange(4), np.array([1.5, 2]), np.array([True]), np.array(["a"]), np.zeros((2, 2)), np.array([]))
    for value in (*arrays, np.array([1, 2], dtype=np.uint8)):
        assert not np.array_equal(other(value), value)
        assert not np.array_equal(other(value, least=1), value)
    assert other(np.arange(4)).dtype == np.arange(4).dtype
    assert type(other(np.float64(2))) is np.float64
    assert other(np.int32(2)) != 2


class Owner:
    """Says how often, and in which order, an assertion was made as it is (T) and changed (F)."""

    def __init__(self) -> None:
        self.made = ""
        self.met: list[int] = []

    def equal(self, one: object, two: Any) -> None:
        self.made += "T" if one == two else "F"
        self.met.append(two)
        assert one == two

    def true(self) -> None:
        self.made += "T"

    def false(self) -> None:
        self.made += "F"
        raise AssertionError


def made(sites: Sites, *, opposite: bool = False) -> Owner:
    owner = Owner()
    if opposite:
        sites("amber 1", owner, "true", "false", 0)
    else:
        sites("amber 1", owner, "equal", None, 1, 5000, 5000)
    return owner


def test_an_assertion_is_made_in_an_order_that_differs() -> None:
    seen = {made(Sites(1), opposite=True).made for _ in range(40)}
    assert {len(order) for order in seen} == {10}
    assert len(seen) > 30
    assert all({*order} == {"T", "F"} for order in seen)
    sites = Sites(100)
    assert [len(made(sites, opposite=True).made) for _ in range(50)] == [3] * 7 + [1] * 43


def test_a_value_is_met_among_others_no_more_often_and_no_earlier() -> None:
    turns = [made(Sites(1)) for _ in range(300)]
    assert sum(one.made[0] == "T" for one in turns) < 40  # one of 29 or so
    assert 100 < sum(one.made.count("T") == 2 for one in turns) < 200
    for one in turns:
        times = collections.Counter(one.met)
        assert len(times) > 25
        assert {*times.values()} <= {1, 2}
        assert times[5000] in {1, 2}
    assert {len({*made(Sites(100)).met}) for _ in range(20)} <= {2, 3}


def test_where_there_is_one_other_value_both_are_met_as_often() -> None:
    orders = []
    for _ in range(300):
        owner = Owner()
        Sites(1)("amber 1", owner, "equal", None, 1, True, True)
        orders.append(owner.made)
    assert {len(order) for order in orders} == {2, 3, 4}
    assert 100 < sum(order[0] == "T" for order in orders) < 200


def test_measured_in_one_order() -> None:
    for opposite in (True, False):
        sites = Sites(1, measure=True)
        assert made(sites, opposite=opposite).made == "FTFT"
        assert sites.seen == {"amber 1": [4, 0]}


def test_sites_count_and_go_on() -> None:
    case = unittest.TestCase()
    sites = Sites(100)
    sites("right", case, "assertEqual", None, 1, 2, 2)
    sites("right too", case, "assertTrue", "assertFalse", 0, [1])
    sites("equal", None, "assert", None, 1, "a", "a")
    sites("true", None, "assert", None, 1, [1])
    sites("called", unittest.mock.Mock(), "assert_not_called", "assert_called", 0)
    assert [*sites.seen] == ["right", "right too", "equal", "true", "called"]
    assert all(good >= 2 and not bad for good, bad in sites.seen.values())
    sites("wrong", case, "assertTrue", "assertFalse", 0, [])
    sites("false", None, "assert", None, 1, [])
    assert sites.seen["wrong"] == [0, 3]
    assert sites.seen["false"] == [0, 3]
    for name in ("blind", "mute"):
        deaf = unittest.mock.Mock(**{"equal.side_effect": None if name == "blind" else KeyError})
        sites(name, deaf, "equal", None, 1, 1, 1)
        assert min(sites.seen[name]) >= 1
    with pytest.raises(SystemExit):
        sites("ends", unittest.mock.Mock(**{"x.side_effect": SystemExit}), "x", None, 0, 1)


def test_one_argument_more_for_a_call_without_any() -> None:
    call = unittest.mock.Mock()
    call(two=2)
    sites = Sites(100)
    sites("amber", call, "assert_called_once_with", None, "more", two=2)
    assert sites.seen["amber"][0] >= 2
    assert sites.seen["amber"][1] == 0
