"""The shortcuts of the suite fail in the sandbox, each for the reason it declares; graded up to their first fault."""

from collections.abc import Iterator

import pytest

from proofyard.core import Given, MemoryBlobs, Outcome, SandboxSpec, Solution, tree_of
from proofyard.core.protocols import Sandbox
from proofyard.graders import SessionGrader, until_first_fault
from proofyard.sandbox import LocalProvider
from proofyard.suites.scratch.shortcuts import SHORTCUTS, Shortcut
from proofyard.suites.scratch.shortcuts.shortcut import patched

from .inprocess import SUITE, loaded

TIERS = ("easy", "intermediate", "hard", "max")
COUNTS = {"easy": 24, "intermediate": 33, "hard": 44, "max": 60}


def shortcuts(task_id: str) -> list[Solution]:
    return [one for one in loaded(SUITE, task_id).steps[0].hidden.solutions if one.kind == "shortcut"]


LOWEST = {one.name: tier for tier in reversed(TIERS) for one in shortcuts(SUITE.ids(tier)[0])}
"""Each shortcut, and the lowest tier that has it."""


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider(slots=1)
    yield local
    local.close()


@pytest.mark.parametrize("name", sorted(LOWEST))
def test_it_fails_for_its_reason(provider: LocalProvider, name: str) -> None:
    task = loaded(SUITE, SUITE.ids(LOWEST[name])[0])
    solution = task.solution(name)
    assert solution is not None
    blobs = SUITE.blobs()

    def open_sandbox(spec: SandboxSpec) -> Sandbox:
        return provider.open(spec, blobs)

    step = until_first_fault(task.steps[0], wall_ms=700 if solution.waits else 0)
    grade = SessionGrader().grade(step, solution.tree, open_sandbox, Given(), blobs)
    assert (grade.outcome, grade.reason) == (Outcome.FAILED, solution.reason), grade.evidence


@pytest.mark.parametrize("tier", TIERS)
def test_each_tier_has_its_own(tier: str) -> None:
    solutions = loaded(SUITE, SUITE.ids(tier)[0]).steps[0].hidden.solutions
    assert (solutions[0].name, solutions[0].expected) == ("reference", Outcome.PASSED)
    found = [one for one in solutions if one.kind == "shortcut"]
    assert len(found) == COUNTS[tier]
    assert all(one.expected is Outcome.FAILED and one.reason is not None for one in found)
    assert len({one.name for one in solutions}) == len({one.tree.digest for one in solutions}) == len(solutions)


def test_a_name_comes_once_a_tier() -> None:
    pairs = [(one.name, tier) for one in SHORTCUTS for tier in one.tiers]
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (
            {"changes": (("serve", "a text that is gone", ""),)},
            "program/serve.py does not hold 'a text that is gone' once",
        ),
        ({"changes": (("serve", "twice", ""),)}, "program/serve.py does not hold 'twice' once"),
        ({"changes": (("absent", "twice", ""),)}, "program/absent.py does not hold 'twice' once"),
        ({"replaced": (("absent", "text"),)}, "there is no program/absent.py"),
        ({"changes": (("serve", "other", "x"), ("serve", "other", "y"))}, "does not hold 'other' once"),
    ],
)
def test_a_changed_reference_makes_no_shortcut(fault: dict[str, tuple[tuple[str, ...], ...]], words: str) -> None:
    reference = {"program/serve.py": "twice twice other"}
    shortcut = Shortcut(name="s", tiers=("easy",), reason=SHORTCUTS[0].reason, **fault)  # type: ignore[arg-type]
    blobs = MemoryBlobs()
    with pytest.raises(ValueError, match="shortcut s: ") as caught:
        patched(tree_of(reference, blobs), reference, shortcut, blobs)
    assert words in str(caught.value)


def test_changes_of_one_file_are_made_one_after_the_other() -> None:
    blobs = MemoryBlobs()
    reference = {"program/serve.py": "one", "main.py": "m"}
    shortcut = Shortcut(
        name="s",
        tiers=("easy",),
        reason=SHORTCUTS[0].reason,
        changes=(("serve", "one", "two"), ("serve", "two", "six")),
    )
    made = patched(tree_of(reference, blobs), reference, shortcut, blobs)
    assert made.tree == tree_of({"program/serve.py": "six", "main.py": "m"}, blobs)
