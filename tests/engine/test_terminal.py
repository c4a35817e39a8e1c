"""Runs of the terminal agent in a real sandbox, against the scripted server."""

import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proofyard.core import Budget, Reason, Tree, Trial, Verdict, file_bytes
from proofyard.engine import Entrant, RunOutcome, RunRequest, run
from proofyard.models import Quirks, providers
from proofyard.store import read_moves, read_run
from proofyard.testing import Asked, Call, ModelServer, Turn, Usage, parse_faults, turns

ANSWER = Turn(calls=(Call("shell", {"command": "printf 0 > answer.txt"}),))
DONE = Turn(text="Done.")


def shell(command: str, timeout_s: int = 60) -> Turn:
    return Turn(calls=(Call("shell", {"command": command, "timeout_s": timeout_s}),), usage=Usage(100, 20))


def go(path: Path, server: ModelServer, *, agent: str = "terminal", task: str = "toy-0", **more: Any) -> RunOutcome:
    fields = {name: more.pop(name) for name in ("budget", "conditions") if name in more}
    who = Entrant(agent=agent, model="openai-compatible/m", base_url=server.url("openai-chat"), **fields)
    request = RunRequest(suite="toy", output=str(path), entrants=(who,), tasks=(task,), model_attempts=2, **more)
    return run(request, lambda counts: None)


def only(path: Path) -> tuple[Trial, Verdict]:
    data = read_run(path)
    (trial,), (verdict,) = data.trials.values(), data.verdicts.values()
    return trial, verdict


def test_work_step_by_step_is_on_record(tmp_path: Path) -> None:
    script = [shell("cat README | head -c 7; cd /tmp; N=0"), shell("printf $N > $OLDPWD/answer.txt"), DONE]
    with ModelServer(turns(script)) as server:
        outcome = go(tmp_path, server)
        asked = server.settle()
    assert outcome.counts.passed == 1
    assert [message["content"] for message in asked[1].body["messages"] if message["role"] == "tool"] == [
        "read me\n[exit code 0]"
    ]
    trial, verdict = only(tmp_path)
    assert (verdict.score, trial.reason, trial.provenance["end"]) == (1.0, None, "done")
    assert (trial.spend.steps, trial.spend.input_tokens, trial.spend.output_tokens) == (3, 300, 60)
    assert trial.spend.sandbox.cpu_us > 0
    moves = read_moves(tmp_path, trial.id)
    assert [move.source for move in moves] == ["system", "user", "agent", "agent", "agent"]
    assert [move.n for move in moves] == [1, 2, 3, 4, 5]
    assert moves[2].changed == ()
    assert moves[2].snapshot is None
    assert [(change.path, change.how) for change in moves[3].changed] == [("answer.txt", "added")]
    assert moves[3].results[0].code == 0
    # The snapshot after the move that finished the work is what was submitted.
    assert moves[3].snapshot == trial.submissions[0]
    blobs = read_run(tmp_path).blobs
    tree = msgspec.json.decode(blobs.get(trial.submissions[0].blob), type=Tree)
    assert file_bytes(tree.entries["answer.txt"], blobs) == b"0"


@pytest.mark.parametrize(
    ("provider", "wire"),
    [("anthropic-compatible", "anthropic-messages"), ("responses-compatible", "openai-responses")],
)
def test_the_other_wires(tmp_path: Path, provider: str, wire: Any) -> None:
    script = [shell("N=0")._replace(thinking="hm"), shell("printf $N > answer.txt"), DONE]
    with ModelServer(turns(script)) as server:
        who = Entrant(agent="terminal", model=f"{provider}/m", base_url=server.url(wire))
        request = RunRequest(suite="toy", output=str(tmp_path), entrants=(who,), tasks=("toy-0",))
        assert run(request, lambda counts: None).counts.passed == 1
        assert len(server.settle()) == 3
    trial, _ = only(tmp_path)
    assert (trial.spend.input_tokens, trial.provenance["end"]) == (300, "done")
    assert read_moves(tmp_path, trial.id)[2].reasoning == "hm"


def test_what_waits_in_the_background_is_dead_before_the_work_is_taken(tmp_path: Path) -> None:
    daemon = (
        "import os, time\n"
        "if os.fork() or os.setsid() and os.fork(): os._exit(0)\n"
        "os.environ.clear(); os.closerange(0, 200)\n"
        "while True:\n"
        "    time.sleep(0.05); n = len(os.listdir('/workspace/project'))\n"
        "    open('/workspace/project/answer.txt', 'w').write('wrong')\n"
    )
    start = f"cat > /tmp/d.py <<'E'\n{daemon}E\npython /tmp/d.py & sleep 1; cat answer.txt"
    with ModelServer(
        turns([shell(start), shell("pkill -9 -f d.py; printf 0 > answer.txt; python /tmp/d.py &"), DONE])
    ) as s:
        go(tmp_path, s)
    trial, verdict = only(tmp_path)
    assert trial.provenance["kill_confirmed"] == "yes"
    first = trial.submissions[0].tree
    time.sleep(0.3)
    assert only(tmp_path)[0].submissions[0].tree == first
    assert verdict.submission == first
    assert "wrong" in read_moves(tmp_path, trial.id)[2].results[0].content


def test_a_command_is_interrupted_and_the_work_goes_on(tmp_path: Path) -> None:
    script = [shell("X=0; sleep 100", 1), shell("printf $X > answer.txt"), DONE]
    with ModelServer(turns(script)) as server:
        assert go(tmp_path, server).counts.passed == 1
    moves = read_moves(tmp_path, only(tmp_path)[0].id)
    assert moves[2].results[0].content == "[interrupted: its time was over]"
    assert moves[2].results[0].code is None


def test_a_budget_of_steps_ends_the_attempt_and_what_is_there_is_graded(tmp_path: Path) -> None:
    with ModelServer(turns([shell("true"), shell("printf 0 > answer.txt"), shell("printf 1 > answer.txt")])) as server:
        outcome = go(tmp_path, server, budget=Budget(steps=2))
        assert len(server.settle()) == 2
    assert (outcome.counts.passed, outcome.counts.owed) == (1, 0)
    trial, verdict = only(tmp_path)
    assert (trial.reason, trial.provenance["end"], verdict.score) == (Reason.BUDGET, "budget", 1.0)


def test_without_work_the_reason_is_what_ended_it(tmp_path: Path) -> None:
    with ModelServer(turns([shell("true")])) as server:
        go(tmp_path, server, budget=Budget(tokens=200))
        assert len(server.settle()) == 2
    assert only(tmp_path)[1].reason is Reason.BUDGET


def test_wall_is_kept_also_while_a_command_runs(tmp_path: Path) -> None:
    with ModelServer(turns([shell("sleep 100")])) as server:
        go(tmp_path, server, budget=Budget(wall_s=8))
        assert len(server.settle()) == 1
    assert only(tmp_path)[0].reason is Reason.BUDGET


def test_limits_are_on_unless_others_are_named(tmp_path: Path) -> None:
    with ModelServer(turns([ANSWER, DONE])) as server:
        go(tmp_path, server, budget=Budget(steps=7))
    (subject,) = read_run(tmp_path).plan.subjects
    assert subject.budget == Budget(steps=7, wall_s=3600, tokens=5_000_000)


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ("bad_arguments", "no JSON"),
        ("length", "cut at the limit"),
        ("empty", "was empty"),
    ],
)
def test_an_answer_that_cannot_be_used_is_told_to_the_model(tmp_path: Path, faults: str, told: str) -> None:
    def policy(asked: Asked) -> Turn:
        return DONE if "answer.txt" in json.dumps(asked.body["messages"][2:]) and asked.turn > 1 else ANSWER

    with ModelServer(policy, faults=parse_faults(faults)) as server:
        outcome = go(tmp_path, server)
        asked = server.settle()
    assert outcome.counts.passed == 1
    assert told in json.dumps(asked[1].body["messages"])


def test_answers_that_can_never_be_used_end_the_attempt(tmp_path: Path) -> None:
    with ModelServer(turns([Turn(calls=(Call("bash", {"command": "ls"}),))])) as server:
        go(tmp_path, server)
        assert len(server.settle()) == 4
    trial, verdict = only(tmp_path)
    assert (trial.provenance["end"], verdict.reason) == ("mistakes", Reason.UNPARSABLE)


def test_the_model_is_asked_once_more_where_nothing_is_there(tmp_path: Path) -> None:
    with ModelServer(turns([DONE, DONE])) as server:
        go(tmp_path, server)
        asked = server.settle()
    assert len(asked) == 2
    assert "no answer.txt" in asked[1].body["messages"][-1]["content"]
    assert only(tmp_path)[1].reason is Reason.NO_SUBMISSION


def test_a_model_without_tools_says_commands_in_fences(tmp_path: Path) -> None:
    script = [Turn(text="I write.\n```sh\nprintf 0 > answer.txt\n```"), Turn(text="TASK_DONE")]
    with ModelServer(turns(script)) as server:
        assert go(tmp_path, server, agent="terminal:text").counts.passed == 1
        asked = server.settle()
    assert "tools" not in asked[0].body
    assert asked[1].body["messages"][-1] == {"role": "user", "content": "[exit code 0]"}
    moves = read_moves(tmp_path, only(tmp_path)[0].id)
    assert moves[2].extra == {"commands": '["printf 0 > answer.txt"]'}


def test_text_is_taken_by_itself_where_the_model_takes_no_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        msgspec.structs.replace(row, quirks=Quirks(tools=False)) if row.name == "openai-compatible" else row
        for row in providers.PROVIDERS
    ]
    monkeypatch.setattr(providers, "PROVIDERS", tuple(rows))
    script = [Turn(text="```sh\nprintf 0 > answer.txt\n```"), Turn(text="TASK_DONE")]
    with ModelServer(turns(script)) as server:
        assert go(tmp_path, server).counts.passed == 1
        assert "tools" not in server.settle()[0].body


@pytest.mark.parametrize(("command", "used"), [("cat /skills/careful/SKILL.md", "read"), ("true", "not read")])
def test_a_skill_is_at_hand_and_whether_it_was_read_is_recorded(tmp_path: Path, command: str, used: str) -> None:
    skill = tmp_path / "careful"
    skill.mkdir()
    (skill / "SKILL.md").write_text("---\nname: careful\ndescription: how to be careful\n---\nLook twice.\n")
    with ModelServer(turns([shell(command), ANSWER, DONE])) as server:
        go(tmp_path / "r", server, conditions=(f"skill:{skill}",))
        asked = server.settle()
    assert "/skills/careful/SKILL.md: how to be careful" in asked[0].body["messages"][0]["content"]
    trial, _ = only(tmp_path / "r")
    assert trial.provenance["skill:careful"] == used
    moves = read_moves(tmp_path / "r", trial.id)
    assert ("Look twice." in moves[2].results[0].content) is (used == "read")
    (subject,) = read_run(tmp_path / "r").plan.subjects
    assert subject.skills[0].startswith("careful@")
    assert trial.subject_name.endswith("+careful")


SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "busy"}}), flush=True)
    if "id" not in asked:
        continue
    given = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "n", "version": "1"}}
    if asked["method"] == "tools/list":
        given = {"tools": [{"name": "double", "description": "twice", "inputSchema": {"type": "object", "properties": {}}}]}
    if asked["method"] == "tools/call":
        n = asked["params"]["arguments"].get("n")
        if n is None:
            sys.exit("gone")
        open("/workspace/project/answer.txt", "w").write(str(2 * n))
        given = {"content": [{"type": "text", "text": f"wrote {2 * n}"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": given}), flush=True)
"""


def servers(path: Path, source: str) -> str:
    path.write_text(json.dumps({"mcpServers": {"math": {"command": "python", "args": ["-c", source]}}}))
    return f"mcp:{path}"


def test_a_server_of_tools_is_used_inside_the_sandbox(tmp_path: Path) -> None:
    script = [
        Turn(calls=(Call("mcp__math__double", {"n": 0}),)),
        Turn(calls=(Call("mcp__math__double", {}), Call("shell", {"command": "cat answer.txt"}))),
        DONE,
    ]
    with ModelServer(turns(script)) as server:
        outcome = go(tmp_path / "r", server, conditions=(servers(tmp_path / "mcp.json", SERVER),))
        asked = server.settle()
    assert outcome.counts.passed == 1
    assert [tool["function"]["name"] for tool in asked[0].body["tools"]] == ["shell", "mcp__math__double"]
    trial, _ = only(tmp_path / "r")
    assert trial.provenance["mcp:math"] == "used"
    moves = read_moves(tmp_path / "r", trial.id)
    assert moves[2].results[0].content == "wrote 0"
    assert moves[2].snapshot is not None
    assert (moves[3].results[0].failed, moves[3].results[1].content) == (True, "0\n[exit code 0]")
    assert "the server math gave no answer" in moves[3].results[0].content


def test_a_server_that_does_not_come_up_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    condition = servers(tmp_path / "mcp.json", "raise SystemExit('no such thing')")
    with ModelServer(turns([DONE])) as server:
        outcome = go(tmp_path / "r", server, conditions=(condition,))
        assert server.ledger == []
    assert (outcome.counts.owed, outcome.counts.error, outcome.exit_code) == (1, 0, 3)
    assert "MCP server math gave no answer (eof): no such thing" in outcome.stopped[0]
