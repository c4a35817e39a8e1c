"""Every fault of the list once, in the first answer of a run: what the attempt comes to, and how often the model was called."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from proofyard.core import Reason
from proofyard.engine import Entrant, RunRequest, run
from proofyard.store import read_calls, read_run
from proofyard.testing import FAULTS, Asked, Call, Fault, ModelServer, Turn, Usage


class Comes(NamedTuple):
    """passed, failed (for this reason), or owed (nothing was taken for an attempt); and after how many calls."""

    end: str
    calls: int = 2
    reason: Reason | None = None
    value: str = ""


AGAIN = Comes("passed")
EXPECTED = {
    "rate_limit": Comes("passed", value="0"),
    "rate_limit_date": Comes("passed", value="-5"),
    "rate_limit_ms": Comes("passed", value="1"),
    "quota": Comes("owed", 1),
    "server_error": AGAIN,
    "html": AGAIN,
    "overloaded": AGAIN,
    "auth": Comes("owed", 1),
    "unsupported": Comes("owed", 1),
    "no_model": Comes("owed", 1),
    "context": Comes("failed", 1, Reason.NO_SUBMISSION),
    "filtered_prompt": Comes("failed", 1, Reason.NO_SUBMISSION),
    "stream_error": AGAIN,
    "cut_before": AGAIN,
    "cut": AGAIN,
    "cut_tool": AGAIN,
    "stall": Comes("passed", value="0.1"),
    "slow": Comes("passed", 1, value="0"),
    "reset": AGAIN,
    "badjson": AGAIN,
    "no_stop": AGAIN,
    "bad_arguments": Comes("failed", 1, Reason.UNPARSABLE),
    "duplicate_ids": Comes("passed", 1),
    "empty": Comes("failed", 1, Reason.NO_SUBMISSION),
    "length": Comes("failed", 1, Reason.TRUNCATED),
    "filter": Comes("failed", 1, Reason.NO_SUBMISSION),
    "refusal": Comes("failed", 1, Reason.NO_SUBMISSION),
    "no_usage": Comes("passed", 1),
}


def submit(asked: Asked) -> Turn:
    number = re.search(r"write (\d+)", asked.prompt)
    assert number is not None
    files = {"files": [{"path": "answer.txt", "content": number[1]}]}
    return Turn(calls=(Call("submit", files),), usage=Usage(100, 20))


def test_the_list_is_whole() -> None:
    assert set(EXPECTED) == set(FAULTS)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_fault_is_what_it_is_taken_for(tmp_path: Path, name: str) -> None:
    comes = EXPECTED[name]
    with ModelServer(submit, faults=[Fault(name, comes.value)]) as server:
        who = Entrant(agent="oneshot:tool", model="openai-compatible/m", base_url=server.url("openai-chat"))
        request = RunRequest(suite="toy", output=str(tmp_path), entrants=(who,), subset="one")
        outcome = run(request, lambda counts: None)
        asked = server.settle()
        assert len(asked) == comes.calls
        assert {"passed": outcome.counts.passed, "failed": outcome.counts.failed, "owed": outcome.counts.owed} == {
            "passed": 0,
            "failed": 0,
            "owed": 0,
            comes.end: 1,
        }
        assert outcome.counts.error == 0
        assert [record.call for record in read_calls(tmp_path)] == [entry.call for entry in asked]
        verdicts = list(read_run(tmp_path).verdicts.values())
        assert [verdict.reason for verdict in verdicts] == ([] if comes.end == "owed" else [comes.reason])
        # What is owed goes on; what is over is not asked for again.
        again = run(request, lambda counts: None)
        assert len(server.settle()) == comes.calls + (comes.end == "owed")
        assert (again.counts.owed, again.counts.error) == (0, 0)
