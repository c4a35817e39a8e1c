"""Models that call nobody."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proofyard.core import Budget, UnknownNameError, UsageError
from proofyard.models import (
    Account,
    Answer,
    BudgetSpent,
    Exchange,
    Message,
    ModelError,
    Request,
    Text,
    ToolResult,
    open_model,
    user,
)


def script(tmp_path: Path, *lines: dict[str, Any]) -> str:
    file = tmp_path / "script.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n")
    return f"scripted/{file}"


def ask(text: str, turn: int = 0, sample: int = 0) -> Request:
    past = tuple(Message(role="assistant", parts=(Text(text="x"),)) for _ in range(turn))
    return Request(messages=(user(text), *past), sample=sample)


def test_the_first_line_that_fits(tmp_path: Path) -> None:
    model = open_model(
        script(
            tmp_path,
            {"when": "sort", "text": "sorted"},
            {"when": "sort", "turn": 1, "text": "sorted twice"},
            {"sample": 1, "text": "another"},
            {"text": "anything"},
        )
    )
    requests = [ask("please sort"), ask("please sort", turn=1), ask("hi"), ask("hi", sample=1), ask("sort", sample=1)]
    assert [model.generate(one).text for one in requests] == ["sorted", "sorted twice", "anything", "another", "sorted"]
    with pytest.raises(UsageError, match="no line for turn 2, sample 0"):
        model.generate(ask("hi", turn=2))
    assert model.name == f"scripted/{tmp_path / 'script.jsonl'}"


def test_words_of_tools_count_too(tmp_path: Path) -> None:
    model = open_model(script(tmp_path, {"when": "exit 1", "text": "it failed"}, {"text": "fine"}))
    result = Message(role="tool", parts=(ToolResult(call="c", text="exit 1"),))
    assert model.generate(Request(messages=(user("x"), result))).text == "it failed"


def test_calls_thoughts_stops_and_tokens(tmp_path: Path) -> None:
    line = {
        "text": "I write.",
        "thinking": "hm",
        "tool_calls": [
            {"name": "bash", "arguments": {"command": "ls"}},
            {"name": "bash", "arguments": "broken", "id": "b"},
        ],
        "tokens": {"input": 10, "output": 5, "cached": 2},
    }
    model = open_model(script(tmp_path, line, {"turn": 1, "text": "half", "stop": "length"}))
    answer = model.generate(ask("x"))
    assert (answer.stop, answer.thinking) == ("tool_calls", "hm")
    assert [(c.name, c.arguments) for c in answer.tool_calls] == [("bash", '{"command":"ls"}'), ("bash", "broken")]
    assert answer.tool_calls[1].id == "b"
    assert answer.tokens is not None
    assert answer.tokens.total == 15
    assert model.generate(ask("x", turn=1)).truncated
    assert model.generate(ask("x")) == answer


def test_failures_budgets_and_notes(tmp_path: Path) -> None:
    model = open_model(script(tmp_path, {"when": "bad", "failure": "model_rate_limit"}, {"text": "ok"}))
    with pytest.raises(ModelError) as caught:
        model.generate(ask("bad"))
    assert caught.value.failure.code == "model_rate_limit"
    assert [attempt.billed for attempt in caught.value.attempts] == [False]
    account = Account(Budget(steps=1))
    seen: list[str] = []
    model.generate(ask("x"), account, lambda kind, **_: seen.append(kind))
    assert seen == ["model_send", "model_end"]
    with pytest.raises(BudgetSpent):
        model.generate(ask("x"), account)


@pytest.mark.parametrize(
    ("line", "match"),
    [('{"txt": "x"}', "line 1: .*txt"), ("{", "line 1"), ('{"failure": "nonesuch"}', "unknown failure 'nonesuch'")],
)
def test_bad_scripts(tmp_path: Path, line: str, match: str) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text(line)
    with pytest.raises(UsageError, match=match):
        open_model(f"scripted/{file}")
    with pytest.raises(UsageError, match="cannot read"):
        open_model(f"replay/{tmp_path}/none.jsonl")
    with pytest.raises(UsageError, match="which file"):
        open_model("scripted/")
    with pytest.raises(UnknownNameError, match="did you mean anthropic"):
        open_model("antropic/x")


def test_a_recording_in_one_file(tmp_path: Path) -> None:
    answer = Answer(parts=(Text(text="kept"),), stop="stop")
    line = msgspec.json.encode(Exchange(key="k", model="vllm/m", request=ask("x"), answer=answer))
    (tmp_path / "r.jsonl").write_bytes(line + b"\n")
    model = open_model(f"replay/{tmp_path / 'r.jsonl'}")
    found = model.generate(ask("x"))
    assert (found.text, found.cached, found.spent_usd) == ("kept", True, "0")
    with pytest.raises(UsageError, match="not recorded"):
        model.generate(ask("y"))
