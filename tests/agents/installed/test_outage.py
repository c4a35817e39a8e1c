"""A provider that is down: attempts are made again until it answers, and none of those before counts. The quick programs."""

from pathlib import Path

import pytest

from proofyard.store import read_calls
from proofyard.testing import ModelServer, parse_faults
from tests.agents.installed.programs import PROGRAMS, Driven, commands, go, only


@pytest.mark.parametrize("driven", [one for one in PROGRAMS if one.quick], ids=lambda one: one.name)
@pytest.mark.parametrize("fault", ["529", "cut"])
def test_an_exit_because_the_model_gave_no_answer_is_infrastructure(
    tmp_path: Path, driven: Driven, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    driven.needed()
    monkeypatch.setenv("MY_KEY", "sk-canary")
    with ModelServer(commands(driven, ["printf 0 > answer.txt"]), faults=parse_faults(f"{fault}*2")) as server:
        outcome = go(tmp_path, server, driven, model_attempts=1)
        asked = server.settle()
    assert (outcome.counts.passed, outcome.counts.error) == (1, 0), outcome
    trial, _ = only(tmp_path)
    assert trial.failure is None
    # What the program asked beyond what it was told to ask again is on record too, and belongs to the attempt that asked it.
    records = read_calls(tmp_path)
    assert [record.call for record in records] == [entry.call for entry in asked]
    assert trial.tries == records[-1].tries
