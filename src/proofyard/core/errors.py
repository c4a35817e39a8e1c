"""What proofyard raises.

ProofyardError
├── UsageError           the call or an input was wrong; exit code 2
│   └── UnknownNameError a name that is not there, with the nearest ones that are
└── InfrastructureError  carries a `Failure`; never a score; exit code 3
"""

import difflib
from collections.abc import Iterable

from proofyard.core.failure import Failure

__all__ = ["InfrastructureError", "ProofyardError", "UnknownNameError", "UsageError"]


class ProofyardError(Exception):
    """The base of all errors raised on purpose. `exit_code` is what the command line ends with."""

    exit_code = 3


class UsageError(ProofyardError):
    """The call or an input was wrong. The message is one line: what, where, what to do."""

    exit_code = 2


class UnknownNameError(UsageError):
    """A name that does not exist; the message suggests the nearest that do."""

    def __init__(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
        text = f"unknown {kind} {name!r}"
        if near:
            text += "; did you mean " + " or ".join(near) + "?"
        if hint:
            text += f" ({hint})"
        super().__init__(text)
        self.name = name


class InfrastructureError(ProofyardError):
    """Something of the infrastructure failed; says nothing of a submission."""

    exit_code = 3

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.boundary}: {failure.message} [{failure.code}]")
        self.failure = failure

    def __reduce__(self) -> tuple[type["InfrastructureError"], tuple[Failure]]:
        """Keep the failure when the error crosses a process."""
        return (InfrastructureError, (self.failure,))
