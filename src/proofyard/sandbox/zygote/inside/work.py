"""The sample's own process: limits, rights, a fresh start of the interpreter's state, and the program to run."""

# pathlib is not to be among the modules that every sample finds loaded.
# ruff: noqa: PTH100, PTH109, PTH120, PTH123

import atexit
import gc
import marshal
import os
import resource
import signal
import socket
import sys
import threading
import time
import types
from collections.abc import Mapping
from typing import Any

from proofyard.sandbox.runner.kernel import set_no_new_privs
from proofyard.sandbox.seccomp.filters import load_filter
from proofyard.sandbox.zygote.inside import calls, wire

__all__ = ["Work", "compiled", "loaded", "prepare"]

NOT_FOUND, NOT_EXECUTABLE, FLUSH_FAILED = 127, 126, 120
"""Exit codes: of a program that cannot be started as a shell gives them, the last as the interpreter does."""
OWN = "proofyard"
SEED_BYTES = 4
PYC_HEAD = 16
"""The bytes of a compiled file before its code: a number for the kind of interpreter, and what it was compiled of."""


def prepare(request: Mapping[str, Any], fds: list[int], control: socket.socket, config: Mapping[str, Any]) -> "Work":
    """Give up all rights, reset the interpreter and return what is to run, or replace the process by another program.

    request: argv, env, cwd, rlimits (number, soft, hard), memory in bytes. config: filter, interpreter; own, given (see
    `loaded`).
    """
    argv = list(request["argv"])
    warm = argv[0] == "python" and len(argv) > 1 and (argv[1][:1] != "-" or (argv[1] in {"-c", "-m"} and len(argv) > 2))
    os.setsid()
    calls.set_dumpable(True)
    for target, fd in enumerate(fds):
        os.dup2(fd, target)
    os.dup2(control.detach(), 3, inheritable=False)
    calls.close_from(4)
    _environment(request["env"])
    os.chdir(request["cwd"])
    _limits(request, inherited=_address_space() if warm else 0)
    calls.drop_capabilities()
    set_no_new_privs()
    load_filter(config["filter"])
    with socket.socket(fileno=3) as channel:
        wire.send(channel, {"started": True})
    if not warm:
        _replace(argv, config["interpreter"])
    _reset(config["own"])
    work = Work(argv, config["given"])
    work.load(config["interpreter"])
    return work


def _environment(wanted: Mapping[str, str]) -> None:
    zone = os.environ.get("TZ")
    for name in [name for name in os.environ if name not in wanted]:
        del os.environ[name]
    for name, value in wanted.items():
        if os.environ.get(name) != value:
            os.environ[name] = value
    if wanted.get("TZ") != zone:
        time.tzset()


def _address_space() -> int:
    with open("/proc/self/statm", "rb") as stream:
        return int(stream.read().split()[0]) * resource.getpagesize()


def _limits(request: Mapping[str, Any], inherited: int) -> None:
    """Set the limits; the address space counts on top of what the warm process already maps."""
    for number, soft, hard in request["rlimits"]:
        resource.setrlimit(number, (soft, hard))
    memory = request["memory"] + inherited
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _replace(argv: list[str], interpreter: list[str]) -> None:
    """Execute another program, or the interpreter afresh for options that a warm one cannot honour."""
    if argv[0] == "python":
        argv = [*interpreter, *argv[1:]]
    try:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        os.execvp(argv[0], argv)
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\n".encode(errors="replace"))
        os._exit(NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE)


def compiled(source: str | bytes, name: str) -> types.CodeType:
    """The code of a program, or that which a compiled file holds.

    Raises:
        SyntaxError, ValueError, MemoryError, RecursionError: it is no program.
        RuntimeError: a compiled file of another kind of interpreter, or a damaged one.

    """
    if not isinstance(source, bytes) or not name.endswith(".pyc"):
        return compile(source, name, "exec", dont_inherit=True)
    magic = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER
    if source[: len(magic)] != magic:
        raise RuntimeError("Bad magic number in .pyc file")
    try:
        code = marshal.loads(source[PYC_HEAD:])
    except (EOFError, ValueError, TypeError):
        code = None
    if not isinstance(code, types.CodeType):
        raise RuntimeError("Bad code object in .pyc file")
    return code


def loaded() -> dict[str, Any]:
    """Names of modules, taken down once in the warm process: own ones, and those that every sample is given.

    A sample that went over all modules itself would write to each of their pages (counts of references), and so copy them.
    """
    own = tuple(name for name in sys.modules if name == OWN or name.startswith(OWN + "."))
    return {"own": own, "given": frozenset(sys.modules) - frozenset(own)}


def _reset(own: tuple[str, ...]) -> None:
    """Undo what the warm process made different from a fresh interpreter."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in own:
        del sys.modules[name]
    # `random` seeds itself anew in every fork.
    if numpy_random := sys.modules.get("numpy.random"):
        numpy_random.seed(int.from_bytes(os.urandom(SEED_BYTES), "little"))
    for fd, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        stream = open(  # noqa: SIM115 (a descriptor, open for the life of the process)
            fd, "w" if fd else "r", encoding=old.encoding, errors=old.errors, newline="\n", closefd=False
        )
        raw: Any = stream.buffer
        raw.raw.name = f"<{name}>"
        if name == "stderr":
            stream.reconfigure(line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    gc.enable()


class Work:
    """One Python program. `code` and `namespace` are executed by the outermost frame, so that its stack starts there."""

    code: types.CodeType
    namespace: dict[str, Any]

    def __init__(self, argv: list[str], given: frozenset[str]) -> None:
        self._argv = argv
        self._given = given
        self._status = 0

    def load(self, interpreter: list[str]) -> None:
        """Make `__main__` as the interpreter would; a program that cannot be read or compiled ends here."""
        main = types.ModuleType("__main__")
        self.namespace = main.__dict__
        self.namespace["__builtins__"] = sys.modules["builtins"]
        sys.modules["__main__"] = main
        sys.orig_argv = [*interpreter, *self._argv[1:]]
        kind = self._argv[1]
        if kind in {"-c", "-m"}:
            sys.argv = [kind, *self._argv[3:]]
            sys.path.insert(0, os.getcwd() if kind == "-m" else "")
            source: str | bytes = self._argv[2]
            if kind == "-m":
                source = f"import runpy\nrunpy._run_module_as_main({self._argv[2]!r})\n"
            self._compile(source, "<string>")
        else:
            sys.argv = self._argv[1:]
            self._script(os.path.abspath(kind), interpreter[0])

    def _script(self, path: str, interpreter: str) -> None:
        try:
            with open(path, "rb") as stream:
                source = stream.read()
        except OSError as error:
            where = f"{interpreter}: can't open file {path!r}"
            os.write(2, f"{where}: [Errno {error.errno}] {error.strerror}\n".encode(errors="replace"))
            os._exit(2)
        sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
        kind = "SourcelessFileLoader" if path.endswith(".pyc") else "SourceFileLoader"
        loader = getattr(sys.modules["_frozen_importlib_external"], kind)("__main__", path)
        self.namespace.update(__file__=path, __cached__=None, __loader__=loader)
        self._compile(source, path)

    def _compile(self, source: str | bytes, name: str) -> None:
        try:
            self.code = compiled(source, name)
        except (SyntaxError, ValueError, MemoryError, RecursionError, RuntimeError) as error:
            sys.excepthook(type(error), error.with_traceback(None), None)
            os._exit(1)

    def ended(self, error: BaseException) -> None:
        """Show what ended the program as the interpreter does, and take its exit code."""
        if isinstance(error, SystemExit):
            if isinstance(error.code, int):
                self._status = error.code & 0xFF
            elif error.code is not None:
                print(error.code, file=sys.stderr)
                self._status = 1
            return
        trace = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        self._status = 1
        if isinstance(error, KeyboardInterrupt):
            self._flush()
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)

    def finish(self) -> None:
        """End the process as the interpreter would: threads, exit functions, then what objects still hold."""
        try:
            threading._shutdown()  # type: ignore[attr-defined]
        except BaseException as error:
            sys.excepthook(type(error), error, error.__traceback__)
        atexit._run_exitfuncs()
        self._flush()
        # Files that the program left open are written when their last reference goes.
        self.namespace.clear()
        for name in [name for name in reversed(sys.modules) if name not in self._given]:
            vars(sys.modules[name]).clear()
        gc.collect()
        self._flush()
        os._exit(self._status)

    def _flush(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (AttributeError, ValueError):
                continue
            except OSError:
                self._status = FLUSH_FAILED
