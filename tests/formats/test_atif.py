"""ATIF: what is written and read is fixed by golden files; nothing is lost either way; what breaks a rule is refused."""

import importlib
import importlib.util
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.core import Change, Move, MoveCall, MoveMetrics, MoveResult, Submission, UsageError
from proofyard.formats.atif import Trajectory, read_atif, write_atif

ATIF = importlib.import_module("atif") if importlib.util.find_spec("atif") else None
"""The format's own package, where it is installed: a second opinion."""

GOLDEN = Path(__file__).parents[1] / "golden" / "atif"

OURS = Trajectory(
    agent="terminal",
    version="1",
    model="openai/gpt-x",
    session="4f2a",
    id="4f2a",
    tools='[{"type":"function","function":{"name":"bash"}}]',
    notes="Two moves.",
    agent_extra={"isolation": '"bubblewrap"'},
    moves=(
        Move(n=1, source="system", at="2026-01-02T03:04:05.678Z", message="You build software."),
        Move(n=2, source="user", message="Write main.py."),
        Move(
            n=3,
            source="agent",
            at="2026-01-02T03:04:07Z",
            message="I look first.",
            reasoning="What is there?",
            model="openai/gpt-x-mini",
            effort="low",
            calls=(
                MoveCall(id="c1", name="bash", arguments='{"command":"ls"}'),
                MoveCall(id="c2", name="bash", arguments='{"command":'),
            ),
            results=(
                MoveResult(call="c1", content="README\n", code=0),
                MoveResult(call="c2", content="not JSON", failed=True, elided=7),
                MoveResult(content="A note of the environment."),
            ),
            metrics=MoveMetrics(
                input_tokens=120,
                output_tokens=30,
                cached_tokens=100,
                reasoning_tokens=8,
                usd="0.0001234567890123456789",
                extra={"tier": '"flex"'},
            ),
            changed=(Change(path="main.py", how="added"),),
            snapshot=Submission(tree="ab" * 32, blob="cd" * 32),
            llm_calls=1,
            stop="tool_calls",
            wall_us=1_500_000,
            extra={"route": '{"served":"x"}'},
        ),
        Move(n=4, source="agent", message="Done.", llm_calls=1, metrics=MoveMetrics(input_tokens=5, output_tokens=1)),
    ),
)


def test_ours_is_written_as_the_golden_file_says_and_comes_back() -> None:
    assert write_atif(OURS).decode() == (GOLDEN / "ours.json").read_text(encoding="utf-8")
    assert read_atif((GOLDEN / "ours.json").read_bytes()) == OURS


def test_sums_leave_out_what_is_unknown() -> None:
    totals = json.loads(write_atif(OURS))["final_metrics"]
    # The last move says nothing of cached tokens and costs: their sums are unknown, not 100 and 0.0001.
    assert totals == {"total_prompt_tokens": 125, "total_completion_tokens": 31, "total_steps": 4}


def test_copied_context_is_counted_once() -> None:
    copied = msgspec.structs.replace(OURS.moves[3], n=1, copied=True)
    fresh = msgspec.structs.replace(OURS.moves[3], n=2)
    totals = json.loads(write_atif(Trajectory(agent="a", version="1", moves=(copied, fresh))))["final_metrics"]
    assert totals["total_prompt_tokens"] == 5


def test_theirs_is_read_and_written_without_loss() -> None:
    foreign = json.loads((GOLDEN / "foreign.json").read_text(encoding="utf-8"))
    trajectory = read_atif((GOLDEN / "foreign.json").read_bytes())
    call = trajectory.moves[1]
    assert (call.calls[0].name, call.results[0].content) == ("Bash", "two\n[image: shot.png]")
    assert (call.metrics, call.effort) == (
        MoveMetrics(
            input_tokens=9,
            output_tokens=2,
            cached_tokens=4,
            usd="0.5",
            extra={"atif": '{"prompt_token_ids":[1,2],"completion_token_ids":[3],"logprobs":[-0.5]}'},
        ),
        "0.7",
    )
    written = json.loads(write_atif(trajectory))
    assert written == foreign | {"schema_version": "ATIF-v1.7"}


def test_what_1_7_has_no_room_for_becomes_words() -> None:
    sound = {"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav"}}
    document = _document(schema_version="ATIF-v1.8")
    document["steps"][0]["message"] = [{"type": "text", "text": "Hear"}, sound]
    written = json.loads(write_atif(read_atif(json.dumps(document).encode())))
    assert written["steps"][0]["message"] == [
        {"type": "text", "text": "Hear"},
        {"type": "text", "text": "[audio: a.wav]"},
    ]


@pytest.mark.parametrize("minor", range(9))
def test_every_version_is_read(minor: int) -> None:
    assert read_atif(json.dumps(_document(schema_version=f"ATIF-v1.{minor}")).encode()).moves[0].message == "Hi"


def test_before_1_7_a_session_names_a_subagent() -> None:
    document = _document(schema_version="ATIF-v1.4")
    document["steps"][1]["observation"]["results"][0]["subagent_trajectory_ref"] = [{"session_id": "s2"}]
    written = json.loads(write_atif(read_atif(json.dumps(document).encode())))
    result = written["steps"][1]["observation"]["results"][0]
    assert result == {"source_call_id": "c1", "content": "ok", "extra": {"subagent_sessions": [{"session_id": "s2"}]}}


REFUSED: list[tuple[str, list[str | int], Any, str]] = [
    ("a version to come", ["schema_version"], "ATIF-v1.9", "schema_version 'ATIF-v1.9'"),
    ("an unknown key", ["surprise"], 1, "unknown field `surprise`"),
    ("an unknown key of a step", ["steps", 0, "note"], 1, "unknown field `note`"),
    ("no steps", ["steps"], [], "steps is empty"),
    ("a gap", ["steps", 1, "step_id"], 3, "steps[1]: step_id is 3, not 2"),
    ("costs of the user", ["steps", 0, "metrics"], {}, "steps[0]: metrics belongs to steps of the agent"),
    ("a result of no call", ["steps", 1, "observation", "results", 0, "source_call_id"], "c9", "'c9' is no call"),
    ("a time that is none", ["steps", 0, "timestamp"], "yesterday", "'yesterday' is not ISO 8601"),
    ("arguments in words", ["steps", 1, "tool_calls", 0, "arguments"], "ls", "arguments is no object"),
    ("half a token", ["steps", 1, "metrics", "prompt_tokens"], 1.5, "Expected `int"),
    ("costs without a call", ["steps", 1, "llm_call_count"], 0, "without a call of the model"),
    ("a cost in words", ["steps", 1, "metrics", "cost_usd"], "1", "Expected `float | null`"),
    ("a sound before 1.8", ["steps", 0, "message"], [{"type": "audio", "source": {"media_type": "audio/wav", "path": "a"}}],
     "audio came with 1.8"),
    ("a picture of another kind", ["steps", 0, "message"],
     [{"type": "image", "source": {"media_type": "image/bmp", "path": "a"}}], "'image/bmp' is no media type"),
    ("a subagent without a name", ["subagent_trajectories"], [{"schema_version": "ATIF-v1.7",
     "agent": {"name": "a", "version": "1"}, "steps": [{"step_id": 1, "source": "user", "message": ""}]}],
     "one has no trajectory_id"),
    ("a reference to nothing", ["steps", 1, "observation", "results", 0, "subagent_trajectory_ref"],
     [{"session_id": "s"}], "names neither"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "said"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_refused(path: list[str | int], value: Any, said: str) -> None:
    document: Any = _document()
    place = document
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(UsageError) as caught:
        read_atif(json.dumps(document).encode(), "t.json")
    assert str(caught.value).startswith("t.json: no valid ATIF: ")
    assert said in str(caught.value)


def test_a_trajectory_without_moves_is_not_written() -> None:
    with pytest.raises(UsageError, match="steps is empty"):
        write_atif(Trajectory(agent="a", version="1"))


def _document(schema_version: str = "ATIF-v1.7") -> dict[str, Any]:
    return {
        "schema_version": schema_version,
        "agent": {"name": "a", "version": "1"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "Hi", "timestamp": "2026-10-05T12:00:00.000Z"},
            {
                "step_id": 2,
                "source": "agent",
                "message": "",
                "tool_calls": [{"tool_call_id": "c1", "function_name": "bash", "arguments": {}}],
                "observation": {"results": [{"source_call_id": "c1", "content": "ok"}]},
                "metrics": {"prompt_tokens": 1, "completion_tokens": 1, "cost_usd": 0},
            },
        ],
    }


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
COUNT = st.none() | st.integers(0, 10**6)
VALUE = st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | TEXT, lambda inner: st.lists(inner, max_size=2))
JSON = (VALUE | st.dictionaries(TEXT, VALUE, max_size=2)).map(lambda value: msgspec.json.encode(value).decode())
EXTRA = st.dictionaries(TEXT.filter(lambda name: name not in {"atif", "proofyard"}), JSON, max_size=2)
OBJECT = st.dictionaries(TEXT, VALUE, max_size=2).map(lambda value: msgspec.json.encode(value).decode())
CALL = st.builds(MoveCall, id=TEXT, name=TEXT, arguments=OBJECT | TEXT, extra=EXTRA)
RESULT = st.builds(
    MoveResult, call=TEXT, content=TEXT, failed=st.booleans(), code=COUNT, elided=st.integers(0, 9), extra=EXTRA
)
USD = st.none() | st.decimals(0, 10, places=20).map(lambda value: msgspec.json.encode(value).decode().strip('"'))
METRICS = st.builds(
    MoveMetrics,
    input_tokens=COUNT,
    output_tokens=COUNT,
    cached_tokens=COUNT,
    cache_write_tokens=COUNT,
    reasoning_tokens=COUNT,
    usd=USD,
    extra=EXTRA,
)
MOVE = st.builds(
    Move,
    n=st.integers(1, 5),
    at=st.sampled_from(["", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+02:00", "noon"]),
    source=st.sampled_from(["system", "user", "agent"]),
    message=TEXT,
    reasoning=TEXT,
    model=TEXT,
    effort=TEXT,
    calls=st.lists(CALL, max_size=2).map(tuple),
    results=st.lists(RESULT, max_size=2).map(tuple),
    metrics=st.none() | METRICS,
    changed=st.lists(
        st.builds(Change, path=TEXT, how=st.sampled_from(["added", "changed", "removed"])), max_size=2
    ).map(tuple),
    snapshot=st.none() | st.builds(Submission, tree=TEXT, blob=TEXT),
    llm_calls=st.none() | st.integers(0, 2),
    copied=st.booleans(),
    stop=TEXT,
    wall_us=st.integers(0, 10**9),
    extra=EXTRA,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(MOVE, min_size=1, max_size=3), EXTRA, EXTRA)
def test_moves_come_back_as_they_went(moves: list[Move], extra: dict[str, str], more: dict[str, str]) -> None:
    trajectory = Trajectory(agent="a", version="1", moves=tuple(moves), extra=extra, agent_extra=more)
    data = write_atif(trajectory)
    assert read_atif(data) == trajectory
    if ATIF is not None:
        ATIF.Trajectory.model_validate_json(data)
