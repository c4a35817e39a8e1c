"""An agent with a model at work on task folders: in the image, step by step, with what the task brings."""

from pathlib import Path

from proofyard.core import Outcome
from proofyard.engine import Entrant, RunRequest, run
from proofyard.store import RunData, read_moves, read_run
from proofyard.testing import Call, ModelServer, Turn, turns

from .folders import task
from .test_running import several

DONE = Turn(text="Done.")


def shell(command: str) -> Turn:
    return Turn(calls=(Call("shell", {"command": command, "timeout_s": 20}),))


def go(folder: Path, output: Path, server: ModelServer) -> RunData:
    who = Entrant(agent="terminal", model="openai-compatible/m", base_url=server.url("openai-chat"))
    run(RunRequest(suite=str(folder), output=str(output), entrants=(who,), model_attempts=2), lambda counts: None)
    return read_run(output)


def test_work_in_an_image(tmp_path: Path) -> None:
    files = {"environment/Dockerfile": "FROM debian:12\nWORKDIR /app\nCOPY . .\nRUN seq 2000 > big.txt\n"}
    folder = task(tmp_path / "one", files=files, more="memory_mb = 256\n")
    script = [
        shell("cat readme.txt; ls; ls -d /tests"),
        shell("rm readme.txt; echo 42 > answer.txt; echo x > /root/note"),
        DONE,
    ]
    with ModelServer(turns(script)) as server:
        data = go(folder, tmp_path / "run", server)
        asked = server.settle()
    (trial,), (verdict,) = data.trials.values(), data.verdicts.values()
    assert (trial.failure, verdict.outcome, verdict.score) == (None, Outcome.PASSED, 1.0)
    told = [m["content"] for m in asked[1].body["messages"] if m["role"] == "tool"]
    assert told == [
        "Nothing here.\nDockerfile\nbig.txt\nreadme.txt\nls: cannot access '/tests': No such file or directory\n[exit code 2]"
    ]
    submitted = data.blobs.get(trial.submissions[0].blob)
    assert b'"app/answer.txt"' in submitted and b'"root/note"' in submitted and b"big.txt" not in submitted
    assert f"tree_memory={256 << 20} " in trial.provenance["limits"]
    assert trial.provenance["image"].startswith("FROM debian:12: this machine's /usr (")
    assert len(read_moves(tmp_path / "run", trial.id)) == 5


def test_several_steps_in_one_place(tmp_path: Path) -> None:
    script = [shell("cat log.txt; ls o*; n=$(tail -n 1 log.txt); echo $n > $n"), DONE]  # the same in each conversation
    with ModelServer(turns(script)) as server:
        data = go(several(tmp_path / "one"), tmp_path / "run", server)
        asked = server.settle()
    (verdict,) = data.verdicts.values()
    assert (verdict.outcome, verdict.score) == (Outcome.PASSED, 1.0)
    prompts = [next(m["content"] for m in one.body["messages"] if m["role"] == "user") for one in asked]
    assert ["Do one." in text for text in prompts] == [True, True, False, False]
    assert [m["content"] for m in asked[3].body["messages"] if m["role"] == "tool"] == [
        "one\ntwo\none\none.in\n[exit code 0]"
    ]


SERVER = """\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    tools = [{"name": "tell", "description": "Tells.", "inputSchema": {"type": "object", "properties": {}}}]
    results = {
        "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s"}},
        "tools/list": {"tools": tools},
        "tools/call": {"content": [{"type": "text", "text": "It is 42."}]},
    }
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": results[asked["method"]]}), flush=True)
"""
BRINGS = """\
skills_dir = "/app/skills"
[[environment.mcp_servers]]
name = "helper"
transport = "stdio"
command = "python3"
args = ["/app/server.py"]
"""


def test_servers_and_skills_that_a_task_brings(tmp_path: Path) -> None:
    files = {
        "environment/skills/look/SKILL.md": "---\nname: look\ndescription: How to look.\n---\nLook.\n",
        "environment/server.py": SERVER,
    }
    folder = task(tmp_path / "one", files=files, more=BRINGS)
    script = [
        Turn(calls=(Call("mcp__helper__tell", {}),)),
        shell("cat /skills/look/SKILL.md; echo 42 > answer.txt"),
        DONE,
    ]
    with ModelServer(turns(script)) as server:
        data = go(folder, tmp_path / "run", server)
        asked = server.settle()
    (trial,), (verdict,) = data.trials.values(), data.verdicts.values()
    assert verdict.score == 1.0
    told = [m["content"] for m in asked[2].body["messages"] if m["role"] == "tool"]
    assert "It is 42." in told[0] and "How to look." in told[1]
    assert (trial.provenance["mcp:helper"], trial.provenance["skill:look"]) == ("used", "read")


def test_a_working_folder_below_what_the_image_writes(tmp_path: Path) -> None:
    dockerfile = "FROM debian\nWORKDIR /opt/me/deep\nCOPY readme.txt ../other\nRUN mkdir empty && seq 3 > n\n"
    test = "#!/bin/bash\ncat answer.txt; find /opt/me | sort | xargs; echo 1 > /logs/verifier/reward.txt\n"
    folder = task(tmp_path / "one", files={"environment/Dockerfile": dockerfile, "tests/test.sh": test})
    script = [shell("pwd; ls; rm n; echo y > /opt/me/other; echo 42 > answer.txt"), DONE]
    with ModelServer(turns(script)) as server:
        data = go(folder, tmp_path / "run", server)
        asked = server.settle()
    (verdict,) = data.verdicts.values()
    assert [m["content"] for m in asked[1].body["messages"] if m["role"] == "tool"] == [
        "/opt/me/deep\nempty\nn\n[exit code 0]"
    ]
    assert verdict.evidence.got == "42\n/opt/me /opt/me/deep /opt/me/deep/answer.txt /opt/me/deep/empty /opt/me/other"
