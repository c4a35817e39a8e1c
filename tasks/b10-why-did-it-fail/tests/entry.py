"""The program under test, run as `python FILE` would be, but by a process that has the framework loaded already.

Loading it is what takes time. Processes are therefore forked off first and wait until they are told to go: before the tests
have read what the program must not see, and before they have opened the store. Where the kernel has Landlock, the program
reaches neither the tests nor the folder of the reward nor the processes of the tests. The same file lies in each task that
runs an entry point.
"""

import atexit
import ctypes
import gc
import os
import runpy
import select
import signal
import struct
import sys
import tempfile
import threading
import traceback
from pathlib import Path
from typing import NamedTuple, NoReturn

gc.disable()  # nothing of what is loaded now is garbage, and looking for it takes a sixth of the time

import sqlalchemy.orm  # noqa: E402
import zenml.config.compiler  # noqa: E402
import zenml.deployers  # noqa: E402
import zenml.environment  # noqa: E402
import zenml.execution.pipeline.dynamic.run_context  # noqa: E402
import zenml.execution.pipeline.utils  # noqa: E402
import zenml.log_stores.artifact.artifact_log_exporter  # noqa: E402
import zenml.orchestrators.legacy_dag_runner  # noqa: E402
import zenml.orchestrators.step_runner  # noqa: E402
import zenml.pipelines.pipeline_definition  # noqa: E402
import zenml.steps.decorated_step  # noqa: E402
import zenml.zen_stores.sql_zen_store  # noqa: E402
from zenml.integrations.registry import integration_registry  # noqa: E402
from zenml.stack.flavor_registry import FlavorRegistry  # noqa: E402

__all__ = ["Ended", "Entry"]

_ADOPT_ORPHANS, _NO_NEW_PRIVILEGES = 36, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_OUT_OF_REACH = {"tests", "logs"}
_libc = ctypes.CDLL(None)
_waiting: set[int] = set()


def _load_the_rest() -> None:
    """What a run of a pipeline would load as it goes. That it notes which packages there are is left out: it takes as long."""
    sqlalchemy.orm.configure_mappers()
    integration_registry.activate_integrations()
    _ = FlavorRegistry().builtin_flavors
    zenml.environment.Environment.get_python_packages = staticmethod(list)
    gc.freeze()
    gc.enable()


_load_the_rest()


class Ended(NamedTuple):
    """How the program ended. code: its exit code, None if it was killed or took too long. said: the end of its output."""

    code: int | None
    said: str


class Entry:
    """One run of a program, ready to be told to go."""

    def __init__(self, file: str, *arguments: str) -> None:
        if not _waiting:
            _libc.prctl(_ADOPT_ORPHANS, 1)
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - it outlives this call
        waiting, self._go = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            os.close(self._go)
            _wait_and_run(waiting, self._output.fileno(), Path(file), arguments)
        os.close(waiting)
        _waiting.add(self._pid)

    def run(self, seconds: float) -> Ended:
        """Let it run. When this returns, nothing that it started is alive."""
        _waiting.discard(self._pid)
        os.write(self._go, b"g")
        os.close(self._go)
        held = os.pidfd_open(self._pid)
        in_time = bool(select.select([held], [], [], seconds)[0])
        os.close(held)
        if not in_time:
            os.kill(self._pid, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        _kill_what_it_left()
        self._output.seek(0)
        said = self._output.read()[-2000:].decode("utf-8", "replace")
        return Ended(code if in_time and code >= 0 else None, said)


def _kill_what_it_left() -> None:
    """Orphans become children of this process: kill them, until there is none but those that wait."""
    while left := {int(pid) for pid in Path("/proc/thread-self/children").read_text("ascii").split()} - _waiting:
        for pid in left:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


@atexit.register
def _end_those_that_wait() -> None:
    for pid in _waiting:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _wait_and_run(waiting: int, output: int, file: Path, arguments: tuple[str, ...]) -> NoReturn:
    atexit.unregister(_end_those_that_wait)
    if not os.read(waiting, 1):
        os._exit(0)  # the tests are gone
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.closerange(3, 1024)
    _confine()
    os._exit(_run(file, arguments))


def _confine() -> None:
    """Allow all below each folder of the top but those out of reach; where Landlock is too old for that, nothing is done."""
    version = _call(_CREATE_RULESET, 0, 0, 1)
    if version < 3:
        return
    rights = (1 << (16 if version >= 5 else 15)) - 1
    only_own_signals = 2 if version >= 6 else 0
    asked = struct.pack("=QQQ", rights, 0, only_own_signals)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    rules = _call(_CREATE_RULESET, asked, len(asked), 0)
    for place in Path("/").iterdir():
        if place.is_dir() and place.name not in _OUT_OF_REACH:
            _call(_ADD_RULE, rules, 1, struct.pack("=Qi", rights, os.open(place, os.O_PATH)), 0)
    _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _call(_RESTRICT_SELF, rules, 0)
    os.closerange(3, 1024)


def _call(number: int, *arguments: int | bytes) -> int:
    given = [ctypes.c_long(one) if isinstance(one, int) else ctypes.c_char_p(one) for one in arguments]
    return int(_libc.syscall(ctypes.c_long(number), *given))


def _run(file: Path, arguments: tuple[str, ...]) -> int:
    os.chdir(file.parent)
    sys.argv = [file.name, *arguments]
    sys.path[:] = [str(file.parent), *(path for path in sys.path if path and not path.startswith("/tests"))]
    code = 0
    try:
        runpy.run_path(file.name, run_name="__main__")
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
        if not isinstance(error.code, int | None):
            print(error.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    return code & 255
