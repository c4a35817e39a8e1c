"""Building an environment: installed beside its place by uv or pip, then moved there whole."""

import contextlib
import fcntl
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from proofyard.core import Failure, InfrastructureError, UsageError
from proofyard.images.environment import Environment, Installed
from proofyard.sandbox.host import HostResult, run_command
from proofyard.sandbox.machine import interpreter

__all__ = ["alone", "build", "installed", "readable", "run_step"]

_PACKAGES: Final = "site-packages"
_FACTS: Final = "environment.json"
_INSTALL_MS: Final = 3_600_000
_COMPILE_MS: Final = 1_200_000


def installed(environment: Environment) -> Installed:
    """The environment, which must be built.

    Raises:
        UsageError: it is not, or it is pinned for another Python.

    """
    folder = environment.folder
    if not (folder / _FACTS).is_file():
        raise UsageError(f"environment {environment.name} is not built; run: proofyard env build {environment.name}")
    packages = str(folder / _PACKAGES)
    return Installed(name=environment.name, fingerprint=environment.fingerprint, packages=packages)


def build(
    environment: Environment, tell: Callable[[str], None] = lambda _: None, stop: Callable[[], bool] = lambda: False
) -> Installed:
    """Build the environment if it is not there. Builders of the same one wait for each other.

    tell: takes a line on what is being done. stop: asked now and then; True gives up.

    Raises:
        UsageError: it is pinned for another Python, or there is neither uv nor pip.
        InfrastructureError: `image_build`, with the installer's last words.

    """
    folder = environment.folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with alone(folder.with_suffix(".lock")):
        if not (folder / _FACTS).is_file():
            shutil.rmtree(folder, ignore_errors=True)
            making = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
            try:
                _make(environment, making, tell, stop)
                making.chmod(0o755)
                making.rename(folder)
            finally:
                shutil.rmtree(making, ignore_errors=True)
    return installed(environment)


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a lock file meanwhile, so that builders of the same thing wait for each other."""
    with path.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _make(environment: Environment, folder: Path, tell: Callable[[str], None], stop: Callable[[], bool]) -> None:
    packages, lock = folder / _PACKAGES, folder / "requirements.txt"
    lock.write_text(environment.lock, encoding="utf-8")
    tell(f"installing {len(environment.packages)} packages of {environment.name}")
    run_step(
        [*_installer(), "--require-hashes", "--no-deps", "--target", str(packages), "-r", str(lock)], _INSTALL_MS, stop
    )
    tell("compiling to bytecode")
    run_step(
        [interpreter().path, "-I", "-S", "-m", "compileall", "-q", "-j", "0", str(packages)], _COMPILE_MS, stop, most=1
    )
    readable(packages)
    facts = {"name": environment.name, "fingerprint": environment.fingerprint, "packages": environment.packages}
    (folder / _FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def _installer() -> list[str]:
    """The command that installs for the interpreter that programs run on: uv beside our own Python or on the path, or pip."""
    beside = Path(sys.executable).with_name("uv")
    uv = str(beside) if beside.is_file() else shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", interpreter().path]
    import importlib.util

    if importlib.util.find_spec("pip") is None:
        raise UsageError("there is neither uv nor pip to install packages with; install uv")
    return [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--no-warn-script-location"]


def run_step(argv: list[str], wall_ms: int, stop: Callable[[], bool], most: int = 0) -> None:
    """Run a step. `most`: the highest exit code that is no failure. Raises InfrastructureError with its last words."""
    ended = run_command(argv, cwd="/", env=dict(os.environ), wall_ms=wall_ms, stop=stop)
    if ended.code is None or ended.code > most:
        raise InfrastructureError(Failure(code="image_build", message=f"{Path(argv[0]).name}: {_last_words(ended)}"))


def _last_words(ended: HostResult) -> str:
    if ended.stopped or ended.timed_out:
        return "stopped" if ended.stopped else "not done in time"
    lines = [line.strip() for line in ended.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return " / ".join(lines[-6:])[:1000] or f"exit code {ended.code}"


def readable(folder: Path) -> None:
    """Let the unprivileged user of a sandbox read all of it, whatever mask the files were made with."""
    for path, folders, files in os.walk(folder):
        for name in (*folders, *files):
            item = os.path.join(path, name)  # noqa: PTH118 - for each of a hundred thousand files
            mode = os.lstat(item).st_mode
            wanted = mode | (0o555 if stat.S_ISDIR(mode) or mode & 0o100 else 0o444)
            if wanted != mode and not stat.S_ISLNK(mode):
                os.chmod(item, stat.S_IMODE(wanted))  # noqa: PTH101
    folder.chmod(0o755)
