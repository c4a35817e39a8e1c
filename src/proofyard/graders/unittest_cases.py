"""Runs inside the sandbox: the tests of a test module, found and run one by one without unittest's own machinery of results.

A test passes if its function returns. Nothing that a candidate could replace (results, outcomes, context managers)
stands between a failing assertion and the status.
"""

import traceback
from collections.abc import Callable, Iterator
from typing import Any

from proofyard.graders.unittest_hidden import Hidden

__all__ = ["LONGEST", "Cases", "shown"]

LONGEST = 4000
_args = BaseException.__dict__["args"].__get__


def shown(error: BaseException) -> str:
    """The traceback of an error without the driver's frames, cut; whatever the error's own code does, text comes out."""
    try:
        text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    except BaseException:
        text = type.__dict__["__name__"].__get__(type(error))
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}\n...\n{text[-LONGEST // 2 :]}"


def said(error: BaseException) -> str:
    """What a failing assertion says, "" for any other error."""
    args = _args(error)
    return str(args[0]) if type(error) is AssertionError and args and type(args[0]) is str else ""


def first(error: BaseException | None, late: BaseException | None) -> BaseException | None:
    """The first of two errors; never asks an error for its truth, which is the candidate's to define."""
    return late if error is None else error


class Cases(Hidden):
    """The tests of one module, run in the order of their names, class by class.

    skip: the SkipTest of the unittest that the tests use. classes: its TestCase classes.
    """

    def __init__(self, skip: type[BaseException], classes: dict[str, type]) -> None:
        self._skip = skip
        self._classes = classes
        self._several = len(classes) > 1
        self.functions = {
            label: (kind, getattr(kind, name)) for label, kind, name in self._named() if callable(getattr(kind, name))
        }

    def _named(self) -> Iterator[tuple[str, type, str]]:
        for label, kind in self._classes.items():
            for name in sorted(name for name in dir(kind) if name.startswith("test")):
                yield (f"{label}.{name}" if self._several else name), kind, name

    def run(self) -> dict[str, list[str]]:
        """Run all; status, what a failing assertion said, and traceback by test."""
        found: dict[str, list[str]] = {}
        for kind in self._classes.values():
            mine = [label for label, (owner, _) in self.functions.items() if owner is kind]
            error = self._attempt(getattr(kind, "setUpClass", None))
            for label in mine:
                found[label] = self._one(kind, label) if error is None else self._status(error, skips=False)
            if error is None and (late := self._attempt(getattr(kind, "tearDownClass", None))) is not None and mine:
                found[mine[-1]] = self._status(late, skips=False)
            cleanups: Any = getattr(kind, "_class_cleanups", [])
            while cleanups:
                function, args, kwargs = cleanups.pop()
                self._attempt(function, *args, **kwargs)
        return found

    def _one(self, kind: Any, label: str) -> list[str]:
        function = self.functions[label][1]
        name = label.rpartition(".")[2]
        if getattr(kind, "__unittest_skip__", False) or getattr(function, "__unittest_skip__", False):
            return ["skip", "", ""]
        case = kind(name)
        expected = getattr(function, "__unittest_expecting_failure__", False)
        loop = getattr(case, "_setupAsyncioRunner", None)
        self._attempt(loop)
        error = self._attempt(case._callSetUp)
        if error is None:
            error = first(
                self._attempt(case._callTestMethod, function.__get__(case)), self._attempt(case._callTearDown)
            )
        while case._cleanups:
            cleanup, args, kwargs = case._cleanups.pop()
            error = first(error, self._attempt(case._callCleanup, cleanup, *args, **kwargs))
        if loop is not None:
            self._attempt(case._tearDownAsyncioRunner)
        if expected:
            return ["expected_failure" if error is not None else "unexpected_success", "", ""]
        return ["ok", "", ""] if error is None else self._status(error, skips=True)

    def _status(self, error: BaseException, *, skips: bool) -> list[str]:
        if skips and type(error) is self._skip:
            return ["skip", "", shown(error)]
        kind = "failed" if type(error) is AssertionError else "error"
        if isinstance(error, MemoryError):
            kind = "memory"
        return [kind, said(error), shown(error)]

    @staticmethod
    def _attempt(function: Callable[..., Any] | None, *args: Any, **kwargs: Any) -> BaseException | None:
        if function is None:
            return None
        try:
            function(*args, **kwargs)
        except BaseException as error:  # whatever a candidate raises fails the test and nothing else
            return error
        return None
