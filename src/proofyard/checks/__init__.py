"""Is a benchmark right: what is known to solve a task must pass, what is known not to must fail, each for its reason, in
the sandbox that grades models.
"""

from proofyard.checks.proof import Known, TaskProof, Totals, Verification, totals_of
from proofyard.checks.validate import TaskValidity, Validation, validate
from proofyard.checks.verify import VerifyRequest, verify

__all__ = [
    "Known",
    "TaskProof",
    "TaskValidity",
    "Totals",
    "Validation",
    "Verification",
    "VerifyRequest",
    "totals_of",
    "validate",
    "verify",
]
