"""Runs inside the sandbox: the functions and classes that modules and classes hold, to be compared with later."""

import sys
import types
from typing import Any

__all__ = ["HELD", "WHOLE", "taken"]

Rows = list[tuple[str, Any, dict[str, Any]]]
"""Label, module or class, and what it holds."""
WHOLE = ("contextlib", "json", "json.decoder", "json.encoder", "numpy.random", "random", "time", "unittest.case")
"""Modules held whole. Of others what the test names, and comparisons: what is looked at in a forked process is copied."""
FREE = {"warnings": ("showwarning",), "ssl": ("_create_default_https_context",)}
"""What honest programs replace."""
HELD = (
    types.FunctionType, types.BuiltinFunctionType, type, staticmethod, classmethod, property, types.MethodDescriptorType,
    types.WrapperDescriptorType, types.MethodType, types.GetSetDescriptorType,
)  # fmt: skip
CLASS_MADE_AT_RUN_TIME = 1 << 9


def taken(name: str, space: Any, words: set[str] | None) -> Rows:
    """What a module and its own classes hold, or a class: all, or what has one of these names."""
    known = TAKEN.get(name) if words is None else None
    return known if known and known[0][1] is space else _all_of(name, space, words)


def held_by(space: Any, words: set[str] | None) -> dict[str, Any]:
    """The functions and classes of a namespace, all or those of the given names."""
    names = space if words is None else sorted(words & space.keys())
    return {name: space[name] for name in names if issubclass(type(space[name]), HELD)}


def _all_of(name: str, space: Any, words: set[str] | None) -> Rows:
    held = held_by(vars(space), words)
    for free in FREE.get(name, ()):
        held.pop(free, None)
    found = [(name, space, held)]
    for key, value in held.items() if isinstance(space, types.ModuleType) else ():
        if type(value) is type and value.__flags__ & CLASS_MADE_AT_RUN_TIME:
            found.append((f"{name}.{key}", value, held_by(vars(value), words)))
    return found


# The same for every candidate, and most often made before the fork.
TAKEN = {name: _all_of(name, sys.modules[name], None) for name in WHOLE if name in sys.modules}
