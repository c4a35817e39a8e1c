"""Programs of one's own in a real sandbox, which reach the scripted server through the gateway alone."""

import os
from pathlib import Path
from typing import Any

import pytest

from proofyard.core import Budget, Reason
from proofyard.engine import Entrant, RunOutcome, RunRequest, run
from proofyard.store import read_calls, read_run
from proofyard.testing import ModelServer, Usage, parse_faults, say

CANARY = "sk-canary-0123456789abcdef"
ASK = """
import json, os, sys, urllib.request

def ask():
    body = json.dumps({"model": os.environ["PROOFYARD_MODEL"], "messages": [{"role": "user", "content": "0?"}]}).encode()
    headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    url = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]
"""


def program(folder: Path, text: str) -> str:
    folder.mkdir()
    (folder / "run").write_text(ASK + text)
    return f"program:{folder}"


def go(path: Path, server: ModelServer, agent: str, **more: Any) -> RunOutcome:
    who = Entrant(
        agent=agent,
        model="openai-compatible/m",
        base_url=server.url("openai-chat"),
        key_env="MY_KEY",
        budget=more.pop("budget", Budget()),
    )
    request = RunRequest(suite="toy", output=str(path), entrants=(who,), subset="one", model_attempts=1, **more)
    return run(request, lambda counts: None)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", CANARY)


def test_a_program_reaches_its_model_and_nothing_else(tmp_path: Path) -> None:
    text = """
import socket
open("answer.txt", "w").write(ask())
assert open(os.environ["PROOFYARD_PROMPT_FILE"]).read() == "write 0"
for where in (("127.0.0.1", PORT), ("1.1.1.1", 53)):
    try:
        socket.create_connection(where, 1)
        open("answer.txt", "w").write("reached")
    except OSError:
        pass
open("seen.txt", "w").write(repr(dict(os.environ)))
"""
    with ModelServer(say("0", usage=Usage(100, 20)), keys=[CANARY]) as server:
        agent = program(tmp_path / "agent", text.replace("PORT", str(server.port)))
        outcome = go(tmp_path / "r", server, agent)
        (entry,) = server.settle()
    assert outcome.counts.passed == 1, outcome
    (trial,) = read_run(tmp_path / "r").trials.values()
    assert (trial.spend.calls, trial.spend.input_tokens, trial.spend.output_tokens) == (1, 100, 20)
    (record,) = read_calls(tmp_path / "r")
    assert record.call == entry.call
    # The key is in no file of the run: not in the submission, the logs, the exchanges, nor anywhere else.
    for folder, _, names in os.walk(tmp_path / "r"):
        for name in names:
            assert CANARY.encode() not in Path(folder, name).read_bytes()


def test_an_exit_because_the_model_gave_no_answer_is_infrastructure(tmp_path: Path) -> None:
    with ModelServer(say("0"), faults=parse_faults("500*2")) as server:
        agent = program(tmp_path / "agent", 'open("answer.txt", "w").write(ask())')
        outcome = go(tmp_path / "r", server, agent)
        assert len(server.settle()) == 3
    assert (outcome.counts.passed, outcome.counts.error) == (1, 0)
    (trial,) = read_run(tmp_path / "r").trials.values()
    assert (trial.tries, trial.failure) == (3, None)
    assert [record.tries for record in read_calls(tmp_path / "r")] == [1, 2, 3]


def test_an_exit_of_its_own_is_graded(tmp_path: Path) -> None:
    with ModelServer(say("0")) as server:
        agent = program(tmp_path / "agent", 'open("answer.txt", "w").write(ask())\nsys.exit(7)')
        outcome = go(tmp_path / "r", server, agent)
    assert outcome.counts.passed == 1
    (trial,) = read_run(tmp_path / "r").trials.values()
    assert trial.failure is not None
    assert (trial.failure.code, trial.failure.message) == ("agent_exit", "the program ended with exit code 7")


def test_a_budget_ends_the_asking_and_the_work_is_graded(tmp_path: Path) -> None:
    with ModelServer(say("0", usage=Usage(100, 20))) as server:
        agent = program(tmp_path / "agent", 'open("answer.txt", "w").write(ask())\nwhile True: ask()')
        outcome = go(tmp_path / "r", server, agent, budget=Budget(tokens=300))
        assert len(server.settle()) == 3
    assert outcome.counts.passed == 1
    (trial,) = read_run(tmp_path / "r").trials.values()
    assert (trial.reason, trial.failure) == (Reason.BUDGET, None)
