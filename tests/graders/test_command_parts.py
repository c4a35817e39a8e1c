"""Lists of checks beside a reward, and one grade of several parts."""

from decimal import Decimal

import msgspec
import pytest

from proofyard.core import Failure, Grade, Group, MemoryBlobs, Outcome, Reason, tree_of
from proofyard.graders.command_checks import CUT, Checks, listed, read_checks
from proofyard.graders.command_parts import CommandParameters, Part, combined, part_of

BLOBS = MemoryBlobs()
CTRF = (
    '{"results": {"tests": [{"name": "t.py::a", "status": "passed"}, {"name": "b", "status": "failed"}, '
    '{"name": "c", "status": "skipped"}, {"name": "d", "status": "other"}]}}'
)
JUNIT = (
    "<testsuites><testsuite><testcase name='a'/><testcase name='b'><failure/></testcase><testcase name='c'><error/>"
    "</testcase><testcase name='d'><skipped/></testcase></testsuite></testsuites>"
)


def checks(**files: str) -> Checks:
    return read_checks(tree_of({name.replace("_", "."): text for name, text in files.items()}, BLOBS), BLOBS)


def test_lists_of_checks() -> None:
    assert checks(ctrf_json=CTRF) == Checks(("a", "b", "d"), ("b", "d"), {"checks": Group(passed=1, total=3)})
    assert checks(junit_xml=JUNIT) == Checks(("a", "b", "c"), ("b", "c"), {"checks": Group(passed=1, total=3)})
    assert checks(ctrf_json=CTRF, junit_xml=JUNIT).failed == ("b", "d")


def test_a_long_list_of_checks_is_cut_and_ends_so() -> None:
    whole = ("x" * 9_999, "y" * 9_999)
    assert listed(whole) == f"{whole[0]}, {whole[1]}"
    assert len(listed(whole)) == 20_000
    assert listed((*whole, "z")) == listed(whole) + CUT


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"ctrf_json": "{"},
        {"ctrf_json": "[]"},
        {"ctrf_json": '{"results": {"tests": [1]}}'},
        {"junit_xml": "<a"},
        {"junit_xml": '<!DOCTYPE x [<!ENTITY a "b">]><testcase name="&a;"/>'},
        {"junit_xml": "<a/>"},
        {"ctrf_json": " " * (5 << 20)},
    ],
)
def test_lists_that_say_nothing(files: dict[str, str]) -> None:
    assert checks(**files) == Checks()


def grade(outcome: Outcome, **rewards: float) -> Grade:
    score = rewards.get("reward", 0.0) if outcome in {Outcome.PASSED, Outcome.FAILED} else None
    failure = Failure(code="reward_missing", message="none") if outcome is Outcome.ERROR else None
    reason = Reason.WRONG_RESULT if outcome is Outcome.FAILED else None
    return Grade(outcome=outcome, score=score, metrics=rewards, failure=failure, reason=reason)


PARAMETERS = CommandParameters(parts=(Part(name="one"), Part(name="two"), Part(name="three")))
FINAL = msgspec.structs.replace(PARAMETERS, strategy="final")


def test_the_mean_by_key() -> None:
    found = combined([grade(Outcome.PASSED, reward=1, x=4), grade(Outcome.FAILED, reward=0.5)], PARAMETERS, Decimal(1))
    assert (found.outcome, found.score, found.metrics) == (Outcome.FAILED, 0.75, {"reward": 0.75, "x": 2.0})
    assert (found.evidence.note, sorted(found.groups)) == ("graded to step two of 3", ["one", "two"])
    found = combined([grade(Outcome.PASSED, reward=1), grade(Outcome.FAILED, reward=0.5)], FINAL, Decimal(1))
    assert found.score == 0.5


def test_a_part_without_a_reward_is_that_of_all() -> None:
    found = combined([grade(Outcome.PASSED, reward=1), grade(Outcome.ERROR)], PARAMETERS, Decimal(1))
    assert (found.outcome, found.score) == (Outcome.ERROR, None)


def test_gates() -> None:
    gate = Part(name="a", gates={"reward": 0.5, "x": 1})
    assert gate.lets_on(grade(Outcome.FAILED, reward=0.5, x=1))
    assert not gate.lets_on(grade(Outcome.FAILED, reward=0.5))
    assert not gate.lets_on(grade(Outcome.FAILED, reward=0.4, x=1))
    assert not Part(name="a").lets_on(grade(Outcome.ERROR))


def test_a_folder_of_a_tree() -> None:
    assert sorted(part_of(tree_of({"1/a": "", "1/b/c": "", "10/d": ""}, BLOBS), "1").entries) == ["a", "b/c"]
