"""Runs inside the sandbox: notices what no honest solution does to the process that it shares with its tests.

An audit hook sees walks over frames, threads, objects and memory; it refuses them and remembers. Comparisons of what was
there before the candidate was loaded with what is there afterwards find replaced functions of the modules that tests
rely on. All evidence is a list of short sentences; one is enough.
"""

import _thread
import sys
import types
from collections.abc import Iterable
from typing import Any

__all__ = ["ORACLES", "Watch"]

ORACLES = (
    "builtins",
    "contextlib",
    "json",
    "json.decoder",
    "json.encoder",
    "math",
    "os",
    "posixpath",
    "random",
    "re",
    "time",
)
"""Modules that any test relies on."""
BESIDE = {
    "numpy": ("numpy.linalg", "numpy.random", "numpy.testing", "numpy.testing._private.utils"),
    "pandas": ("pandas.testing", "pandas._testing"),
}
"""What a test relies on that imports the one."""
WHOLE = ("contextlib", "json", "json.decoder", "json.encoder", "numpy.random", "random", "time", "unittest.case")
"""Modules held whole. Of others what the test names, and comparisons: what is looked at in a forked process is copied."""
COMPARISONS = (
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__bool__",
    "__len__",
    "__array_ufunc__",
    "equals",
)
FREE = {"warnings": ("showwarning",), "ssl": ("_create_default_https_context",)}
"""What honest programs replace."""
WALKS = ("gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys._current_frames", "sys._current_exceptions")
MEMORY = ("ctypes.string_at", "ctypes.wstring_at", "ctypes.cdata", "ctypes.PyObj_FromPtr")
FRAMES = ("sys._getframe", "sys._getframemodulename", "object.__getattr__")
HELD = (
    types.FunctionType, types.BuiltinFunctionType, type, staticmethod, classmethod, property, types.MethodDescriptorType,
    types.WrapperDescriptorType, types.MethodType, types.GetSetDescriptorType,
)  # fmt: skip
CLASS_MADE_AT_RUN_TIME = 1 << 9
NAMES_OF_CODE = ("__code__", "f_code", "tb_frame", "gi_code", "cr_code", "ag_code")
BYWAYS = ("inspect", "traceback", "dis")
"""Library modules that hand out frames or code to whoever calls them."""
REFUSAL = "not while tests run"


class Watch:
    """Armed before the candidate is loaded. `evidence` holds what was noticed.

    candidate: the globals of the candidate's module.
    """

    def __init__(self, candidate: dict[str, Any]) -> None:
        self.evidence: list[str] = []
        self._candidate = candidate
        self._own: set[int] = set()
        self._library: dict[int, Any] = {}
        self._kept: list[Any] = []
        self._secret_functions: set[int] = set()
        self._armed = False
        self._before: dict[str, dict[str, Any]] = {}
        self._spaces: dict[str, Any] = {}
        self._glanced: list[tuple[Any, list[str], tuple[int, ...] | None]] = []
        self._modules: dict[str, types.ModuleType] = {}

    # --- what belongs to whom

    def own(self, *namespaces: dict[str, Any]) -> None:
        """Globals of the tests and of what runs them: their frames are not to be seen."""
        self._kept += namespaces
        self._own.update(map(id, namespaces))

    def hide(self, functions: Iterable[Any]) -> None:
        """Functions whose code is not to be read: test methods, and what decorators wrap."""
        for given in functions:
            function = given
            while type(function) is types.FunctionType:
                self._kept.append(function)
                self._secret_functions.add(id(function))
                function = vars(function).get("__wrapped__")

    # --- the audit hook

    def arm(self) -> None:
        """Remember everything as it is now, and watch from now on."""
        self._armed = True
        sys.addaudithook(self._hook())

    def disarm(self) -> None:
        """Stop watching: the driver itself is about to look at frames."""
        self._armed = False

    def _hook(self) -> Any:
        walks, memory, frames = frozenset(WALKS), frozenset(MEMORY), frozenset(FRAMES)
        names, evidence, getframe, refusal = frozenset(NAMES_OF_CODE), self.evidence, sys._getframe, REFUSAL
        watch, busy, ident = self, set[int](), _thread.get_ident

        def hook(event: str, args: tuple[Any, ...]) -> None:
            if not watch._armed:
                return
            if event in frames:
                me = ident()
                if me in busy or (event == "object.__getattr__" and args[1] not in names):
                    return
                busy.add(me)
                try:
                    seen = watch._leads_out(getframe(1), event, args)
                finally:
                    busy.discard(me)
            elif event in walks or event in memory:
                seen = event
            elif event == "open":
                seen = _memory_file(args[0])
            elif event == "ctypes.dlsym":
                seen = f"{event} {args[1]}" if str(args[1]).lstrip("_").startswith("Py") else ""
            elif event == "sys.monitoring.register_callback":
                seen = event if args and isinstance(args[0], types.FunctionType) else ""
            else:
                return
            if seen:
                evidence.append(seen)
                raise PermissionError(refusal)

        return hook

    def _leads_out(self, frame: types.FrameType, event: str, args: tuple[Any, ...]) -> str:
        """Say what was asked for, if the candidate asks for a frame or for code that is not its own."""
        if not self._is_candidate(frame):
            return ""
        if event == "object.__getattr__":
            thing, name = args
            if name == "__code__":
                secret = id(thing) in self._secret_functions
            elif name == "tb_frame":
                secret = self._above_own(thing.tb_frame)
            else:
                there = thing if isinstance(thing, types.FrameType) else getattr(thing, f"{name[:2]}_frame", None)
                secret = there is not None and id(there.f_globals) in self._own
            return f"read {name} of a test" if secret else ""
        return f"{event} below a test" if self._above_own(frame) else ""

    def _above_own(self, frame: types.FrameType | None) -> bool:
        """Whether this frame or one that called it, at any distance, is of the tests."""
        while frame is not None and id(frame.f_globals) not in self._own:
            frame = frame.f_back
        return frame is not None

    def _is_candidate(self, frame: types.FrameType | None) -> bool:
        """Whether the code that asks, by itself or through a byway of the library, is the candidate's."""
        while frame is not None and frame.f_globals.get("__name__") in BYWAYS and self._is_library(frame.f_globals):
            frame = frame.f_back
        if frame is None or id(frame.f_globals) in self._own:
            return False
        space = frame.f_globals
        if space is self._candidate:
            return True
        return not self._is_library(space)

    def _is_library(self, space: dict[str, Any]) -> bool:
        if id(space) not in self._library and _from_library(space):
            self._library[id(space)] = space
        return id(space) in self._library

    def is_library_class(self, kind: type) -> bool:
        """Whether a class is one of an imported library, not the candidate's. Those of unittest never count as such."""
        name = str(type.__dict__["__dict__"].__get__(kind).get("__module__"))
        module = sys.modules.get(name)
        if not isinstance(module, types.ModuleType) or name.partition(".")[0] == "unittest":
            return False
        space = vars(module)
        return self._is_library(space) and space.get(kind.__name__) is kind

    # --- replaced functions

    def remember(self, modules: Iterable[str], named: Iterable[str], spaces: dict[str, Any]) -> None:
        """Take down what modules of these names hold that a test names, and all of further modules or classes."""
        words = {*named, *COMPARISONS}
        for name in dict.fromkeys(each for given in modules for each in (given, *BESIDE.get(given, ()))):
            module = sys.modules.get(name)
            if isinstance(module, types.ModuleType):
                self._modules[name] = module
                self._take(name, module, None if name in WHOLE else words)
        for name, space in spaces.items():
            self._take(name, space, None if name in WHOLE or isinstance(space, type) else words)

    def _take(self, name: str, space: Any, words: set[str] | None) -> None:
        held = _held(vars(space), words)
        self._before[name], self._spaces[name] = held, space
        for free in FREE.get(name, ()):
            held.pop(free, None)
        if isinstance(space, types.ModuleType):
            for key, value in held.items():
                if type(value) is type and value.__flags__ & CLASS_MADE_AT_RUN_TIME:
                    self._before[f"{name}.{key}"] = _held(vars(value), words)
                    self._spaces[f"{name}.{key}"] = value

    def compare(self) -> None:
        """Compare with what was taken down."""
        missing = object()
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                self.evidence.append(f"the module {name} was replaced")
        for name, before in self._before.items():
            now = self._spaces[name].__dict__
            for key, value in before.items():
                if now.get(key, missing) is not value:
                    self.evidence.append(f"{name}.{key} was replaced")

    def guard(self, *spaces: Any, fixed: bool = False) -> None:
        """Modules and classes to be looked at before and after each call, so that what is put back in between is seen.

        fixed: not even a test replaces anything of these, so that every glance must be like the first.
        """
        for space in spaces:
            held = vars(space)
            names = [name for name, value in held.items() if issubclass(type(value), HELD)]
            self._glanced.append((held, names, (*map(id, map(held.get, names)),) if fixed else None))

    def glance(self) -> tuple[tuple[int, ...], ...]:
        """A picture of what is guarded, as cheap as can be."""
        return tuple([(*map(id, map(held.get, names)),) for held, names, _ in self._glanced])

    def differs(self, before: tuple[tuple[int, ...], ...], after: tuple[tuple[int, ...], ...]) -> None:
        """Note it if the call between two glances replaced something."""
        for old, new, (_, names, first) in zip(before, after, self._glanced, strict=True):
            if new != (first or old):
                changed = [name for name, one, other in zip(names, first or old, new, strict=True) if one != other]
                self.evidence += [f"a call replaced {name}" for name in changed[:3]]


def _held(space: Any, words: set[str] | None) -> dict[str, Any]:
    """The functions and classes of a namespace, all or those of the given names."""
    names = space if words is None else sorted(words & space.keys())
    return {name: space[name] for name in names if issubclass(type(space[name]), HELD)}


def _memory_file(path: Any) -> str:
    text = path.decode("utf-8", "replace") if isinstance(path, bytes) else path
    if isinstance(text, str) and text.startswith("/proc/") and text.endswith("/mem"):
        return f"opened {text}"
    return ""


def _from_library(space: dict[str, Any]) -> bool:
    """Whether these globals are those of a module that was imported from the interpreter's or the packages' folders."""
    module = sys.modules.get(str(space.get("__name__")))
    if not isinstance(module, types.ModuleType) or vars(module) is not space:
        return False
    if "__file__" not in space:
        return getattr(space.get("__spec__"), "origin", "") in {"built-in", "frozen"}
    return str(space["__file__"]).startswith((sys.base_prefix, "/opt/", "/usr/lib/"))
