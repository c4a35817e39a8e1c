"""Rung 3: a program held without namespaces, by Landlock, two seccomp filters and resource limits.

`grants` says which paths of the machine an interpreter needs, `ruleset` makes and enforces the Landlock rules,
`extra_filter` refuses what only namespaces would have kept apart, `launcher` starts programs under all of them and kills
them through a keeper that sweeps what descends from it until nothing is left. `OPEN` lists what this rung does not close.
"""

from proofyard.sandbox.landlock.extra_filter import extra_filter
from proofyard.sandbox.landlock.grants import DEVICES, Grants, machine_grants
from proofyard.sandbox.landlock.ruleset import LOWEST_ABI, create, enforce, kernel_abi

__all__ = [
    "DEVICES",
    "LOWEST_ABI",
    "OPEN",
    "Grants",
    "create",
    "enforce",
    "extra_filter",
    "kernel_abi",
    "machine_grants",
]

OPEN: tuple[str, ...] = (
    "names, sizes and times of files outside can be seen by stat (contents cannot be read)",
    "names of packages installed with the interpreter can be listed (their files cannot be read)",
    "no process namespace: a kill sweeps what descends from the program until none is found",
    "no network namespace: sockets are refused altogether, so the program's own loopback does not work either",
    "modes and times of its own files can be changed, also below read-only folders (refused where the uid is a user's)",
    "no /proc, and /tmp is a folder named by TMPDIR",
    "no kill at an exact point",
    "storage has no quota of its own: every 30 ms a watch looks at it and kills what went over (a plain user's runner cannot"
    " see files without a name)",
    "the folders of the sandbox lie elsewhere: paths in argv and environment are translated, paths in the program are not",
    "the limit of processes counts all of a plain user's processes",
)
"""What the Landlock rung leaves open or cannot offer, for the report of what this machine isolates."""

DIFFERENT: dict[int, str] = {
    4: "filling the disk ends in a kill (eof), not in ENOSPC",
    33: "the program's own loopback is refused too",
    35: "too many files end in a kill (eof), not in ENOSPC",
    44: "names of installed packages may show",
    45: "refused: there is no kill at an exact point",
}
"""Numbers of the hostile programs that do not end here as on the rungs above, and how they end."""
