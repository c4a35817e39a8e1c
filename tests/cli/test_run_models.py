"""`proofyard run` with models: the flags, the file of models, and a real run against the scripted server."""

import json
import re
from pathlib import Path

import pytest

from proofyard.cli.run_models import read_models
from proofyard.core import Budget, Sampling, UsageError
from proofyard.engine import Entrant
from proofyard.store import read_run
from proofyard.testing import Fault, ModelServer, Usage, say
from tests.cli.tool import EASY, verb

FILE = """
[[models]]
model = "openai-compatible/small"
base_url = "http://127.0.0.1:8000/v1"
key_env = "SMALL_KEY"
agents = ["oneshot", "terminal:text"]
temperature = 0.20
top_p = 1
max_tokens = 4000
max_steps = 30
trial_cost = 0.5
extra = { top_k = 40, cache = { type = "ephemeral" } }

[[models]]
model = "anthropic/claude-sonnet-4-5"
agents = ["terminal"]
reasoning = 8000
conditions = ["bare", "skill:careful"]
"""


def test_a_file_of_models_gives_pairs_each_with_its_parameters(tmp_path: Path) -> None:
    path = tmp_path / "models.toml"
    path.write_text(FILE)
    found = read_models(path, Budget(wall_s=600, steps=5))
    small = Entrant(
        agent="oneshot",
        model="openai-compatible/small",
        base_url="http://127.0.0.1:8000/v1",
        key_env="SMALL_KEY",
        sampling=Sampling(
            temperature="0.2", top_p="1", max_tokens=4000, extra={"top_k": "40", "cache": '{"type":"ephemeral"}'}
        ),
        budget=Budget(wall_s=600, steps=30, cost_micro_usd=500_000),
        conditions=("bare",),
    )
    claude = Entrant(
        agent="terminal",
        model="anthropic/claude-sonnet-4-5",
        sampling=Sampling(reasoning="8000"),
        budget=Budget(wall_s=600, steps=5),
        conditions=("bare",),
    )
    assert [(one.agent, one.conditions) for one in found] == [
        ("oneshot", ("bare",)),
        ("terminal:text", ("bare",)),
        ("terminal", ("bare",)),
        ("terminal", ("skill:careful",)),
    ]
    assert found[0] == small
    assert found[2] == claude


def test_models_without_agents_are_for_those_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "models.toml"
    path.write_text("[[models]]\nmodel = 'a/b'\n\n[[models]]\nmodel = 'a/c'\nagents = ['oneshot']")
    found = read_models(path, Budget(), agents=["terminal", "terminal:text"])
    assert [(one.agent, one.model) for one in found] == [
        ("terminal", "a/b"),
        ("terminal:text", "a/b"),
        ("oneshot", "a/c"),
    ]
    path.write_text("[[models]]\nmodel = 'a/c'\nagents = ['oneshot']")
    with pytest.raises(UsageError, match="leave out --agent terminal"):
        read_models(path, Budget(), agents=["terminal"])
    out = ("--models", path, "--agent", "terminal", "--output", tmp_path / "r")
    verb("run", "scratch", *out).refused(2, "each model names its agents: leave out --agent terminal")


def test_a_limit_of_cost_is_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "models.toml"
    path.write_text("[[models]]\nmodel = 'a/b'\nagents = ['oneshot']\ntrial_cost = 0.29")
    assert [one.budget.cost_micro_usd for one in read_models(path, Budget())] == [290_000]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", "table a model, and nothing else"),
        ("[[models]]\nagents = ['oneshot']", "model 1: give model"),
        ("[[models]]\nmodel = 'a/b'", r"model 1 \(a/b\): give agents"),
        ("[[models]]\nmodel = 'a/b'\nagents = 'oneshot'", r"model 1 \(a/b\): agents is a list of names"),
        ("[[models]]\nmodel = 'a/b'\nagents = ['x']\nconditions = 'bare'", r"\(a/b\): conditions is a list of names"),
        ("[[models]]\nmodel = 'a/b'\nagents = ['oneshot']\ntemprature = 1", "model 1: unknown field 'temprature'"),
        ("[[models]]\nmodel = 'a/b'\nagents = ['oneshot']\nmax_tokens = 'many'", r"model 1 \(a/b\): Expected"),
        ("[[models]]\nmodel = 'a/b'\nagents = ['oneshot']\ntemperature = 'hot'", r"model 1 \(a/b\): not a number"),
        (
            "[[models]]\nmodel = 'a/b'\nagents = ['oneshot']\ntrial_cost = inf",
            r"model 1 \(a/b\): 'inf' is no sum of dollars",
        ),
        (
            "[[models]]\nmodel = 'a/b'\nagents = ['oneshot']\ntrial_cost = -1",
            r"model 1 \(a/b\): '-1' is no sum of dollars",
        ),
        ("[[models", "Expected"),
    ],
)
def test_a_file_that_is_no_good_is_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "models.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        read_models(path, Budget())
    with pytest.raises(UsageError, match="cannot read"):
        read_models(tmp_path / "none.toml", Budget())


def test_a_model_is_asked_once_and_its_program_graded(tmp_path: Path, reference: Path) -> None:
    parts = [
        f"```python {path.relative_to(reference)}\n{path.read_text()}```" for path in sorted(reference.rglob("*.py"))
    ]
    (tmp_path / "env").write_text("export MY_KEY='sk-canary-0123456789'\n")
    (tmp_path / "prices.toml").write_text('["openai-compatible/m"]\ninput = 1\noutput = 10\n')
    with ModelServer(say("\n\n".join(parts), usage=Usage(1000, 200)), keys=["sk-canary-0123456789"]) as server:
        arguments = ["run", "scratch", "--task", EASY, "--agent", "oneshot", "--model", "openai-compatible/m"]
        arguments += ["--base-url", server.url("openai-chat"), "--key-env", "MY_KEY", "--temperature", "0.5"]
        arguments += ["--env-file", str(tmp_path / "env"), "--prices", str(tmp_path / "prices.toml")]
        arguments += ["--max-cost", "0.01", "--attempts", "2", "--output", str(tmp_path / "r"), "--concurrency", "1"]
        ran = verb(*arguments)
        assert ran.code == 0, ran
        assert "2 calls of models, $0.0060" in ran.out
        ran = verb(*[*arguments[: arguments.index("--attempts")], "--attempts", "9", *arguments[-4:]])
        assert ran.code == 3, ran
        assert "stopped: the budget of cost is used up" in ran.err
        assert len(server.settle()) == 4
        more = [*arguments[: arguments.index("--max-cost")], "--max-cost", "1", "--attempts", "9", *arguments[-4:]]
        ran = verb(*more, "--json")
        assert len(server.settle()) == 9
    outcome = json.loads(ran.out)
    assert (outcome["counts"]["passed"], outcome["counts"]["owed"], outcome["cost_micro_usd"]) == (9, 0, 27_000)
    for path in (tmp_path / "r").rglob("*"):
        assert not path.is_file() or b"sk-canary" not in path.read_bytes()
    (subject,) = read_run(tmp_path / "r").plan.subjects
    assert (subject.agent, subject.model, subject.sampling.temperature) == ("oneshot", "openai-compatible/m", "0.5")


def test_the_cost_of_a_call_that_broke_off_is_told_as_a_bound(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text('["openai-compatible/m"]\ninput = 1\noutput = 10\n')
    with ModelServer(say("no"), faults=[Fault("cut")]) as server:
        arguments = ["run", "scratch", "--task", EASY, "--agent", "oneshot", "--model", "openai-compatible/m"]
        arguments += ["--base-url", server.url("openai-chat"), "--max-tokens", "1000", "--output", str(tmp_path / "r")]
        ran = verb(*arguments, "--prices", str(tmp_path / "prices.toml"))
        unpriced = verb(*arguments[:-1], str(tmp_path / "u"))
    assert re.search(r"2 calls of models, at most \$0\.01\d{2,4}: the usage of 1 call never came", ran.out), ran
    assert "1 call of models, cost unknown\n" in unpriced.out


def test_what_is_missing_is_said_before_anything_is_done(tmp_path: Path) -> None:
    out = ("--output", tmp_path / "r")
    verb("run", "scratch", *out).refused(2, "a run needs an agent")
    verb("run", "scratch", "--agent", "oneshot", *out).refused(2, "agent oneshot needs a model")
    verb("run", "scratch", "--agent", "oneshot", "--model", "opnai/x", *out).refused(2, "did you mean openai")
    verb("run", "scratch", "--agent", "oneshot", "--model", "vllm/x", "--max-cost", "1", *out).refused(2, "no price")
    verb("run", "scratch", "--agent", "terminal", "--model", "vllm/x", "--condition", "skil:x", *out).refused(2, "bare")
    two = ("--model", "vllm/x", "--model", "ollama/y", "--base-url", "http://127.0.0.1:1/v1")
    verb("run", "scratch", "--agent", "oneshot", *two, *out).refused(2, "of one provider, not of ollama and vllm")
    assert not (tmp_path / "r").exists()
