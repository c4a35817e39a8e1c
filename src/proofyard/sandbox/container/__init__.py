"""Sandboxes that are containers of docker or podman, by their command line: for samples a container a program, which gets its
files by standard input, and of which nothing stays; for a task with an image of its own one that stays between its programs.
The engine may run on another machine.
"""

from proofyard.sandbox.container.provider import ContainerProvider

__all__ = ["ContainerProvider"]
