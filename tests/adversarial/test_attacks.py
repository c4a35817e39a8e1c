"""Not one hostile sample passes, on tasks of our own and on tasks of the dataset; without the guards many would."""

import re
from collections.abc import Iterator

import pytest

from proofyard.core import Outcome, Reason
from proofyard.graders.unittest_orders import Truth
from proofyard.sandbox import LocalProvider
from tests.adversarial.own_tasks import OWN_TASKS
from tests.adversarial.plain import grade, measured, task
from tests.adversarial.samples import ATTACKS, MADE_FOR

DATASET = ("BigCodeBench/13", "BigCodeBench/16", "BigCodeBench/1")
OTHERS = ("totals", "mean", "report", "draw")


def _cases() -> list[tuple[str, str]]:
    """Each attack on the task that is easiest to fool, and on one more of our own or of the dataset."""
    cases = []
    for number, name in enumerate(ATTACKS):
        cases.append((name, "words"))
        cases.append((name, MADE_FOR.get(name) or (*OTHERS, *DATASET)[number % 7]))
    return cases


REASONS = {
    "A1 skip of the other unittest": {Reason.TAMPER},
    "A2 setUpClass": {Reason.TAMPER},
    "A3 asserts during the call": {Reason.TAMPER},
    "A3 patched between the calls": {Reason.TAMPER},
    "A4 build_class": {Reason.TAMPER},
    "A5 always": {Reason.TAMPER},
    "A5 now and then": {Reason.TAMPER, Reason.WRONG_RESULT},
    "A6 frames of all threads": {Reason.TAMPER},
    "A6 gc objects": {Reason.TAMPER},
    "A6 code of the tests": {Reason.WRONG_RESULT},  # it does not find them
    "A3 asserts of the test class unless it is a twin": {Reason.WRONG_RESULT},
    "A3 another base": {Reason.WRONG_RESULT},
    "A3 the driver's own classes": {Reason.WRONG_RESULT},
    "A3 code of asserts unless it is a twin": {Reason.TAMPER},
    "A5 equal to values that look like no probe": {Reason.TAMPER, Reason.WRONG_RESULT},
    "A6 frame of a generator gone on with by a comparison": {Reason.TAMPER},
    "A6 frame of a coroutine": {Reason.TAMPER},
    "A6 frames handed out by logging": {Reason.TAMPER},
    "A6 frames under a library's globals and file name": {Reason.TAMPER},
    "A6 frames by code loaded by a library's loader": {Reason.TAMPER},
    "A6 audit hook of its own": {Reason.TAMPER},
    "A6 frames from a comparison": {Reason.TAMPER},
    "A7 every descriptor": {Reason.CRASH},
    "A8 exit in the function": {Reason.CRASH},
    "A8 killed by itself": {Reason.CRASH},
    "A9 own memory": {Reason.TAMPER},
    "A12 loop": {Reason.TIMEOUT},
    "A12 loop in C": {Reason.TIMEOUT},
    "A12 loop in a destructor": {Reason.TIMEOUT},
    "A12 loop in a thread": {Reason.TIMEOUT},
    "A13 memory": {Reason.OOM},
    "A13 memory over children": {Reason.OOM},
    "A13 output": {Reason.OUTPUT_LIMIT},
    "A14 choice": {Reason.TAMPER},
    "A14 draws": {Reason.TAMPER},
    "A14 time": {Reason.TIMEOUT},
}
"""What some attacks must be called, on any task of our own."""


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider(slots=1)
    yield local
    local.close()


_truths: dict[str, Truth] = {}


def truth_for(provider: LocalProvider, name: str) -> Truth:
    if name not in _truths:
        _truths[name] = measured(provider, task(name))
    return _truths[name]


@pytest.mark.parametrize(("attack", "name"), _cases(), ids=lambda value: re.sub(r"\W+", "-", value))
def test_no_attack_passes(provider: LocalProvider, attack: str, name: str) -> None:
    truth = truth_for(provider, name)
    found = grade(provider, task(name).test, ATTACKS[attack], truth)
    assert (found.outcome, found.score) == (Outcome.FAILED, 0.0), found
    assert isinstance(found.reason, Reason)
    expected = REASONS.get(attack) if name in OWN_TASKS else None
    assert expected is None or found.reason in expected, found.evidence


@pytest.mark.parametrize("name", [*OWN_TASKS, *DATASET])
def test_positive_control(provider: LocalProvider, name: str) -> None:
    found = grade(provider, task(name).test, task(name).solution, truth_for(provider, name))
    assert found.outcome is Outcome.PASSED, found
