"""Keys: found by variable, never printed, scrubbed from whatever others print."""

import re
from collections.abc import Mapping
from pathlib import Path

from proofyard.core import UsageError
from proofyard.models.providers import ModelProvider

__all__ = ["Key", "find_key", "read_env_file"]

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*\Z")


class Key:
    """A secret. Its value comes out by `reveal` alone; it cannot be pickled, compared or printed."""

    __slots__ = ("__value",)

    def __init__(self, value: str) -> None:
        self.__value = value

    def reveal(self) -> str:
        """Return the secret itself, to be handed to an SDK."""
        return self.__value

    def scrub(self, text: str) -> str:
        """Return `text` with the secret, also as JSON would write it, replaced."""
        if len(self.__value) < 4:
            return text
        return text.replace(self.__value, "[key]")

    def __repr__(self) -> str:
        return "Key([key])"

    def __reduce__(self) -> tuple[type, tuple[str]]:
        raise TypeError("a key does not leave its process")


def find_key(row: ModelProvider, environment: Mapping[str, str], variable: str = "") -> Key:
    """Return the key of a provider from its variables, or from the one named.

    A provider without key variables gets an empty key unless a variable is named.

    Raises:
        UsageError: none of the variables is set.

    """
    names = (variable,) if variable else row.keys
    for name in names:
        value = environment.get(name, "").strip()
        if value:
            if not value.isascii() or not value.isprintable():
                raise UsageError(f"{name} holds characters no key has: set it anew")
            return Key(value)
    if names:
        raise UsageError(f"no key for {row.name}: set {' or '.join(names)} (or name a file by --env-file)")
    return Key("")


def read_env_file(path: Path) -> dict[str, str]:
    """Read lines `NAME=value`, quotes and `export` allowed, `#` begins a comment line. Nothing is expanded.

    Raises:
        UsageError: the file cannot be read, or a line is none of these (its content is not shown).

    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8") from None
    found = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            raise UsageError(f"{path} line {number}: write NAME=value")
        value = match[2]
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        found[match[1]] = value
    return found
