"""The version of the dataset."""

from proofyard.suites.scratch.cases import DEFAULT_SEED

__all__ = ["DATASET_VERSION", "version_of"]

DATASET_VERSION = "1.0"
"""Changes with every change of a prompt, an expected response or a set of assertions; `contracts.json` holds their hashes."""


def version_of(seed: int) -> str:
    """The version with which tasks made from this seed are stamped: a private set is another dataset."""
    return DATASET_VERSION if seed == DEFAULT_SEED else f"{DATASET_VERSION}+seed{seed}"
