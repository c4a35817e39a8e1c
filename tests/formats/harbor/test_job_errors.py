from proofyard.core import FAILURES, Failure
from proofyard.formats.harbor.job_errors import exception_of, failure_of


def test_every_failure_has_a_name_of_its_own_and_comes_back() -> None:
    names = {code: exception_of(Failure(code=code, message="m")) for code in FAILURES}
    assert len(set(names.values())) == len(FAILURES)
    assert {code: failure_of(name, "", rewarded=False).code for code, name in names.items()} == {c: c for c in FAILURES}
    assert (names["agent_timeout"], names["worker_lost"]) == ("AgentTimeoutError", "WorkerLostError")


def test_what_harbor_lets_no_reward_count_beside_is_not_graded_here() -> None:
    for name in (
        "EnvironmentStartTimeoutError",
        "ApiUsageLimitError",
        "VerifierTimeoutError",
        "CancelledError",
        "Timeout",
    ):
        assert not failure_of(name, "", rewarded=True).grade, name
    for name in ("NonZeroAgentExitCodeError", "AgentTimeoutError", "AgentSafetyRefusalError"):
        assert failure_of(name, "", rewarded=True).grade, name


def test_a_message_is_one_line_with_the_name() -> None:
    assert failure_of("HealthcheckError", " a\n b ", rewarded=False).message == "HealthcheckError: a b"
    assert failure_of("HealthcheckError", "", rewarded=False).message == "HealthcheckError"
