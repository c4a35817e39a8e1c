"""Which contents a piece of work refers to, so that they travel with it."""

from collections.abc import Iterator

from proofyard.core import Brief, SandboxSpec, Solution

__all__ = ["contents_of", "place_contents", "solution_contents"]


def contents_of(brief: Brief) -> Iterator[str]:
    """Yield the SHA-256 of each content of a brief's files, and of those of the place to work in."""
    yield from brief.files.blobs()
    yield from place_contents(brief.work)
    for following in brief.then:
        yield from contents_of(following)


def place_contents(spec: SandboxSpec) -> Iterator[str]:
    """Yield the SHA-256 of each content that a sandbox is made of."""
    for mount in spec.mounts:
        yield from mount.tree.blobs()
    for step in spec.image.steps:
        yield from step.tree.blobs()


def solution_contents(solution: Solution | None) -> Iterator[str]:
    """Yield the SHA-256 of each content of a solution."""
    for one in () if solution is None else (solution, *solution.then):
        yield from one.tree.blobs()
