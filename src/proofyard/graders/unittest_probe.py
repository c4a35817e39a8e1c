"""Runs inside the sandbox: tries what a candidate returned, so that an object that agrees with everything is found out even
if it agrees only now and then, where no single comparison of a test could tell; and makes it plain, for a run in which no
object of the candidate's own compares itself.
"""

import itertools
import operator
import random
import sys
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["agreeable", "leaves", "plainly", "speechless"]

MOST_NODES, MOST_LEAVES = 50_000, 20
CLASS_MADE_AT_RUN_TIME = 1 << 9
"""The type flag of classes made by a class statement or a call, which builtin ones have not."""
PLAIN = frozenset({int, float, complex, str, bytes, bool, type(None)})
SPOKEN = (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__", "__sub__", "__rsub__", "__contains__", "__class__",
    "__getattribute__", "__array__", "__array_ufunc__", "__array_function__",
)  # fmt: skip
"""By which an object says what it is, or what it equals."""
Known = Callable[[type], bool]


def leaves(value: Any, known: Known) -> tuple[list[Any], bool]:
    """Objects in a returned value, at any depth of containers, whose class is made at run time and not `known`; and whether all
    of the value was gone over.
    """
    found: list[Any] = []
    rest, seen = [value], 0
    while rest and seen < MOST_NODES and len(found) < MOST_LEAVES:
        item = rest.pop()
        kind = type(item)
        seen += 1
        if kind in PLAIN:
            continue
        if kind.__flags__ & CLASS_MADE_AT_RUN_TIME and not known(kind):
            found.append(item)
        try:
            for inside in _inside(item, kind):
                if not PLAIN.issuperset(map(type, inside)):
                    rest.extend([each for each in inside if type(each) not in PLAIN])
        except Exception:
            found.append(item)
    return found, not rest


def _inside(item: Any, kind: type) -> Iterable[Iterable[Any]]:
    """What a container holds, by the builtin's own methods, whatever a subclass does; things that can be gone over twice."""
    if issubclass(kind, dict):
        return dict.keys(item), dict.values(item)
    for base in (list, tuple, set, frozenset):
        if issubclass(kind, base):
            return ([*base.__iter__(item)] if kind is not base else item,)
    module = kind.__module__
    if module == "collections" or kind.__name__ in {"SimpleNamespace", "Namespace"}:
        if kind.__name__ == "deque":
            return (item,)
        return (list(vars(item).values()),) if hasattr(kind, "__dict__") and hasattr(item, "__dict__") else ()
    if module.partition(".")[0] in {"numpy", "pandas"}:
        return _columns(item)
    return ()


def _columns(item: Any) -> Iterable[Iterable[Any]]:
    """Objects in arrays and tables."""
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if numpy is not None and isinstance(item, numpy.ndarray):
        return (item.ravel().tolist(),) if item.dtype.kind == "O" else ()
    if pandas is not None and isinstance(item, pandas.Series | pandas.Index):
        return (list(item.array),) if item.dtype == "O" else ()
    if pandas is not None and isinstance(item, pandas.DataFrame):
        return [list(item.iloc[:, place].array) for place, kind in enumerate(item.dtypes) if kind == "O"]
    return ()


def agreeable(item: Any) -> str:
    """Say how this object agrees with what it can know nothing of, "" if it does not. Whatever its code raises means no."""
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
    if issubclass(kind, dict) and (own or leaves(value, known)[0]):
        items = {
            plainly(key, known, made): plainly(dict.__getitem__(value, key), known, made) for key in dict.keys(value)
        }
        made[id(value)] = items if own else _refilled(value, items)
    for base in (list, tuple, set, frozenset):
        if issubclass(kind, base) and (own or leaves(value, known)[0]):
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
