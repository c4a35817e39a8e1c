"""Runs inside the sandbox: classes and functions through which nothing else can be reached.

All classes are found by `object.__subclasses__`, and from a class its functions, their globals and its instances' classes. So
those of the driver have a base whose list of subclasses is emptied, and what is handed to the candidate or to tests is a
function without globals and closure.
"""

import ctypes
import types
from collections.abc import Callable
from typing import Any

__all__ = ["Hidden", "concealed", "exchanged", "opaque", "vanish"]

WORD = ctypes.sizeof(ctypes.c_void_p)
LOWEST = 1 << 16
"""No object lies below this address."""


class Hidden:
    """Base of classes that are not to be found; see `vanish`."""


def vanish(base: type = Hidden) -> None:
    """Take all classes that derive from this one so far off its list of subclasses.

    The interpreter keeps the list, a dictionary, in a field of the class. Which field that is is seen from a class that has no
    subclass at first and then one.
    """
    parent: Any = type("parent", (), {"field": 0})
    before = [parent.field, *_words(parent)][1:]  # the look-up first: it fills a field too
    child = type("child", (parent,), {})
    for place, (old, new) in enumerate(zip(before, _words(parent), strict=True)):
        if not old and new > LOWEST and not new % WORD and _word(new + WORD) == id(dict):
            listed = ctypes.cast(new, ctypes.py_object).value
            if id(child) in listed or child in [item() for item in listed.values() if callable(item)]:
                field = _words(base)[place]
                if field:
                    ctypes.cast(field, ctypes.py_object).value.clear()
                return


def _words(kind: type) -> list[int]:
    size: Any = type.__basicsize__
    return list((ctypes.c_size_t * (size // WORD)).from_address(id(kind)))


def _word(address: int) -> int:
    return ctypes.c_size_t.from_address(address).value


def concealed(kind: type) -> type:
    """A copy of a class, without its bases, that no list of subclasses names once `vanish` was called."""
    cell = types.CellType()
    space = {
        name: _rebound(value, cell) for name, value in vars(kind).items() if name not in {"__dict__", "__weakref__"}
    }
    made = type(kind.__name__, (Hidden,), space)
    cell.cell_contents = made
    return made


def _rebound(value: Any, cell: types.CellType) -> Any:
    """A function of a class such that `super()` in it means the class in the cell."""
    if isinstance(value, classmethod | staticmethod):
        return type(value)(_rebound(value.__func__, cell))
    if not isinstance(value, types.FunctionType) or "__class__" not in value.__code__.co_freevars:
        return value
    cells = [
        cell if name == "__class__" else old
        for name, old in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
    ]
    made = types.FunctionType(value.__code__, value.__globals__, value.__name__, value.__defaults__, tuple(cells))
    made.__kwdefaults__ = value.__kwdefaults__
    return made


def exchanged(code: types.CodeType, mark: str, thing: Any) -> types.CodeType:
    """The code with an object in place of a text constant, at any depth."""

    def other(constant: Any) -> Any:
        if type(constant) is types.CodeType:
            return exchanged(constant, mark, thing)
        return thing if type(constant) is str and constant == mark else constant

    return code.replace(co_consts=tuple(map(other, code.co_consts)))


def _template(*args: Any, **kwargs: Any) -> Any:
    what: Any = "what is called"
    return what(*args, **kwargs)


def opaque(function: Callable[..., Any]) -> Any:
    """A function that calls the given one: a constant of its code, which only whoever may read code can see."""
    return types.FunctionType(exchanged(_template.__code__, "what is called", function), {"__builtins__": {}})
