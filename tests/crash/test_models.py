"""200 attempts that ask a model which fails at random; the tool is killed twice. Nothing is lost, nothing counted twice."""

import collections
import json
import os
import random
import re
import signal
import time
from pathlib import Path

import pytest

from proofyard.store import read_calls, read_run
from proofyard.testing import Asked, Call, Fault, ModelServer, Turn, Usage
from tests.crash import helpers

TOY = Path(__file__).parents[1] / "toy"
TRIALS = 200
SLOTS = 12
KILLS = (50, 140)
FAULTS: tuple[Fault | None, ...] = (
    *[None] * 14,
    Fault("rate_limit_ms", "20"),
    Fault("rate_limit"),
    Fault("server_error"),
    Fault("overloaded"),
    Fault("html"),
    Fault("cut"),
    Fault("cut_before"),
    Fault("cut_tool", "hard"),
    Fault("reset"),
    Fault("badjson"),
    Fault("no_stop"),
    Fault("stream_error"),
    Fault("no_usage"),
    Fault("length"),
    Fault("empty"),
)


def submit(asked: Asked) -> Turn:
    number = re.search(r"write (\d+)", asked.prompt)
    assert number is not None
    files = {"files": [{"path": "answer.txt", "content": number[1]}]}
    return Turn(calls=(Call("submit", files),), usage=Usage(100, 20))


def test_no_attempt_is_lost_or_counted_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(TOY), os.environ.get("PYTHONPATH", "")]))
    chance = random.Random(5)
    faults = [chance.choice(FAULTS) for _ in range(3 * TRIALS)]
    run = tmp_path / "run"
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with ModelServer(submit, faults=faults) as server:
        command = ["run", "toy", "--agent", "oneshot:tool", "--model", "openai-compatible/m"]
        command += ["--base-url", server.url("openai-chat"), "--attempts", str(TRIALS // 10)]
        command += ["--concurrency", str(SLOTS), "--output", str(run)]
        for asked in KILLS:
            process = helpers.start(command, scratch)
            deadline = time.monotonic() + helpers.PATIENCE_S * 2
            while len(server.ledger) < asked and time.monotonic() < deadline:
                assert process.poll() is None, process.stderr and process.stderr.read()
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        process = helpers.start(command, scratch)
        _, said = process.communicate(timeout=240)
        entries = server.settle()
    # Some answers were cut or empty: those attempts failed, which is no infrastructure.
    assert process.returncode == 1, said.decode()

    data = read_run(run)
    trials = [json.loads(line)["trial"] for line in (run / "trials.jsonl").read_text().splitlines()]
    over = [trial["id"] for trial in trials if trial.get("submissions")]
    assert len(over) == len(set(over)) == TRIALS
    assert {trial.failure for trial in data.trials.values()} == {None}
    assert collections.Counter(v.trial for v in data.verdicts.values()) == collections.Counter(over)

    calls = read_calls(run)
    at_server = [entry.call for entry in entries]
    assert len(at_server) == len(set(at_server))
    recorded = {record.call for record in calls if record.end is not None}
    in_flight = {record.call for record in calls if record.end is None}
    assert len(calls) == len(recorded) + len(in_flight)
    assert recorded <= set(at_server) <= recorded | in_flight
    assert len(in_flight) <= len(KILLS) * SLOTS

    # What each attempt says it cost is what the calls of its last try cost.
    last: dict[str, int] = {}
    for record in calls:
        tokens = (record.end or {}).get("attempt", {}).get("tokens") or {}
        if record.tries == data.trials[record.trial].tries and record.end is not None:
            last[record.trial] = last.get(record.trial, 0) + tokens.get("input", 0)
    for trial in data.trials.values():
        assert (trial.spend.input_tokens or 0) <= last[trial.id]
    right = [v for v in data.verdicts.values() if v.score == 1.0]
    assert len(right) > TRIALS // 2
