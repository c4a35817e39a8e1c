"""Runs inside the sandbox: loads the candidate's file and answers calls of one function, one JSON line each.

Standard library only, and nothing of the tests: it learns the arguments of a call when the call is made, and what is
expected never. Whatever the candidate prints goes to standard error, so that answers have a channel of their own.

Values travel as JSON where JSON has the very type; anything else is `{"$type": name, ...}`, so that a tuple is no list.
"""

import importlib.util
import json
import math
import os
import sys
from typing import Any

__all__ = ["encoded", "main"]

SIMPLE = (type(None), bool, int, str)
SEQUENCES = {tuple: "tuple", set: "set", frozenset: "frozenset"}


def encoded(value: Any) -> Any:
    """Write a value as JSON, keeping apart what JSON does not."""
    kind = type(value)
    if kind in SIMPLE or (kind is float and math.isfinite(value)):
        return value
    if kind is list:
        return [encoded(item) for item in value]
    if kind is dict and all(type(key) is str for key in value):
        return {key: encoded(item) for key, item in value.items()}
    if kind is dict:
        return {"$type": "dict", "items": [[encoded(key), encoded(item)] for key, item in value.items()]}
    if kind in (set, frozenset):
        items = sorted((encoded(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))
        return {"$type": SEQUENCES[kind], "items": items}
    if kind is tuple:
        return {"$type": "tuple", "items": [encoded(item) for item in value]}
    if kind in (float, bytes):
        return {"$type": kind.__name__, "text": value.hex()}
    return {"$type": f"{kind.__module__}.{kind.__qualname__}"}


def main(path: str, name: str) -> None:
    """Answer calls of the function `name` in the file `path` until the end of input."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.path.insert(0, os.path.dirname(path))  # noqa: PTH120 - pathlib would be one more import at each start
    state: dict[str, Any] = {}

    def load() -> Any:
        spec = importlib.util.spec_from_file_location("candidate", path)
        if spec is None or spec.loader is None:
            raise ImportError(path)
        module = importlib.util.module_from_spec(spec)
        sys.modules["candidate"] = module
        spec.loader.exec_module(module)
        state["function"] = getattr(module, name, None)
        return {"loaded": callable(state["function"])}

    for line in requests:
        request = json.loads(line)
        try:
            if request.get("load"):
                answer = load()
            else:
                answer = {"value": encoded(state["function"](*request["args"], **request["kwargs"]))}
        except BaseException as error:  # the candidate may raise anything, SystemExit too
            answer = {"raises": type(error).__name__, "message": str(error)[:500]}
        sys.stdout.flush()
        answers.write(json.dumps({"id": request["id"], **answer}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
