"""What is installed where code runs: pinned environments for tasks' libraries, apart from proofyard's own packages, built
once into the user's cache from lock files with hashes and named by what they were made of.
"""

from proofyard.images.build import build, installed
from proofyard.images.environment import Environment, Installed, environments, find_environment

__all__ = ["Environment", "Installed", "build", "environments", "find_environment", "installed"]
