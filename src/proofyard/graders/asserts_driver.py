"""Runs inside the sandbox of the tests: executes assertions whose function under test is in another sandbox.

The function's name stands for a call by way of the grader, which passes arguments and results on, in the plain form of
`function_driver`. So the candidate shares no process with the assertions: it can see, count, skip or patch none of them.
"""

import ast
import builtins
import json
import os
import sys
import traceback
from typing import Any, Final, NoReturn

from proofyard.graders.function_driver import decoded, encoded, plain

__all__ = ["counting", "main"]

COUNTER: Final = "<counted>"
"""The name that instrumented tests call; no program can write it."""
TESTS: Final = "<tests>"


class Over(BaseException):
    """The tests cannot go on: the candidate is gone, or the test needs what this form does not carry."""


class Talk:
    """Messages with the grader, one line each: every answer names the request it is for."""

    def __init__(self) -> None:
        self._requests = os.fdopen(os.dup(0), "rb")
        self._answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        self._id: Any = None

    def hear(self) -> dict[str, Any]:
        """The next request. Raises Over at the end of input."""
        line = self._requests.readline()
        if not line:
            raise Over
        request: dict[str, Any] = json.loads(line)
        self._id = request.pop("id")
        return request

    def say(self, answer: dict[str, Any]) -> None:
        """Answer the request heard last."""
        self._answers.write(json.dumps({"id": self._id, **answer}) + "\n")
        self._answers.flush()


class Function:
    """Stands for the function under test."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it where it is; raise what it raised."""
        given, named = [encoded(arg) for arg in args], {key: encoded(arg) for key, arg in kwargs.items()}
        if not plain([given, named]):
            raise Over("arguments of types that cannot be passed on")
        self._talk.say({"call": {"args": given, "kwargs": named}})
        reply = self._talk.hear()
        if "value" not in reply:
            _raise(str(reply.get("raises")), str(reply.get("message", "")))
        # What is not passed on (a match of a regular expression) is true here, equals nothing, and can do nothing.
        return decoded(reply["value"])


def _raise(name: str, message: str) -> NoReturn:
    """Raise an exception of the built-in class of that name; of one that is not built in, a RuntimeError."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, AssertionError | UnicodeError):
        raise kind(message)
    raise RuntimeError(f"{name}: {message}")


class _Counting(ast.NodeTransformer):
    """Adds a call of the counter after every assertion."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        counted = ast.Expr(ast.Call(ast.Name(COUNTER, ast.Load()), [], []))
        return [node, ast.copy_location(counted, node)]


def counting(source: str) -> ast.Module:
    """The tests with every assertion counted once it has held."""
    tree = ast.parse(source)
    _Counting().visit(tree)
    return ast.fix_missing_locations(tree)


def run(talk: Talk, reference: str, tests: str, name: str) -> dict[str, Any]:
    """Execute the tests; return how many assertions held and, if one did not, which."""
    held = 0

    def counted() -> None:
        nonlocal held
        held += 1

    function = Function(talk)
    space: dict[str, Any] = {"__name__": "tests", COUNTER: counted}
    try:
        # Tests may use what stands beside the function: the reference's helpers, not the candidate's.
        exec(compile(reference, "<reference>", "exec"), space)
        space.pop("check", None)
        space[name] = function
        exec(compile(counting(tests), TESTS, "exec"), space)
        if name != "check" and "check" in space:
            space["check"](function)
    except Over as error:
        return {"held": held, "unusable": str(error)}
    except BaseException as error:
        return {"held": held, "failed": _shown(error, tests)}
    return {"held": held}


def _shown(error: BaseException, tests: str) -> dict[str, Any]:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == TESTS]
    line = lines[-1] if lines and lines[-1] else 0
    text = tests.splitlines()[line - 1].strip() if line else ""
    return {"line": line, "text": text[:1000], "raised": type(error).__name__, "message": str(error)[:500]}


def main(reference: str, tests: str, name: str) -> None:
    """Wait to be told, run the tests once, report."""
    talk = Talk()
    with open(reference, encoding="utf-8") as one, open(tests, encoding="utf-8") as other:  # noqa: PTH123
        texts = one.read(), other.read()
    talk.hear()
    talk.say(run(talk, *texts, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
