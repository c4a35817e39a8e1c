"""The four programs as tests drive them: on which wire, and by what tool call each runs a command."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from proofyard.agents.installed import claude_code, codex, mini_swe_agent, opencode
from proofyard.agents.installed.cli import Cli
from proofyard.core import Trial, UsageError, Verdict
from proofyard.engine import Entrant, RunOutcome, RunRequest, run
from proofyard.store import read_run
from proofyard.testing import Asked, Call, ModelServer, Policy, Turn, Usage
from tests.agents.installed.conftest import absent

__all__ = ["PROGRAMS", "Driven", "commands", "go", "only"]

USED = Usage(100, 20)


class Driven(NamedTuple):
    """A program under test. wall_s: enough for it to start on a busy machine and to run a command.

    skill_and_server: how it reads the skill `careful` and has the server `math` double 21."""

    plugin: Cli
    provider: str
    wire: Any
    shell: Callable[[str], Call]
    done: Turn = Turn(text="Done.", usage=USED)
    wall_s: int = 25
    skill_and_server: tuple[str | Call, ...] = ()
    quick: bool = False

    @property
    def name(self) -> str:
        return self.plugin.name

    def needed(self) -> None:
        """Skip, or fail, without the program; in CI they are driven by their own stage alone."""
        if os.environ.get("CI") and not os.environ.get("PROOFYARD_AGENTS"):
            pytest.skip("driven by scripts/ci-agents")
        try:
            self.plugin.there()
        except UsageError as error:
            absent(str(error))


PROGRAMS = (
    Driven(
        claude_code,
        "anthropic-compatible",
        "anthropic-messages",
        lambda command: Call("Bash", {"command": command, "description": "run"}),
        skill_and_server=(Call("Skill", {"skill": "careful"}), Call("mcp__math__double", {"n": 21})),
        quick=True,
    ),
    Driven(
        codex,
        "responses-compatible",
        "openai-responses",
        lambda command: Call("exec_command", {"cmd": command}),
        skill_and_server=("cat /skills/careful/SKILL.md", Call("double", {"n": 21}, namespace="mcp__math")),
        quick=True,
    ),
    Driven(
        opencode,
        "openai-compatible",
        "openai-chat",
        lambda command: Call("bash", {"command": command, "description": "run"}),
        wall_s=45,
        skill_and_server=(Call("skill", {"name": "careful"}), Call("math_double", {"n": 21})),
    ),
    Driven(
        mini_swe_agent,
        "openai-compatible",
        "openai-chat",
        lambda command: Call("bash", {"command": command}),
        Turn(calls=(Call("bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}),), usage=USED),
        45,
    ),
)


def commands(driven: Driven, script: Sequence[str | Call]) -> Policy:
    """A model that runs these commands, or uses these tools, one a turn, and then is done."""

    def policy(asked: Asked) -> Turn:
        if not asked.tools:
            return Turn(text="A title", usage=USED)
        if asked.turn >= len(script):
            return driven.done
        step = script[asked.turn]
        call = driven.shell(step) if isinstance(step, str) else step
        return Turn(text=f"Step {asked.turn}.", calls=(call,), usage=USED)

    return policy


def go(path: Path, server: ModelServer, driven: Driven, **more: Any) -> RunOutcome:
    """One attempt at the first toy task."""
    fields = {name: more.pop(name) for name in ("budget", "conditions", "sampling") if name in more}
    who = Entrant(
        agent=driven.name, model=f"{driven.provider}/m", base_url=server.url(driven.wire), key_env="MY_KEY", **fields
    )
    request = RunRequest(suite="toy", output=str(path), entrants=(who,), subset="one", **more)
    return run(request, lambda counts: None)


def only(path: Path) -> tuple[Trial, Verdict]:
    data = read_run(path)
    (trial,), (verdict,) = data.trials.values(), data.verdicts.values()
    return trial, verdict
