"""A task's image built by a container engine, from its own Dockerfile and the folder beside it."""

import os
import shutil
import threading
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from proofyard.core import (
    Blobs,
    Failure,
    Image,
    ImageStep,
    InfrastructureError,
    Tree,
    cache_folder,
    digest_of,
    file_bytes,
)
from proofyard.images.build import alone
from proofyard.sandbox.container.engine import Engine
from proofyard.sandbox.container.named import engine_of, reference
from proofyard.sandbox.host import run_command

__all__ = ["contained"]

_FILE: Final = "Dockerfile"
_OUTPUT: Final = 16 << 20
_built: dict[str, str] = {}
_guard = threading.Lock()


def contained(image: Image, blobs: Blobs) -> Image:
    """The image as its engine has it, built once a process; what the engine keeps of earlier builds is its own affair.

    The first step holds the Dockerfile and its folder; the others stay, to be laid over the image.

    Raises:
        InfrastructureError: `image_build`, with the engine's last words; `isolation_unavailable`, it does not answer.

    """
    engine, _ = engine_of(image.container)
    step, name = image.steps[0], image.container.partition("://")[0]
    key = digest_of({"engine": engine.program, "step": step})
    with _guard:
        if key not in _built:
            _built[key] = _build(engine, step, key, blobs)
        found = _built[key]
    source = f"FROM {image.source}: built by {engine.version} ({found.removeprefix('sha256:')[:12]})"
    return replace(image, container=reference(name, found), steps=image.steps[1:], source=source)


def _build(engine: Engine, step: ImageStep, key: str, blobs: Blobs) -> str:
    home = cache_folder() / "images" / f"context-{key[:32]}"
    home.parent.mkdir(parents=True, exist_ok=True)
    with alone(home.with_suffix(".lock")):
        try:
            shutil.rmtree(home, ignore_errors=True)
            _write(step, home, blobs)
            return _call(engine, home, key, step.wall_ms)
        except OSError as error:
            raise _failed(f"{home}: {error.strerror}") from error
        finally:
            shutil.rmtree(home, ignore_errors=True)


def _write(step: ImageStep, home: Path, blobs: Blobs) -> None:
    (home / "context").mkdir(parents=True)
    _lay(step.tree, home / "context", blobs)
    (home / _FILE).write_text(step.command, encoding="utf-8")


def _lay(tree: Tree, folder: Path, blobs: Blobs) -> None:
    for path, entry in tree.entries.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind == "symlink":
            target.symlink_to(entry.target)
        elif entry.kind == "file":
            target.write_bytes(file_bytes(entry, blobs))
            target.chmod(0o755 if entry.executable else 0o644)


def _call(engine: Engine, home: Path, key: str, wall_ms: int) -> str:
    tag = f"proofyard-task:{key[:32]}"
    words = ["build", "--file", str(home / _FILE), "--tag", tag, "--label", "proofyard=image"]
    words += ["--iidfile", str(home / "id"), str(home / "context")]
    ended = run_command([engine.program, *words], cwd="/", env=os.environ, wall_ms=wall_ms, output_limit=_OUTPUT)
    if ended.timed_out:
        raise _failed(f"the image was not built within {wall_ms / 1000:g} s")
    if ended.code != 0:
        said = [
            line.strip()
            for line in (ended.stdout + b"\n" + ended.stderr).decode("utf-8", "replace").splitlines()
            if line.strip()
        ]
        raise _failed(f"{Path(engine.program).name} build: {' / '.join(said[-4:])[:600]}")
    return (home / "id").read_text().strip()


def _failed(message: str) -> InfrastructureError:
    return InfrastructureError(Failure(code="image_build", message=message))
