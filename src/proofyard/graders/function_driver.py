"""Runs inside the sandbox: loads the candidate's file and answers calls of one function, one JSON line each.

Standard library only, and nothing of the tests: it learns the arguments of a call when the call is made, and what is
expected never. Whatever the candidate prints goes to standard error, so that answers have a channel of their own.

Values travel as JSON where JSON has the very type; anything else is `{"$type": name, ...}`, so that a tuple is no list.
The type is that of the value itself, not what its `__class__` says; an object of any other type, a subclass too, is only
named. So what an object claims of itself when it is compared never leaves this process.
"""

import contextlib
import importlib.util
import json
import math
import os
import sys
from collections import Counter, OrderedDict, defaultdict
from typing import Any

__all__ = ["Foreign", "decoded", "encoded", "main", "plain"]

LONGEST_INT = 1 << 13
"""Bits of the longest integer written in decimal: well below what Python converts without being asked to."""
MAPPINGS = {kind: f"collections.{kind.__name__}" for kind in (Counter, OrderedDict, defaultdict)}
"""Dictionaries of the standard library that compare as dictionaries do: their content is written, under their name."""
BUILDERS: dict[str, Any] = {"tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict}
BUILDERS.update(dict.fromkeys(MAPPINGS.values(), dict))


class Foreign:
    """What stands outside for a value of a type that is not written: it equals nothing."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return False


def encoded(value: Any) -> Any:
    """Write a value as JSON, keeping apart what JSON does not."""
    kind = type(value)
    if kind is bool or kind is str or value is None or (kind is float and math.isfinite(value)):
        return value
    if kind is int:
        return value if value.bit_length() < LONGEST_INT else {"$type": "int", "text": hex(value)}
    if kind is list or kind is tuple:
        items = [encoded(item) for item in value]
        return items if kind is list else {"$type": "tuple", "items": items}
    if kind is dict and all(type(key) is str for key in value) and "$type" not in value:
        return {key: encoded(item) for key, item in value.items()}
    if kind is dict:
        return {"$type": "dict", "items": pairs(value)}
    if kind in MAPPINGS:
        return {"$type": MAPPINGS[kind], "items": pairs(value)}
    if kind is set or kind is frozenset:
        items = sorted((encoded(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))
        return {"$type": kind.__name__, "items": items}
    if kind is float or kind is bytes:
        return {"$type": kind.__name__, "text": value.hex()}
    if kind is complex:
        return {"$type": "complex", "text": [value.real.hex(), value.imag.hex()]}
    return {"$type": f"{kind.__module__}.{kind.__qualname__}"}


def pairs(value: dict[Any, Any]) -> list[Any]:
    """Keys and values, written."""
    return [[encoded(key), encoded(item)] for key, item in dict.items(value)]


def decoded(value: Any) -> Any:
    """Make a new value of what `encoded` wrote; of a type that it does not write a `Foreign`.

    Raises KeyError, TypeError or ValueError where the JSON is not of that form.
    """
    if type(value) is list:
        return [decoded(item) for item in value]
    if type(value) is not dict:
        return value
    name = value.get("$type")
    if name is None:
        return {key: decoded(item) for key, item in value.items()}
    if name in BUILDERS:
        return BUILDERS[name](decoded(item) for item in value["items"])
    if name == "complex":
        return complex(*map(float.fromhex, value["text"]))
    if name == "int":
        return int(value["text"], 16)
    if name in ("float", "bytes"):
        return (float if name == "float" else bytes).fromhex(value["text"])
    return Foreign(str(name))


def plain(value: Any) -> bool:
    """Whether what `encoded` wrote holds no value of a type that is only named."""
    if type(value) is list:
        return all(plain(item) for item in value)
    if type(value) is not dict:
        return True
    name = value.get("$type")
    if name is None:
        return all(plain(item) for item in value.values())
    return name in ("complex", "int", "float", "bytes") or (name in BUILDERS and plain(value["items"]))


class Candidate:
    """The function `name` of the file `path`. Each method returns its answer as JSON text, whatever the candidate does."""

    def __init__(self, path: str, name: str) -> None:
        self.path = path
        self.name = name
        self.function: Any = None

    def load(self) -> str:
        """Execute the file."""
        try:
            spec = importlib.util.spec_from_file_location("candidate", self.path)
            if spec is None or spec.loader is None:
                raise ImportError(self.path)
            module = importlib.util.module_from_spec(spec)
            sys.modules["candidate"] = module
            spec.loader.exec_module(module)
            self.function = getattr(module, self.name, None)
            return json.dumps({"loaded": callable(self.function)})
        except BaseException as error:
            return raised(error)

    def call(self, args: Any, kwargs: dict[str, Any], most: int) -> str:
        """One call with arguments of its own; what it returned, if that takes at most so many characters."""
        try:
            arguments = [decoded(item) for item in args]
            value = encoded(self.function(*arguments, **decoded(kwargs)))
            text = json.dumps({"value": value}, separators=(",", ":"))
        except BaseException as error:  # the candidate may raise anything, SystemExit too
            return raised(error)
        return text if len(text) <= most else json.dumps({"large": len(text)})

    def calls(self, request: dict[str, Any]) -> str:
        """Several calls, at least one; no further ones once their answers take more than `room` characters."""
        results: list[str] = []
        room = request["room"]
        for args in request["calls"]:
            results.append(self.call(args, {}, request["most"]))
            room -= len(results[-1])
            if room < 0:
                break
        return f'{{"results": [{",".join(results)}]}}'

    def answer(self, request: dict[str, Any]) -> str:
        """The answer to one request."""
        if request.get("load"):
            return self.load()
        if "calls" in request:
            return self.calls(request)
        return self.call(request["args"], request["kwargs"], sys.maxsize)


def raised(error: BaseException) -> str:
    """The answer to a call that raised; also an exception that cannot be printed has one."""
    try:
        message = str(error)[:500]
    except BaseException as second:
        message = f"its message raised {type(second).__name__}"
    return json.dumps({"raises": type(error).__name__, "message": message})


def main(path: str, name: str) -> None:
    """Answer calls of the function `name` in the file `path` until the end of input."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.path.insert(0, os.path.dirname(path))  # noqa: PTH120 - pathlib would be one more import at each start
    candidate = Candidate(path, name)
    for line in requests:
        request = json.loads(line)
        answer = candidate.answer(request)
        with contextlib.suppress(Exception):  # what stands there may be of the candidate's making
            sys.stdout.flush()
        answers.write(f'{{"id": {json.dumps(request["id"])}, {answer[1:]}\n')
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
