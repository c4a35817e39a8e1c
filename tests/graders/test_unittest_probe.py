import collections
from typing import Any

import pytest

from proofyard.graders.unittest_probe import agreeable, leaves


def call(function: Any, *args: Any) -> Any:
    return function(*args)


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
    assert agreeable(item, call) == said


def test_leaves_at_any_depth() -> None:
    one = Always()
    for value in (one, [one], (1, [one]), {"a": {"b": one}}, Quiet([one]), [{1: (one,)}]):
        assert any(item is one for item in leaves(value, lambda kind: False))
    assert leaves([1, "a", {"b": (2.5, None)}, b"x", {1, 2}, frozenset("a")], lambda kind: False) == []
    assert leaves([Fair()], lambda kind: kind is Fair) == []
    assert len(leaves([Fair() for _ in range(10_000)], lambda kind: False)) == 20


def test_a_cycle_ends() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    assert leaves(cycle, lambda kind: False) == []
