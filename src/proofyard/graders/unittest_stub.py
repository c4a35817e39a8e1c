"""Runs inside the sandbox, first: starts the driver, forgets it, and then calls on the main thread what the driver hands over.

The candidate's code runs on the main thread, at the top of this file's loop, and nothing of the tests is on that stack: the
tests run on a thread of their own. What the candidate can see from here is one call at a time: function, arguments, and
where the answer goes.
"""

# pathlib would be one more import at each start.
# ruff: noqa: PTH118, PTH123

import builtins
import marshal
import os
import sys
import types
from typing import Any

OWN = ("proofyard", "proofyard.graders")
PARTS = (
    "unittest_hidden",
    "unittest_watch",
    "unittest_change",
    "unittest_cases",
    "unittest_formats",
    "unittest_probe",
    "unittest_driver",
)


def codes(folder: str) -> list[tuple[str, types.CodeType]]:
    """The parts' code: as compiled by the grader, if its Python is of this very kind, else from the sources."""
    magic = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER
    with open(os.path.join(folder, "parts"), "rb") as stream:
        if stream.read(len(magic)) == magic:
            return list(marshal.loads(stream.read()).items())
    found = []
    for part in PARTS:
        path = os.path.join(folder, f"{part}.py")
        with open(path, encoding="utf-8") as source:
            found.append((part, compile(source.read(), path, "exec")))
    return found


def boot() -> Any:
    """Load the driver's parts, each with builtins of its own, begin, and leave no way back to them."""
    folder = sys.path.pop(0)
    for name in OWN:
        sys.modules[name] = types.ModuleType(name)
    for part, code in codes(folder):
        name = f"{OWN[1]}.{part}"
        module = sys.modules[name] = types.ModuleType(name)
        vars(module)["__builtins__"] = dict(vars(builtins))
        exec(code, vars(module))
    begin = vars(module)["begin"]
    for name in (*OWN, *(f"{OWN[1]}.{part}" for part in PARTS)):
        del sys.modules[name]
    take = begin()
    here = globals()
    for name in [name for name in here if name not in {"__builtins__", "__name__"}]:
        del here[name]
    return take


if __name__ == "__main__":
    # The way by which calls come has no name here: whoever finds this frame cannot take one away.
    for function, args, kwargs, give in iter(boot(), None):
        try:
            answer = (True, function(*args, **kwargs))
        except BaseException as error:
            answer = (False, error)
        give(answer)
        del function, args, kwargs, give, answer  # what was handed over dies here, as in an ordinary call
