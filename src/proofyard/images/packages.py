"""Python packages of an image, for the system's own Python: wheels only, so that nothing of a task runs on the host."""

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from proofyard.core import Failure, InfrastructureError, UsageError, cache_folder, digest_of
from proofyard.images.build import alone, readable, run_step
from proofyard.sandbox.host import run_command

__all__ = ["Packages", "beside", "install", "system_packages", "system_python"]

_PYTHON: Final = "/usr/bin/python3"
_DONE: Final = ".proofyard.json"
_ASKED: Final = ".requirements.txt"
_NOTES: Final = {"__pycache__", "RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"}
_INSTALL_MS: Final = 3_600_000
_STATUS: Final = Path("/var/lib/dpkg/status")


class Packages(NamedTuple):
    """Packages that are there. folder: their `site-packages`, with `bin`. digest: of what was asked for, and of the Python."""

    folder: str
    requirements: tuple[str, ...]
    digest: str

    @property
    def there(self) -> list[str]:
        """What is really installed, `name-version` each, sorted: requirements may leave versions open."""
        return sorted(path.name.removesuffix(".dist-info") for path in Path(self.folder).glob("*.dist-info"))


@cache
def system_python() -> str:
    """The version of the system's own Python, "" if there is none."""
    if not Path(_PYTHON).exists():
        return ""
    ended = run_command(
        [_PYTHON, "-I", "-S", "-c", "import platform; print(platform.python_version())"], cwd="/", env={}
    )
    return ended.stdout.decode().strip() if ended.code == 0 else ""


@cache
def system_packages() -> frozenset[str]:
    """Names of the packages of the system that are installed."""
    try:
        text = _STATUS.read_text("utf-8", "replace")
    except OSError:
        return frozenset()
    found = set()
    for paragraph in text.split("\n\n"):
        rows = dict(line.split(": ", 1) for line in paragraph.splitlines() if ": " in line and line[:1] != " ")
        if rows.get("Status", "").endswith(" installed"):
            found.add(rows.get("Package", ""))
            found.update(name.strip().partition(" ")[0] for name in rows.get("Provides", "").split(",") if name.strip())
    return frozenset(found)


def install(requirements: Sequence[str], before: Packages | None) -> Packages:
    """The packages of an image with more installed; built into the cache if they are not there.

    Raises:
        InfrastructureError: `image_build`, with the installer's last words.

    """
    version = system_python()
    if not version:
        raise _failed(f"an image with Python needs {_PYTHON}, which is not there")
    asked = (*(before.requirements if before else ()), *requirements)
    digest = digest_of({"requirements": asked, "python": version, "form": "2"})
    home = cache_folder() / "packages" / digest[:32]
    home.parent.mkdir(parents=True, exist_ok=True)
    with alone(home.with_suffix(".lock")):
        if not (home / _DONE).is_file():
            shutil.rmtree(home, ignore_errors=True)
            making = Path(tempfile.mkdtemp(prefix=f".{home.name}-", dir=home.parent))
            try:
                _make(making, asked)
                making.rename(home)
            finally:
                shutil.rmtree(making, ignore_errors=True)
    return Packages(str(home), asked, digest)


def beside(own: str, packages: str) -> str:
    """One folder that holds an agent's program and an image's packages: links to both, made once.

    Raises:
        UsageError: both have something of the same name.

    """
    names = [
        {path.name for path in Path(folder).iterdir() if path.name != "bin" and not path.name.startswith(".")}
        for folder in (own, packages)
    ]
    both = sorted(name for name in names[0] & names[1] if not _same(Path(own, name), Path(packages, name)))
    if both:
        raise UsageError(f"its program and the Python packages of the task's image both bring {', '.join(both[:5])}")
    home = cache_folder() / "packages" / digest_of({"own": own, "packages": packages})[:32]
    home.parent.mkdir(parents=True, exist_ok=True)
    with alone(home.with_suffix(".lock")):
        if not home.is_dir():
            making = Path(tempfile.mkdtemp(prefix=f".{home.name}-", dir=home.parent))
            try:
                for folder in (own, packages):
                    shutil.copytree(folder, making, symlinks=True, copy_function=_linked, dirs_exist_ok=True)
                making.chmod(0o755)
                making.rename(home)
            finally:
                shutil.rmtree(making, ignore_errors=True)
    return str(home)


def _same(one: Path, other: Path) -> bool:
    """Whether two files, or two folders but for the bytecode and the installer's notes in them, hold the same."""
    if not (one.is_dir() and other.is_dir()):
        return one.is_file() and other.is_file() and one.read_bytes() == other.read_bytes()
    files = [{path.relative_to(top) for path in top.rglob("*") if path.is_file()} for top in (one, other)]
    left, right = ({path for path in each if not _NOTES & {*path.parts}} for each in files)
    return left == right and all((one / path).read_bytes() == (other / path).read_bytes() for path in left)


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        return  # a script in bin of the same name: the agent's own stays
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def _make(folder: Path, requirements: tuple[str, ...]) -> None:
    if requirements:
        listed = folder / _ASKED
        listed.write_text("\n".join(requirements) + "\n", encoding="utf-8")
        run_step(
            [*_installer(), "--only-binary", ":all:", "--target", str(folder), "-r", str(listed)], _INSTALL_MS, _never
        )
    scripts = folder / "bin"
    scripts.mkdir(exist_ok=True)
    for script in scripts.iterdir():
        _own_interpreter(script)
    for name in ("python", "python3"):
        (scripts / name).unlink(missing_ok=True)
        (scripts / name).symlink_to(_PYTHON)
    readable(folder)
    (folder / _DONE).write_bytes(msgspec.json.encode({"requirements": requirements}))


def _own_interpreter(script: Path) -> None:
    """A console script begins with the path of the Python it was installed by: inside, that is the system's."""
    data = script.read_bytes()
    first, newline, rest = data.partition(b"\n")
    if first.startswith(b"#!") and b"python" in first:
        script.write_bytes(b"#!" + _PYTHON.encode() + newline + rest)


def _installer() -> list[str]:
    beside = Path(sys.executable).with_name("uv")
    uv = str(beside) if beside.is_file() else shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", _PYTHON, "--link-mode", "copy"]
    return [
        sys.executable,
        "-m",
        "pip",
        "--python",
        _PYTHON,
        "install",
        "--quiet",
        "--no-input",
        "--no-warn-script-location",
    ]


def _never() -> bool:
    return False


def _failed(message: str) -> InfrastructureError:
    return InfrastructureError(Failure(code="image_build", message=message))
