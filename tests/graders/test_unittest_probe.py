import collections
import datetime
import decimal
import functools
import importlib.util
import re
import sys
import types
import weakref
from typing import Any

import pytest

from proofyard.graders.unittest_probe import agreeable, leaves, plainly, speechless


class Always:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class NeverDiffers:
    def __ne__(self, other: object) -> bool:
        return False


class Nothing(float):
    def __sub__(self, other: object) -> float:
        return 0.0


class Fair:
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fair)

    __hash__ = None  # type: ignore[assignment]


class Hostile:
    def __eq__(self, other: object) -> bool:
        raise SystemExit

    __hash__ = None  # type: ignore[assignment]


class Quiet(list[Any]):
    def __iter__(self) -> Any:
        return iter(())


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (Always(), "an object was returned that equals what it cannot know"),
        (NeverDiffers(), "an object was returned that differs from nothing"),
        (Nothing(3), "a number was returned from which everything is nothing away"),
        (Fair(), ""),
        (Hostile(), ""),
        (object(), ""),
        (collections.Counter("ab"), ""),
    ],
)
def test_what_agrees_with_everything(item: Any, said: str) -> None:
    assert agreeable(item) == said


def test_leaves_at_any_depth() -> None:
    one = Always()
    deep: list[Any] = [one, [one], (1, [one]), {"a": {"b": one}}, Quiet([one]), [{1: (one,)}], [0] * 9000 + [one]]
    deep += [collections.deque([one]), types.SimpleNamespace(x=one), collections.UserList([one])]
    for value in deep:
        assert any(item is one for item in leaves(value, lambda kind: kind.__module__ in ("types", "collections"))[0])
    assert leaves([1, "a", {"b": (2.5, None)}, b"x", {1, 2}, frozenset("a")], lambda kind: False) == ([], False)
    assert leaves([Fair()], lambda kind: kind is Fair) == ([], False)
    found, odd = leaves([Fair() for _ in range(10_000)], lambda kind: False)
    assert (len(found), odd) == (20, True)
    assert leaves([[] for _ in range(60_000)], lambda kind: False) == ([], True)


def test_a_cycle_ends() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    assert leaves(cycle, lambda kind: False) == ([], True)


def test_what_else_may_run_code_is_odd() -> None:
    table = types.MappingProxyType({"a": 1})
    for value in (
        iter([]),
        len,
        test_a_cycle_ends,
        table,
        {}.items(),
        weakref.proxy(Fair),
        functools.partial(len),
        slice(1),
    ):
        assert leaves([value], lambda kind: True) == ([], True)
    plain = [
        datetime.date.min,
        decimal.Decimal(1),
        range(3),
        bytearray(b"x"),
        re.compile("x"),
        int,
        re,
        sys.stderr.buffer,
    ]
    assert leaves(plain, lambda kind: True) == ([], False)
    error = KeyError(Fair())
    assert leaves(error, lambda kind: True) == ([], False)
    assert leaves(error, lambda kind: kind is not Fair).own == [error.args[0]]


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")
def test_arrays_of_objects() -> None:
    import numpy as np

    one = Always()
    assert leaves(np.array([1, one], dtype=object), lambda kind: False).own[-1] is one
    assert leaves(np.arange(3), lambda kind: True) == ([], False)


def test_classes_lose_what_they_compare_by() -> None:
    class Mine:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = object.__hash__

    assert Mine() == 1
    speechless(lambda kind, value: kind is Mine)
    assert Mine() != 1
    assert Fair() == Fair()


def test_plain_values_in_place_of_those_of_own_classes() -> None:
    class Text(str):
        __slots__ = ()

    class Table(dict[Any, Any]): ...

    class Number(float): ...

    fair = Fair()
    given = {"a": [Text("x"), Quiet([Number(2.5)])], "b": Table(c=(Text("y"),)), "d": fair}
    made = plainly(given, lambda kind: False)
    assert made == {"a": ["x", [2.5]], "b": {"c": ("y",)}, "d": fair}
    assert type(made["a"][0]) is str
    assert type(made["a"][1]) is list
    assert type(made["b"]) is dict
    assert made["d"] is fair
    untouched = [1, {"a": (2, "b")}]
    assert plainly(untouched, lambda kind: False) is untouched
    counts = collections.Counter("ab")
    assert plainly(counts, lambda kind: kind is collections.Counter) is counts
