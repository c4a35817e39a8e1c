"""What has to be known of a Dockerfile that a container engine builds: the image it starts from, and where it works."""

import posixpath

from proofyard.core import UsageError
from proofyard.formats.harbor.dockerfile import Instruction, expanded, pairs, parse, words

__all__ = ["outline"]


def outline(text: str, name: str) -> tuple[str, str]:
    """The image that the last stage starts from, and the last stage's WORKDIR, "" if it sets none.

    Raises:
        UsageError: it has no FROM, or cannot be read.

    """
    found = _Outline()
    for instruction in parse(text, name):
        try:
            found.take(instruction)
        except ValueError as error:
            raise UsageError(f"{name}:{instruction.line}: {instruction.text}: {error}") from None
    if not found.source:
        raise UsageError(f"{name} has no FROM")
    return found.source, found.workdir


class _Outline:
    def __init__(self) -> None:
        self.source = self.workdir = ""
        self._arguments: dict[str, str] = {}
        self._variables: dict[str, str] = {}
        self._stages: dict[str, tuple[str, str]] = {}
        self._name = ""

    def take(self, given: Instruction) -> None:
        """Take one instruction."""
        if given.keyword == "FROM":
            self._from(expanded(given.rest, self._arguments).split())
        elif given.keyword == "ARG":
            for word in words(given.rest, self._variables or self._arguments):
                key, _, value = word.partition("=")
                (self._variables if self.source else self._arguments)[key] = value or self._arguments.get(key, "")
        elif given.keyword == "ENV":
            self._variables.update(pairs(given.rest, self._variables))
        elif given.keyword == "WORKDIR":
            path = expanded(given.rest.strip().strip('"'), self._variables)
            self.workdir = posixpath.normpath("/" + posixpath.join(self.workdir or "/", path).lstrip("/"))
            self._note()

    def _from(self, parts: list[str]) -> None:
        if not parts:
            raise ValueError("it names no image")
        self._variables = {}
        self.source, self.workdir = self._stages.get(parts[0].lower(), (parts[0], ""))
        self._name = parts[2].lower() if len(parts) == 3 and parts[1].upper() == "AS" else ""
        self._note()

    def _note(self) -> None:
        if self._name:
            self._stages[self._name] = (self.source, self.workdir)
