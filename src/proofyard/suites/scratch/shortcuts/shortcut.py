"""A shortcut: the reference with one fault, made by changing the text of its files."""

from collections.abc import Mapping
from dataclasses import dataclass

from proofyard.core import Blobs, Outcome, Reason, Solution, Tree, tree_of

__all__ = ["ALL", "DURABLE", "EASY", "REVISIONS", "SERVICES", "Change", "Shortcut", "patched"]

ALL = ("easy", "intermediate", "hard", "max")
EASY = ("easy",)
SERVICES = ("intermediate", "hard", "max")
REVISIONS = ("hard", "max")
DURABLE = ("max",)

Change = tuple[str, str, str]
"""A file below `program/` without its ending, a text that is there once, and the text in its place."""


@dataclass(frozen=True, kw_only=True)
class Shortcut:
    """A fault and how it is told.

    tiers: those whose reference is changed in this way; another entry of the same name may do it for other tiers.
    reason: what a submission with this fault fails for. replaced: files with a text of their own, like the files of a
    change. alike: it answers as the reference does as long as nobody kills it, restarts it or looks at how it runs.
    waits: it never answers.
    """

    name: str
    tiers: tuple[str, ...]
    reason: Reason
    changes: tuple[Change, ...] = ()
    replaced: tuple[tuple[str, str], ...] = ()
    alike: bool = False
    waits: bool = False


def patched(base: Tree, reference: Mapping[str, str], shortcut: Shortcut, blobs: Blobs) -> Solution:
    """The reference with the changes of a shortcut.

    Raises:
        ValueError: a text to replace is not there exactly once, or a file is not there: the reference changed.

    """
    files: dict[str, str] = {}
    for name, old, new in shortcut.changes:
        path = f"program/{name}.py"
        text = files.get(path, reference.get(path, ""))
        if text.count(old) != 1:
            raise ValueError(f"shortcut {shortcut.name}: {path} does not hold {old!r} once")
        files[path] = text.replace(old, new)
    for name, text in shortcut.replaced:
        path = f"program/{name}.py"
        if path not in reference:
            raise ValueError(f"shortcut {shortcut.name}: there is no {path}")
        files[path] = text
    return Solution(
        name=shortcut.name,
        kind="shortcut",
        tree=base.merged(tree_of(files, blobs)),
        expected=Outcome.FAILED,
        reason=shortcut.reason,
        waits=shortcut.waits,
    )
