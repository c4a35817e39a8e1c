"""A task of several parts, each with its own script: what decides of each, and one grade of all."""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal

import msgspec

from proofyard.core import Evidence, Grade, Group, Limits, Outcome, Reason, Record, Tree, Usage
from proofyard.graders.command_reward import score_of

__all__ = ["CommandParameters", "Part", "combined", "part_of"]


class Part(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One part. name: the folder of its tests. gates: reward key -> what must be reached for the next part to count."""

    name: str
    limits: Limits | None = None
    environment: dict[str, str] = msgspec.field(default_factory=dict)
    gates: dict[str, float] = msgspec.field(default_factory=dict)

    def lets_on(self, grade: Grade) -> bool:
        """Whether what follows counts: there are rewards, none below its gate; a missing one is below any."""
        if grade.score is None:
            return False
        return all(grade.metrics.get(key, -math.inf) >= least for key, least in self.gates.items())


class CommandParameters(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parameters of the grader.

    script: the test script, below the hidden tests. pass_at: the least reward that passes, a decimal string. baked: the
    tests are in the image. reasons: check -> the reason code that its failure means. parts: of a task that asks several
    things; its submission and its tests have a folder for each, the submission by number from 1. strategy: of their rewards.
    """

    script: str = "test.sh"
    pass_at: str = "1"
    max_files: int = 10_000
    max_bytes: int = 256 << 20
    baked: bool = False
    reasons: dict[str, Reason] = msgspec.field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    strategy: Literal["mean", "final"] = "mean"


def part_of(tree: Tree, name: str) -> Tree:
    """What lies in a folder of a tree."""
    prefix = f"{name}/"
    return Tree(entries={path.removeprefix(prefix): e for path, e in tree.entries.items() if path.startswith(prefix)})


def combined(grades: Sequence[Grade], parameters: CommandParameters, pass_at: Decimal) -> Grade:
    """One grade of the parts that were graded: their rewards' mean by key (a missing one is 0), or those of the last.

    An error or an invalid part without any reward before it is the grade of all.
    """
    rewarded = [grade for grade in grades if grade.score is not None]
    last = grades[-1]
    if not rewarded or last.score is None:
        return last
    keys = dict.fromkeys(key for grade in rewarded for key in grade.metrics)
    rewards = {key: math.fsum(g.metrics.get(key, 0.0) for g in rewarded) / len(rewarded) for key in keys}
    if parameters.strategy == "final":
        rewards = dict(last.metrics)
    score = score_of(rewards) if rewards else 0.0
    failed = next((grade for grade in rewarded if grade.outcome is not Outcome.PASSED), None)
    passed = Decimal(repr(score)) >= pass_at
    part = parameters.parts[len(grades) - 1].name
    note = f"graded to step {part} of {len(parameters.parts)}" if len(grades) < len(parameters.parts) else ""
    reason, evidence = (None, Evidence(note=note))
    if not passed:
        shown = failed or last
        reason, evidence = shown.reason or Reason.WRONG_RESULT, shown.evidence
        evidence = msgspec.structs.replace(evidence, note="; ".join(text for text in (evidence.note, note) if text))
    return Grade(
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        score=score,
        reason=reason,
        groups=_groups(grades, parameters),
        metrics=rewards,
        evidence=evidence,
        usage=_usage(grades),
        provenance=_provenance(grades),
    )


def _groups(grades: Sequence[Grade], parameters: CommandParameters) -> dict[str, Group]:
    found = {}
    for grade, part in zip(grades, parameters.parts, strict=False):
        passed, total = int(grade.outcome is Outcome.PASSED), 1
        checks = grade.groups.get("checks")
        found[part.name] = checks if checks is not None else Group(passed=passed, total=total)
    return found


def _usage(grades: Sequence[Grade]) -> Usage:
    sums: dict[str, Any] = {
        name: sum(getattr(grade.usage, name) for grade in grades) for name in ("cpu_us", "wall_us", "written")
    }
    return Usage(peak_memory=max(grade.usage.peak_memory for grade in grades), **sums)


def _provenance(grades: Sequence[Grade]) -> dict[str, str]:
    found: dict[str, str] = {}
    for grade in grades:
        found.update(grade.provenance)
    confirmed = all(grade.provenance.get("kill_confirmed", "yes") == "yes" for grade in grades)
    return {**found, "kill_confirmed": "yes" if confirmed else "no"} if "kill_confirmed" in found else found
