"""What an image's `sh` does before files are laid into a container: make the folders they lie in, remove what is in the way."""

import shlex
from collections.abc import Iterable

from proofyard.sandbox.container.archive import Piece

__all__ = ["making_room", "making_way"]


def making_room(piece: Piece) -> str:
    """For files that are laid where the container says: through links on the way; whiteouts remove.

    Folders that are root's are left to the engine, which makes what is missing.
    """
    lines = _removed(piece)
    if piece.owner == (0, 0):
        return "\n".join(lines)
    for folder in _folders(_laid(piece)):
        name = shlex.quote("/" + folder)
        lines.append(f"[ -d {name} ] || {{ mkdir -- {name} && chown {_owner(piece)} {name}; }} || exit 1")
    return "\n".join(lines)


def making_way(piece: Piece) -> str:
    """For work that is laid over an image: what is removed or of another kind there goes, links to folders too."""
    lines = _removed(piece)
    laid = _laid(piece)
    for folder in _folders(laid):
        name = shlex.quote("/" + folder)
        made = f"rm -f -- {name} && mkdir -- {name} && chown {_owner(piece)} {name}"
        lines.append(f"if [ -L {name} ] || [ ! -d {name} ]; then {{ {made}; }} || exit 1; fi")
    for path in laid:
        name = shlex.quote("/" + path)
        lines.append(f"if [ -d {name} ] && [ ! -L {name} ]; then rm -rf -- {name}; fi")
    return "\n".join(lines)


def _removed(piece: Piece) -> list[str]:
    return [f"rm -rf -- {shlex.quote('/' + path)}" for path, one in piece.entries.items() if one.kind == "whiteout"]


def _laid(piece: Piece) -> list[str]:
    return [path for path, entry in piece.entries.items() if entry.kind in {"file", "symlink"}]


def _folders(paths: Iterable[str]) -> list[str]:
    """The folders that paths lie in, upper ones first."""
    return sorted({path[:at] for path in paths for at in range(len(path)) if path[at] == "/"})


def _owner(piece: Piece) -> str:
    return f"{piece.owner[0]}:{piece.owner[1]}"
