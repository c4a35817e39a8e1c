"""The gateway between a program and the scripted server."""

import gzip
import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from proofyard.core import Budget, UsageError
from proofyard.models import Account, Gateway, ModelSession, Prices, ScriptedModel
from proofyard.models.answer import PriceRow
from proofyard.testing import ModelServer, Turn, Usage, parse_faults, say
from proofyard.testing.script import Wire
from tests.models.fixtures import CANARY, PROVIDER, client_of

SAID = say("Hello there.", usage=Usage(100, 20, cached=40))
PATHS = {
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic-messages": "/v1/messages",
    "gemini": "/v1beta/models/m:generateContent",
}
CALLED: tuple[Wire, ...] = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")


class Got(NamedTuple):
    status: int
    body: bytes
    headers: dict[str, str]


class Place(NamedTuple):
    gateway: Gateway
    session: ModelSession
    notes: list[tuple[str, dict[str, Any]]]
    kept: dict[str, bytes]

    def post(self, wire: Wire, *, stream: bool = False, token: str = "", path: str = "", **more: Any) -> Got:
        body: dict[str, Any] = {"model": "m", "stream": stream, **more}
        if wire == "openai-responses":
            body.setdefault("input", "hi")
        elif wire == "gemini":
            body = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}], **more}
            path = path or (PATHS[wire] if not stream else "/v1beta/models/m:streamGenerateContent?alt=sse&key=mine")
        else:
            body.setdefault("messages", [{"role": "user", "content": "hi"}])
        if stream and wire == "openai-chat":
            body["stream_options"] = {"include_usage": True}
        key = token or self.gateway.token
        headers = {"content-type": "application/json", "authorization": f"Bearer {key}", "x-own": "passed on"}
        if wire == "anthropic-messages":
            headers = {"content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01"}
        if wire == "gemini":
            headers = {"content-type": "application/json", "x-goog-api-key": key, "x-own": "passed on"}
        connection = http.client.HTTPConnection("gateway")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(self.gateway.path)
        connection.request("POST", path or PATHS[wire], json.dumps(body), headers)
        answer = connection.getresponse()
        try:
            data = answer.read()
        finally:
            connection.close()
        return Got(answer.status, data, {name.lower(): value for name, value in answer.getheaders()})


@contextmanager
def place(server: ModelServer, wire: Wire, budget: Budget | None = None) -> Iterator[Place]:
    name = f"{PROVIDER[wire]}/m"
    row = PriceRow(source="test", provider=PROVIDER[wire], model="m", prices={"input": "1", "output": "10"})
    notes: list[tuple[str, dict[str, Any]]] = []
    kept: dict[str, bytes] = {}
    client = client_of(server, wire, prices=Prices({name: row}))
    session = ModelSession(client, Account(budget or Budget()), lambda kind, **data: notes.append((kind, data)))
    with Gateway(session, kept.__setitem__) as gateway:
        yield Place(gateway, session, notes, kept)
    client.close()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("wire", CALLED)
def test_a_question_and_its_answer_pass_as_they_are(wire: Wire, stream: bool) -> None:
    with ModelServer(SAID, keys=[CANARY]) as server, place(server, wire) as at:
        got = at.post(wire, stream=stream)
        (entry,) = server.settle()
    assert got.status == 200
    assert b"Hello" in got.body
    assert (b"event" in got.body or b"data:" in got.body) is stream
    assert got.headers["content-type"].startswith("text/event-stream" if stream else "application/json")
    assert entry.model == "m"
    if wire != "anthropic-messages":
        assert entry.headers["x-own"] == "passed on"
    spend = at.session.spend()
    assert (spend.steps, spend.calls, spend.unknown_calls) == (1, 1, 0)
    assert (spend.input_tokens, spend.output_tokens, spend.cost_micro_usd) == (100, 20, 300)
    assert [kind for kind, _ in at.notes] == ["model_send", "model_end"]
    assert at.notes[0][1]["call"] == entry.call
    (document,) = at.kept.values()
    kept = json.loads(gzip.decompress(document))
    assert kept["request"] == entry.body
    assert "mine" not in entry.path
    assert kept["answer"].encode() == got.body
    assert CANARY not in json.dumps([kept, at.notes])


def test_the_first_bytes_come_before_the_last_are_there() -> None:
    with ModelServer(SAID, faults=parse_faults("slow:1")) as server, place(server, "openai-chat") as at:
        assert b"Hello" in at.post("openai-chat", stream=True).body


@pytest.mark.parametrize("wire", CALLED)
def test_another_key_than_the_attempts_own_is_refused(wire: Wire) -> None:
    with ModelServer(SAID) as server, place(server, wire) as at:
        assert at.post(wire, token="attempt-other").status == 401
        assert server.ledger == []
    assert at.notes == []


def test_a_budget_that_is_used_up_sends_nothing() -> None:
    with ModelServer(SAID) as server, place(server, "openai-chat", Budget(cost_micro_usd=500)) as at:
        assert [at.post("openai-chat").status for _ in range(3)] == [200, 200, 403]
        assert len(server.settle()) == 2
        assert at.session.spent_out is not None
        assert at.session.spent_out.limit == "cost"
        assert b"budget of cost is used up" in at.post("openai-chat").body


def test_tools_that_the_provider_would_run_are_taken_out() -> None:
    mine = {"type": "function", "function": {"name": "bash", "parameters": {}}}
    with ModelServer(SAID) as server, place(server, "openai-chat") as at:
        at.post("openai-chat", tools=[mine, {"type": "web_search_preview"}], web_search_options={"x": 1})
        at.post("openai-chat", tools=[{"type": "code_interpreter"}], tool_choice="required")
        first, second = server.settle()
    assert first.body["tools"] == [mine]
    assert "web_search_options" not in first.body
    assert "tools" not in second.body
    assert "tool_choice" not in second.body
    assert at.session.facts["provider_tools_removed"] == "web_search_preview, web_search_options, code_interpreter"


def test_tools_of_the_messages_wire() -> None:
    tools = [
        {"type": "web_search_20250305", "name": "w"},
        {"name": "Bash", "input_schema": {}},
        {"type": "bash_20250124"},
    ]
    with ModelServer(SAID) as server, place(server, "anthropic-messages") as at:
        at.post("anthropic-messages", tools=tools, max_tokens=10)
        (entry,) = server.settle()
    assert entry.body["tools"] == tools[1:]


def test_tools_and_addresses_of_geminis_wire() -> None:
    mine = {"functionDeclarations": [{"name": "bash"}]}
    both = {**mine, "googleSearch": {}}
    with ModelServer(SAID) as server, place(server, "gemini") as at:
        at.post("gemini", tools=[both, {"urlContext": {}}], generationConfig={"maxOutputTokens": 1000})
        at.post("gemini", tools=[{"codeExecution": {}}], toolConfig={"functionCallingConfig": {"mode": "ANY"}})
        first, second = server.settle()
        film = [{"role": "user", "parts": [{"fileData": {"fileUri": "https://example.org/film"}}]}]
        assert at.post("gemini", contents=film).status == 400
        assert at.post("gemini", path="/v1beta/models/dear:generateContent").status == 404
        assert at.post("gemini", path="/v1beta/models/m:streamGenerateContent").status == 404
        assert json.loads(at.post("gemini", path="/v1beta/models/m:countTokens").body)["totalTokens"] > 0
        assert len(server.settle()) == 2
    assert first.body["tools"] == [mine]
    assert not {"tools", "toolConfig"} & second.body.keys()
    assert at.session.facts["provider_tools_removed"] == "googleSearch, urlContext, codeExecution"
    assert at.session.facts["refused_models"] == "dear"
    (bound, _) = (data["bound"] for kind, data in at.notes if kind == "model_send")
    assert 10_000 <= bound < 11_000  # 1000 tokens at 10 dollars a million, and the question


def test_another_model_and_other_paths_are_refused() -> None:
    with ModelServer(SAID) as server, place(server, "openai-chat") as at:
        assert at.post("openai-chat", model="expensive").status == 404
        assert at.post("openai-chat", path="/v1/embeddings").status == 404
        assert at.post("openai-chat", path="/v1/messages").status == 404
        assert server.ledger == []
    assert at.session.facts == {"refused_models": "expensive", "refused_paths": "/v1/embeddings, /v1/messages"}


def test_counting_tokens_costs_nothing() -> None:
    with ModelServer(SAID) as server, place(server, "anthropic-messages") as at:
        got = at.post("anthropic-messages", path="/v1/messages/count_tokens")
        assert json.loads(got.body)["input_tokens"] > 0
        assert server.ledger == []


@pytest.mark.parametrize(
    ("fault", "status", "code", "billed"),
    [
        ("429:7", 429, "model_rate_limit", False),
        ("overloaded", 529, "model_overloaded", False),
        ("html", 502, "model_server_error", False),
        ("auth", 401, "model_auth", False),
        ("context", 400, "", False),
        ("reset", 502, "model_connection_closed", None),
    ],
)
@pytest.mark.parametrize("wire", CALLED)
def test_errors_pass_as_they_are_but_for_the_key(
    wire: Wire, fault: str, status: int, code: str, billed: bool | None
) -> None:
    with ModelServer(SAID, faults=parse_faults(fault)) as server, place(server, wire) as at:
        got = at.post(wire)
        assert len(server.settle()) == 1
    assert got.status == status
    assert CANARY.encode() not in got.body
    attempt = at.notes[1][1]["attempt"]
    assert (attempt.get("code", ""), attempt.get("billed", False)) == (code, billed)
    assert CANARY not in json.dumps(at.notes)
    if fault == "429:7":
        assert got.headers["retry-after"] == "7"
    assert (at.session.lost is not None) is bool(code)


@pytest.mark.parametrize("fault", ["cut", "cut_before", "cut:hard"])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("wire", CALLED)
def test_an_answer_that_breaks_off_breaks_off_for_the_program_too(wire: Wire, stream: bool, fault: str) -> None:
    with ModelServer(SAID, faults=parse_faults(fault)) as server, place(server, wire) as at:
        with pytest.raises(http.client.IncompleteRead):
            at.post(wire, stream=stream)
        assert len(server.settle()) == 1
        assert at.post(wire, stream=stream).status == 200
    first, second = (data["attempt"] for kind, data in at.notes if kind == "model_end")
    assert first["code"] in {"model_connection_closed", "model_broken_answer"}
    assert second.get("code", "") == ""
    assert at.session.lost is None
    assert at.session.spend().calls == 2 - (first.get("billed", False) is False)


def test_a_script_has_no_gateway(tmp_path: Any) -> None:
    (tmp_path / "s").write_text('{"text":"x"}')
    session = ModelSession(ScriptedModel(tmp_path / "s"), Account(Budget()))
    with pytest.raises(UsageError, match="cannot be called by a program"):
        Gateway(session, lambda name, data: None)


def test_a_turn_without_usage_is_bounded_not_free() -> None:
    with ModelServer(lambda asked: Turn(text="x", usage=None)) as server, place(server, "openai-chat") as at:
        at.post("openai-chat", max_tokens=1000)
    spend = at.session.spend()
    assert (spend.calls, spend.unknown_calls, spend.cost_micro_usd) == (1, 1, None)
    assert at.session.account.spent().cost_micro_usd >= 10_000


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "image_url", "image_url": {"url": "https://example.org/x.png"}}],
        [{"type": "input_image", "image_url": "http://example.org/x.png"}],
        [{"type": "document", "source": {"type": "url", "url": "https://example.org/x.pdf"}}],
    ],
)
def test_what_the_provider_would_fetch_is_refused(content: list[dict[str, Any]]) -> None:
    with ModelServer(SAID) as server, place(server, "openai-chat") as at:
        assert at.post("openai-chat", messages=[{"role": "user", "content": content}]).status == 400
        assert server.ledger == []
        words = [{"role": "user", "content": [{"type": "text", "text": "see https://example.org"}]}]
        used = {"type": "tool_use", "id": "1", "name": "Fetch", "input": {"url": "https://example.org"}}
        words.append({"role": "user", "content": [used]})
        inline = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
        assert at.post("openai-chat", messages=[*words, {"role": "user", "content": inline}]).status == 200
    assert at.session.facts["refused_addresses"].endswith(("x.png", "x.pdf"))
