"""Rung 3: a program held without namespaces, by Landlock, two seccomp filters and resource limits.

`grants` says which paths of the machine an interpreter needs, `ruleset` makes and enforces the Landlock rules,
`extra_filter` refuses what only namespaces would have kept apart, `launcher` starts programs under all of them and kills
them by sweeping the runner's descendants until none is left. `OPEN` lists what this rung does not close.
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
    "no process namespace: a kill sweeps the runner's descendants; if the runner itself is killed, daemons may live on",
    "no network namespace: sockets are refused altogether, so the program's own loopback does not work either",
    "no /proc, and /tmp is a folder named by TMPDIR",
    "no kill at an exact point",
)
"""What the Landlock rung leaves open or cannot offer, for the report of what this machine isolates."""
