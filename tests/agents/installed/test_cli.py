"""What programs are told and where they are looked for, without them."""

import json
import tomllib
from pathlib import Path

import msgspec
import pytest

from proofyard.agents import AgentSetup, Condition, Endpoint
from proofyard.agents.installed import claude_code, codex, mini_swe_agent, opencode
from proofyard.agents.installed.cli import HOME, Cli, Job
from proofyard.agents.installed.there import There
from proofyard.core import Image, ImageStep, MemoryBlobs, Sampling, SandboxSpec, UsageError
from proofyard.engine import Entrant
from proofyard.engine.resolve import entered
from proofyard.images import PROGRAMS

ALL = (claude_code, codex, opencode, mini_swe_agent)
WIRES = {"claude-code": "anthropic-messages", "codex": "openai-responses"}
MCP = json.dumps({"math": {"command": "python", "args": ["-c", 'print("x")'], "env": {"A": "1"}}})


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache in which all of them seem to be."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    facts = tmp_path / "proofyard" / "agents"
    facts.mkdir(parents=True)
    folder = tmp_path / "program"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "rg").touch()
    for plugin in ALL:
        there = There(name=plugin.name, version=plugin.pinned, folder=str(folder), executable="bin/it", path=("bin",))
        (facts / f"{plugin.name}.json").write_bytes(msgspec.json.encode(there))
    return facts


def job(plugin: Cli, condition: Condition | None = None, **sampling: object) -> Job:
    end = Endpoint("http://127.0.0.1:3128", "token", WIRES.get(plugin.name, "openai-chat"), "m-1")
    setup = AgentSetup(
        {},
        Path("/none"),
        sampling=Sampling(**sampling),
        k=2,
        endpoint=end,
        condition=condition or Condition(),  # type: ignore[arg-type]
    )
    return plugin.job(setup, "do it", 3)


def test_each_is_written_for_the_version_that_is_installed() -> None:
    assert {plugin.name: plugin.pinned for plugin in ALL} == {one.name: one.version for one in PROGRAMS.values()}
    for plugin in ALL:
        assert len(plugin.helpers) == len(PROGRAMS[plugin.name].helpers)


@pytest.mark.parametrize("plugin", ALL, ids=lambda one: one.name)
def test_another_version_or_none_is_refused_with_what_to_do(plugin: Cli, installed: Path) -> None:
    said = f"{plugin.name} {plugin.pinned} is not installed; run: proofyard env build {plugin.name}"
    fact = installed / f"{plugin.name}.json"
    there = msgspec.json.decode(fact.read_bytes(), type=There)
    assert plugin.parameters("") == {"program": plugin.pinned}
    fact.write_bytes(msgspec.json.encode(msgspec.structs.replace(there, version="0")))
    with pytest.raises(UsageError) as caught:
        plugin.parameters("")
    assert str(caught.value) == said
    fact.unlink()
    with pytest.raises(UsageError):
        plugin.place(SandboxSpec(), {})


def test_one_without_its_helper_is_not_there(installed: Path) -> None:
    fact = installed / "opencode.json"
    there = msgspec.json.decode(fact.read_bytes(), type=There)
    fact.write_bytes(msgspec.json.encode(msgspec.structs.replace(there, path=())))
    with pytest.raises(UsageError, match=r"opencode [\d.]+ is not installed"):
        opencode.parameters("")


def test_whose_model_is_meant() -> None:
    assert claude_code.model("claude-x") == "anthropic/claude-x"
    assert claude_code.model("anthropic-compatible/m") == "anthropic-compatible/m"
    assert codex.model("gpt-x") == "openai/gpt-x"
    assert opencode.model("openrouter/a/b") == "openrouter/a/b"
    assert codex.model("") == ""
    with pytest.raises(UsageError, match="whose model is m"):
        opencode.model("m")


@pytest.mark.parametrize(
    ("agent", "model"), [("claude-code:deepseek/m", ""), ("claude-code", "deepseek/m"), ("codex", "gemini-native/m")]
)
def test_a_provider_that_it_cannot_speak_to_is_refused_before_the_run(agent: str, model: str) -> None:
    name = agent.partition(":")[0]
    with pytest.raises(UsageError, match=f"agent {name} speaks [a-z, -]+; (deepseek|gemini-native) speaks"):
        entered(Entrant(agent=agent, model=model), MemoryBlobs())


@pytest.mark.parametrize(("condition", "what"), [("skill:/tmp", "skills"), ("mcp:/tmp/x", "mcps")])
def test_a_condition_that_it_cannot_be_given_is_refused_by_name(condition: str, what: str) -> None:
    who = Entrant(agent="mini-swe-agent:ollama/m", conditions=(condition,))
    with pytest.raises(UsageError, match=f"agent mini-swe-agent cannot be given {what}"):
        entered(who, MemoryBlobs())


def test_the_place_has_the_program_and_room_for_it(installed: Path) -> None:
    place = claude_code.place(SandboxSpec(), {})
    assert place.image.packages == str(installed.parents[1] / "program")
    assert place.image.base == "system"
    assert HOME in place.kept
    assert place.limits.memory == 1 << 62
    with pytest.raises(UsageError, match="need an environment of packages"):
        claude_code.place(SandboxSpec(image=Image(packages="/envs/x")), {})


def test_claude_code_is_told() -> None:
    start = claude_code.start(job(claude_code, Condition(mcp=MCP), reasoning="high"))
    assert start.argv[0] == "/opt/packages/bin/it"
    assert start.argv[start.argv.index("--model") + 1] == "m-1"
    assert start.argv[-2:] == ("--effort", "high")
    assert (start.env["ANTHROPIC_BASE_URL"], start.env["ANTHROPIC_API_KEY"]) == ("http://127.0.0.1:3128", "token")
    assert start.env["CLAUDE_CODE_MAX_RETRIES"] == "3"
    assert {value for name, value in start.env.items() if name.endswith("_MODEL")} == {"m-1"}
    (server,) = json.loads(start.files["mcp.json"])["mcpServers"].values()
    assert server["args"] == ["-c", 'print("x")']
    for asked, tokens in (("2000", "2000"), ("off", "0")):
        start = claude_code.start(job(claude_code, reasoning=asked))
        assert (start.env["MAX_THINKING_TOKENS"], "--effort" in start.argv) == (tokens, False)


def test_codex_is_told() -> None:
    start = codex.start(job(codex, Condition(mcp=MCP), reasoning="off"))
    settings = tomllib.loads(start.files[".codex/config.toml"])
    provider = settings["model_providers"][settings["model_provider"]]
    assert (provider["base_url"], provider["stream_max_retries"]) == ("http://127.0.0.1:3128/v1", 3)
    assert start.env[provider["env_key"]] == "token"
    assert (settings["model"], settings["model_reasoning_effort"]) == ("m-1", "none")
    assert settings["mcp_servers"]["math"]["env"] == {"LD_LIBRARY_PATH": "/opt/python/lib", "A": "1"}
    with pytest.raises(UsageError, match="a level of reasoning, not a number"):
        codex.start(job(codex, reasoning="2000"))


def test_opencode_is_told() -> None:
    start = opencode.start(job(opencode, Condition(mcp=MCP), max_tokens=500))
    settings = json.loads(start.files[".config/opencode/opencode.json"])
    (provider,) = settings["provider"].values()
    assert provider["npm"] == "@ai-sdk/openai-compatible"
    assert provider["models"]["m-1"]["limit"]["output"] == 500
    assert settings["small_model"] == settings["model"] == "gateway/m-1"
    assert settings["mcp"]["math"]["command"] == ["python", "-c", 'print("x")']
    assert start.env["PATH"].endswith(":/opt/packages/bin")


def test_mini_swe_agent_is_told() -> None:
    start = mini_swe_agent.start(job(mini_swe_agent, temperature="0.5", max_tokens=9, seed=40))
    settings = json.loads(start.files["settings.yaml"])
    kwargs = settings["model"]["model_kwargs"]
    assert (kwargs["temperature"], kwargs["max_tokens"], kwargs["seed"]) == (0.5, 9, 42)
    assert (kwargs["api_base"], kwargs["max_retries"]) == ("http://127.0.0.1:3128/v1", 0)
    assert settings["run"]["task"] == "do it"
    assert start.env["MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT"] == "4"


def test_packages_and_path_of_a_task_stay() -> None:
    bare = job(mini_swe_agent)
    step = ImageStep(kind="install", requirements=("six==1.16.0",))
    made = Image(source="python:3.11", steps=(step,), environment={"PATH": "/opt/task/bin:/usr/bin"})
    assert (bare.brings_packages, bare._replace(image=made).brings_packages) == (False, True)
    assert "OWN_PACKAGES_ONLY" in mini_swe_agent.start(bare).env
    assert "OWN_PACKAGES_ONLY" not in mini_swe_agent.start(bare._replace(image=made)).env
    start = opencode.start(job(opencode)._replace(image=made))
    assert start.env["PATH"] == "/opt/task/bin:/usr/bin:/opt/packages/bin"


def test_what_cannot_be_told_is_said() -> None:
    sampling = Sampling(temperature="0.5", reasoning="low", extra={"top_k": "4"})
    assert claude_code.dropped(sampling) == (
        "temperature=0.5: claude-code settles that itself; extra={'top_k': '4'}: claude-code settles that itself"
    )
    assert mini_swe_agent.dropped(Sampling(temperature="0.5")) == ""
