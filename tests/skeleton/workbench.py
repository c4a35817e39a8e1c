"""How a given solution becomes a submission: its tree, or what its command leaves in the working folder."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from proofyard.core import Blobs, Brief, Provider, Sandbox, SandboxSpec, Solution, Tree
from proofyard.engine.opening import open_ready, opener, ready
from proofyard.engine.solving import SolutionAgent
from proofyard.engine.workplace import Workplace


def opening(provider: Provider, blobs: Blobs) -> Callable[[SandboxSpec], Sandbox]:
    """What opens sandboxes for a grader."""
    return opener(lambda: provider, blobs, unsafe=False)


@contextmanager
def place(provider: Provider, brief: Brief, blobs: Blobs, *kept: str) -> Iterator[Workplace]:
    """The place an agent works in, ready to begin."""
    spec = replace(brief.work, kept=(*brief.work.kept, *kept))
    there = ready(spec, provider, blobs)
    found = Workplace(open_ready(there, provider, blobs), there.spec, brief.work, blobs, blobs)
    try:
        found.begin(brief, lambda: False)
        yield found
    finally:
        found.sandbox.close()


@contextmanager
def workplace(provider: Provider, brief: Brief, blobs: Blobs) -> Iterator[Sandbox]:
    """The sandbox an agent gets, with the brief's files in place."""
    with place(provider, brief, blobs) as found:
        yield found.sandbox


class Quiet:
    """A recorder that remembers nothing, and a meter without limits."""

    def step(self, kind: str, **data: object) -> None: ...

    def move(self, move: object) -> None: ...

    def keep(self, name: str, data: bytes) -> None: ...

    def remaining_ms(self) -> int | None:
        return None

    def stopped(self) -> bool:
        return False


def submission(provider: Provider, brief: Brief, solution: Solution, blobs: Blobs) -> Tree:
    """The solution's tree, or what its command leaves where it works."""
    if not solution.argv:
        return brief.files.merged(solution.tree)
    with place(provider, brief, blobs, solution.place) as found:
        finish = SolutionAgent(solution).run(brief, found.sandbox, Quiet(), Quiet(), blobs)
        assert finish.failure is None, finish.failure
        return found.taken(brief)
