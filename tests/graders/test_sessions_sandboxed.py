"""The session grader in real sandboxes: limits, kills at exact points, restarts."""

from collections.abc import Iterator

import msgspec
import pytest

from proofyard.core import Given, Grade, MemoryBlobs, Outcome, Reason, Scenario, Session
from proofyard.graders import SessionGrader
from proofyard.sandbox import LocalProvider

from .programs import ALL, RESTART, STATELESS, middle, program, step, submission


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider()
    yield local
    local.close()


def grade(
    provider: LocalProvider, source: str, *scenarios: Scenario, wall_ms: int = 30_000, cpu_ms: int = 10_000
) -> Grade:
    blobs = MemoryBlobs()
    chosen = step(scenarios or (STATELESS,), wall_ms=wall_ms, cpu_ms=cpu_ms)
    tree = submission(source, blobs)
    return SessionGrader().grade(chosen, tree, lambda spec: provider.open(spec, blobs), Given(), blobs)


def test_a_correct_program_passes_every_kill(provider: LocalProvider) -> None:
    found = grade(provider, program(), *ALL)
    assert (found.outcome, found.score, found.evidence.note) == (Outcome.PASSED, 1.0, "")
    assert found.metrics == {"assertions_passed": 38.0, "assertions_total": 38.0}
    assert found.provenance["rung"] == "bubblewrap"
    assert found.provenance["kill_confirmed"] == "yes"
    assert found.usage.cpu_us > 0 and found.usage.peak_memory > 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("wrong result", Reason.WRONG_RESULT),
        ("ids ignored", Reason.WRONG_RESULT),
        ("exits early", Reason.CRASH),
        ("raises", Reason.CRASH),
        ("extra line at the end", Reason.WRONG_RESULT),
        ("exit code at the end", Reason.CRASH),
        ("two lines", Reason.WRONG_RESULT),
        ("answers blank lines", Reason.WRONG_RESULT),
        ("no error handling", Reason.CRASH),
        ("missing operation", Reason.MISSING_OPERATION),
        ("does not import", Reason.IMPORT_ERROR),
        ("does not parse", Reason.IMPORT_ERROR),
        ("not json", Reason.WRONG_RESULT),
        ("eats memory", Reason.OOM),
        ("floods", Reason.OUTPUT_LIMIT),
    ],
)
def test_a_broken_program_fails(provider: LocalProvider, name: str, reason: Reason) -> None:
    found = grade(provider, program(name))
    assert (found.outcome, found.score, found.reason) == (Outcome.FAILED, 0.0, reason)


@pytest.mark.parametrize("name", ["hangs", "not flushed", "stays after the end"])
def test_a_program_that_waits_too_long(provider: LocalProvider, name: str) -> None:
    found = grade(provider, program(name), wall_ms=1500)
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.TIMEOUT)
    assert found.provenance["retried_alone"] == "1"


def test_a_program_over_its_cpu_time_is_not_played_again(provider: LocalProvider) -> None:
    found = grade(provider, program("burns"), cpu_ms=1000)
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.TIMEOUT)
    assert "retried_alone" not in found.provenance


def test_state_lost_at_the_restart(provider: LocalProvider) -> None:
    found = grade(provider, program("state lost"), RESTART)
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.PERSISTENCE)


def test_answering_before_storing_is_found_every_time(provider: LocalProvider) -> None:
    scenarios = [msgspec.structs.replace(RESTART, name=f"restart {n}") for n in range(5)]
    for scenario in scenarios:
        found = grade(provider, program("answers before storing"), scenario)
        assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.PERSISTENCE)
        assert found.evidence.where.endswith("session 2, row 1")


PADDED = """
def store(data):
    for n in range(5):
        with open(PATH + f".pad{n}", "w") as file:
            file.write("x")
    with open(PATH, "w") as file:
        json.dump(data, file)

class Refused"""


def test_kill_points_spread_over_the_calls_of_the_program(provider: LocalProvider) -> None:
    """Calls that do no harm, made before those that do, must not take all the kills."""
    text = program()
    padded = text[: text.index("def store")] + PADDED.lstrip() + text[text.index("class Refused") + 13 :]
    fixed = [middle(n) for n in range(1, 7)]
    assert grade(provider, padded, *fixed).outcome is Outcome.PASSED
    spread = [spread_over(6, scenario) for scenario in fixed]
    found = grade(provider, padded, *spread)
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.NOT_ATOMIC)
    assert "killed at state-changing call 12 of request set" in found.evidence.note
    assert grade(provider, program(), *spread).outcome is Outcome.PASSED
    assert grade(provider, program("in place"), *spread).reason is Reason.NOT_ATOMIC
    assert grade(provider, program("exits early"), *spread).outcome is Outcome.PASSED


def spread_over(points: int, scenario: Scenario) -> Scenario:
    first, *others = scenario.sessions
    rows = [msgspec.structs.replace(row, of=points if row.kill else 0) for row in first.rows]
    return msgspec.structs.replace(scenario, sessions=(Session(rows=tuple(rows)), *others))


def test_a_play_that_counts_calls_counts_for_nothing(provider: LocalProvider) -> None:
    """What goes wrong in it ends it; the play that counts finds it too."""
    scenario = spread_over(6, middle(6))
    for name, reason in (("does not import", Reason.IMPORT_ERROR), ("exit code at the end", Reason.CRASH)):
        found = grade(provider, program(name), scenario)
        assert (found.outcome, found.reason) == (Outcome.FAILED, reason)
    assert grade(provider, program(), scenario).metrics == {"assertions_passed": 4.0, "assertions_total": 4.0}


def test_rewriting_in_place_is_found_by_a_kill_in_the_middle(provider: LocalProvider) -> None:
    assert grade(provider, program("in place"), RESTART, STATELESS).outcome is Outcome.PASSED
    found = grade(provider, program("in place"), *(middle(n) for n in range(1, 7)))
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.NOT_ATOMIC)
    assert ", started on the state that a kill had left; the session before was killed at state-changing call " in (
        found.evidence.note
    )
