"""A family's inputs for one seed: 24 generated ones, shared by all tiers, beside its boundary, golden and malformed ones."""

import json
from dataclasses import dataclass
from random import Random
from typing import Any

from proofyard.suites.scratch.family import Family, Input

__all__ = ["DEFAULT_SEED", "GENERATED", "Cases", "cases_of"]

DEFAULT_SEED = 1729
GENERATED = 24
_TRIES = 1000


@dataclass(frozen=True, kw_only=True)
class Cases:
    """All inputs of a family. Those in `valid` pass the check of arguments, those in `malformed` do not."""

    golden: Input
    generated: tuple[Input, ...]
    boundary: tuple[Input, ...]
    malformed: tuple[Input, ...]

    @property
    def valid(self) -> tuple[Input, ...]:
        """Golden, generated and boundary inputs, in this order."""
        return (self.golden, *self.generated, *self.boundary)


def cases_of(family: Family, seed: int) -> Cases:
    """The inputs of a family for a seed; the same on every machine and Python."""
    return Cases(
        golden=(family.golden.op, dict(family.golden.args)),
        generated=_generated(family, seed),
        boundary=family.boundary,
        malformed=family.malformed,
    )


def _generated(family: Family, seed: int) -> tuple[Input, ...]:
    """`GENERATED` distinct inputs, none of which is a golden or boundary one."""
    seen = {_key(i) for i in ((family.golden.op, dict(family.golden.args)), *family.boundary)}
    found: list[Input] = []
    for attempt in range(_TRIES):
        made = family.generate(Random(f"{seed}/{family.slug}/{attempt}"))
        if _key(made) not in seen:
            seen.add(_key(made))
            found.append(made)
        if len(found) == GENERATED:
            return tuple(found)
    raise ValueError(f"{family.slug}: fewer than {GENERATED} distinct inputs in {_TRIES} tries")


def _key(made: tuple[str, dict[str, Any]]) -> str:
    return json.dumps(made, sort_keys=True)
