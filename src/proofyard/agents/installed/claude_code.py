"""Claude Code: Anthropic's agent, by its stream of JSON events."""

import json
from typing import Any, ClassVar, Final

from proofyard.agents.installed.cli import HOME, Cli, Job, Reader, Report, Start, Used
from proofyard.agents.installed.log import Log
from proofyard.agents.installed.servers import servers
from proofyard.agents.installed.work import Work
from proofyard.agents.plugin import AgentSetup
from proofyard.core import Agent

__all__ = ["claude_code"]

_MCP: Final = "mcp.json"
_ITSELF: Final = "<synthetic>"
"""The model of what it says in the model's place when a call has failed."""
_NO_NETWORK: Final = "WebFetch,WebSearch"
"""Tools that can only fail where there is no network."""


class _Reader:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._facts: dict[str, str] = {}
        self._result: dict[str, Any] | None = None

    def event(self, event: dict[str, Any]) -> None:
        kind = event.get("type")
        if kind == "assistant":
            self._answer(event)
        elif kind == "user":
            self._results(event)
        elif kind == "result":
            self._result = event
        elif kind == "system" and event.get("subtype") == "init":
            self._facts["session"] = str(event.get("session_id"))
            for server in event.get("mcp_servers") or []:
                self._facts[f"mcp_status:{server.get('name')}"] = str(server.get("status"))
        elif kind == "system" and event.get("subtype") == "api_retry":
            self._facts["retries"] = str(int(self._facts.get("retries", "0")) + 1)

    def report(self) -> Report:
        result = self._result
        if result is None:
            return Report(facts=self._facts)
        subtype = str(result.get("subtype"))
        failure = ""
        if result.get("is_error"):  # a last call that failed says `success` all the same, beside this
            failure = str(result.get("result") or "; ".join(map(str, result.get("errors") or [])) or subtype)
        facts = self._facts | {"end": str(result.get("terminal_reason") or subtype)}
        denied = result.get("permission_denials")
        if denied:
            facts["denied"] = ", ".join(sorted({str(one.get("tool_name")) for one in denied}))
        if result.get("total_cost_usd") is not None:
            facts["cost_reported"] = str(result["total_cost_usd"])
        return Report(failure, subtype == "error_max_turns", _used(result.get("modelUsage") or {}), facts)

    def _answer(self, event: dict[str, Any]) -> None:
        message = event.get("message") or {}
        if message.get("model") == _ITSELF:
            self._facts["api_error"] = _text(message.get("content"))[:300]
            return
        key = str(message.get("id"))
        by = str(event.get("parent_tool_use_id") or "")
        self._log.said(key, model=str(message.get("model") or ""), stop=str(message.get("stop_reason") or ""), by=by)
        for block in message.get("content") or []:
            if block.get("type") == "text":
                self._log.said(key, str(block.get("text")))
            elif block.get("type") == "thinking":
                self._log.said(key, thought=str(block.get("thinking")))
            elif block.get("type") == "tool_use":
                self._log.called(key, str(block.get("id")), str(block.get("name")), block.get("input"))

    def _results(self, event: dict[str, Any]) -> None:
        content = (event.get("message") or {}).get("content")
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                failed = bool(block.get("is_error"))
                self._log.gave(str(block.get("tool_use_id")), _text(block.get("content")), failed=failed)


def _used(models: dict[str, dict[str, Any]]) -> Used | None:
    """Tokens by the program's own count; what was read from a cache and written to one is counted beside the input."""
    if not models:
        return None
    inputs = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
    rows = models.values()
    return Used(
        sum(int(row.get(name) or 0) for row in rows for name in inputs),
        sum(int(row.get("outputTokens") or 0) for row in rows),
    )


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(one.get("text") or f"[{one.get('type')}]") for one in parts if isinstance(one, dict))


class _Plugin(Cli):
    name = "claude-code"
    pinned = "2.1.197"
    wires = frozenset({"anthropic-messages"})
    provider = "anthropic"
    skills = ".claude/skills"
    settled: ClassVar[frozenset[str]] = frozenset({"reasoning"})
    takes: ClassVar[tuple[str, ...]] = ("skill", "mcp")

    def start(self, job: Job) -> Start:
        model = job.endpoint.model
        argv = [
            job.executable, "-p", "--output-format", "stream-json", "--verbose", "--model", model,
            "--permission-mode", "bypassPermissions", "--no-chrome", f"--disallowed-tools={_NO_NETWORK}",
            "--strict-mcp-config",
        ]  # fmt: skip
        files: dict[str, str] = {}
        if job.condition.mcp:
            files[_MCP] = json.dumps({"mcpServers": servers(job.condition.mcp)})
            argv.append(f"--mcp-config={HOME}/{_MCP}")
        names = ("ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL")
        kinds = ("OPUS", "SONNET", "HAIKU", "FABLE")
        models = [*names, *(f"ANTHROPIC_DEFAULT_{kind}_MODEL" for kind in kinds)]
        off = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY")
        more = ("DISABLE_ERROR_REPORTING", "DISABLE_BUG_COMMAND", "IS_SANDBOX")
        env = {
            "ANTHROPIC_BASE_URL": job.endpoint.url,
            "ANTHROPIC_API_KEY": job.endpoint.token,
            "CLAUDE_CONFIG_DIR": f"{HOME}/.claude",
            "CLAUDE_CODE_MAX_RETRIES": str(job.retries),
            **dict.fromkeys(models, model),
            **dict.fromkeys((*off, *more), "1"),
        }
        reasoning = {"off": "0"}.get(job.sampling.reasoning or "", job.sampling.reasoning)
        if reasoning and reasoning.isdecimal():
            env["MAX_THINKING_TOKENS"] = reasoning
        elif reasoning:
            argv += ["--effort", reasoning]
        return Start(tuple(argv), env, files)

    def reader(self, log: Log) -> Reader:
        return _Reader(log)

    def make(self, setup: AgentSetup) -> Agent:
        return Work(self, setup)


claude_code: Final = _Plugin()
