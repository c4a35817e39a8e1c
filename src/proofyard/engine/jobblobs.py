"""The contents of one job."""

from collections.abc import Mapping

from proofyard.core import MemoryBlobs

__all__ = ["JobBlobs"]


class JobBlobs(MemoryBlobs):
    """The contents a job came with, and those it makes. `home` names what the coordinator has to get."""

    def __init__(self, content: Mapping[str, bytes]) -> None:
        super().__init__(content)
        self.home: set[str] = set()

    def put(self, data: bytes) -> str:
        """Keep `data`; return its SHA-256."""
        sha = super().put(data)
        self.home.add(sha)
        return sha
