"""Codex: OpenAI's agent, by the items of its JSON events."""

import json
from typing import Any, ClassVar, Final

from proofyard.agents.installed.cli import HOME, Cli, Job, Reader, Report, Start, Used
from proofyard.agents.installed.log import Log
from proofyard.agents.installed.servers import servers
from proofyard.agents.installed.work import Work
from proofyard.agents.plugin import AgentSetup
from proofyard.core import Agent, UsageError

__all__ = ["codex"]

_HOME: Final = ".codex"


class _Reader:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._facts: dict[str, str] = {}
        self._answer = 0
        self._waiting: set[str] = set()
        self._used_tools = False
        self._failure = ""
        self._used: Used | None = None

    def event(self, event: dict[str, Any]) -> None:
        kind = event.get("type")
        if kind == "thread.started":
            self._facts["session"] = str(event.get("thread_id"))
        elif kind in {"item.started", "item.completed"}:
            self._item(event.get("item") or {}, done=kind == "item.completed")
        elif kind == "error":
            self._facts["last_error"] = str(event.get("message"))[:300]
        elif kind == "turn.failed":
            self._failure = str((event.get("error") or {}).get("message") or "the turn failed")
        elif kind == "turn.completed":
            usage = event.get("usage") or {}
            self._used = Used(int(usage.get("input_tokens") or 0), int(usage.get("output_tokens") or 0))
            self._facts["end"] = "completed"

    def report(self) -> Report:
        return Report(self._failure, used=self._used, facts=self._facts)

    def _item(self, item: dict[str, Any], *, done: bool) -> None:
        kind = str(item.get("type"))
        if kind == "agent_message":
            self._log.said(self._key(words=True), str(item.get("text")))
        elif kind == "reasoning":
            self._log.said(self._key(words=True), thought=str(item.get("text")))
        elif kind == "error":
            self._facts["note"] = str(item.get("message"))[:300]
        else:
            self._tool(kind, item, done=done)

    def _tool(self, kind: str, item: dict[str, Any], *, done: bool) -> None:
        number = str(item.get("id"))
        if number not in self._waiting:
            self._log.called(self._key(), number, *_call(kind, item))
            self._waiting.add(number)
            self._used_tools = True
        if done:
            self._waiting.discard(number)
            code = item.get("exit_code")
            failed = str(item.get("status")) == "failed" and not isinstance(code, int)
            self._log.gave(number, _gave(item), failed=failed, code=code if isinstance(code, int) else None)

    def _key(self, *, words: bool = False) -> str:
        """The answer that an item belongs to. Items do not say: words are of the next answer once a tool was used, and so is
        a tool once all before it have answered. A command may go on meanwhile; it is written down as far as it came.
        """
        if self._used_tools and (words or not self._waiting):
            self._log.finish()
            self._answer += 1
            self._used_tools = False
        return str(self._answer)


def _call(kind: str, item: dict[str, Any]) -> tuple[str, Any]:
    """The tool that an item is the use of, and what it was used with."""
    if kind == "command_execution":
        return "shell", {"command": item.get("command")}
    if kind == "mcp_tool_call":
        return f"mcp__{item.get('server')}__{item.get('tool')}", item.get("arguments") or {}
    given = {name: value for name, value in item.items() if name not in {"id", "type", "status"}}
    return {"file_change": "apply_patch", "todo_list": "update_plan"}.get(kind, kind), given


def _gave(item: dict[str, Any]) -> str:
    """What came of it, as words."""
    if "aggregated_output" in item:
        return str(item["aggregated_output"])
    error = item.get("error")
    if error:
        return str(error.get("message") if isinstance(error, dict) else error)
    result = item.get("result")
    content = result.get("content") if isinstance(result, dict) else None
    if isinstance(content, list):
        return "\n".join(str(one.get("text") or f"[{one.get('type')}]") for one in content if isinstance(one, dict))
    return str(item.get("status") or "")


class _Plugin(Cli):
    name = "codex"
    pinned = "0.171.0"
    wires = frozenset({"openai-responses", "openai-chat"})
    provider = "openai"
    skills = f"{_HOME}/skills"
    settled: ClassVar[frozenset[str]] = frozenset({"reasoning"})
    takes: ClassVar[tuple[str, ...]] = ("skill", "mcp")

    def start(self, job: Job) -> Start:
        argv = (
            job.executable,
            "exec",
            "--json",
            "--skip-git-repo-check",
            "--dangerously-bypass-approvals-and-sandbox",
            "-",
        )
        env = {"CODEX_HOME": f"{HOME}/{_HOME}", "OPENAI_API_KEY": job.endpoint.token}
        return Start(argv, env, {f"{_HOME}/config.toml": _toml(_settings(job))})

    def reader(self, log: Log) -> Reader:
        return _Reader(log)

    def make(self, setup: AgentSetup) -> Agent:
        return Work(self, setup)


def _settings(job: Job) -> dict[str, Any]:
    model = job.endpoint.model
    settings: dict[str, Any] = {
        "model": model,
        "review_model": model,
        "model_provider": "gateway",
        "approval_policy": "never",
        "sandbox_mode": "danger-full-access",
        "check_for_update_on_startup": False,
        "web_search": "disabled",
        "analytics": {"enabled": False},
        "feedback": {"enabled": False},
        # It takes variables that begin with LD_ away; the sandbox's interpreter may need this one.
        "shell_environment_policy": {"set": {"LD_LIBRARY_PATH": "/opt/python/lib"}},
        "model_providers": {
            "gateway": {
                "name": "gateway",
                "base_url": f"{job.endpoint.url}/v1",
                "env_key": "OPENAI_API_KEY",
                "wire_api": "responses",
                "request_max_retries": job.retries,
                "stream_max_retries": job.retries,
                "supports_websockets": False,
            }
        },
        "mcp_servers": servers(job.condition.mcp),
    }
    reasoning = {"off": "none"}.get(job.sampling.reasoning or "", job.sampling.reasoning)
    if reasoning and reasoning.isdecimal():
        raise UsageError("agent codex takes a level of reasoning, not a number of tokens")
    return settings | ({"model_reasoning_effort": reasoning} if reasoning else {})


def _toml(value: Any) -> str:
    """Settings as TOML: one line a field, what lies in fields as inline tables."""
    return "".join(f"{name} = {_inline(one)}\n" for name, one in value.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(name)} = {_inline(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)


codex: Final = _Plugin()
