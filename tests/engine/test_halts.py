import pytest

from proofyard.core import Failure
from proofyard.engine.halts import IN_A_ROW, Halts


def failed(code: str) -> Failure:
    return Failure(code=code, message=f"as {code}")


def test_the_end_of_the_run_halts_every_subject() -> None:
    halts = Halts()
    assert halts.halts("a", "A", failed("run_over"))
    assert halts.halted("a")
    assert halts.halted("b")
    assert halts.said == ["as run_over"]


@pytest.mark.parametrize("code", ["model_auth", "model_not_found", "model_quota", "agent_unusable"])
def test_what_every_attempt_of_a_subject_would_meet_halts_that_one(code: str) -> None:
    halts = Halts()
    assert halts.halts("a", "A", failed(code))
    assert halts.halts("a", "A", failed(code))
    assert (halts.halted("a"), halts.halted("b")) == (True, False)
    assert halts.said == [f"A: as {code} [{code}]"]


def test_a_model_that_never_answers_is_left_alone_after_a_while() -> None:
    halts, lost = Halts(), failed("model_network")
    for _ in range(IN_A_ROW - 1):
        assert not halts.halts("a", "A", lost)
        halts.ended("a", lost)
    halts.ended("a", None)  # one answer, and it is counted anew
    for n in range(IN_A_ROW):
        assert not halts.halted("a")
        assert not halts.halts("a", "A", lost), "the attempt itself is an error, as ever"
        assert halts.halted("a") is (n == IN_A_ROW - 1)
        halts.ended("a", lost)
    assert halts.said == ["A: 10 attempts in a row got no answer, the last one: as model_network"]


def test_other_failures_halt_nothing() -> None:
    halts = Halts()
    assert not any(halts.halts("a", "A", failed("sandbox_lost")) for _ in range(50))
    assert not halts.halted("a")
