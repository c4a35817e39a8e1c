"""An image's steps done on this machine: files laid, packages installed into the cache, commands run in a sandbox.

What commands leave is kept in the cache by the digest of all that went before; files alone cost nothing and are not kept.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from proofyard.core import (
    Blobs,
    Failure,
    Image,
    ImageStep,
    InfrastructureError,
    Limits,
    Sandbox,
    SandboxSpec,
    Tree,
    cache_folder,
    digest_of,
    sha256,
)
from proofyard.images.build import alone
from proofyard.images.overlay import overlaid
from proofyard.images.packages import Packages, install, system_packages, system_python

__all__ = ["Replayed", "below", "lay", "replay"]

Open = Callable[[SandboxSpec, Blobs], Sandbox]
FILES_MOST: Final = 65_536
_RUN: Final = Limits(
    memory=8 << 30, tree_memory=2 << 30, pids=256, files=1024, disk=1 << 30, inodes=1 << 17, file_size=1 << 30,
    output=16 << 20,
)  # fmt: skip


class Replayed(NamedTuple):
    """What the steps left. tree: by paths from the top. folders: those to be there even if empty. image: without steps."""

    tree: Tree
    folders: tuple[str, ...]
    image: Image


class _State(NamedTuple):
    tree: Tree
    folders: tuple[str, ...]
    packages: Packages | None
    chain: str


class _Kept(msgspec.Struct, frozen=True):
    tree: Tree
    folders: tuple[str, ...]


def replay(image: Image, blobs: Blobs, open_sandbox: Open) -> Replayed:
    """Do the steps of an image. `blobs` get what its commands leave.

    Raises:
        InfrastructureError: `image_build`, saying which step failed and how.

    """
    state = _State(Tree(), (), None, digest_of({"source": image.source}))
    if image.source.partition("@")[0].partition(":")[0].rpartition("/")[2] == "python":
        state = state._replace(packages=install((), None))
    for step in image.steps:
        state = _done(step, state, image, blobs, open_sandbox)
    env = _environment(image.environment, state.packages)
    return Replayed(
        state.tree,
        state.folders,
        msgspec.structs.replace(
            image,
            steps=(),
            source=f"FROM {image.source}: {_machine()}{_about(state.packages)}",
            packages=state.packages.folder if state.packages else image.packages,
            environment=env,
        ),
    )


def _done(step: ImageStep, state: _State, image: Image, blobs: Blobs, opening: Open) -> _State:
    if step.kind == "files":
        tree = overlaid(state.tree, below(step.tree, step.path))
        return state._replace(tree=tree)
    if step.kind == "folder":
        return state._replace(folders=tuple(dict.fromkeys((*state.folders, step.path))))
    if step.kind == "system":
        missing = sorted(set(step.requirements) - system_packages())
        if missing:
            raise _failed(f"packages of the system that are not installed on this machine: {', '.join(missing)}")
        return state
    if step.kind == "install":
        return state._replace(packages=install(step.requirements, state.packages))
    return _ran(step, state, image, blobs, opening)


def below(tree: Tree, path: str) -> Tree:
    """A tree as it is by paths from the top, when it is laid at `path`."""
    prefix = path.strip("/")
    return Tree(entries={f"{prefix}/{name}": entry for name, entry in tree.entries.items()}) if prefix else tree


def _ran(step: ImageStep, state: _State, image: Image, blobs: Blobs, opening: Open) -> _State:
    key = digest_of(
        {
            "before": state.chain,
            "tree": state.tree.digest,
            "folders": state.folders,
            "packages": state.packages.digest if state.packages else "",
            "step": step,
            "machine": _machine(),
        }
    )
    home = cache_folder() / "images" / key[:32]
    home.parent.mkdir(parents=True, exist_ok=True)
    with alone(home.with_suffix(".lock")):
        found = _read(home, blobs)
        if found is None:
            found = _run(step, state, image, blobs, opening)
            _write(home, found, blobs)
    return state._replace(tree=found.tree, folders=found.folders, chain=key)


def _run(step: ImageStep, state: _State, image: Image, blobs: Blobs, opening: Open) -> _Kept:
    kept = step.requirements
    made = msgspec.structs.replace(
        image,
        steps=(),
        workdir=step.path if step.path != "/" else image.workdir,
        packages=state.packages.folder if state.packages else "",
        environment=_environment(step.environment, state.packages),
    )
    limits = msgspec.structs.replace(
        _RUN, wall_ms=step.wall_ms, cpu_ms=16 * step.wall_ms, disk=_RUN.disk + state.tree.size
    )
    sandbox = opening(SandboxSpec(image=made, kept=kept, limits=limits), blobs)
    try:
        lay(sandbox, state.tree, state.folders, kept)
        process = sandbox.start(["sh", "-c", step.command], cwd=step.path)
        ended = process.finish(step.wall_ms)
        if ended.code != 0:
            said = (ended.stderr or ended.stdout).decode("utf-8", "replace").strip().splitlines()[-4:]
            how = ended.fault or (f"exit code {ended.code}" if ended.signal is None else f"signal {ended.signal}")
            raise _failed(f"RUN {step.command[:200]}: {how}: {' / '.join(said)[:600]}")
        empty = (
            sandbox.start(["find", *kept, "-type", "d", "-empty"], cwd="/").finish(60_000).stdout.decode().splitlines()
        )
        if not sandbox.kill():
            raise InfrastructureError(Failure(code="kill_unconfirmed", message="a command of an image did not die"))
        tree = sandbox.snapshot()
    finally:
        sandbox.close()
    if len(tree.entries) > FILES_MOST:
        raise _failed(f"RUN {step.command[:200]}: it leaves {len(tree.entries)} files, at most {FILES_MOST} are taken")
    return _Kept(tree, tuple(sorted({*state.folders, *(path for path in empty if path not in kept)})))


def lay(sandbox: Sandbox, tree: Tree, folders: Sequence[str], kept: Sequence[str]) -> None:
    """Put what an image left into the kept folders of a sandbox.

    Raises:
        InfrastructureError: the sandbox was lost, or a folder could not be made.

    """
    for place in sorted(kept):
        prefix = place.strip("/") + "/"
        deeper = [other.strip("/") + "/" for other in kept if other.startswith(place.rstrip("/") + "/")]
        inside = {
            path.removeprefix(prefix): entry
            for path, entry in tree.entries.items()
            if path.startswith(prefix) and not any(path.startswith(other) for other in deeper)
        }
        if inside:
            sandbox.put(Tree(entries=inside), place)
    there = {
        "/" + "/".join(parts[:n]) for path in tree.entries for parts in [path.split("/")] for n in range(1, len(parts))
    }
    wanted = [
        folder for folder in folders if folder not in there and folder not in kept and not _in_the_way(folder, tree)
    ]
    if wanted:
        ended = sandbox.start(["mkdir", "-p", "--", *wanted], cwd="/").finish(60_000)
        if ended.code != 0 or not sandbox.kill():
            raise _failed(f"mkdir {' '.join(wanted)}: {ended.stderr.decode('utf-8', 'replace')[:300]}")


def _in_the_way(folder: str, tree: Tree) -> bool:
    """Whether the folder, or one above it, is a file or a link by now."""
    parts = folder.strip("/").split("/")
    return any("/".join(parts[:n]) in tree.entries for n in range(1, len(parts) + 1))


def _environment(given: dict[str, str], packages: Packages | None) -> dict[str, str]:
    """The image's variables; where it sets a path for modules, its packages stay on it."""
    if packages is None or "PYTHONPATH" not in given:
        return dict(given)
    return {**given, "PYTHONPATH": f"{given['PYTHONPATH'].rstrip(':')}:/opt/packages"}


@cache
def _machine() -> str:
    """This machine's system, as far as an image is made of it."""
    rows = (
        dict(line.split("=", 1) for line in Path("/etc/os-release").read_text("utf-8").splitlines() if "=" in line)
        if Path("/etc/os-release").is_file()
        else {}
    )
    name = f"{rows.get('ID', 'linux')} {rows.get('VERSION_ID', '')}".replace('"', "").strip()
    return f"this machine's /usr ({name}, Python {system_python() or 'none'})"


def _about(packages: Packages | None) -> str:
    if packages is None or not packages.requirements:
        return ""
    there = packages.there
    shown = ", ".join(there[:8]) + (", ..." if len(there) > 8 else "")
    return f"; {len(there)} packages ({digest_of(there)[:12]}): {shown}"


def _read(home: Path, blobs: Blobs) -> _Kept | None:
    try:
        found = msgspec.json.decode((home / "tree.json").read_bytes(), type=_Kept)
        contents = [(sha, (home / sha).read_bytes()) for sha in found.tree.blobs()]
    except (OSError, msgspec.MsgspecError):
        return None
    if any(sha256(data) != sha for sha, data in contents):
        return None
    for _, data in contents:
        blobs.put(data)
    return found


def _write(home: Path, found: _Kept, blobs: Blobs) -> None:
    home.mkdir(exist_ok=True)
    for sha in found.tree.blobs():
        (home / sha).write_bytes(blobs.get(sha))
    partial = home / "tree.json.part"
    partial.write_bytes(msgspec.json.encode(found))
    partial.replace(home / "tree.json")


def _failed(message: str) -> InfrastructureError:
    return InfrastructureError(Failure(code="image_build", message=message))
