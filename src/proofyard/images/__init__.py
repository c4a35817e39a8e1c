"""What is installed where code runs: pinned environments for tasks' libraries, apart from proofyard's own packages, built
once into the user's cache from lock files with hashes and named by what they were made of; agent programs of others; and
tasks' images, their steps replayed here or built by a container engine.
"""

from proofyard.images.agents import (
    PROGRAMS,
    InstalledProgram,
    Program,
    build_program,
    find_program,
    installed_program,
)
from proofyard.images.build import build, installed
from proofyard.images.contained import contained
from proofyard.images.environment import Environment, Installed, environments, find_environment
from proofyard.images.overlay import difference, overlaid
from proofyard.images.packages import beside
from proofyard.images.replay import Replayed, below, lay, replay

__all__ = [
    "PROGRAMS",
    "Environment",
    "Installed",
    "InstalledProgram",
    "Program",
    "Replayed",
    "below",
    "beside",
    "build",
    "build_program",
    "contained",
    "difference",
    "environments",
    "find_environment",
    "find_program",
    "installed",
    "installed_program",
    "lay",
    "overlaid",
    "replay",
]
