"""How rows are graded: which grader, its parameters and its hidden parts, as JSON by the names the graders read."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from proofyard.core import Blobs, GraderSpec, Hidden, Image, Limits, SandboxSpec, UsageError, tree_of
from proofyard.formats.arguments import arguments_of, typed
from proofyard.formats.rows import BigCodeRow, EvalRow
from proofyard.suites.functions.preload import STANDARD
from proofyard.suites.functions.programs import ENTRY, reference_of

__all__ = ["CONTAINER", "CONTAINER_IMAGE", "Graded", "by_asserts", "by_calls", "by_unittest", "in_container"]

CONTAINER: Final = "container"
"""The isolation, and the rung, of programs that run in containers."""
CONTAINER_IMAGE: Final = "python:3.11-slim"
"""Python for which the environments are pinned; their packages are bound in."""

_TEST: Final = "test.py"
_VARIABLES: Final = {
    "MPLBACKEND": "Agg",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TZ": "UTC",
}
"""No display, no threads (a fork would copy their locks), one time zone."""

_LIMITS: Final = Limits(
    wall_ms=240_000,
    cpu_ms=120_000,
    memory=4 << 30,
    tree_memory=4 << 30,
    pids=64,
    files=512,
    file_size=128 << 20,
    disk=256 << 20,
    inodes=1 << 14,
    output=4 << 20,
    line=4 << 20,
)
"""The most that a sample may use, whatever its task; graders set the CPU time by that of the task's own solution."""

_SMALL: Final = Limits(
    wall_ms=240_000, cpu_ms=120_000, memory=1 << 30, tree_memory=1 << 30, output=16 << 20, line=16 << 20
)


class Graded(NamedTuple):
    """The parts of a step that grade it. `hidden` has no solutions yet."""

    grader: GraderSpec
    grading: SandboxSpec
    hidden: Hidden


def by_unittest(
    row: BigCodeRow, blobs: Blobs, *, preload: tuple[str, ...], packages: str, isolation: str, truth: str
) -> Graded:
    """A row of BigCodeBench: its `TestCases` decide. truth: JSON of what the row's solution does here, "" if not known."""
    warm = "fresh" if isolation == CONTAINER else isolation
    parameters = {"entry_point": row.entry_point, "file": ENTRY, "isolation": warm}
    image = Image(packages=packages, environment=_VARIABLES, preload=preload)
    return Graded(
        GraderSpec(kind="unittest", parameters=json.dumps(parameters)),
        SandboxSpec(image=image, limits=_LIMITS),
        Hidden(tests=tree_of({_TEST: row.test}, blobs), expected=truth),
    )


def by_asserts(row: EvalRow, blobs: Blobs) -> Graded:
    """A row of HumanEval (`check(candidate)`) or MBPP (assertions that call the function by name)."""
    test = row.test or "\n".join([*row.imports, *row.assertions, ""])
    parameters = {"entry_point": row.entry_point, "file": ENTRY}
    return Graded(
        GraderSpec(kind="asserts", parameters=json.dumps(parameters)),
        SandboxSpec(image=Image(preload=STANDARD), limits=_SMALL),
        Hidden(tests=tree_of({_TEST: test}, blobs), expected=reference_of(row)),
    )


def by_calls(row: EvalRow, *, base_only: bool) -> Graded:
    """A row of HumanEval+ or MBPP+: outputs are compared with those of the row's own solution, outside of the sandbox."""
    groups: dict[str, Any] = {"base": _typed(row, row.base_input or ())}
    if not base_only:
        groups["plus"] = _typed(row, row.plus_input or ())
    parameters = {"entry_point": row.entry_point, "file": ENTRY, "task": row.task_id, "atol": row.atol}
    expected: Mapping[str, Any] = {"groups": groups, "reference": reference_of(row)}
    return Graded(
        GraderSpec(kind="calls", parameters=json.dumps(parameters)),
        SandboxSpec(image=Image(preload=STANDARD), limits=_SMALL),
        Hidden(expected=json.dumps(expected, allow_nan=False, separators=(",", ":"))),
    )


def in_container(graded: Graded, image: str) -> Graded:
    """The same, with each program in a container: nothing is warm there."""
    grading = replace(
        graded.grading, lowest=CONTAINER, image=replace(graded.grading.image, preload=(), container=image)
    )
    return graded._replace(grading=grading)


def _typed(row: EvalRow, inputs: tuple[Any, ...]) -> list[Any]:
    try:
        return [typed(list(arguments_of(row.task_id, arguments))) for arguments in inputs]
    except (ValueError, TypeError) as error:
        raise UsageError(f"{row.task_id}: inputs that cannot be read: {error}") from None
