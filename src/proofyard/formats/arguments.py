"""Arguments of MBPP+ as its functions take them: JSON has no tuples, sets and complex numbers, so EvalPlus turns the lists of
some tasks into them before it calls a function. The same is done here, from a table.
"""

from collections.abc import Callable
from typing import Any, Final

__all__ = ["CONVERSIONS", "arguments_of", "typed"]

Arguments = list[Any]


def _each_tuple(args: Arguments) -> Arguments:
    return [tuple(arg) for arg in args]


def _items_tuples(args: Arguments) -> Arguments:
    return [[tuple(item) for item in arg] for arg in args]


def _items_and_each_tuple(args: Arguments) -> Arguments:
    return _each_tuple(_items_tuples(args))


def _items_of_first_tuples(args: Arguments) -> Arguments:
    return [[tuple(item) for item in args[0]], *args[1:]]


def _lists_of_first_tuples(args: Arguments) -> Arguments:
    first = tuple(tuple(item) if isinstance(item, list) else item for item in args[0])
    return [first, *args[1:]]


def _first_tuple(args: Arguments) -> Arguments:
    return [tuple(args[0]), *args[1:]]


def _second_tuple(args: Arguments) -> Arguments:
    return [args[0], tuple(args[1]), *args[2:]]


def _all_tuples(args: Arguments) -> Arguments:
    return [_deep(arg) for arg in args]


def _deep(value: Any) -> Any:
    return tuple(_deep(item) for item in value) if isinstance(value, list) else value


def _items_of_first_sets(args: Arguments) -> Arguments:
    return [[set(item) if isinstance(item, list) and item else {} for item in args[0]], *args[1:]]


def _values_of_first_tuples(args: Arguments) -> Arguments:
    return [{key: tuple(value) for key, value in args[0].items()}, *args[1:]]


def _float_and_complex(args: Arguments) -> Arguments:
    return [float(args[0]), complex(args[1])]


def _first_complex(args: Arguments) -> Arguments:
    return [complex(args[0]), *args[1:]]


CONVERSIONS: Final[dict[Callable[[Arguments], Arguments], tuple[int, ...]]] = {
    _each_tuple: (
        *(2, 116, 132, 143, 222, 261, 273, 394, 399, 421, 424, 429, 470, 560, 579, 596, 616, 630, 726, 740, 744, 809),
    ),
    _items_tuples: (63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780),
    _items_and_each_tuple: (259, 401, 445),
    _items_of_first_tuples: (75, 413, 444, 753),
    _lists_of_first_tuples: (278,),
    _first_tuple: (250, 307, 405, 446, 617, 720, 763, 808),
    _second_tuple: (106, 750),
    _all_tuples: (580, 615, 791),
    _items_of_first_sets: (115,),
    _values_of_first_tuples: (722,),
    _float_and_complex: (124,),
    _first_complex: (252,),
}
"""What is done to each argument list -> the numbers of the MBPP tasks it is done for."""

_OF_TASK: Final = {f"Mbpp/{number}": convert for convert, numbers in CONVERSIONS.items() for number in numbers}


def arguments_of(task_id: str, arguments: Arguments) -> Arguments:
    """Return the arguments of one call as the function of that task takes them; tasks not in the table keep JSON's types.

    Raises:
        ValueError: they are not shaped as the table wants them.

    """
    convert = _OF_TASK.get(task_id)
    if convert is None:
        return arguments
    try:
        return convert(arguments)
    except (TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"{task_id}: arguments of another shape than the task's: {error}") from None


def typed(value: Any) -> Any:
    """Write a value as JSON that keeps its type: `{"$type": "tuple", "items": [...]}`, and so for what else JSON lacks.

    Raises:
        TypeError: a value of a type that no dataset holds.

    """
    kind = type(value)
    if kind in (type(None), bool, int, str):
        return value
    if kind is float:
        return value if _finite(value) else {"$type": "float", "text": value.hex()}
    if kind is complex:
        return {"$type": "complex", "text": [value.real.hex(), value.imag.hex()]}
    if kind is list:
        return [typed(item) for item in value]
    if kind in (tuple, set):
        items = [typed(item) for item in value]
        return {"$type": kind.__name__, "items": items if kind is tuple else sorted(items, key=repr)}
    if kind is dict and all(type(key) is str for key in value):
        return {key: typed(item) for key, item in value.items()}
    raise TypeError(f"a {kind.__name__} among arguments")


def _finite(number: float) -> bool:
    return number - number == 0
