import math
from typing import Any

import pytest

from proofyard.graders.calls_oracle import agrees, same
from proofyard.graders.function_driver import Foreign, decoded, encoded, plain


@pytest.mark.parametrize(
    ("expected", "got", "equal"),
    [
        (1, 1.0, True),
        (True, 1, True),
        ([1, (2,)], [1, (2,)], True),
        ([1], (1,), False),
        ({"a": [1]}, {"a": [1]}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({1: 2}, {1: 3}, False),
        ({1, 2}, {2, 1}, True),
        ("1", 1, False),
        (None, False, False),
        (math.nan, math.nan, True),
        ([math.nan], [math.nan], True),
        (math.nan, 1.0, False),
        (math.inf, math.inf, True),
        (Foreign("x.Y"), Foreign("x.Y"), False),
        ([0], [Foreign("x.Y")], False),
        (1j, 1j, True),
    ],
)
def test_equality_of_plain_values(expected: Any, got: Any, equal: bool) -> None:
    assert same(expected, got) is equal


@pytest.mark.parametrize(
    ("expected", "got", "atol", "right"),
    [
        (1.0, 1.0000009, 0.0, True),
        (1.0, 1.000002, 0.0, False),
        (1e9, 1e9 + 90, 0.0, True),
        (1.0, 1, 0.0, True),
        (1.5, True, 0.0, False),
        ([1.0, 2.0], [1.0, 2.0000005], 0.0, True),
        ([1.0, 2.0], (1.0, 2.0000005), 0.0, False),
        ([1.0, 2.0], [1.0], 0.0, False),
        ([1, 2.0], [1, 2.0000005], 0.0, False),  # not all are floats
        ([1, 2.0], [1, 2.0000005], 1e-6, True),
        ([[1.0]], [[1.0000005]], 0.0, False),
        ([[1.0]], [[1.0000005]], 1e-4, True),
        ({"a": 1.0}, {"a": 1.0000005}, 1e-4, False),
        (math.inf, 1e300, 0.0, False),
        (1.0, math.nan, 0.0, False),
        ("a", "b", 1e-4, False),
        (1.0, 10**400, 1e-4, False),
    ],
)
def test_floats_within_tolerance(expected: Any, got: Any, atol: float, right: bool) -> None:
    assert agrees("", [], expected, got, atol) is right


@pytest.mark.parametrize(
    ("task", "arguments", "expected", "got", "right"),
    [
        ("HumanEval/32", [[1, 2]], -0.5, -0.50001, True),
        ("HumanEval/32", [[1, 2]], -0.5, -0.6, False),
        ("HumanEval/32", [[1, 2]], -0.5, True, False),
        ("HumanEval/32", [[-6, 11, -6, 1]], 1.0, 3.0, True),
        ("HumanEval/32", [[-6, 11, -6, 1]], 1.0, 2, True),
        ("HumanEval/32", [[1, 2] * 40], -0.5, 10**400, False),
        ("HumanEval/32", [[1, 2]], -0.5, math.nan, False),
        ("HumanEval/32", [[0, 1, 1, 1]], 0.0, 1e200, False),
        ("Mbpp/164", [1, 2], True, False, True),
        ("Mbpp/164", [1, 2], True, Foreign("x.Y"), False),
        ("Mbpp/295", [8], 7, 0, True),
        ("Mbpp/295", [8], 7, 1, False),
        ("Mbpp/581", [3, 4], 33, 36, False),
        ("Mbpp/581", [4, 5], 33, 59, True),
        ("Mbpp/558", [1, 2], 9, 1, True),
        ("Mbpp/558", [23, 5], 9, 4, True),
        ("Mbpp/558", [-1, 2], 9, 4, False),
        ("Mbpp/2", [], (1, 2), [2, 1, 1], True),
        ("Mbpp/2", [], (1, 2), [2], False),
        ("Mbpp/2", [], (1, 2), 5, False),
        ("Mbpp/2", [], (1, 2), [[1], 2], False),
        ("Mbpp/737", [], "Valid", Foreign("re.Match"), True),
        ("Mbpp/737", [], None, Foreign("re.Match"), False),
        ("Mbpp/737", [], "Valid", True, True),
        ("Mbpp/737", [], "Valid", False, False),
        ("Mbpp/737", [], None, False, True),
        ("Mbpp/737", [], None, None, True),
    ],
)
def test_special_cases(task: str, arguments: list[Any], expected: Any, got: Any, right: bool) -> None:
    assert agrees(task, arguments, expected, got, 1e-4 if task == "HumanEval/32" else 0.0) is right


@pytest.mark.parametrize(
    "value",
    [
        1,
        -0.0,
        "x",
        None,
        [1, (2, [3])],
        {"a": {1, 2}},
        {1: "x"},
        {"$type": "tuple", "items": [1]},
        b"\x00",
        3j,
        1 << 9000,
    ],
)
def test_what_is_written_can_be_read(value: Any) -> None:
    written = encoded(value)
    assert plain(written)
    again = decoded(written)
    assert (again, type(again)) == (value, type(value))


def test_what_is_only_named_is_foreign() -> None:
    written = encoded([object()])
    assert written == [{"$type": "builtins.object"}]
    assert not plain(written)
    assert type(decoded(written)[0]) is Foreign
