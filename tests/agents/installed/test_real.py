"""The real programs in a real sandbox, their model behind the gateway; they do what the scripted server says."""

import gzip
import json
import os
from pathlib import Path

import pytest

from proofyard.core import Budget, Reason, Sampling
from proofyard.store import read_calls, read_moves, read_run
from proofyard.testing import Call, ModelServer, parse_faults
from tests.agents.installed.programs import PROGRAMS, Driven, commands, go, only

CANARY = "sk-canary-0123456789abcdef"
WRITE = "printf 0 > answer.txt"

pytestmark = pytest.mark.parametrize("driven", PROGRAMS, ids=lambda one: one.name)


@pytest.fixture(autouse=True)
def ready(driven: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    driven.needed()
    monkeypatch.setenv("MY_KEY", CANARY)


def test_a_task_is_solved_in_spite_of_a_limit_an_overload_and_a_cut_stream(tmp_path: Path, driven: Driven) -> None:
    faults = parse_faults("429:1,529,ok,cut")
    with ModelServer(commands(driven, [f"env; {WRITE}"]), keys=[CANARY], faults=faults) as server:
        outcome = go(tmp_path, server, driven)
        asked = server.settle()
    assert outcome.counts.passed == 1, outcome
    trial, verdict = only(tmp_path)
    assert (verdict.score, trial.tries, trial.failure, trial.reason) == (1.0, 1, None, None)
    assert {entry.model for entry in asked} == {"m"}
    # The ledger of the server is what was recorded, call by call.
    assert [record.call for record in read_calls(tmp_path)] == [entry.call for entry in asked]
    billed = [entry for entry in asked if entry.usage is not None]
    assert trial.spend.calls == len(billed)
    moves = read_moves(tmp_path, trial.id)
    assert [move.n for move in moves] == list(range(1, len(moves) + 1))
    (worked,) = [move for move in moves if move.changed]
    assert [(change.path, change.how) for change in worked.changed] == [("answer.txt", "added")]
    assert worked.snapshot == trial.submissions[0]
    assert WRITE in worked.calls[0].arguments
    assert [result.call for result in worked.results] == [worked.calls[0].id]
    assert worked.message == "Step 0."
    assert worked.metrics is not None
    assert sum(move.metrics.input_tokens or 0 for move in moves if move.metrics) == trial.spend.input_tokens
    said, _, counted = trial.provenance["usage_reported"].partition("; the gateway counted ")
    spent = f"input={trial.spend.input_tokens} output={trial.spend.output_tokens}"
    assert (counted or said) == spent
    assert "PATH=" in worked.results[0].content
    # It called nothing but the model it was given, and the key is nowhere: not inside, nor in what was kept.
    assert not {"refused_paths", "refused_models", "provider_tools_removed"} & trial.provenance.keys()
    for folder, _, names in os.walk(tmp_path):
        for name in names:
            data = Path(folder, name).read_bytes()
            assert CANARY.encode() not in (gzip.decompress(data) if name.endswith(".gz") else data)


def test_no_answer_of_the_model_is_no_score(tmp_path: Path, driven: Driven) -> None:
    with ModelServer(commands(driven, [WRITE]), faults=parse_faults("401*50")) as server:
        outcome = go(tmp_path, server, driven, model_attempts=2)
    assert (outcome.counts.owed, outcome.counts.passed, outcome.counts.failed) == (1, 0, 0)
    assert "[model_auth]" in "".join(outcome.stopped)
    assert not read_run(tmp_path).verdicts


def test_a_budget_ends_the_work_and_what_there_is_is_graded(tmp_path: Path, driven: Driven) -> None:
    with ModelServer(commands(driven, [WRITE, *["true"] * 50])) as server:
        outcome = go(tmp_path, server, driven, budget=Budget(steps=4))
        assert len(server.settle()) == 4
    assert (outcome.counts.passed, outcome.counts.owed) == (1, 0)
    trial, verdict = only(tmp_path)
    assert (trial.reason, trial.failure, verdict.score) == (Reason.BUDGET, None, 1.0)


def test_at_the_end_of_its_time_it_is_killed_and_its_work_graded(tmp_path: Path, driven: Driven) -> None:
    with ModelServer(commands(driven, [WRITE, *["sleep 1000"] * 50])) as server:
        go(tmp_path, server, driven, budget=Budget(wall_s=driven.wall_s))
    trial, verdict = only(tmp_path)
    assert trial.failure is not None
    assert (trial.failure.code, trial.provenance["kill_confirmed"]) == ("agent_timeout", "yes")
    # On a machine that is too busy it may not have come to write anything by then; what there is has a score either way.
    wrote = any(move.snapshot == trial.submissions[0] for move in read_moves(tmp_path, trial.id))
    assert verdict.score in ({1.0} if wrote else {0.0, 1.0})


DAEMON = """
import os, time
if os.fork() or os.setsid() or os.fork(): os._exit(0)
me = os.getpid()
def others():
    for pid in os.listdir("/proc"):
        if pid.isdigit() and int(pid) not in (1, 2, me):
            try:
                if open(f"/proc/{pid}/stat").read().split(")")[1].split()[0] not in "ZX": yield pid
            except OSError: pass
open("waits", "w").write("yes")
while list(others()): time.sleep(0.01)
while True: open("answer.txt", "w").write("wrong")
"""


def test_what_waits_behind_is_dead_before_the_work_is_taken_and_what_was_used_is_compared(
    tmp_path: Path, driven: Driven
) -> None:
    start = f"cat > /tmp/d.py <<'E'\n{DAEMON}E\npython /tmp/d.py >/dev/null 2>&1 </dev/null; {WRITE}"
    wait = "while [ ! -e waits ]; do sleep 0.1; done; cat waits"
    with ModelServer(commands(driven, [start, wait])) as server:
        go(tmp_path, server, driven, sampling=Sampling(temperature="0.5", stop=("END",)))
        asked = server.settle()
    trial, verdict = only(tmp_path)
    assert (verdict.score, trial.provenance["kill_confirmed"]) == (1.0, "yes")
    moves = [move for move in read_moves(tmp_path, trial.id) if move.results]
    assert "yes" in moves[1].results[0].content
    assert trial.provenance["program"] == f"{driven.name} {driven.plugin.pinned}"
    assert trial.provenance["usage_reported"] == "input=300 output=60"
    assert (trial.spend.input_tokens, trial.spend.output_tokens) == (300, 60)
    # What the program cannot be told of the sampling is on record; what it can be told reaches the model.
    told = "temperature" in driven.plugin.settled
    assert (asked[-1].body.get("temperature") == 0.5) == told
    dropped = [one.partition("=")[0] for one in trial.provenance["dropped"].split("; ")]
    assert dropped == (["stop"] if told else ["temperature", "stop"])


SERVER = """
import json, sys
TOOL = {"name": "double", "description": "doubles", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked: continue
    known = {
        "initialize": lambda p: {"protocolVersion": p["protocolVersion"], "capabilities": {"tools": {}},
                                 "serverInfo": {"name": "math", "version": "1"}},
        "tools/list": lambda p: {"tools": [TOOL]},
        "tools/call": lambda p: {"content": [{"type": "text", "text": f"twice: {2 * p['arguments']['n']}"}]},
    }
    give = known.get(asked["method"], lambda p: {})
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": give(asked.get("params") or {})}), flush=True)
"""


def test_a_skill_and_a_server_are_where_it_looks_for_them(tmp_path: Path, driven: Driven) -> None:
    if not driven.plugin.takes:
        pytest.skip("takes no condition")
    skill = tmp_path / "careful"
    skill.mkdir()
    (skill / "SKILL.md").write_text("---\nname: careful\ndescription: how to look twice\n---\nLook twice.\n")
    (skill / "server.py").write_text(SERVER)
    servers = {"mcpServers": {"math": {"command": "python", "args": ["/skills/careful/server.py"]}}}
    (tmp_path / "mcp.json").write_text(json.dumps(servers))
    script: list[str | Call] = [*driven.skill_and_server, WRITE]
    with ModelServer(commands(driven, script)) as server:
        outcome = go(tmp_path / "r", server, driven, conditions=(f"skill:{skill}", f"mcp:{tmp_path / 'mcp.json'}"))
        asked = server.settle()
    assert outcome.counts.passed == 1, outcome
    assert "how to look twice" in json.dumps(asked[0].body)
    trial, _ = only(tmp_path / "r")
    assert (trial.provenance["skill:careful"], trial.provenance["mcp:math"]) == ("read", "used")
    results = "".join(result.content for move in read_moves(tmp_path / "r", trial.id) for result in move.results)
    assert "Look twice." in results or "Look twice." in json.dumps(asked[-1].body)
    assert "twice: 42" in results
