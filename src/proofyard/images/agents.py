"""Agent programs of others, installed once into the user's cache at pinned versions, each apart from everything else.

Programs from npm are single executables here (the package of the platform, without its wrapper), so that no script of a
package is run. What was installed is written down in `agents/NAME.json`, which is where agents look.
"""

import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from proofyard.core import Failure, InfrastructureError, Record, UnknownNameError, UsageError, cache_folder
from proofyard.images.build import alone, build, readable, run_step
from proofyard.images.environment import Environment

__all__ = ["PROGRAMS", "Helper", "InstalledProgram", "Program", "build_program", "find_program", "installed_program"]

_LOCKS: Final = Path(__file__).with_name("locks")
_NPM_MS: Final = 1_800_000


class Helper(Record, frozen=True, kw_only=True):
    """An executable from npm that a program would fetch by itself when it first needs it; fields as those of `Program`."""

    npm: str
    executable: str
    digests: dict[str, str] = msgspec.field(default_factory=dict)


class Program(Record, frozen=True, kw_only=True):
    """A program and where it comes from.

    npm: the package of this platform with `{cpu}` for npm's name of the processor; empty for one from PyPI, which has a lock
    file by its name. executable: below the folder it is installed in, with `{cpu}` and `{machine}`; for one from PyPI the
    module to be run. digests: SHA-256 of the executable by npm's name of the processor, as far as it is known. helpers: what
    lies in its folder besides, to be found on its PATH.
    """

    name: str
    version: str
    about: str
    executable: str
    npm: str = ""
    digests: dict[str, str] = msgspec.field(default_factory=dict)
    helpers: tuple[Helper, ...] = ()


class InstalledProgram(Record, frozen=True, kw_only=True):
    """A program that is there.

    folder: all of it; executable: see `Program`, without placeholders; module: it is Python; path: folders of its helpers,
    below `folder`.
    """

    name: str
    version: str
    folder: str
    executable: str
    module: bool = False
    path: tuple[str, ...] = ()


PROGRAMS: Final = {
    program.name: program
    for program in (
        Program(
            name="claude-code",
            version="2.1.197",
            about="Anthropic's coding agent",
            npm="@anthropic-ai/claude-code-linux-{cpu}@2.1.197",
            executable="node_modules/@anthropic-ai/claude-code-linux-{cpu}/claude",
            digests={"x64": "f54e69cbc89b2da61a415700af7ff52a147e862517d4f1b0eecf768448cf7f83"},
        ),
        Program(
            name="codex",
            version="0.171.0",
            about="OpenAI's coding agent",
            npm="@openai/codex@0.171.0-linux-{cpu}",
            executable="node_modules/@openai/codex/vendor/{machine}-unknown-linux-musl/bin/codex",
            digests={"x64": "b76a027d6b210f9a8da7aaf321dd235c700f0ef7a794d4a5314b9af6c134f0f0"},
        ),
        Program(
            name="opencode",
            version="1.18.33",
            about="an open coding agent for many providers",
            npm="opencode-linux-{cpu}@1.18.33",
            executable="node_modules/opencode-linux-{cpu}/bin/opencode",
            digests={"x64": "0abbb7c32ab0294c0a7bfa2705f9ff0df5dce5ab721d1f00cccfe393f2a11427"},
            helpers=(
                Helper(  # it searches files by this, also for skills
                    npm="@vscode/ripgrep-linux-{cpu}@1.18.0",
                    executable="node_modules/@vscode/ripgrep-linux-{cpu}/bin/rg",
                    digests={"x64": "193906679498de4d939345b937fa24e0e69a03c244bd70c859f5e41232713f21"},
                ),
            ),
        ),
        Program(
            name="mini-swe-agent",
            version="2.4.6",
            about="a small agent in Python with one tool, bash",
            executable="minisweagent.run.mini",
        ),
    )
}


def find_program(name: str) -> Program:
    """The program of that name. Raises UnknownNameError."""
    if name not in PROGRAMS:
        raise UnknownNameError("agent program", name, PROGRAMS, "known: " + ", ".join(PROGRAMS))
    return PROGRAMS[name]


def installed_program(name: str) -> InstalledProgram:
    """The program, which must be installed at the version pinned here. Raises UnknownNameError, UsageError."""
    program = find_program(name)
    try:
        there = msgspec.json.decode(_fact(name).read_bytes(), type=InstalledProgram)
    except (OSError, msgspec.MsgspecError):
        there = None
    whole = there is not None and Path(there.folder).is_dir() and len(there.path) == len(program.helpers)
    if there is None or there.version != program.version or not whole:
        raise UsageError(f"{name} {program.version} is not installed; run: proofyard env build {name}")
    return there


def build_program(
    program: Program, tell: Callable[[str], None] = lambda _: None, stop: Callable[[], bool] = lambda: False
) -> InstalledProgram:
    """Install the program if it is not there. Builders of the same one wait for each other.

    Raises:
        UsageError: npm is not there, or the program is not to be had for this machine.
        InfrastructureError: `image_build`, with the installer's last words, or if what came is not what is pinned.

    """
    home = cache_folder() / "agents"
    home.mkdir(parents=True, exist_ok=True)
    if not program.npm:
        return _from_pypi(program, tell, stop)
    cpu, machine = _cpu()
    folder = home / f"{program.name}-{program.version}-{cpu}"
    wanted: tuple[Program | Helper, ...] = (program, *program.helpers)
    parts = [(one, one.executable.format(cpu=cpu, machine=machine)) for one in wanted]
    with alone(folder.with_name(f"{folder.name}.lock")):
        if not all((folder / executable).is_file() for _, executable in parts):
            shutil.rmtree(folder, ignore_errors=True)
            making = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=home))
            try:
                tell(f"installing {program.name} {program.version}")
                _npm([one.npm.format(cpu=cpu) for one, _ in parts], making, stop)
                for one, executable in parts:
                    _check(program.name, one, making / executable, cpu)
                readable(making)
                making.rename(folder)
            finally:
                shutil.rmtree(making, ignore_errors=True)
    executables = [executable for _, executable in parts]
    return _noted(
        InstalledProgram(
            name=program.name,
            version=program.version,
            folder=str(folder),
            executable=executables[0],
            path=tuple(str(Path(one).parent) for one in executables[1:]),
        )
    )


def _from_pypi(program: Program, tell: Callable[[str], None], stop: Callable[[], bool]) -> InstalledProgram:
    lock = (_LOCKS / f"{program.name}.txt").read_text(encoding="utf-8")
    there = build(Environment(name=program.name, python="3.11", lock=lock, about=program.about), tell, stop)
    return _noted(
        InstalledProgram(
            name=program.name,
            version=program.version,
            folder=there.packages,
            executable=program.executable,
            module=True,
        )
    )


def _noted(there: InstalledProgram) -> InstalledProgram:
    place = _fact(there.name)
    partial = place.with_name(f".{place.name}.{os.getpid()}")
    partial.write_bytes(msgspec.json.format(msgspec.json.encode(there), indent=1) + b"\n")
    partial.replace(place)
    return there


def _fact(name: str) -> Path:
    return cache_folder() / "agents" / f"{name}.json"


def _cpu() -> tuple[str, str]:
    """This processor as npm and as compilers call it."""
    machine = platform.machine()
    names = {"x86_64": "x64", "aarch64": "arm64"}
    if platform.system() != "Linux" or machine not in names:
        raise UsageError(
            f"agent programs are installed on Linux (x86-64, ARM64) only, this is {platform.system()} {machine}"
        )
    return names[machine], machine


def _npm(packages: list[str], folder: Path, stop: Callable[[], bool]) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise UsageError("npm is needed to install this program; install Node.js 20 or newer")
    flags = ["--ignore-scripts", "--no-fund", "--no-audit", "--no-update-notifier", "--loglevel", "error", "--force"]
    # --force: the package says for which processor and libc it is; that it is ours was looked at before.
    run_step([npm, "install", "--prefix", str(folder), *flags, "--save-exact", *packages], _NPM_MS, stop)


def _check(name: str, part: Program | Helper, executable: Path, cpu: str) -> None:
    """What came must be the very program that was pinned."""
    if not executable.is_file():
        raise _failed(f"{name}: the package holds no {executable.name}")
    wanted = part.digests.get(cpu)
    with executable.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if wanted is not None and found != wanted:
        raise _failed(f"{name}: the executable is not the pinned one (SHA-256 {found}, not {wanted})")
    executable.chmod(0o755)


def _failed(message: str) -> InfrastructureError:
    return InfrastructureError(Failure(code="image_build", message=message))
