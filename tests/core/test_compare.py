import copy
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofyard.core import Mismatch, equal

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=15,
)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1, 1),
        (10**40, 10**40),
        (1.0, 1),
        (2.0, 2.0000000001),
        (0.0, -0.0),
        (0.0, 0),
        (-0.0, 0.0),
        (1e-10, 0),
        (1e300, 1e300 * (1 + 1e-10)),
        (1e16, 10**16 + 1),
        (True, True),
        (None, None),
        ("\u00e9", "\u00e9"),
        ([], []),
        ({}, {}),
        ({"a": 1, "b": [1.5]}, {"b": [1.5], "a": 1}),
    ],
)
def test_equal(expected: object, got: object) -> None:
    assert equal(expected, got) is None


@pytest.mark.parametrize(
    ("expected", "got", "path", "why"),
    [
        (1, 2, "$", "another value"),
        (1, 1.0, "$", "a float, not an integer"),
        (0, -0.0, "$", "a float, not an integer"),
        (1, True, "$", "a boolean, not an integer"),
        (True, 1, "$", "an integer, not a boolean"),
        (1.0, True, "$", "a boolean, not a float"),
        (False, 0.0, "$", "a float, not a boolean"),
        (False, None, "$", "null, not a boolean"),
        (None, 0, "$", "an integer, not null"),
        (10**40, 10**40 + 1, "$", "another value"),
        (1.0, 1.00000001, "$", "another value"),
        (1.0, "1.0", "$", "a string, not a float"),
        (1.0, math.nan, "$", "another value"),
        (1.0, math.inf, "$", "another value"),
        (1.0, 10**400, "$", "an integer, not a float"),
        (math.nan, math.nan, "$", "another value"),
        (math.inf, math.inf, "$", "another value"),
        ("\u00e9", "e\u0301", "$", "another value"),
        ("a", "A", "$", "another value"),
        ([1, 2], [2, 1], "$[0]", "another value"),
        ([1, 2], [1], "$", "1 items, not 2"),
        ([1], [1, 2], "$", "2 items, not 1"),
        ([1], {"0": 1}, "$", "an object, not an array"),
        ({"a": 1}, [1], "$", "an array, not an object"),
        ({"a": {"b": [0, {"c d": 1}]}}, {"a": {"b": [0, {"c d": 2}]}}, "$.a.b[1]['c d']", "another value"),
        ({"a": 1}, {}, "$.a", "missing"),
        ({"a": 1}, {"a": 1, "b": 2}, "$.b", "an extra key"),
        ({"a": None}, {}, "$.a", "missing"),
        ({"\u00e9\n": 1}, {"\u00e9\n": 2}, "$['\\xe9\\n']", "another value"),
    ],
)
def test_mismatch(expected: object, got: object, path: str, why: str) -> None:
    found = equal(expected, got)
    assert found is not None
    assert (found.path, found.why) == (path, why)


def test_a_mismatch_carries_the_values_at_its_place() -> None:
    assert equal({"a": [1, {"b": 2}]}, {"a": [1, {"b": "2"}]}) == Mismatch(
        "$.a[1].b", 2, "2", "a string, not an integer"
    )


def test_special_objects_are_decided_by_the_caller() -> None:
    def special(expected: object, got: object) -> bool | None:
        return isinstance(got, str) if expected == {"$any": "string"} else None

    wanted = {"cursor": {"$any": "string"}, "n": {"x": 1}}
    assert equal(wanted, {"cursor": "abc", "n": {"x": 1}}, special=special) is None
    found = equal(wanted, {"cursor": 5, "n": {"x": 1}}, special=special)
    assert found == Mismatch("$.cursor", {"$any": "string"}, 5, "does not match")
    found = equal(wanted, {"cursor": "abc", "n": {"x": 2}}, special=special)
    assert found == Mismatch("$.n.x", 1, 2, "another value")


@given(VALUES)
def test_every_value_equals_its_copy(value: object) -> None:
    assert equal(value, copy.deepcopy(value)) is None


@given(VALUES, VALUES)
def test_agreement_with_python_where_python_is_as_strict(one: object, other: object) -> None:
    # repr tells 1, 1.0 and True apart; floats within tolerance and whole numbers against floats are the exceptions.
    if equal(one, other) is None and "." not in repr(one) and "e" not in repr(one):
        assert one == other
    if equal(one, other) is not None:
        assert repr(one) != repr(other)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e-10, 1e-10))
def test_a_relative_error_of_a_tenth_of_the_tolerance_passes(value: float, error: float) -> None:
    assert equal(value, value * (1 + error)) is None or math.isinf(value * (1 + error))


@given(st.lists(VALUES, min_size=1), st.data())
def test_a_dropped_item_is_always_seen(items: list[object], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(items) - 1))
    assert equal(items, items[:index] + items[index + 1 :]) is not None
