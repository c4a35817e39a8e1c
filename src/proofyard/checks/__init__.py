"""Is a benchmark right: every reference must pass and every empty project must fail, in the sandbox that grades models."""

from proofyard.checks.validate import TaskValidity, Validation, validate

__all__ = ["TaskValidity", "Validation", "validate"]
