"""What programs print, recorded from real runs and read without them: the moves made of it, and how it ended."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from proofyard.agents import AgentSetup
from proofyard.agents.installed import claude_code, codex, mini_swe_agent, opencode
from proofyard.agents.installed.cli import Cli, Report, Used
from proofyard.agents.installed.log import Log
from proofyard.agents.installed.work import listened, reported
from proofyard.core import Brief, Ended, MemoryBlobs, Move, Process, Reply, Sandbox, Spend, Tree, tree_of
from proofyard.models import ModelSession
from tests.agents.helpers import Clock, Notes

STREAMS = Path(__file__).with_name("streams")


class Folder:
    """The project's folder; each look finds one file more."""

    def __init__(self) -> None:
        self.blobs = MemoryBlobs()
        self.looks = 0

    def get(self, path: str) -> Tree:
        self.looks += 1
        return tree_of({f"file-{n}": "" for n in range(1, self.looks)}, self.blobs)


class Counted:
    """A model of which one call more was counted each time."""

    def __init__(self) -> None:
        self.calls = 0

    def spend(self) -> Spend:
        self.calls += 1
        n = self.calls
        return Spend(
            calls=n, input_tokens=100 * n, output_tokens=20 * n, cached_tokens=None, cost_micro_usd=1_500_000 * n
        )


def log_of(notes: Notes) -> Log:
    setup = AgentSetup({}, Path("/none"), model=cast(ModelSession, Counted()))
    return Log(setup, Brief(task="t", prompt="write 0"), cast(Sandbox, Folder()), notes, MemoryBlobs())


def read(plugin: Cli, events: list[dict[str, Any]]) -> tuple[list[Move], Report]:
    notes = Notes()
    log = log_of(notes)
    reader = plugin.reader(log)
    for event in events:
        reader.event(event)
    log.finish()
    return notes.moves, reader.report()


def stream(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (STREAMS / f"{name}.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    ("plugin", "tool", "end"),
    [
        (claude_code, "Write", "completed"),
        (codex, "shell", "completed"),
        (opencode, "write", "stop"),
        (mini_swe_agent, "bash", "Submitted"),
    ],
    ids=lambda one: one.name if isinstance(one, Cli) else "",
)
def test_a_solved_task(plugin: Cli, tool: str, end: str) -> None:
    moves, report = read(plugin, stream(f"{plugin.name}-solved"))
    assert [move.n for move in moves] == list(range(1, len(moves) + 1))
    assert moves[0].message == "write 0"
    worked = next(move for move in moves if move.calls)
    assert [call.name for call in worked.calls] == [tool]
    assert [result.call for result in worked.results] == [worked.calls[0].id]
    assert not worked.results[0].failed
    assert [(one.path, one.how) for one in worked.changed] == [("file-1", "added")]
    assert worked.snapshot is not None
    assert worked.metrics is not None
    assert (worked.metrics.input_tokens, worked.metrics.usd, worked.llm_calls) == (100, "1.500000", 1)
    assert (report.failure, report.spent_out, report.used) == ("", False, Used(200, 40))
    assert report.facts["end"] == end


@pytest.mark.parametrize(
    ("plugin", "said"),
    [
        (claude_code, "Failed to authenticate. API Error: 401"),
        (codex, "unexpected status 401 Unauthorized"),
        (opencode, "APIError: Incorrect API key provided"),
        (mini_swe_agent, "AuthenticationError: litellm.AuthenticationError: nope"),
    ],
    ids=lambda one: one.name if isinstance(one, Cli) else "",
)
def test_a_call_without_an_answer_is_an_error_that_it_reports(plugin: Cli, said: str) -> None:
    moves, report = read(plugin, stream(f"{plugin.name}-no-answer"))
    assert report.failure.startswith(said)
    assert not report.spent_out
    # What it says in its model's place is no answer of the model's.
    assert [move for move in moves if move.source == "agent"] == []


@pytest.mark.parametrize(
    ("plugin", "name"),
    [(claude_code, "claude-code-turns"), (mini_swe_agent, "mini-swe-agent-limits")],
)
def test_turns_used_up_are_a_budget(plugin: Cli, name: str) -> None:
    _, report = read(plugin, stream(name))
    assert report.spent_out


def test_the_moves_of_a_model_that_works_for_another_stand_apart() -> None:
    def answer(key: str, block: dict[str, Any], by: str | None = None) -> dict[str, Any]:
        return {"type": "assistant", "message": {"id": key, "content": [block]}, "parent_tool_use_id": by}

    def result(call: str, text: str) -> dict[str, Any]:
        block = {"type": "tool_result", "tool_use_id": call, "content": [{"type": "text", "text": text}]}
        return {"type": "user", "message": {"content": [block]}}

    moves, _ = read(
        claude_code,
        [
            answer("a", {"type": "tool_use", "id": "1", "name": "Agent", "input": {"prompt": "look"}}),
            answer("b", {"type": "tool_use", "id": "2", "name": "Read", "input": {}}, "1"),
            result("2", "found"),
            answer("c", {"type": "text", "text": "It is there."}, "1"),
            result("1", "It is there."),
            answer("d", {"type": "text", "text": "Done."}),
        ],
    )
    seen = [(move.message, [call.name for call in move.calls], move.extra.get("called_by")) for move in moves[1:]]
    assert seen == [
        ("", ["Read"], '"1"'),
        ("", ["Agent"], None),
        ("It is there.", [], '"1"'),
        ("Done.", [], None),
    ]
    assert moves[2].results[0].content == "It is there."


def test_a_command_that_goes_on_does_not_hold_back_what_follows() -> None:
    def command(number: str, kind: str, code: int | None = None) -> dict[str, Any]:
        item = {
            "id": number,
            "type": "command_execution",
            "command": "sleep",
            "aggregated_output": "x",
            "exit_code": code,
        }
        return {"type": f"item.{kind}", "item": item}

    words = {"type": "item.completed", "item": {"id": "3", "type": "agent_message", "text": "Next."}}
    moves, _ = read(codex, [command("1", "started"), words, command("4", "started"), command("4", "completed", 7)])
    assert [(move.message, [call.id for call in move.calls]) for move in moves[1:]] == [("", ["1"]), ("Next.", ["4"])]
    assert moves[1].results == ()
    assert (moves[2].results[0].code, moves[2].results[0].failed) == (7, False)


def test_an_answer_without_a_usable_call_is_told_and_counted() -> None:
    told = {"usage": {"prompt_tokens": 5, "completion_tokens": 7}}
    events = stream("mini-swe-agent-solved")
    error = {"role": "user", "content": "Tool call error", "extra": {"response": told}}
    moves, report = read(mini_swe_agent, [*events[:4], error, *events[4:]])
    assert report.used == Used(205, 47)
    assert [move.message for move in moves if move.source == "user"] == ["write 0", "Tool call error"]


def test_long_output_is_kept_by_its_ends() -> None:
    notes = Notes()
    log = log_of(notes)
    log.called("a", "1", "bash", "{}")
    log.gave("1", "b" + "é" * 50_000 + "e")
    (result,) = notes.moves[1].results
    assert result.elided == 100_002 - 2 * 16_383
    assert result.content.startswith("bé")
    assert result.content.endswith("ée")
    assert f"[{result.elided} bytes left out]" in result.content


class Said:
    """A process that says these lines and ends."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines

    def receive(self, wall_ms: int) -> Reply:
        return Reply(line=self.lines.pop(0)) if self.lines else Reply(fault="eof")

    def finish(self, wall_ms: int) -> Ended:
        return Ended(code=0)


ODD = [
    "words for people",
    "[]",
    "{}",
    '{"type": "assistant", "message": "x"}',
    '{"type": "assistant", "message": {"content": [7]}}',
    '{"type": "user", "message": []}',
    '{"type": "result", "modelUsage": {"m": 1}, "permission_denials": 7}',
    '{"type": "item.completed", "item": "x"}',
    '{"type": "item.completed", "item": {"type": "mcp_tool_call", "result": {"content": [1]}}}',
    '{"type": "turn.completed", "usage": {"input_tokens": "many"}}',
    '{"type": "step_finish", "part": {"tokens": {"input": []}}}',
    '{"type": "tool_use", "part": {"state": "x"}}',
    '{"role": "assistant", "extra": 1}',
    '{"role": "assistant", "extra": {"response": {"choices": 4}}}',
    '{"role": "exit", "extra": {"exit_status": {}}}',
    '{"role": "tool", "extra": {"raw_output": 5}}',
]


@pytest.mark.parametrize("plugin", [claude_code, codex, opencode, mini_swe_agent], ids=lambda one: one.name)
def test_what_others_write_into_its_output_does_not_end_the_attempt(plugin: Cli) -> None:
    log = log_of(Notes())
    reader = plugin.reader(log)
    good = [json.dumps(event) for event in stream(f"{plugin.name}-solved")]
    lines = [line.encode() for line in [*ODD, *good]]
    ended, kept, odd = listened(cast(Process, Said(lines.copy())), reader, Clock(), 1000)
    assert (ended.code, kept, odd > 0) == (0, b"".join(line + b"\n" for line in lines), True)
    log.finish()
    assert isinstance(reported(reader), Report)


def test_a_result_of_no_known_call_is_passed_over() -> None:
    notes = Notes()
    log = log_of(notes)
    log.gave("1", "late")
    log.finish()
    assert len(notes.moves) == 1
