"""Runs inside the sandbox: tries what a candidate returned, so that an object that agrees with everything is found out even
if it agrees only now and then, where no single comparison of a test could tell; and makes it plain, for a run in which no
object of the candidate's own compares itself.
"""

import collections
import itertools
import operator
import random
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

__all__ = ["Looked", "agreeable", "leaves", "plainly", "speechless"]

MOST_NODES, MOST_LEAVES = 50_000, 20
CLASS_MADE_AT_RUN_TIME = 1 << 9
"""The type flag of classes made by a class statement or a call, which builtin ones have not."""
PLAIN = frozenset({int, float, complex, str, bytes, bool, type(None)})
SPOKEN = (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__", "__sub__", "__rsub__", "__contains__",
    "__getattribute__", "__array__", "__array_ufunc__", "__array_function__",
)  # fmt: skip
"""By which an object says what it equals."""
SAFE = frozenset(
    {*PLAIN, list, tuple, dict, set, frozenset, bytearray, range, type, types.ModuleType, collections.deque}
)
SAFE_MODULES = frozenset({"datetime", "decimal", "re", "array", "collections", "numpy", "_io"})
"""Builtin types, and modules with such, whose objects compare themselves without any code that is not the interpreter's."""
CALLERS = frozenset({"functools", "itertools", "operator", "weakref"})
"""Modules whose objects call what they were given."""
Known = Callable[[type], bool]


class Looked(NamedTuple):
    """What was found in a returned value. own: objects whose class is made at run time and not known, at any depth of
    containers. odd: whether there is anything else by which code of the candidate's may run, or not all was gone over.
    """

    own: list[Any]
    odd: bool


def leaves(value: Any, known: Known) -> Looked:
    """Look over a returned value."""
    found: list[Any] = []
    odd = False
    rest, seen = [value], 0
    while rest and seen < MOST_NODES and len(found) < MOST_LEAVES:
        item = rest.pop()
        kind = type(item)
        seen += 1
        if kind in PLAIN:
            continue
        if not kind.__flags__ & CLASS_MADE_AT_RUN_TIME:
            odd = odd or not (kind in SAFE or kind.__module__ in SAFE_MODULES or issubclass(kind, BaseException))
        elif not known(kind):
            found.append(item)
        else:
            odd = odd or kind.__module__ in CALLERS
        try:
            for inside in _inside(item, kind):
                if not PLAIN.issuperset(map(type, inside)):
                    rest.extend([each for each in inside if type(each) not in PLAIN])
        except Exception:
            odd = True
    return Looked(found, odd or bool(found or rest))


def _inside(item: Any, kind: type) -> Iterable[Iterable[Any]]:
    """What a container holds, by the builtin's own methods, whatever a subclass does; things that can be gone over twice."""
    if issubclass(kind, dict):
        return dict.keys(item), dict.values(item)
    for base in (list, tuple, set, frozenset):
        if issubclass(kind, base):
            return ([*base.__iter__(item)] if kind is not base else item,)
    module = kind.__module__
    if kind is collections.deque:
        return (item,)
    if issubclass(kind, BaseException):
        return (BaseException.__dict__["args"].__get__(item), list(vars(item).values()))
    if module == "collections" or kind.__name__ in {"SimpleNamespace", "Namespace"}:
        return (list(vars(item).values()),)
    if module.partition(".")[0] in {"numpy", "pandas"}:
        return _columns(item)
    return ()


def _columns(item: Any) -> Iterable[Iterable[Any]]:
    """Objects in arrays and tables."""
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if numpy is not None and isinstance(item, numpy.ndarray):
        return (item.ravel().tolist(),) if item.dtype.kind == "O" else ()
    if pandas is not None and isinstance(item, pandas.Series | pandas.Index):
        return (list(item.array) if item.dtype == "O" else [item.array],)
    if pandas is not None and isinstance(item, pandas.DataFrame):
        return [list(item.iloc[:, place].array) for place, kind in enumerate(item.dtypes) if kind == "O"]
    return ()


def agreeable(item: Any) -> str:
    """Say how this object agrees with what it can know nothing of, "" if it does not. Whatever its code raises means no."""
    try:
        if item.__class__ is not type(item):
            return "an object was returned that says it is of another class"
    except BaseException:
        return "an object was returned that does not say of what class it is"
    number = random.SystemRandom().randrange(10_000, 10_000_000)
    strangers = [object(), number, str(number), float(number) / 7, None, [number], {"n": number}, (number, "n")]
    if any(answer is True for answer in _answers(operator.eq, item, strangers)):
        return "an object was returned that equals what it cannot know"
    told = _answers(operator.ne, item, strangers)
    if told and not any(told):
        return "an object was returned that differs from nothing"
    differences = _answers(operator.sub, item, [number, number + 1, -number])
    if len(differences) == 3 and all(type(answer) in PLAIN and not answer for answer in differences):
        return "a number was returned from which everything is nothing away"
    return ""


def _answers(function: Callable[[Any, Any], Any], item: Any, others: list[Any]) -> list[Any]:
    try:
        answers = list(map(function, itertools.repeat(item), others))
    except BaseException:
        return []
    return [answer for answer in answers if type(answer) in PLAIN]


# --- without what objects say of themselves

BASES: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__pos__),
    (float, float.__pos__),
    (complex, complex.__pos__),
    (str, str.__str__),
    (bytes, lambda item: bytes.__getitem__(item, slice(None))),
)


def plainly(value: Any, known: Known, made: dict[int, Any] | None = None) -> Any:
    """The value with a builtin one in place of each that is of a builtin type's subclass, unless that is `known`."""
    made = {} if made is None else made
    kind = type(value)
    if kind in PLAIN:
        return value
    if id(value) in made:
        return made[id(value)]
    own = kind.__flags__ & CLASS_MADE_AT_RUN_TIME and not known(kind)
    if own:
        for base, plain in BASES:
            if issubclass(kind, base):
                return plain(value)
    made[id(value)] = value
    if issubclass(kind, dict) and (own or leaves(value, known).own):
        items = {
            plainly(key, known, made): plainly(dict.__getitem__(value, key), known, made) for key in dict.keys(value)
        }
        made[id(value)] = items if own else _refilled(value, items)
    for base in (list, tuple, set, frozenset):
        if issubclass(kind, base) and (own or leaves(value, known).own):
            made[id(value)] = base([plainly(item, known, made) for item in base.__iter__(value)])
    return made[id(value)]


def _refilled(value: Any, items: dict[Any, Any]) -> Any:
    value.clear()
    value.update(items)
    return value


def speechless(theirs: Callable[[type, Any], bool], kind: type = object, seen: set[type] | None = None) -> None:
    """Take from every class whatever its objects compare themselves by, if that is a candidate's: `theirs(class, value)`."""
    seen = set() if seen is None else seen
    subclasses: list[type] = type.__subclasses__(kind)
    for each in subclasses:
        if each in seen:
            continue
        seen.add(each)
        if each.__flags__ & CLASS_MADE_AT_RUN_TIME:
            space = type.__dict__["__dict__"].__get__(each)
            for name in SPOKEN:
                if name in space and theirs(each, space[name]):
                    type.__delattr__(each, name)
        speechless(theirs, each, seen)
