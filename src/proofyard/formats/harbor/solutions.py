"""What is known to pass or fail: `solution/solve.sh`, `solution/alternatives/*.sh`, `tests/shortcuts/*.sh`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from proofyard.core import Blobs, Outcome, Reason, Solution, SolutionKind, Tree, UsageError, file_bytes, tree_of
from proofyard.formats.folder import read_folder
from proofyard.formats.harbor.config import TaskConfig

__all__ = ["METADATA", "SOLUTION_DIR", "check_reasons", "patched", "scripts", "solutions", "tests_of", "without"]

SOLUTION_DIR: Final = "/solution"
"""Where a solution's files are when its command runs."""

METADATA: Final = "proofyard"
"""The table below `[metadata]` that is ours."""

_SCRIPT: Final = "solve.sh"
_REFERENCE: Final = "reference.sh"


def solutions(folder: Path, config: TaskConfig, env: Mapping[str, str], blobs: Blobs) -> tuple[Solution, ...]:
    """All known solutions of a task: the reference first, alternatives and shortcuts by name.

    Raises:
        UsageError: two have the same name, or one is declared as it cannot be.

    """
    trees = [_reference(folder, step.name, blobs) for step in config.steps] or [_reference(folder, "", blobs)]
    found: list[Solution] = []
    if all(tree is not None for tree in trees):
        found.append(_command("reference", "reference", [tree for tree in trees if tree is not None], env))
    for kind, below in _KINDS.items():
        there = read_folder(folder / below, blobs).entries
        for path in sorted(name for name in there if name.endswith(".sh") and "/" not in name):
            if there[path].kind != "file":
                raise UsageError(f"{folder / below / path} is a link, which is not followed")
            script = file_bytes(there[path], blobs)
            made = _command(
                path.removesuffix(".sh"), kind, [_installed(script, tree or Tree(), blobs) for tree in trees], env
            )
            found.append(_declared(made, folder, config) if kind == "shortcut" else made)
    names = [one.name for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{folder}: two solutions are named {twice!r}")
    return tuple(found)


_KINDS: Final[dict[SolutionKind, str]] = {"alternative": "solution/alternatives", "shortcut": "tests/shortcuts"}


def patched(script: bytes, reference: Solution | None, blobs: Blobs, name: str = "patch") -> Solution:
    """A script of the user's own as a solution, with the reference beside it as alternatives have it."""
    trees = [one.tree for one in (reference, *reference.then)] if reference is not None else [Tree()]
    env = reference.environment if reference is not None else {}
    return _command(name, "sample", [_installed(script, tree, blobs) for tree in trees], env)


def scripts(tree: Tree) -> Tree:
    """Shell scripts are executable, whatever the folder says."""
    entries = {
        path: replace(item, executable=True) if item.kind == "file" and path.endswith(".sh") else item
        for path, item in tree.entries.items()
    }
    return Tree(entries=entries)


def without(tree: Tree, below: str) -> Tree:
    """The tree less one of its folders."""
    return Tree(entries={path: item for path, item in tree.entries.items() if not path.startswith(f"{below}/")})


def tests_of(folder: Path, step: str, blobs: Blobs) -> Tree:
    """The hidden tests, those of a step laid over the shared ones."""
    shared = without(scripts(read_folder(folder / "tests", blobs)), "shortcuts")
    return shared.merged(scripts(read_folder(folder / "steps" / step / "tests", blobs))) if step else shared


def check_reasons(config: TaskConfig, where: Path) -> dict[str, Reason]:
    """Check -> the reason code that its failure means, from `[metadata.proofyard.checks]`. Raises UsageError."""
    return {
        name: _reason(value, f"{where}: metadata.{METADATA}.checks.{name}") for name, value in _own(config, "checks")
    }


def _own(config: TaskConfig, table: str) -> Iterator[tuple[str, Any]]:
    ours = config.metadata.get(METADATA)
    rows = ours.get(table) if isinstance(ours, dict) else None
    yield from rows.items() if isinstance(rows, dict) else ()


def _declared(solution: Solution, folder: Path, config: TaskConfig) -> Solution:
    """A shortcut with what it must fail for: a check's name, a reason code, or a table of both."""
    where = folder / "task.toml"
    said = dict(_own(config, "shortcuts")).get(solution.name)
    if said is None:
        return replace(solution, expected=Outcome.FAILED)
    row = said if isinstance(said, dict) else {"reason" if said in set(Reason) else "check": said}
    if not row or not set(row) <= {"check", "reason"} or not all(isinstance(value, str) for value in row.values()):
        raise UsageError(f"{where}: metadata.{METADATA}.shortcuts.{solution.name}: name a check, a reason, or both")
    check = row.get("check", "")
    reason = check_reasons(config, where).get(check, Reason.WRONG_RESULT)
    if "reason" in row:
        reason = _reason(row["reason"], f"{where}: metadata.{METADATA}.shortcuts.{solution.name}")
    return replace(solution, expected=Outcome.FAILED, reason=reason, check=check)


def _reason(value: Any, where: str) -> Reason:
    if value not in set(Reason):
        raise UsageError(f"{where}: {value!r} is no reason code; known: {', '.join(sorted(Reason))}")
    return Reason(value)


def _reference(folder: Path, step: str, blobs: Blobs) -> Tree | None:
    """The reference's files of a step, else those of the whole task; None if there is no script."""
    for place in (folder / "steps" / step / "solution" if step else None, folder / "solution"):
        if place is not None and (place / _SCRIPT).is_file():
            return without(scripts(read_folder(place, blobs)), "alternatives")
    return None


def _installed(script: bytes, reference: Tree, blobs: Blobs) -> Tree:
    """The reference's files with another script in its place, and the true one beside it."""
    moved = {(_REFERENCE if path == _SCRIPT else path): entry for path, entry in reference.entries.items()}
    return Tree(entries=moved).merged(tree_of({_SCRIPT: script}, blobs, [_SCRIPT]))


def _command(name: str, kind: SolutionKind, trees: list[Tree], env: Mapping[str, str]) -> Solution:
    argv = ("bash", f"{SOLUTION_DIR}/{_SCRIPT}")
    made = [
        Solution(name=name, kind=kind, tree=tree, argv=argv, place=SOLUTION_DIR, environment=dict(env))
        for tree in trees
    ]
    return replace(made[0], then=tuple(made[1:]))
