"""The assertions grader in real sandboxes."""

import json
from collections.abc import Iterator

import pytest

from proofyard.core import (
    Brief,
    Given,
    Grade,
    GraderSpec,
    Group,
    Hidden,
    Image,
    MemoryBlobs,
    Outcome,
    Reason,
    SandboxSpec,
    Solution,
    Step,
    tree_of,
)
from proofyard.graders.asserts import AssertsGrader
from proofyard.graders.calls_truth import TruthCache
from proofyard.sandbox import LocalProvider

from . import hostile_values as hostile

REFERENCE = "def zqhelper(n):\n    return [n] * 3\ndef triple(n):\n    return zqhelper(n)\n"
CHECK = """
def check(candidate):
    assert candidate(1) == [1, 1, 1], "one"
    for n in range(3):
        assert candidate(n) == zqhelper(n)
    assert candidate(n=2) == [2, 2, 2]
    try:
        candidate(None, None)
    except TypeError:
        pass
"""
BY_NAME = (
    "import math\nassert triple(1) == [1, 1, 1]\nassert math.prod(triple(2)) == 8\nassert triple((1, 2))[0] == (1, 2)\n"
)


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider()
    yield local
    local.close()


@pytest.fixture(scope="module")
def grader(tmp_path_factory: pytest.TempPathFactory) -> AssertsGrader:
    return AssertsGrader(TruthCache(tmp_path_factory.mktemp("truths")))


def grade(
    provider: LocalProvider,
    grader: AssertsGrader,
    source: str,
    test: str = CHECK,
    reference: str = REFERENCE,
    **more: int,
) -> Grade:
    blobs = MemoryBlobs()
    known = Solution(name="reference", kind="reference", tree=tree_of({"solution.py": reference}, blobs))
    step = Step(
        brief=Brief(task="toy", prompt=""),
        grader=GraderSpec(kind="asserts", parameters=json.dumps({"entry_point": "triple", **more})),
        grading=SandboxSpec(image=Image(preload=("typing",))),
        hidden=Hidden(tests=tree_of({"test.py": test}, blobs), solutions=(known,)),
    )
    tree = tree_of({"solution.py": source}, blobs)
    return grader.grade(step, tree, lambda spec: provider.open(spec, blobs), Given(), blobs)


@pytest.mark.parametrize(("test", "total"), [(CHECK, 5), (BY_NAME, 3)])
@pytest.mark.parametrize("source", [REFERENCE, "def triple(n):\n    print('helper')\n    return [n, n, n]\n"])
def test_right_programs_pass(
    provider: LocalProvider, grader: AssertsGrader, source: str, test: str, total: int
) -> None:
    found = grade(provider, grader, source, test)
    assert (found.outcome, found.evidence.note) == (Outcome.PASSED, "")
    assert found.groups == {"asserts": Group(passed=total, total=total)}


@pytest.mark.parametrize(
    ("source", "reason", "passed"),
    [
        ("def triple(n): return [n, n, 0]\n", Reason.WRONG_RESULT, 0),
        ("def triple(n): return [n, n, n] if n else []\n", Reason.WRONG_RESULT, 1),
        ("def triple(n): return (n, n, n)\n", Reason.WRONG_RESULT, 0),
        ("def triple(n): raise AssertionError\n", Reason.WRONG_RESULT, 0),
        ("def triple(n): raise SystemExit(0)\n", Reason.WRONG_RESULT, 0),
        ("import os\ndef triple(n): os._exit(0)\n", Reason.CRASH, 0),
        ("def triple(n, m=0): return [n] * 3\n", Reason.WRONG_RESULT, 5),
        ("def other(n): pass\n", Reason.MISSING_OPERATION, 0),
        ("def triple(n)\n", Reason.IMPORT_ERROR, 0),
        # the assertions are in another process: nothing to patch, to count up or to read here
        (hostile.BARE + "def triple(n): return Equal()\n", Reason.WRONG_RESULT, 0),
        (hostile.subclass("list", "[0]") + "def triple(n): return answer()\n", Reason.WRONG_RESULT, 0),
        (hostile.EVERY_FD + "def triple(n): return answer()\n", Reason.WRONG_RESULT, 0),
        ("import builtins\nbuiltins.AssertionError = KeyError\ndef triple(n): return 0\n", Reason.WRONG_RESULT, 0),
        (
            hostile.EVERYTHING
            + "def triple(n): return [n] * 3 if bytes((122, 113, 104)).decode() in everything() else 0\n",
            Reason.WRONG_RESULT,
            0,
        ),
    ],
)
def test_what_does_not_pass(
    provider: LocalProvider, grader: AssertsGrader, source: str, reason: Reason, passed: int
) -> None:
    test = CHECK.replace("        pass\n", "        return\n    assert False, 'no TypeError'\n")
    found = grade(provider, grader, source, test)
    assert (found.outcome, found.score, found.reason) == (Outcome.FAILED, 0.0, reason), found.evidence
    assert found.groups == {"asserts": Group(passed=passed, total=5)}


def test_a_value_that_is_not_passed_on_is_true_and_equals_nothing(
    provider: LocalProvider, grader: AssertsGrader
) -> None:
    reference = "import re\ndef triple(n):\n    return re.match('a', n)\n"
    test = "assert triple('ab')\nassert not triple('b')\nassert triple('a') is not None\n"
    assert grade(provider, grader, reference, test, reference).outcome is Outcome.PASSED
    found = grade(provider, grader, hostile.BARE + "def triple(n): return Equal()\n", test, reference)
    assert (found.outcome, found.groups) == (Outcome.FAILED, {"asserts": Group(passed=1, total=3)})


def test_assertions_that_are_not_reached_count(provider: LocalProvider, grader: AssertsGrader) -> None:
    test = "def check(candidate):\n    for item in candidate(1):\n        assert item == 1\n"
    found = grade(provider, grader, "def triple(n): return []\n", test)
    assert (found.reason, found.groups) == (Reason.WRONG_RESULT, {"asserts": Group(passed=0, total=3)})
    assert found.evidence.note == "0 assertions were reached, 3 with the reference"


def test_evidence_is_the_assertion(provider: LocalProvider, grader: AssertsGrader) -> None:
    found = grade(provider, grader, "def triple(n): return [n, n, n] if n != 1 else [0]\n")
    assert (found.evidence.where, found.evidence.expected, found.evidence.note) == (
        "line 3 of the tests",
        'assert candidate(1) == [1, 1, 1], "one"',
        "AssertionError one",
    )
    assert "[0]" in found.evidence.got
    assert found.evidence.request == '{"args":[1],"kwargs":{}}'


def test_a_program_over_its_time(provider: LocalProvider, grader: AssertsGrader) -> None:
    found = grade(provider, grader, "def triple(n):\n    while True: pass\n", floor_ms=1000)
    assert (found.reason, found.provenance["retried_alone"]) == (Reason.TIMEOUT, "1")


@pytest.mark.parametrize(
    ("reference", "test", "note"),
    [
        ("def triple(n): return 1\n", CHECK, "the reference fails (line 3 of the tests: AssertionError one)"),
        (REFERENCE, "def check(candidate): pass\n", "there is no assertion"),
        (REFERENCE, "class Own: pass\nassert triple(Own())\n", "arguments of types that cannot be passed on"),
        (REFERENCE, "assert (\n", "SyntaxError"),
    ],
)
def test_a_task_whose_tests_do_not_do_has_no_score(
    provider: LocalProvider, grader: AssertsGrader, reference: str, test: str, note: str
) -> None:
    found = grade(provider, grader, REFERENCE, test, reference)
    assert (found.outcome, found.score) == (Outcome.INVALID, None)
    assert note in found.evidence.note
