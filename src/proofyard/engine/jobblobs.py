"""The contents of one job, and those of the place where it is done."""

from collections.abc import Mapping

from proofyard.core import Blobs, MemoryBlobs

__all__ = ["JobBlobs", "PlaceBlobs"]


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


class PlaceBlobs(MemoryBlobs):
    """What is in a sandbox: contents of its own over those of a job, so that an image's files do not go home with it."""

    def __init__(self, under: Blobs) -> None:
        super().__init__()
        self._under = under

    def get(self, sha: str) -> bytes:
        """Return the content named `sha`. Raises InfrastructureError."""
        found = self.content.get(sha)
        return self._under.get(sha) if found is None else found
