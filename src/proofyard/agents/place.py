"""The sandbox that an agent works in: the task's own, with room to work."""

from typing import Final

import msgspec

from proofyard.core import Limits, SandboxSpec

__all__ = ["working_place"]

_HOUR_MS: Final = 3_600_000
_WORK: Final = Limits(
    wall_ms=24 * _HOUR_MS,
    cpu_ms=_HOUR_MS,
    memory=4 << 30,
    tree_memory=2 << 30,
    pids=256,
    files=1024,
    file_size=256 << 20,
    disk=512 << 20,
    inodes=65_536,
    output=1 << 30,
)


def working_place(work: SandboxSpec) -> SandboxSpec:
    """Return a task's sandbox as one to work in for hours: the project's folder is kept, the system's tools are there.

    A limit of the task's that is wider stays.
    """
    most = {name: max(getattr(work.limits, name), getattr(_WORK, name)) for name in Limits.__struct_fields__}
    folder = work.image.workdir
    image = msgspec.structs.replace(work.image, base="system", preload=())
    kept = work.kept if folder in work.kept else (*work.kept, folder)
    return msgspec.structs.replace(work, image=image, kept=kept, limits=Limits(**most))
