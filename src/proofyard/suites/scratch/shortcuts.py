"""Submissions that must fail, each for its reason: the reference with one fault, and one that only knows the examples."""

from dataclasses import dataclass

from proofyard.core import Blobs, Example, Outcome, Reason, Solution, Tree, tree_of
from proofyard.suites.scratch.tiers import Tier

__all__ = ["shortcuts_of"]

_ALL = ("easy", "intermediate", "hard", "max")

_ECHO = '''\
"""Knows the worked examples by heart."""

import json
import sys

KNOWN = {known!r}

for line in sys.stdin:
    if line.strip(" \\t\\r\\n"):
        refused = {{"id": None, "ok": False, "error": {{"code": "invalid_args", "message": ""}}}}
        print(KNOWN.get(line.strip()) or json.dumps(refused), flush=True)
'''


@dataclass(frozen=True, kw_only=True)
class _Shortcut:
    """Changes to the reference: (file, text that is there once, text in its place)."""

    name: str
    tiers: tuple[str, ...]
    reason: Reason
    changes: tuple[tuple[str, str, str], ...]


_SHORTCUTS = (
    _Shortcut(
        name="ids-ignored",
        tiers=_ALL,
        reason=Reason.WRONG_RESULT,
        changes=(("program/envelope.py", 'return {"id": identity, "ok": True,', 'return {"id": 1, "ok": True,'),),
    ),
    _Shortcut(
        name="wrong-arguments-swallowed",
        tiers=_ALL,
        reason=Reason.ERROR_HANDLING,
        changes=(
            (
                "program/envelope.py",
                'return _failure(identity, "invalid_args", error.message, {})',
                'return {"id": identity, "ok": True, "result": error.message}',
            ),
        ),
    ),
    _Shortcut(
        name="list-unordered",
        tiers=("intermediate",),
        reason=Reason.WRONG_RESULT,
        changes=(("program/documents.py", "in sorted(self.documents) if", "in self.documents if"),),
    ),
    _Shortcut(
        name="batch-not-atomic",
        tiers=("hard", "max"),
        reason=Reason.NOT_ATOMIC,
        changes=(
            (
                "program/revisions.py",
                "self.store.rollback()\n                code",
                "self.store.commit()\n                code",
            ),
        ),
    ),
    _Shortcut(
        name="rollback-keeps-writes",
        tiers=("hard", "max"),
        reason=Reason.NOT_ATOMIC,
        changes=(
            (
                "program/revisions.py",
                'self.store.rollback()\n        return {"depth"',
                'self.store.commit()\n        return {"depth"',
            ),
        ),
    ),
    _Shortcut(
        name="memory-only",
        tiers=("max",),
        reason=Reason.PERSISTENCE,
        changes=(("program/durable.py", "self._file.save(self.store.tables)", "pass"),),
    ),
    _Shortcut(
        name="keys-forgotten",
        tiers=("max",),
        reason=Reason.PERSISTENCE,
        changes=(
            (
                "program/durable.py",
                "        self._file = file\n",
                "        self._file = file\n        self.store.tables[KEYS] = {}\n",
            ),
        ),
    ),
    _Shortcut(
        name="answer-before-store",
        tiers=("max",),
        reason=Reason.PERSISTENCE,
        changes=(
            (
                "program/durable.py",
                "self._file.save(self.store.tables)",
                "OWED.append(self._file.save)\n                OWED.append(self.store.tables)",
            ),
            ("program/durable.py", "from .store import Store\n", "from .serve import OWED\nfrom .store import Store\n"),
            ("program/serve.py", "def serve(", "OWED: list = []\n\n\ndef serve("),
            (
                "program/serve.py",
                "            sys.stdout.buffer.flush()\n",
                "            sys.stdout.buffer.flush()\n            while OWED:\n                OWED.pop(0)(OWED.pop(0))\n",
            ),
        ),
    ),
    _Shortcut(
        name="rewrite-in-place",
        tiers=("max",),
        reason=Reason.NOT_ATOMIC,
        changes=(
            ("program/files.py", 'fresh = f"{self._path}.new"', "fresh = self._path"),
            ("program/files.py", "        os.replace(fresh, self._path)  # noqa: PTH105\n", ""),
        ),
    ),
)


def shortcuts_of(
    tier: Tier, reference: dict[str, str], examples: tuple[Example, ...], blobs: Blobs
) -> tuple[Solution, ...]:
    """The shortcuts that apply to a tier, made from the files of its reference."""
    base = tree_of(reference, blobs)
    patched = [
        Solution(
            name=shortcut.name,
            kind="shortcut",
            tree=_patched(base, reference, shortcut, blobs),
            expected=Outcome.FAILED,
            reason=shortcut.reason,
        )
        for shortcut in _SHORTCUTS
        if tier.name in shortcut.tiers
    ]
    return (_echo(examples, blobs), *patched)


def _patched(base: Tree, reference: dict[str, str], shortcut: _Shortcut, blobs: Blobs) -> Tree:
    """The reference with the changes of a shortcut.

    Raises:
        ValueError: a text to replace is not there exactly once: the reference changed.

    """
    files: dict[str, str] = {}
    for path, old, new in shortcut.changes:
        text = files.get(path, reference[path])
        if text.count(old) != 1:
            raise ValueError(f"shortcut {shortcut.name}: {path} does not hold {old!r} once")
        files[path] = text.replace(old, new)
    return base.merged(tree_of(files, blobs))


def _echo(examples: tuple[Example, ...], blobs: Blobs) -> Solution:
    known: dict[str, str] = {}
    for example in examples:
        known.update(zip(example.input.split("\n"), example.output.split("\n"), strict=True))
    tree = tree_of(
        {"main.py": _ECHO.format(known={line.strip(): answer for line, answer in known.items() if line})}, blobs
    )
    return Solution(
        name="echo-examples", kind="shortcut", tree=tree, expected=Outcome.FAILED, reason=Reason.WRONG_RESULT
    )
