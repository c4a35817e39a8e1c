"""Runs inside the sandbox: tries what a candidate returned, so that an object that agrees with everything is found out even
if it agrees only now and then, where no single comparison of a test could tell.
"""

import itertools
import operator
import random
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["agreeable", "leaves"]

MOST_NODES, MOST_LEAVES = 2000, 20
CLASS_MADE_AT_RUN_TIME = 1 << 9
"""The type flag of classes made by a class statement or a call, which builtin ones have not."""
PLAIN = (int, float, complex, str, bytes, bool, type(None))
Caller = Callable[..., Any]


def leaves(value: Any, known: Callable[[type], bool]) -> list[Any]:
    """Objects in a returned value, at any depth of builtin containers, whose class is made at run time and not `known`."""
    found: list[Any] = []
    rest, seen = [value], 0
    while rest and seen < MOST_NODES and len(found) < MOST_LEAVES:
        item = rest.pop()
        seen += 1
        kind = type(item)
        if kind in PLAIN:
            continue
        if kind.__flags__ & CLASS_MADE_AT_RUN_TIME and not known(kind):
            found.append(item)
        rest.extend(itertools.islice(_inside(item), MOST_NODES))
    return found


def _inside(item: Any) -> Iterator[Any]:
    """What a container holds, by the builtin's own methods, whatever a subclass does."""
    kind = type(item)
    if issubclass(kind, dict):
        yield from dict.keys(item)
        yield from dict.values(item)
    elif issubclass(kind, list):
        yield from list.__iter__(item)
    elif issubclass(kind, tuple):
        yield from tuple.__iter__(item)
    elif issubclass(kind, set):
        yield from set.__iter__(item)
    elif issubclass(kind, frozenset):
        yield from frozenset.__iter__(item)


def agreeable(item: Any, call: Caller) -> str:
    """Say how this object agrees with what it can know nothing of, "" if it does not.

    call: calls a builtin function for us where the candidate's code may run. Whatever that code raises means no.
    """
    number = random.SystemRandom().randrange(10_000, 10_000_000)
    strangers = [object(), number, str(number), float(number) / 7, None, [number], {"n": number}, (number, "n")]
    if any(answer is True for answer in _answers(call, operator.eq, item, strangers)):
        return "an object was returned that equals what it cannot know"
    told = _answers(call, operator.ne, item, strangers)
    if told and not any(told):
        return "an object was returned that differs from nothing"
    differences = _answers(call, operator.sub, item, [number, number + 1, -number])
    if len(differences) == 3 and all(type(answer) in PLAIN and not answer for answer in differences):
        return "a number was returned from which everything is nothing away"
    return ""


def _answers(call: Caller, function: Callable[[Any, Any], Any], item: Any, others: list[Any]) -> list[Any]:
    try:
        answers = call(list, map(function, itertools.repeat(item), others))
    except BaseException:
        return []
    return [answer for answer in answers if type(answer) in PLAIN]
