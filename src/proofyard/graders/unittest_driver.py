"""Runs inside the sandbox: loads the candidate, runs one test module against it and says what came of every test.

It reads one JSON order from standard input, takes down how the process is before any of the candidate's code runs, and
ends with one line on standard output: a JSON report and a keyed digest of it. The key came with the order and is known to
one function's local variable only; it is never written, so that a report can be neither forged nor altered, only lost.
"""

# pathlib would be one more import at each start.
# ruff: noqa: PTH103, PTH123, PTH208

import _blake2
import _json
import _queue
import _thread
import builtins
import contextlib
import contextvars
import ctypes
import fcntl
import importlib
import inspect
import json
import os
import random
import sys
import time
import types
import unittest
import unittest.case
import unittest.mock
from collections.abc import Callable, Generator
from typing import Any

from proofyard.graders.unittest_cases import Cases, shown
from proofyard.graders.unittest_change import Other, Sites
from proofyard.graders.unittest_formats import Formats
from proofyard.graders.unittest_held import taken
from proofyard.graders.unittest_hidden import Hidden, concealed, exchanged, opaque, vanish
from proofyard.graders.unittest_probe import agreeable, leaves, plainly, speechless
from proofyard.graders.unittest_watch import ORACLES, Watch

__all__ = ["begin"]

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], Callable[[Any], object]]
MODULE = "__test__"
WORK = "/tmp/work"
HIGH = 64
PR_SET_DUMPABLE = 4
"""Our own descriptors lie above this number."""
encode_text = _json.encode_basestring_ascii
write, leave, ident = os.write, os._exit, _thread.get_ident


def begin() -> Callable[[], Call]:
    """Take the order and start the tests; return where the main thread gets what it is to call."""
    with open(0, "rb") as stream:
        order = json.loads(stream.read())
    close_memory()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    if null:
        os.close(null)
    out = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, HIGH)
    calls = _queue.SimpleQueue[Call]()
    run = Run(order, calls.put, own=order["stack"] == "own")
    key = bytes.fromhex(order.pop("key"))
    if order["stack"] == "own":
        _thread.start_new_thread(finish, (run, key, out))
    else:
        calls.put((finish, (run, key, out), {}, leave))
    return calls.get


def close_memory() -> None:
    """Keep other programs, which the candidate may start and which have no audit hook, out of this process's memory."""
    not_dumpable = ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    if not_dumpable:
        raise OSError("prctl")


def finish(run: "Run", key: bytes, out: int) -> None:
    """Run everything, write the report, end the process: nothing that the candidate left is executed."""
    try:
        report = run.all()
    except BaseException as error:
        report = {"driver": shown(error), "tamper": run.evidence}
    text = plain(report).encode()
    digest = _blake2.blake2b(text, key=key, digest_size=32).hexdigest()
    line = b"\n%b %b\n" % (digest.encode(), text)
    while line:
        line = line[write(out, line) :]
    leave(0)


def plain(value: Any) -> str:
    """JSON of texts, integers, lists and dictionaries, by nothing that could have been replaced."""
    if type(value) is str:
        return encode_text(value.encode("utf-8", "backslashreplace").decode())
    if type(value) is int:
        return int.__repr__(value)
    if type(value) is dict:
        return "{" + ",".join([f"{encode_text(key)}:{plain(item)}" for key, item in value.items()]) + "}"
    return "[" + ",".join([plain(item) for item in value]) + "]"


class Run(Hidden):
    """One candidate and one test module."""

    def __init__(self, order: dict[str, Any], hand: Callable[[Call], None], *, own: bool) -> None:
        self._order = order
        self._hand = hand
        self._own = own
        self._main = ident()
        self._module = types.ModuleType(MODULE)
        self._space = vars(self._module)
        self._watch = Watch(self._space)
        self.evidence = self._watch.evidence
        self._sites = Sites(order["sites"], measure=order["measure"])
        self._bare = order["bare"]
        self._objects = False
        self._lending: dict[Any, Any] = {}
        self._unittest = dict(UNITTEST)

    def all(self) -> dict[str, Any]:
        """Load the candidate, then the test, run it; return the report."""
        self._prepare()
        loaded = self._load()
        if loaded is not None:
            return {**loaded, "tamper": self._watch.evidence}
        cases = self._tests()
        self._watch.compare()
        found = cases.run()
        self._watch.compare()
        self._watch.disarm()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        seen = {"sites": self._sites.seen, "objects": int(self._objects)}
        return {"tests": found, **seen, "tamper": self._watch.evidence[:20]}

    def _prepare(self) -> None:
        """A fresh working folder, known random state, and a picture of the process as it is before the candidate."""
        os.makedirs(WORK, exist_ok=True)
        os.chdir(WORK)
        for name in self._order["modules"]:
            with contextlib.suppress(BaseException):
                importlib.import_module(name)
        random.seed(self._order["seed"])
        if (numpy := sys.modules.get("numpy.random")) is not None:
            numpy.seed(self._order["seed"])
        for name in ("pprint", "difflib"):
            setattr(unittest.case, name, Formats(0) if self._order["mark"] else Formats())
        # From here on another `import unittest` makes another unittest: the candidate never sees the one that is used.
        for name in self._unittest:
            del sys.modules[name]
        module = self._unittest["unittest"] = types.ModuleType("unittest")
        vars(module).update({**vars(unittest), "TestCase": CASE})
        spaces: dict[str, Any] = {"unittest.case": unittest.case, "unittest.mock": unittest.mock}
        modules = [name for name in self._order["modules"] if name.split(".")[0] not in {"unittest", "sys"}]
        self._watch.remember((*ORACLES, *modules), self._order["named"], spaces)
        self._builtins, self._import = dict(vars(builtins)), builtins.__import__
        self._watch.guard(builtins, random, time)
        self._watch.guard(unittest.TestCase, CASE, fixed=True)
        self._space.update(
            __builtins__=builtins, __file__=self._order["path"], __package__=None, sys=sys, os=os, environ=os.environ
        )
        sys.argv = [self._order["path"]]
        sys.modules[MODULE] = sys.modules["__main__"] = self._module
        parts = [f.__globals__ for f in (Cases.run, Other.__call__, leaves, Watch.arm, Formats.ndiff, opaque, taken)]
        self._watch.own(globals(), vars(unittest), *parts, *map(vars, self._unittest.values()))
        self._watch.arm()

    def _load(self) -> dict[str, Any] | None:
        """Execute the candidate's file; what went wrong, None if nothing."""
        try:
            with open(self._order["path"], "rb") as stream:
                self._code = compile(stream.read(), self._order["path"], "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return {"syntax": shown(error)}
        try:
            self._call(exec, self._code, self._space)
        except BaseException as error:
            kinds = [kind.__name__ for kind in type(error).__mro__]
            return {"load": [shown(error), *kinds]}
        if not callable(self._space.get(self._order["entry_point"])):
            return {"missing": self._order["entry_point"]}
        return None

    def _tests(self) -> Cases:
        """Execute the test in globals that start as a copy of the candidate's, so that it can name all that is there.

        What the test imports, and what of its own the candidate names, is put into the candidate's globals too, as if
        both were one file; its TestCase classes never are.
        """
        space = self._given()
        given = dict(space)
        self._watch.own(space)
        shared = space["__builtins__"] is builtins
        sys.modules.update(self._unittest if shared else {})
        try:
            exec(self._compiled(), space)
        finally:
            for name in self._unittest if shared else ():
                sys.modules.pop(name, None)
        kinds = self._kinds(space)
        named = _names(self._code) | set(self._order["imported"])
        for name, value in space.items():
            if name in named and name not in kinds and given.get(name) is not value and not self._of_unittest(value):
                self._space[name] = value
        if not self._order["keep_classes"]:
            for name in kinds:
                del space[name]
        chosen = {"TestCases": kinds["TestCases"]} if "TestCases" in kinds else kinds
        for kind in kinds.values():
            self._watch.hide(vars(kind).values())
        self._watch.remember((), (), {f"tests: {name}": kind for name, kind in kinds.items()})
        self._watch.guard(*kinds.values())
        return Cases(unittest.SkipTest, chosen)

    def _imported(self, name: str, *how: Any, **more: Any) -> Any:
        """Import for the tests alone: theirs is a unittest that is in no list of modules."""
        found = self._unittest.get(name)
        if found is None or (len(how) > 3 and how[3]):
            return self._import(name, *how, **more)
        return found if len(how) > 2 and how[2] else self._unittest["unittest"]

    def _given(self) -> dict[str, Any]:
        """Globals for the tests: the candidate's, its functions in a form that is called on the main thread."""
        # Names of builtins mean these to the tests, whatever the candidate calls so.
        space = {name: value for name, value in self._space.items() if name not in self._builtins or name[:2] == "__"}
        for name, value in [*space.items()]:
            # Not isinstance: it asks the value for its class, and a lazy one then does what it puts off.
            if type(value) is types.FunctionType and value.__globals__ is self._space and self._own:
                space[name] = self._handed(value)
        entry = self._order["entry_point"]
        if self._own and space.get(entry, self._space[entry]) is self._space[entry]:
            space[entry] = self._handed(self._space[entry])
        if "builtins" not in self._order["test"]:  # nothing is replaced there by the test: it gets builtins of its own
            space["__builtins__"] = {**self._builtins, "__import__": self._shut(self._imported)}
        return space

    def _kinds(self, space: dict[str, Any]) -> dict[str, type]:
        """The classes of tests among these."""
        bases = (CASE, unittest.TestCase)
        return {
            name: value
            for name, value in space.items()
            if issubclass(type(value), type) and issubclass(value, bases) and vars(value)["__module__"] == MODULE
        }

    def _compiled(self) -> types.CodeType:
        """The test's code, in it what makes the assertions that it hands over."""
        code = compile(self._order["test"], f"{MODULE}.py", "exec", dont_inherit=True)
        mark = self._order["mark"]
        return exchanged(code, mark, self._shut(self._sites)) if mark else code

    def _shut(self, function: Callable[..., Any]) -> Any:
        """A function that calls this one, and whose code is not to be read."""
        made = opaque(function)
        self._watch.hide([made])
        return made

    def _of_unittest(self, value: Any) -> bool:
        """Whether this is the tests' own unittest, or of it."""
        where = value.__name__ if issubclass(type(value), types.ModuleType) else getattr(value, "__module__", "")
        return str(where).split(".")[0] == "unittest"

    def _handed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function for the tests that has this one of the candidate called on the main thread."""

        def call(*args: Any, **kwargs: Any) -> Any:
            kwargs = {name: self._lent(value) for name, value in kwargs.items()}
            return self._call(function, *map(self._lent, args), **kwargs)

        made: Callable[..., Any] = self._shut(call)
        for name in ("__name__", "__qualname__", "__doc__", "__module__"):
            with contextlib.suppress(AttributeError, TypeError):
                setattr(made, name, getattr(function, name))
        made.__wrapped__ = function  # type: ignore[attr-defined]
        return made

    def _lent(self, value: Any) -> Any:
        """An argument as the candidate gets it: of a function of the tests one that leads to nothing else of theirs."""
        function = value.__func__ if type(value) is types.MethodType else value
        if type(function) is not types.FunctionType or not self._watch.is_own(function):
            return value
        made = self._lending.get(function)
        if made is None or function is not value:
            made = self._shut(value)
            for name in ("__name__", "__qualname__", "__doc__", "__module__"):
                setattr(made, name, getattr(function, name))
            with contextlib.suppress(ValueError, TypeError):
                made.__signature__ = inspect.signature(value)
            self._lending[function] = made
        return made

    def _call(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call something of the candidate's: on the main thread, below which there is nothing of the tests."""
        if ident() == self._main:
            return function(*args, **kwargs)
        before = self._watch.glance()
        answer = _queue.SimpleQueue[tuple[bool, Any]]()
        self._hand((contextvars.copy_context().run, (function, *args), kwargs, answer.put))
        good, value = answer.get()
        self._watch.differs(before, self._watch.glance())
        if type(value) is types.GeneratorType and good:
            return self._relayed(value)
        value = self._looked_at(value)
        if not good:
            raise value
        return value

    def _known(self, kind: type) -> bool:
        """Whether a class is a library's, or of a mock that the tests made."""
        return self._watch.is_library_class(kind) or issubclass(kind, unittest.mock.NonCallableMock)

    def _looked_at(self, value: Any) -> Any:
        """What the candidate returned or raised, once objects of its own in it were tried, or were made plain."""
        known = self._known
        looked = leaves(value, known)
        if not looked.odd:
            return value
        self._objects = True
        for item in looked.own:
            if said := agreeable(item):
                self._watch.evidence.append(said)
        if not self._bare:
            return value
        speechless(self._watch.is_theirs)
        return plainly(value, known)

    def _relayed(self, generator: Any) -> Generator[Any, Any, Any]:
        """A generator of the candidate's, each of its steps on the main thread too."""
        sent = None
        try:
            while True:
                try:
                    item = self._call(generator.send, sent)
                except StopIteration as stop:
                    return stop.value
                sent = yield item
        finally:
            self._call(generator.close)


def _names(code: types.CodeType) -> set[str]:
    """Every global name that the code refers to, at any depth."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _names(constant)
    return found


def _loaded_unittest() -> dict[str, types.ModuleType]:
    """Its modules by name. All loaded ones are not gone over: that would copy the pages on which their counts are."""
    found = [name[:-3] for name in os.listdir(unittest.__path__[0]) if name.endswith(".py")]
    names = ["unittest", *(f"unittest.{name}" for name in found)]
    return {name: sys.modules[name] for name in names if name in sys.modules}


# What is the same for every candidate is made here, which most often is before the fork.
UNITTEST = _loaded_unittest()
CASE = concealed(unittest.TestCase)
"""What tests derive from: it is in no list of subclasses, and nothing but this module leads to it."""
vanish()
