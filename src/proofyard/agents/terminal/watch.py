"""What is in the project's folder after each move: kept, so that it can be seen later when it was right."""

import msgspec

from proofyard.core import Blobs, Sandbox, Submission

__all__ = ["Watch"]


class Watch:
    """Looks at the folder while the agent works. `tree` is what was there last; it starts empty.

    A folder that has grown beyond what can be submitted is not looked at any more: it could not be graded, and reading it
    after each command would cost more than the commands.
    """

    def __init__(self, sandbox: Sandbox, folder: str, blobs: Blobs, max_files: int, max_bytes: int) -> None:
        self._sandbox = sandbox
        self._folder = folder
        self._blobs = blobs
        self._max_files = max_files
        self._max_bytes = max_bytes
        self._too_large = False
        self.tree = sandbox.get(folder)

    def look(self) -> Submission | None:
        """Look again; the snapshot if anything changed, None if nothing did."""
        if self._too_large:
            return None
        before, self.tree = self.tree, self._sandbox.get(self._folder)
        self._too_large = len(self.tree.entries) > self._max_files or self.tree.size > self._max_bytes
        if self._too_large or self.tree == before:
            return None
        document = msgspec.json.encode(self.tree, order="sorted")
        return Submission(tree=self.tree.digest, blob=self._blobs.put(document))
