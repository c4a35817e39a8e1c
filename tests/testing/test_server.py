"""The scripted server itself, asked by plain HTTP."""

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proofyard.testing import Asked, Call, Fault, ModelServer, Turn, Usage, say, turns, write_file
from proofyard.testing.fixtures import model_server
from proofyard.testing.script import Wire
from proofyard.testing.serve import main

__all__ = ["model_server"]

PATHS: dict[Wire, str] = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic-messages": "/v1/messages?beta=true",
    "gemini": "/v1beta/models/m:generateContent",
}


def bodies(text: str, **more: Any) -> dict[Wire, dict[str, Any]]:
    return {
        "openai-chat": {"model": "m", "messages": [{"role": "user", "content": text}], **more},
        "openai-responses": {"model": "m", "input": text, **more},
        "anthropic-messages": {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}], **more},
        "gemini": {"contents": [{"role": "user", "parts": [{"text": text}]}], **more},
    }


def request(server: ModelServer, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes, Any]:
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    link.request(method, path, raw, {name.replace("_", "-"): value for name, value in headers.items()})
    response = link.getresponse()
    try:
        return response.status, response.read(), response.headers
    finally:
        link.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(say("Hi there.", usage=Usage(12, 3))) as one:
        yield one


def test_pages_beside_the_wires(server: ModelServer) -> None:
    assert request(server, "HEAD", "/")[:2] == (200, b"")
    assert json.loads(request(server, "GET", "/v1/models")[1])["data"][0]["id"] == "scripted"
    assert request(server, "GET", "/nowhere")[0] == 404
    assert request(server, "POST", "/nowhere", {})[0] == 404
    count = request(server, "POST", "/v1/messages/count_tokens?beta=true", bodies("x")["anthropic-messages"])
    assert json.loads(count[1])["input_tokens"] > 0
    assert request(server, "POST", "/v1/messages", b"{")[0] == 400
    assert request(server, "POST", "/v1/messages", [])[0] == 400
    assert server.ledger == []


@pytest.mark.parametrize("wire", PATHS)
def test_an_answer_not_streamed(server: ModelServer, wire: Wire) -> None:
    status, raw, headers = request(server, "POST", PATHS[wire], bodies("x")[wire], x_client_request_id="c1")
    assert status == 200
    assert headers["content-type"] == "application/json"
    assert "Hi there." in raw.decode()
    (entry,) = server.settle()
    assert (entry.call, entry.wire, entry.model, entry.stream, entry.status) == ("c1", wire, "m", False, 200)
    assert (entry.begun, entry.complete, entry.usage, entry.fault) == (True, True, Usage(12, 3), "")


def test_the_form_of_each_wire(server: ModelServer) -> None:
    whole = {wire: json.loads(request(server, "POST", PATHS[wire], bodies("x")[wire])[1]) for wire in PATHS}
    assert whole["openai-chat"]["choices"][0]["finish_reason"] == "stop"
    assert whole["openai-chat"]["usage"]["prompt_tokens"] == 12
    assert whole["openai-responses"]["output"][0]["content"][0]["text"] == "Hi there."
    assert whole["openai-responses"]["status"] == "completed"
    assert whole["anthropic-messages"]["content"] == [{"type": "text", "text": "Hi there."}]
    assert whole["anthropic-messages"]["stop_reason"] == "end_turn"
    assert whole["gemini"]["candidates"][0]["finishReason"] == "STOP"


def test_usage_in_a_stream_has_to_be_asked_for(server: ModelServer) -> None:
    plain = request(server, "POST", PATHS["openai-chat"], bodies("x", stream=True)["openai-chat"])[1].decode()
    assert plain.endswith("data: [DONE]\n\n")
    assert "prompt_tokens" not in plain
    asked = bodies("x", stream=True, stream_options={"include_usage": True})["openai-chat"]
    assert '"prompt_tokens": 12' in request(server, "POST", PATHS["openai-chat"], asked)[1].decode()


def test_no_key_is_in_the_ledger(server: ModelServer, tmp_path: Path) -> None:
    file = tmp_path / "ledger.jsonl"
    with ModelServer(ledger_file=file, keys=["sk-right"]) as strict:
        for key in ("sk-right", "sk-wrong"):
            request(strict, "POST", PATHS["openai-chat"], bodies("x")["openai-chat"], Authorization=f"Bearer {key}")
            request(strict, "POST", PATHS["anthropic-messages"], bodies("x")["anthropic-messages"], x_api_key=key)
        ledger = strict.settle()
    assert [(entry.status, entry.authorized) for entry in ledger] == [(200, True)] * 2 + [(401, False)] * 2
    assert "sk-" not in repr(ledger) + file.read_text()
    kinds = [json.loads(line)["kind"] for line in file.read_text().splitlines()]
    assert sorted(kinds) == ["answered"] * 4 + ["asked"] * 4


def test_a_fault_is_used_up_by_one_question() -> None:
    with ModelServer(faults=[Fault("overloaded"), None, Fault("quota")]) as server:
        found = []
        for _ in range(4):
            request(server, "GET", "/v1/models")
            found.append(request(server, "POST", PATHS["openai-chat"], bodies("x")["openai-chat"])[0])
        assert found == [529, 200, 429, 200]
        assert server.faults_left == 0


def test_closing_ends_what_hangs() -> None:
    server = ModelServer(faults=[Fault("stall")])
    done = threading.Event()
    with server:

        def ask() -> None:
            with pytest.raises((http.client.IncompleteRead, OSError)):
                request(server, "POST", PATHS["openai-chat"], bodies("x")["openai-chat"])
            done.set()

        worker = threading.Thread(target=ask)
        worker.start()
        while not server.ledger:
            done.wait(0.01)
    worker.join()
    assert done.is_set()
    (entry,) = server.settle()
    assert not entry.complete


def call_and_result(wire: Wire, result_id: str) -> dict[str, Any]:
    if wire == "openai-chat":
        call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
        said = [
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": result_id, "content": "out"},
        ]
        return {"model": "m", "messages": [{"role": "user", "content": "x"}, *said]}
    if wire == "openai-responses":
        call = {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": "{}"}
        result = {"type": "function_call_output", "call_id": result_id, "output": "out"}
        return {"model": "m", "input": [{"role": "user", "content": "x"}, call, result]}
    use = {"type": "tool_use", "id": "c1", "name": "bash", "input": {}}
    result = {"type": "tool_result", "tool_use_id": result_id, "content": [{"type": "text", "text": "out"}]}
    said = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    return {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "x"}, *said]}


@pytest.mark.parametrize("wire", ["openai-chat", "openai-responses", "anthropic-messages"])
def test_calls_and_results_must_answer_each_other(wire: Wire) -> None:
    seen: list[Asked] = []

    def policy(asked: Asked) -> Turn:
        seen.append(asked)
        return Turn(text="ok")

    with ModelServer(policy) as server:
        assert request(server, "POST", PATHS[wire], call_and_result(wire, "c1"))[0] == 200
        status, raw, _ = request(server, "POST", PATHS[wire], call_and_result(wire, "c2"))
    assert (status, "answers no tool call: c2" in raw.decode()) == (400, True)
    assert [(asked.turn, asked.prompt, asked.last) for asked in seen] == [(1, "x", "out")]


def test_turns_by_the_conversation() -> None:
    policy = turns([Turn(text="first"), Turn(text="second")])
    with ModelServer(policy) as server:
        for wire in ("openai-chat", "openai-responses", "anthropic-messages"):
            assert b"first" in request(server, "POST", PATHS[wire], bodies("x")[wire])[1]
            assert b"second" in request(server, "POST", PATHS[wire], call_and_result(wire, "c1"))[1]


@pytest.mark.parametrize(
    ("tools", "arguments"),
    [
        (["Bash", "Write"], {"file_path": "a.py", "content": "x = 'y'\n"}),
        (["read", "write"], {"filePath": "a.py", "content": "x = 'y'\n"}),
        (["exec_command"], {"cmd": "printf %s 'x = '\"'\"'y'\"'\"'\n' > a.py"}),
        (["shell"], {"command": ["bash", "-lc", "printf %s 'x = '\"'\"'y'\"'\"'\n' > a.py"]}),
        (["bash"], {"command": "printf %s 'x = '\"'\"'y'\"'\"'\n' > a.py", "description": "write the file"}),
        (["title"], None),
        ([], None),
    ],
)
def test_a_file_is_written_by_whatever_tool_is_there(tools: list[str], arguments: Any) -> None:
    policy = write_file("a.py", "x = 'y'\n")
    asked = Asked("openai-chat", "m", False, tuple(tools), 0, "x", "x", {})
    turn = policy(asked)
    assert [call.arguments for call in turn.calls] == ([arguments] if arguments else [])
    assert policy(asked._replace(turn=1)).calls == ()


@pytest.mark.parametrize(
    ("wire", "described"),
    [
        ("openai-chat", {"type": "function", "function": {"name": "shell", "parameters": {}}}),
        ("openai-responses", {"type": "function", "name": "shell", "parameters": {}}),
        ("anthropic-messages", {"name": "shell", "input_schema": {}}),
        ("gemini", {"functionDeclarations": [{"name": "shell", "parametersJsonSchema": {}}]}),
        ("gemini", {"functionDeclarations": [{"name": "shell", "parameters_json_schema": {}}]}),
    ],
)
@pytest.mark.parametrize(
    ("kind", "command"), [("string", "printf %s x > a.py"), ("array", ["bash", "-lc", "printf %s x > a.py"])]
)
def test_a_shell_gets_its_command_as_it_says_it_takes_it(wire: Any, described: Any, kind: str, command: Any) -> None:
    schema = {"type": "object", "properties": {"command": {"type": kind}}}
    text = json.dumps({"tools": [described]}).replace("{}", json.dumps(schema))
    asked = Asked(wire, "m", False, ("shell",), 0, "x", "x", json.loads(text))
    (call,) = write_file("a.py", "x")(asked).calls
    assert call.arguments == {"command": command}


def test_local_shell_has_a_kind_and_no_name() -> None:
    asked: list[Asked] = []
    with ModelServer(lambda one: asked.append(one) or Turn(text="x")) as server:
        request(server, "POST", "/v1/responses", bodies("x", tools=[{"type": "local_shell"}])["openai-responses"])
    assert asked[0].tools == ("local_shell",)


def test_bodies_in_chunks(server: ModelServer) -> None:
    raw = json.dumps(bodies("x")["openai-chat"]).encode()
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    link.request("POST", PATHS["openai-chat"], iter([raw[:10], raw[10:]]), encode_chunked=True)
    assert link.getresponse().status == 200
    link.close()


def test_the_fixture(model_server: ModelServer) -> None:
    model_server.policy = turns([Turn(calls=(Call("bash", {"command": "ls"}),))])
    body = json.loads(request(model_server, "POST", PATHS["openai-chat"], bodies("x")["openai-chat"])[1])
    assert body["choices"][0]["finish_reason"] == "tool_calls"
    assert json.loads(body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]) == {"command": "ls"}


def test_as_a_program(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    (tmp_path / "f").write_text("x")
    assert main(["--faults", "429:2,ok", "--write", "a.py", str(tmp_path / "f")], stop) == 0
    assert capsys.readouterr().out.startswith("openai-chat          http://127.0.0.1:")
    with pytest.raises(SystemExit):
        main(["--faults", "nonesuch"], stop)
    assert "unknown fault 'nonesuch'" in capsys.readouterr().err
