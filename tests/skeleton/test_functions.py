"""Five toy functions graded through an image with a preload, on the warm pool."""

from collections.abc import Iterator

import msgspec
import pytest

from proofyard.core import Given, Grade, Group, MemoryBlobs, Outcome, Solution, Task, tree_of
from proofyard.graders.functions import FunctionsGrader
from proofyard.sandbox import LocalProvider

from .toy_functions import TOYS, Toy, task


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider()
    yield local
    local.close()


def grade(provider: LocalProvider, graded: Task, solution: Solution) -> Grade:
    blobs = MemoryBlobs()
    return FunctionsGrader().grade(
        graded.steps[0], solution.tree, lambda spec: provider.open(spec, blobs), Given(), blobs
    )


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_reference_and_wrong_solutions_on_the_warm_pool(provider: LocalProvider, toy: Toy) -> None:
    chosen = task(toy)
    total = len(toy.calls)
    for solution in chosen.steps[0].hidden.solutions:
        found = grade(provider, chosen, solution)
        assert (solution.name, found.outcome, found.reason) == (solution.name, solution.expected, solution.reason)
        assert found.provenance["rung"] == "zygote"
        if solution.kind == "reference":
            assert found.groups == {"calls": Group(passed=total, total=total)}


@pytest.mark.parametrize("toy", TOYS[:2], ids=lambda toy: toy.name)
def test_the_same_without_a_preload(provider: LocalProvider, toy: Toy) -> None:
    chosen = task(toy, preload=())
    for solution in chosen.steps[0].hidden.solutions:
        found = grade(provider, chosen, solution)
        assert (solution.name, found.outcome, found.reason) == (solution.name, solution.expected, solution.reason)
        assert found.provenance["rung"] == "bubblewrap"


def test_the_preload_is_warm(provider: LocalProvider) -> None:
    source = "import sys\nWARM = [n for n in ('decimal', 'fractions', 'statistics') if n in sys.modules]\n"
    toy = Toy(
        "warm", "", source + "def warm():\n    return WARM\n", (((), ["decimal", "fractions", "statistics"]),), {}
    )
    chosen = task(toy)
    assert grade(provider, chosen, chosen.steps[0].hidden.solutions[0]).outcome is Outcome.PASSED
    cold = task(toy, preload=())
    assert grade(provider, cold, cold.steps[0].hidden.solutions[0]).outcome is Outcome.FAILED


def test_evidence(provider: LocalProvider) -> None:
    chosen = task(TOYS[0])
    found = grade(provider, chosen, chosen.steps[0].hidden.solutions[1])
    assert found.evidence.where == "call 1"
    assert found.evidence.request == '{"args":[5,1,3],"kwargs":{}}'
    assert (found.evidence.expected, found.evidence.got) == ('{"value":3}', '{"value":1}')
    assert found.evidence.note == "at $.value: another value: expected 3, got 1"


def test_calls_and_results_must_be_as_many(provider: LocalProvider) -> None:
    chosen = task(TOYS[0])
    step = chosen.steps[0]
    broken = msgspec.structs.replace(step, hidden=msgspec.structs.replace(step.hidden, expected='[{"value":1}]'))
    found = FunctionsGrader().grade(
        broken, step.hidden.solutions[0].tree, lambda spec: provider.open(spec, MemoryBlobs()), Given(), MemoryBlobs()
    )
    assert (found.outcome, found.evidence.note) == (Outcome.INVALID, "4 calls and 1 expected results")


def test_no_file(provider: LocalProvider) -> None:
    chosen = task(TOYS[0])
    empty = Solution(name="other", kind="shortcut", tree=tree_of({"main.py": ""}, MemoryBlobs()))
    found = grade(provider, chosen, empty)
    assert found.evidence.note == "there is no solution.py at the top of the submission"
    assert found.groups == {"calls": Group(passed=0, total=4)}
