"""What goes over each wire and comes back: conversations with tools and thoughts, parameters, usage."""

import json
from typing import Any

import pytest

from proofyard.core import Sampling, UsageError
from proofyard.models import (
    Answer,
    Dropped,
    Message,
    Quirks,
    Request,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    system,
    target_of,
    user,
)
from proofyard.models.wires import wire_of
from proofyard.testing.script import Call, Turn, Usage, Wire, turns
from proofyard.testing.server import ModelServer
from tests.models.fixtures import BASH, WIRES, client_of

SCRIPT = [
    Turn(
        text="I look.",
        thinking="Let me think of it.",
        calls=(Call("bash", {"command": "ls ü"}), Call("bash", {"command": "pwd"})),
        usage=Usage(100, 50, cached=40, reasoning=7),
    ),
    Turn(text="It is done.", usage=Usage(300, 5)),
]
REPLAYS = {
    "openai-chat": Quirks(replay="reasoning_content"),
    "openai-responses": Quirks(token_field="max_output_tokens", seed_field="", replay="blocks"),
    "anthropic-messages": Quirks(max_tokens=1000, seed_field="", replay="blocks"),
    "gemini": Quirks(token_field="maxOutputTokens", replay="blocks"),
}


def converse(wire: Wire, stream: bool) -> tuple[Answer, Answer, dict[str, Any]]:
    with ModelServer(turns(SCRIPT)) as server:
        client = client_of(server, wire, stream=stream, quirks=REPLAYS[wire])
        request = Request(messages=(system("Be brief."), user("What is here?")), tools=(BASH,))
        first = client.generate(request)
        results = tuple(ToolResult(call=call.id, text=f"out {n}") for n, call in enumerate(first.tool_calls))
        more = (*request.messages, first.message, Message(role="tool", parts=results))
        second = client.generate(Request(messages=more, tools=(BASH,)))
        client.close()
        return first, second, server.ledger[1].body


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("wire", WIRES)
def test_a_conversation_with_tools(wire: Wire, stream: bool) -> None:
    first, second, body = converse(wire, stream)
    assert first.stop == "tool_calls"
    assert first.text == "I look."
    assert first.thinking == "Let me think of it."
    assert [(c.name, json.loads(c.arguments), c.problem) for c in first.tool_calls] == [
        ("bash", {"command": "ls ü"}, ""),
        ("bash", {"command": "pwd"}, ""),
    ]
    assert first.served_model == "m"
    assert (second.stop, second.text, second.tool_calls) == ("stop", "It is done.", ())
    assert "Be brief." in json.dumps(body)
    assert "out 0" in json.dumps(body)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("wire", WIRES)
def test_usage_means_the_same_on_every_wire(wire: Wire, stream: bool) -> None:
    first, second, _ = converse(wire, stream)
    hidden = None if wire == "anthropic-messages" else 7
    cache_write = 0 if wire == "anthropic-messages" else None
    assert first.tokens == Tokens(input=100, output=50, cached=40, cache_write=cache_write, reasoning=hidden)
    assert second.tokens is not None
    assert second.tokens.total == 305


def test_cache_writes_are_part_of_the_input() -> None:
    usage = Usage(1000, 5, cached=300, cache_write=200)
    with ModelServer(turns([Turn(text="x", usage=usage)])) as server:
        answer = client_of(server, "anthropic-messages").generate(Request(messages=(user("x"),)))
    assert answer.tokens == Tokens(input=1000, output=5, cached=300, cache_write=200)


def test_thoughts_beside_the_output_are_counted_in() -> None:
    with ModelServer(turns([Turn(text="x", usage=Usage(10, 20, reasoning=5))])) as server:
        client = client_of(server, "openai-chat", quirks=Quirks(reasoning_outside=True))
        answer = client.generate(Request(messages=(user("x"),)))
    assert answer.tokens == Tokens(input=10, output=25, cached=0, reasoning=5)


@pytest.mark.parametrize("stream", [True, False])
def test_thoughts_go_back_word_for_word(stream: bool) -> None:
    first, _, body = converse("anthropic-messages", stream)
    signed = body["messages"][1]["content"][0]
    assert signed == {
        "type": "thinking",
        "thinking": "Let me think of it.",
        "signature": "TGV0IG1lIHRoaW5rIG9mIGl0Lg==",
    }
    assert json.loads(first.parts[0].raw) == signed if isinstance(first.parts[0], Thinking) else False
    _, _, body = converse("openai-responses", stream)
    (sealed,) = [item for item in body["input"] if item.get("type") == "reasoning"]
    assert sealed["encrypted_content"] == "TGV0IG1lIHRoaW5rIG9mIGl0Lg=="
    assert body["input"].index(sealed) == 2
    assert (body["store"], body["include"]) == (False, ["reasoning.encrypted_content"])
    _, _, body = converse("openai-chat", stream)
    assert body["messages"][2]["reasoning_content"] == "Let me think of it."
    _, _, body = converse("gemini", stream)
    signs = [part.get("thoughtSignature") for part in body["contents"][1]["parts"]]
    assert signs[-2:] == ["YmFzaA==", "YmFzaA=="]
    assert body["contents"][1]["parts"][0] == {"text": "Let me think of it.", "thought": True}


def test_thoughts_stay_here_where_they_must_not_be_sent() -> None:
    past = Message(
        role="assistant",
        parts=(Thinking(text="t", wire="openai-chat", raw='{"reasoning_content":"t"}'), Text(text="x")),
    )
    request = Request(messages=(user("a"), past, user("b")))
    body = wire_of("openai-chat").build(request, target_of("openai/gpt-4o"), True).body
    assert body["messages"][1] == {"role": "assistant", "content": "x"}
    kept = wire_of("openai-chat").build(request, target_of("moonshot/kimi-k2-thinking"), True).body
    assert kept["messages"][1] == {"role": "assistant", "content": "x", "reasoning_content": "t"}
    other = wire_of("anthropic-messages").build(request, target_of("anthropic/claude-sonnet-4-5"), True).body
    assert other["messages"][1] == {"role": "assistant", "content": [{"type": "text", "text": "x"}]}


ALL = Sampling(temperature="0.5", top_p="0.9", max_tokens=77, seed=3, stop=("END",), reasoning="high")


def built(name: str, sampling: Sampling = ALL) -> tuple[dict[str, Any], dict[str, str], list[str]]:
    target = target_of(name, "http://127.0.0.1:1" if "compatible" in name else "")
    made = wire_of(target.provider.wire).build(Request(messages=(user("x"),), sampling=sampling), target, False)
    return made.body, made.sent, [one.name for one in made.dropped]


def test_parameters_go_by_the_models_own_names() -> None:
    body, sent, dropped = built("openai/gpt-4o")
    assert body == {
        "model": "gpt-4o",
        "messages": [{"role": "user", "content": "x"}],
        "stream": False,
        "max_completion_tokens": 77,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 3,
        "stop": ["END"],
    }
    assert sent == {
        "max_completion_tokens": "77",
        "temperature": "0.5",
        "top_p": "0.9",
        "seed": "3",
        "stop": '["END"]',
    }
    assert dropped == ["reasoning"]


@pytest.mark.parametrize(
    ("name", "has", "dropped"),
    [
        (
            "openai/gpt-5-mini",
            {"max_completion_tokens": 77, "seed": 3, "reasoning_effort": "high"},
            ["temperature", "top_p", "stop"],
        ),
        (
            "openai/o3-mini",
            {"max_completion_tokens": 77, "seed": 3, "reasoning_effort": "high"},
            ["temperature", "top_p", "stop"],
        ),
        (
            "openai-responses/gpt-5-codex",
            {"max_output_tokens": 77, "reasoning": {"effort": "high"}, "store": False},
            ["temperature", "top_p", "seed", "stop"],
        ),
        ("mistral/mistral-large-latest", {"max_tokens": 77, "random_seed": 3, "stop": ["END"]}, ["reasoning"]),
        ("qwen/qwen3-max", {"max_tokens": 77, "enable_thinking": True, "seed": 3}, []),
        ("deepseek/deepseek-chat", {"max_tokens": 77, "thinking": {"type": "enabled"}}, ["seed"]),
        ("deepseek/deepseek-reasoner", {"max_tokens": 77}, ["temperature", "top_p", "seed", "reasoning"]),
        ("openrouter/qwen/qwen3.5-9b", {"reasoning": {"effort": "high"}, "model": "qwen/qwen3.5-9b"}, []),
        ("gemini/gemini-2.5-pro", {"reasoning_effort": "high"}, ["seed"]),
        ("xai/grok-4", {"max_tokens": 77, "seed": 3}, ["stop", "reasoning"]),
    ],
)
def test_what_a_model_does_not_take_is_dropped_and_said(name: str, has: dict[str, Any], dropped: list[str]) -> None:
    body, sent, left_out = built(name)
    assert {key: body.get(key) for key in has} == has
    assert left_out == dropped
    assert "temperature" in sent or "temperature" in dropped


def test_parameters_of_messages() -> None:
    thinking = Sampling(temperature="0", top_p="0.9", max_tokens=20_000, seed=3, reasoning="8000")
    body, _, dropped = built("anthropic/claude-sonnet-4-5", thinking)
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 8000}
    assert body["max_tokens"] == 20_000
    assert dropped == ["temperature", "top_p", "seed"]
    body, _, dropped = built("anthropic/claude-sonnet-4-5", Sampling(temperature="0", top_p="0.9"))
    assert (body["temperature"], body["max_tokens"]) == (0.0, 32_000)
    assert dropped == ["top_p"]
    body, _, _ = built("anthropic/claude-3-haiku-20240307", Sampling())
    assert body["max_tokens"] == 4096
    body, _, _ = built("anthropic/claude-opus-4-6", Sampling(reasoning="high"))
    assert (body["thinking"], body["output_config"]) == ({"type": "adaptive"}, {"effort": "high"})
    with pytest.raises(UsageError, match="8000 tokens to think leave none of max_tokens 500"):
        built("anthropic/claude-sonnet-4-5", Sampling(max_tokens=500, reasoning="8000"))


def test_parameters_of_gemini() -> None:
    body, _, dropped = built(
        "gemini-native/gemini-2.5-pro", Sampling(top_p="0.9", max_tokens=77, seed=3, reasoning="500", stop=("END",))
    )
    config = body["config"]
    assert (config["topP"], config["maxOutputTokens"], config["seed"], config["stopSequences"]) == (0.9, 77, 3, ["END"])
    assert config["thinkingConfig"] == {"thinkingBudget": 500, "includeThoughts": True}
    assert dropped == []
    assert config["automaticContinuation"] is False


def test_extra_parameters_go_as_they_are() -> None:
    body, sent, _ = built(
        "vllm/m", Sampling(extra={"top_k": "40", "repetition_penalty": "1.05", "grammar": "root ::= x"})
    )
    assert (body["top_k"], body["repetition_penalty"], body["grammar"]) == (40, 1.05, "root ::= x")
    assert sent["top_k"] == "40"
    with pytest.raises(UsageError, match="'messages' is part of every request"):
        built("vllm/m", Sampling(extra={"messages": "[]"}))


def test_a_dropped_parameter_is_in_the_answer() -> None:
    with ModelServer() as server:
        client = client_of(server, "openai-chat", provider="openai", model="o3-mini")
        answer = client.generate(Request(messages=(user("x"),), sampling=Sampling(temperature="0", max_tokens=9)))
        body = server.ledger[0].body
    assert answer.dropped == (Dropped(name="temperature", value="0", why="this model takes none"),)
    assert answer.sent == {"max_completion_tokens": "9"}
    assert "temperature" not in body


def test_words_of_the_system() -> None:
    request = Request(messages=(system("Be brief."), user("x")))
    folded = wire_of("openai-chat").build(request, target_of("vllm/m", quirks=Quirks(system="fold")), False).body
    assert folded["messages"] == [{"role": "user", "content": "Be brief.\n\nx"}]
    developer = wire_of("openai-chat").build(request, target_of("openai/o3"), False).body
    assert developer["messages"][0] == {"role": "developer", "content": "Be brief."}
    apart = wire_of("anthropic-messages").build(request, target_of("anthropic/claude-sonnet-4-5"), False).body
    assert apart["system"] == "Be brief."


def test_turns_of_one_side_are_joined_for_messages() -> None:
    call = ToolCall(id="c", name="bash", arguments="no json")
    request = Request(
        messages=(
            user("a"),
            Message(role="assistant", parts=(call,)),
            Message(role="tool", parts=(ToolResult(call="c", text="broken", failed=True),)),
            user("b"),
        )
    )
    body = wire_of("anthropic-messages").build(request, target_of("anthropic/claude-sonnet-4-5"), False).body
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][1]["content"][0]["input"] == {"unreadable": "no json"}
    assert body["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": "c", "content": "broken", "is_error": True},
        {"type": "text", "text": "b"},
    ]


@pytest.mark.parametrize("wire", WIRES)
def test_a_tool_can_be_demanded(wire: Wire) -> None:
    target = client_target(wire)
    body = (
        wire_of(wire).build(Request(messages=(user("x"),), tools=(BASH,), tool_choice="required"), target, False).body
    )
    wanted: dict[str, Any] = {
        "openai-chat": {"tool_choice": "required"},
        "openai-responses": {"tool_choice": "required"},
        "anthropic-messages": {"tool_choice": {"type": "any"}},
        "gemini": {"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}},
    }[wire]
    assert wanted.items() <= body.get("config", body).items()


def client_target(wire: Wire) -> Any:
    names = {"openai-chat": "vllm/m", "openai-responses": "openai-responses/gpt-5", "gemini": "gemini-native/m"}
    return target_of(names.get(wire, "anthropic/claude-sonnet-4-5"))
