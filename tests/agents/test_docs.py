"""The examples of docs/agents.md are executed as they stand, against the scripted server."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from proofyard.cli.run_models import read_models
from proofyard.core import Budget, Reason
from proofyard.models import ModelProvider
from proofyard.store import read_run
from proofyard.testing import Asked, Call, ModelServer, Turn, Usage

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"\*\*`([\w./]+)`\*\*\n```\w+\n(.*?)```\n", PAGE, re.DOTALL))
COMMANDS = re.findall(r"```sh\n(proofyard .*?)\n```\n", PAGE, re.DOTALL)


def answer(asked: Asked) -> Turn:
    """The right answer to the toy task, however it is asked for."""
    used = Usage(100, 20)
    if "shell" not in asked.tools:
        return Turn(text="0", usage=used)
    if asked.turn:
        return Turn(text="Done.", usage=used)
    return Turn(calls=(Call("shell", {"command": "cat /skills/careful/SKILL.md; printf 0 > answer.txt"}),), usage=used)


def _run(place: Path, words: list[str]) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(place), str(ROOT / "tests" / "toy")])}
    argv = [sys.executable, "-m", *words]
    return subprocess.run(argv, cwd=place, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the files of the page, and the agent of it installed."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (entry,) = re.findall(r'```toml\n(\[project\.entry-points."proofyard\.agents"\]\n.*?)```', PAGE, re.DOTALL)
    info = tmp_path / "second_thought-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: second-thought\nVersion: 1\n")
    written = entry.replace('[project.entry-points."proofyard.agents"]', "[proofyard.agents]").replace('"', "")
    (info / "entry_points.txt").write_text(written)
    return tmp_path


@pytest.mark.parametrize(("agent", "calls"), [("terminal", 2), ("program:mine", 1), ("second-thought", 2)])
def test_each_command_does_what_the_page_says(place: Path, agent: str, calls: int) -> None:
    (command,) = [text for text in COMMANDS if f"--agent {agent} " in text]
    with ModelServer(answer) as server:
        words = command.replace("$URL", server.url("openai-chat")).split()
        ran = _run(place, words)
        assert (ran.returncode, ran.stderr.count("error")) == (0, 0), ran
        assert len(server.settle()) == calls
    data = read_run(place / words[-1])
    (trial,) = data.trials.values()
    (verdict,) = data.verdicts.values()
    assert (verdict.score, trial.spend.calls) == (1.0, calls)
    if agent == "terminal":
        assert trial.provenance["skill:careful"] == "read"


def test_a_budget_that_the_agent_leaves_to_the_engine_ends_the_attempt_alone(place: Path) -> None:
    (command,) = [text for text in COMMANDS if "second-thought" in text]
    with ModelServer(answer) as server:
        words = [*command.replace("$URL", server.url("openai-chat")).split(), "--max-steps", "1"]
        ran = _run(place, [*words, "--attempts", "2"])
        assert ran.returncode == 1, ran
        assert len(server.settle()) == 2
    data = read_run(place / "thought")
    assert [trial.reason for trial in data.trials.values()] == [Reason.BUDGET] * 2
    assert [verdict.reason for verdict in data.verdicts.values()] == [Reason.BUDGET] * 2


def test_every_command_is_tried() -> None:
    assert len(COMMANDS) == 3
    assert set(FILES) == {"careful/SKILL.md", "mine/run", "second_thought.py"}


def test_the_file_of_models_is_read(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(\[\[models\]\].*?)```", PAGE, re.DOTALL)
    (tmp_path / "models.toml").write_text(text)
    found = read_models(tmp_path / "models.toml", Budget())
    assert [(one.agent, one.model) for one in found] == [
        ("oneshot", "openai-compatible/small"),
        ("terminal:text", "openai-compatible/small"),
        ("terminal", "anthropic/claude-sonnet-4-5"),
    ]
    assert found[2].budget.cost_micro_usd == 1_500_000


def test_the_row_is_one() -> None:
    (block,) = re.findall(r"```python\n(from proofyard\.models import ModelProvider.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(block, names)
    assert isinstance(names["row"], ModelProvider)
