"""Where an attempt works: made ready before each thing asked, and what is taken from it afterwards."""

import fnmatch
import time
from collections.abc import Callable
from typing import Final

from proofyard.core import (
    Artifact,
    Blobs,
    Brief,
    Failure,
    InfrastructureError,
    Preparation,
    Sandbox,
    SandboxSpec,
    Tree,
)
from proofyard.engine.opening import Opened
from proofyard.images import difference

__all__ = ["Workplace"]

_COLLECT_MS: Final = 60_000


class Workplace:
    """An open sandbox and what it is for. blobs: contents of what is in it; home: where what is taken goes to."""

    def __init__(self, opened: Opened, spec: SandboxSpec, work: SandboxSpec, blobs: Blobs, home: Blobs) -> None:
        self.sandbox: Sandbox = opened.sandbox
        self.blobs = blobs
        self._base = opened.base
        self._workdir = spec.image.workdir
        self._kept = work.kept
        self._home = home

    def begin(self, brief: Brief, stopped: Callable[[], bool]) -> None:
        """Lay the brief's files and do what is to be done before work starts. Raises InfrastructureError."""
        if brief.files.entries:
            self.sandbox.put(brief.files, self._workdir)
        for preparation in brief.prepare:
            self._prepare(preparation, stopped)

    def taken(self, brief: Brief, handed_in: Tree = Tree()) -> Tree:  # noqa: B008 - it is immutable
        """What was made: all processes are killed, and only then it is taken. handed_in: files to be laid there first.

        With an image it is what differs from it, by paths from the top, or the artifacts the brief names; else the
        working folder.
        """
        self.kill()
        if handed_in.entries:
            self.sandbox.put(handed_in, self._workdir)
        for command in brief.collect:
            self.sandbox.start(["bash", "-c", command]).finish(_COLLECT_MS)
            self.kill()
        now = self.sandbox.snapshot().entries
        if self._base is None:
            inside = self._workdir.lstrip("/") + "/"
            return Tree(entries={p.removeprefix(inside): e for p, e in now.items() if p.startswith(inside)})
        tree = Tree(entries={path: entry for path, entry in now.items() if _inside(path, self._kept)})
        tree = _artifacts(tree, brief.submits) if brief.submits else difference(self._base, tree)
        for sha in tree.blobs():
            self._home.put(self.blobs.get(sha))
        return tree

    def kill(self) -> None:
        """Kill all processes. Raises InfrastructureError if one may be alive."""
        if not self.sandbox.kill():
            raise InfrastructureError(Failure(code="kill_unconfirmed", message="the agent's sandbox did not die"))

    def _prepare(self, preparation: Preparation, stopped: Callable[[], bool]) -> None:
        start, failed, said = time.monotonic(), 0, ""
        while failed < preparation.tries and not stopped():
            ended = self.sandbox.start(["bash", "-c", preparation.command]).finish(preparation.wall_ms)
            if ended.code == 0:
                return
            said = ended.fault or f"exit code {ended.code}"
            failed += (time.monotonic() - start) * 1000 >= preparation.grace_ms
            if failed < preparation.tries:
                time.sleep(preparation.pause_ms / 1000)
        what = f"{preparation.command[:200]!r} did not succeed before work began: {said}"
        raise InfrastructureError(Failure(code="healthcheck", message=what))


def _inside(path: str, places: tuple[str, ...]) -> bool:
    """Whether a path from the top is, or lies in, one of the places."""
    return any(place == "/" or f"{path}/".startswith(f"{place.strip('/')}/") for place in places)


def _artifacts(tree: Tree, wanted: tuple[Artifact, ...]) -> Tree:
    """The files at and below the artifacts, but for those whose path below or name matches a pattern to leave out."""
    found = {}
    for path, entry in tree.entries.items():
        for artifact in wanted:
            top = artifact.source.strip("/")
            inside = path.removeprefix(f"{top}/")
            if path != top and inside == path:
                continue
            parts = inside.split("/")
            names = (*parts, *("/".join(parts[:n]) for n in range(1, len(parts) + 1)))
            if entry.kind != "special" and not any(fnmatch.fnmatchcase(n, p) for n in names for p in artifact.exclude):
                found[path] = entry
    return Tree(entries=found)
