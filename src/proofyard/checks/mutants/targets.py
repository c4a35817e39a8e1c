"""What is mutated, and which tasks must notice.

A family's reference is graded by the tests of its easy task, the cheapest that test it fully. A file of the tiers' own
program is graded on the tasks of the tiers that hold it, from the lowest up: a mutant survives if it passes all of them.
"""

import ast
import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

import msgspec

from proofyard import source
from proofyard.core import UnknownNameError, cache_folder, sha256
from proofyard.source import Mutant, mutate
from proofyard.suites.scratch.families import FAMILIES
from proofyard.suites.scratch.kept import digest_of_source
from proofyard.suites.scratch.reference import reference_files
from proofyard.suites.scratch.suite import TaskId
from proofyard.suites.scratch.tiers import TIERS

__all__ = ["Target", "family_targets", "service_targets"]

MOST = 80
"""Of more mutants of a family than these only so many are graded, chosen by their digests."""

_WITH = "word-frequency"
"""The family with which the tiers' own program is graded."""

_READERS = ("expression-eval", "shortest-path", "lru-cache", "bin-packing", "matrix-ops", "date-arithmetic")
"""Families which use those readers of arguments that the one above does not."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """One file. name: the family's slug, or the file's name. path: in a submission. tasks: in the order they are tried."""

    name: str
    kind: Literal["family", "service"]
    path: str
    tasks: tuple[TaskId, ...]

    def files(self, task: TaskId) -> dict[str, str]:
        """The reference of one of the tasks: path -> text."""
        return reference_files(TIERS[task.tier], FAMILIES[task.slug])

    def mutants(self) -> tuple[Mutant, ...]:
        """All mutants. Of a family's operations the names of their arguments are only declared: no tier's tests ask."""
        return _mutants(self.files(self.tasks[0])[self.path], self.kind)

    def chosen(self) -> tuple[Mutant, ...]:
        """The mutants that are graded."""
        found = self.mutants()
        if self.kind == "service" or len(found) <= MOST:
            return found
        kept = {mutant.digest for mutant in sorted(found, key=lambda mutant: mutant.digest)[:MOST]}
        return tuple(mutant for mutant in found if mutant.digest in kept)

    def digests(self) -> tuple[str, ...]:
        """The digests of the mutants that are graded; made once for a text, and then kept in the user's cache folder."""
        path = cache_folder() / "mutants" / "digests" / _named(self.files(self.tasks[0])[self.path], self.kind)
        try:
            return msgspec.json.decode(path.read_bytes(), type=tuple[str, ...])
        except (OSError, msgspec.DecodeError):
            found = tuple(mutant.digest for mutant in self.chosen())
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_name(f"{path.name}.{os.getpid()}")
            fresh.write_bytes(msgspec.json.encode(found))
            fresh.replace(path)
        return found


def family_targets(slugs: Sequence[str] = ()) -> tuple[Target, ...]:
    """The references of these families, of all if none is named.

    Raises:
        UnknownNameError: there is no such family.

    """
    for slug in slugs:
        if slug not in FAMILIES:
            raise UnknownNameError("family", slug, FAMILIES, hint="families are named as in task ids: word-frequency")
    return tuple(
        Target(
            name=slug,
            kind="family",
            path=f"program/families/{FAMILIES[slug].module}.py",
            tasks=(TaskId("easy", slug),),
        )
        for slug in (slugs or FAMILIES)
    )


def service_targets() -> tuple[Target, ...]:
    """The files of the tiers' own program that hold any code to change."""
    names = dict.fromkeys(name for tier in TIERS.values() for name in tier.files)
    return tuple(_service(name) for name in names if _has_code(f"program/{name}.py"))


def _service(name: str) -> Target:
    tasks = [TaskId(tier.name, _WITH) for tier in TIERS.values() if name in tier.files]
    if name == "arguments":
        tasks[1:1] = [TaskId("easy", slug) for slug in _READERS]
    return Target(name=f"{name}.py", kind="service", path=f"program/{name}.py", tasks=tuple(tasks))


@lru_cache(maxsize=2)
def _mutants(text: str, kind: str) -> tuple[Mutant, ...]:
    return mutate(text, declared=("Operation",) if kind == "family" else ())


def _named(text: str, kind: str) -> str:
    """The name under which the digests of a text's mutants are kept: it says what made them, and of what."""
    return sha256(msgspec.json.encode((_maker(), MOST, kind, text)))


@cache
def _maker() -> str:
    return digest_of_source(Path(source.__file__).parent, Path(__file__).parent)


def _has_code(path: str) -> bool:
    tier = next(tier for tier in TIERS.values() if path.removeprefix("program/").removesuffix(".py") in tier.files)
    text = reference_files(tier, FAMILIES[_WITH])[path]
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in ast.parse(text).body)
