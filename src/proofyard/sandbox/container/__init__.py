"""Sandboxes that are containers of docker or podman, by their command line: a container a program, which gets its files by
standard input, so that the engine may run on another machine, and of which nothing stays.
"""

from proofyard.sandbox.container.provider import ContainerProvider

__all__ = ["ContainerProvider"]
