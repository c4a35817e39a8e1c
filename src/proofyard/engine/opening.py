"""Sandboxes opened for agents and graders: where an image has a source, its steps are done first."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from proofyard.core import Blobs, Image, Provider, Sandbox, SandboxSpec, Tree
from proofyard.images import Replayed, beside, contained, lay, replay
from proofyard.sandbox.trees import fixed_size

__all__ = ["Opened", "Ready", "open_ready", "opener", "ready"]


class Ready(NamedTuple):
    """A sandbox that can be opened: its specification without steps, and what the image left for its kept folders."""

    spec: SandboxSpec
    image: Replayed | None


class Opened(NamedTuple):
    """An open sandbox. base: what was in its kept folders at the start, by paths from the top; None without an image."""

    sandbox: Sandbox
    base: Tree | None


def opener(provider: Callable[[], Provider], blobs: Blobs, *, unsafe: bool) -> Callable[[SandboxSpec], Sandbox]:
    """Return what opens sandboxes for a grader or an agent; the provider is asked for when the first is wanted."""

    def open_sandbox(spec: SandboxSpec) -> Sandbox:
        spec = replace(spec, lowest="none") if unsafe else spec
        return open_ready(ready(spec, provider(), blobs), provider(), blobs).sandbox

    return open_sandbox


def ready(spec: SandboxSpec, provider: Provider, blobs: Blobs) -> Ready:
    """Do the steps of a sandbox's image, or have a container engine build it.

    Raises:
        UsageError: the agent and the image both bring something of the same name.
        InfrastructureError: `image_build`.

    """
    if not spec.image.source:
        return Ready(spec, None)
    if spec.image.container:
        image = contained(spec.image, blobs)
        return Ready(replace(spec, image=image), Replayed(Tree(), (), image))
    lowest = spec.lowest
    found = replay(
        replace(spec.image, packages=""),
        blobs,
        lambda asked, contents: provider.open(replace(asked, lowest=lowest), contents),
    )
    image = _with_packages(found.image, spec.image.packages)
    size, inodes = fixed_size(found.tree)
    more = inodes + len(found.folders) + sum(path.count("/") for path in (*found.folders, *spec.kept)) + 64
    limits = replace(spec.limits, disk=spec.limits.disk + size, inodes=spec.limits.inodes + more)
    return Ready(replace(spec, image=image, limits=limits), found)


def open_ready(there: Ready, provider: Provider, blobs: Blobs) -> Opened:
    """Open the sandbox and lay what its image left. Raises InfrastructureError."""
    sandbox = provider.open(there.spec, blobs)
    if there.image is None:
        return Opened(sandbox, None)
    if sandbox.rung == "container":  # what it takes of itself is a difference already
        return Opened(sandbox, there.image.tree)
    try:
        lay(sandbox, there.image.tree, there.image.folders, there.spec.kept)
    except BaseException:
        sandbox.close()
        raise
    return Opened(sandbox, there.image.tree)


def _with_packages(image: Image, own: str) -> Image:
    """An agent's program lies where an image's packages and its `python` do: both in one folder, where there are both."""
    if not own:
        return image
    return replace(image, packages=beside(own, image.packages) if image.packages else own)
