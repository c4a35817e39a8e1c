"""How a given solution becomes a submission: its tree, or what its command leaves in the working folder."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from proofyard.core import Blobs, Brief, Mount, Provider, Sandbox, Solution, Tree
from proofyard.formats.harbor import SOLUTION_DIR


@contextmanager
def workplace(provider: Provider, brief: Brief, blobs: Blobs, *more: Mount) -> Iterator[Sandbox]:
    """The sandbox an agent gets, with the brief's files in place."""
    spec = msgspec.structs.replace(brief.work, mounts=(*brief.work.mounts, *more))
    sandbox = provider.open(spec, blobs)
    try:
        if brief.files.entries:
            sandbox.put(brief.files, spec.image.workdir)
        yield sandbox
    finally:
        sandbox.close()


def submission(provider: Provider, brief: Brief, solution: Solution, blobs: Blobs) -> Tree:
    """The solution's tree, or what its command leaves in the working folder."""
    if not solution.argv:
        return brief.files.merged(solution.tree)
    with workplace(provider, brief, blobs, Mount(path=SOLUTION_DIR, tree=solution.tree)) as sandbox:
        ended = sandbox.start(solution.argv).finish(brief.work.limits.wall_ms)
        assert (ended.code, ended.fault) == (0, None), ended
        assert sandbox.kill()
        return sandbox.get(brief.work.image.workdir)
