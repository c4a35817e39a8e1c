"""The suite: ids, tasks, what a task holds and what it does not."""

import json

import msgspec
import pytest

from proofyard.core import MemoryBlobs, Scenario, Suite, UnknownNameError, file_bytes
from proofyard.suites.scratch import ScratchSuite, suite
from proofyard.suites.scratch.families import FAMILIES, NUMBERS

from .inprocess import SUITE, loaded


def test_ids() -> None:
    ids = SUITE.ids()
    assert len(ids) == 4 * len(FAMILIES) == len(set(ids))
    assert ids[0] == "scratch-easy-001-word-frequency"
    assert [i for tier in ("easy", "intermediate", "hard", "max") for i in SUITE.ids(tier)] == list(ids)
    numbers = [int(i.split("-")[2]) for i in SUITE.ids("max")]
    assert numbers == sorted(numbers)
    assert len(NUMBERS) == 65
    fixed = {"csv-aggregate": 10, "date-arithmetic": 18, "matrix-ops": 24, "shortest-path": 32, "round-robin": 40}
    fixed |= {"double-entry": 43, "convex-hull": 50, "expression-eval": 54, "lru-cache": 64, "rate-limiter": 65}
    assert {slug: NUMBERS[slug] for slug in fixed} == fixed


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean scratch-easy-001-word-frequency"):
        SUITE.load("scratch-easy-001-word-frequancy")
    with pytest.raises(UnknownNameError, match="did you mean hard"):
        SUITE.ids("hards")


@pytest.mark.parametrize("tier", ["easy", "intermediate", "hard", "max"])
def test_task(tier: str) -> None:
    task_id = SUITE.ids(tier)[0]
    task = loaded(SUITE, task_id)
    again = suite().load(task_id)
    assert task == again
    assert task.steps[0].brief == again.steps[0].brief == suite().brief(task_id)
    assert task.steps[0].grader_digest == again.steps[0].grader_digest
    assert (task.suite, task.subset, task.family, task.category) == ("scratch", tier, "word-frequency", "text")
    step = task.steps[0]
    assert step.grader.kind == "sessions"
    assert json.loads(step.grader.parameters) == {"entry": "main.py", "max_files": 1000, "max_bytes": 8 << 20}
    assert step.brief.entry == "main.py"
    assert step.brief.files.entries == {}
    assert step.grading.image.workdir == "/workspace/project"
    durable = tier == "max"
    assert step.grading.armed is durable
    assert step.grading.kept == (("/workspace/state",) if durable else ())
    assert step.grading.lowest == ("bubblewrap" if durable else "landlock")
    scenarios = msgspec.json.decode(step.hidden.expected, type=tuple[Scenario, ...])
    assert scenarios == SUITE.scenarios(task_id)


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_examples_are_the_public_scenarios(task_id: str) -> None:
    task = loaded(SUITE, task_id)
    brief = task.steps[0].brief
    public = [s for s in SUITE.scenarios(task_id) if s.public]
    assert [example.name for example in brief.examples] == [s.name for s in public]
    for example, scenario in zip(brief.examples, public, strict=True):
        answers = [json.loads(line) for line in example.output.splitlines()]
        rows = scenario.sessions[0].rows
        assert len(answers) == len(rows) == example.input.count("\n")
        for answer, row in zip(answers, rows, strict=True):
            (expected,) = row.expect
            if not answer["ok"]:
                answer["error"]["message"] = {"$any": "message"}
            assert answer == expected
        assert example.input in brief.prompt
        assert example.output in brief.prompt


def test_reference_holds_only_what_it_needs() -> None:
    blobs = SUITE.blobs()
    for tier, absent in (("easy", "document"), ("intermediate", "store"), ("hard", "durable"), ("max", "documents")):
        task = loaded(SUITE, SUITE.ids(tier)[0])
        solution = task.solution("reference")
        assert solution is not None
        paths = set(solution.tree.entries)
        assert {"main.py", "program/serve.py", "program/families/word_frequency.py"} <= paths
        assert f"program/{absent}.py" not in paths
        assert sum(path.startswith("program/families/") for path in paths) == 2
        assert b"proofyard" not in b"".join(file_bytes(entry, blobs) for entry in solution.tree.entries.values())


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_hidden_inputs_are_not_in_the_brief(task_id: str) -> None:
    step = loaded(SUITE, task_id).steps[0]
    brief = msgspec.json.encode(step.brief).decode()
    family = SUITE.family(task_id)
    assert family.module + ".py" not in brief
    assert "parse_constant" not in brief


def test_it_is_a_suite() -> None:
    one: Suite = ScratchSuite()
    assert one.name == "scratch"
    assert isinstance(one.blobs(), MemoryBlobs)
    assert ScratchSuite(5).version == f"{one.version}+seed5"
