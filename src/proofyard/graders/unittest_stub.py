"""Runs inside the sandbox, first: starts the driver, forgets it, and then calls on the main thread what the driver hands over.

The candidate's code runs on the main thread, at the top of this file's loop, and nothing of the tests is on that stack: the
tests run on a thread of their own. What the candidate can see from here is one call at a time: function, arguments, and
where the answer goes.
"""

import importlib
import sys
from typing import Any

PARTS = "unittest_parts"


def boot() -> Any:
    """Import the driver, if it was not before the fork, begin, and leave no way back to it."""
    begin = importlib.import_module(PARTS).begin
    del sys.modules[PARTS]
    sys.path_importer_cache.pop(sys.path.pop(0), None)
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
