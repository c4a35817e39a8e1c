"""Arguments of MBPP+: what JSON turned into lists is turned back."""

from typing import Any

import pytest

from proofyard.formats.arguments import CONVERSIONS, arguments_of, typed
from proofyard.formats.rows import read_evals
from tests.data import data


@pytest.mark.parametrize(
    ("number", "given", "wanted"),
    [
        (2, [[1], [2]], [(1,), (2,)]),
        (809, [[1], [2]], [(1,), (2,)]),
        (63, [[[1, 2]]], [[(1, 2)]]),
        (401, [[[1], [2]], [[3]]], [((1,), (2,)), ((3,),)]),
        (753, [[[1], [2]], 5], [[(1,), (2,)], 5]),
        (278, [[1, [2], "x"]], [(1, (2,), "x")]),
        (307, [[1], 2, [3]], [(1,), 2, [3]]),
        (106, [[1], [2]], [[1], (2,)]),
        (791, [[1, [2, [3]]], "a"], [(1, (2, (3,))), "a"]),
        (115, [[[1, 1], [], {}]], [[{1}, {}, {}]]),
        (722, [{"a": [1, 2]}, 6, 70], [{"a": (1, 2)}, 6, 70]),
        (124, [1, "3+4j"], [1.0, 3 + 4j]),
        (252, ["1j"], [1j]),
        (3, [[1], [2]], [[1], [2]]),
    ],
)
def test_conversions(number: int, given: list[Any], wanted: list[Any]) -> None:
    found = arguments_of(f"Mbpp/{number}", given)
    assert found == wanted
    assert [type(value) for value in found] == [type(value) for value in wanted]


def test_only_mbpp_is_converted() -> None:
    assert arguments_of("HumanEval/2", [[1], [2]]) == [[1], [2]]


def test_the_table_names_each_task_once() -> None:
    numbers = [number for numbers in CONVERSIONS.values() for number in numbers]
    assert len(numbers) == len(set(numbers)) == 62


def test_another_shape_is_told() -> None:
    with pytest.raises(ValueError, match="Mbpp/106: arguments of another shape"):
        arguments_of("Mbpp/106", [[1]])


def test_typed_values() -> None:
    assert typed([1, 2.5, "x", None, True]) == [1, 2.5, "x", None, True]
    assert typed((1, [2])) == {"$type": "tuple", "items": [1, [2]]}
    assert typed({3, 1}) == {"$type": "set", "items": [1, 3]}
    assert typed({"a": (1,)}) == {"a": {"$type": "tuple", "items": [1]}}
    assert typed(float("inf")) == {"$type": "float", "text": "inf"}
    assert typed(1 + 2j) == {"$type": "complex", "text": ["0x1.0000000000000p+0", "0x1.0000000000000p+1"]}
    with pytest.raises(TypeError, match="bytes"):
        typed([b"x"])
    with pytest.raises(TypeError, match="dict"):
        typed({1: 2})


def test_every_argument_of_mbpp_plus_converts() -> None:
    kinds = set()
    for row in read_evals(data("MbppPlus.jsonl.gz")):
        for arguments in (*(row.base_input or ()), *(row.plus_input or ())):
            for value in arguments_of(row.task_id, arguments):
                kinds.add(type(value))
                typed(value)
    assert {tuple, complex, list, dict} <= kinds
