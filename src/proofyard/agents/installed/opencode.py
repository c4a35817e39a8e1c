"""opencode: an open agent for many providers, by the parts of its JSON events."""

import json
from typing import Any, ClassVar, Final

from proofyard.agents.installed.cli import HOME, Cli, Job, Reader, Report, Start, Used
from proofyard.agents.installed.log import Log
from proofyard.agents.installed.servers import servers
from proofyard.agents.installed.work import Work
from proofyard.agents.plugin import AgentSetup
from proofyard.core import Agent

__all__ = ["opencode"]

_WIRES: Final = {
    "openai-chat": "@ai-sdk/openai-compatible",
    "openai-responses": "@ai-sdk/openai",
    "anthropic-messages": "@ai-sdk/anthropic",
    "gemini": "@ai-sdk/google",
}
"""The part of it that speaks a dialect; all come with it."""
_CONTEXT: Final = 200_000
_OUTPUT: Final = 32_000


class _Reader:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._facts: dict[str, str] = {}
        self._failure = ""
        self._input = self._output = 0
        self._steps = 0

    def event(self, event: dict[str, Any]) -> None:
        part = event.get("part") or {}
        kind, key = event.get("type"), str(part.get("messageID"))
        self._facts.setdefault("session", str(event.get("sessionID")))
        if kind == "text":
            self._log.said(key, str(part.get("text")))
        elif kind == "reasoning":
            self._log.said(key, thought=str(part.get("text")))
        elif kind == "tool_use":
            self._tool(key, part)
        elif kind == "step_finish":
            self._step(part)
        elif kind == "error":
            self._failure = _error(event.get("error"))

    def report(self) -> Report:
        used = Used(self._input, self._output) if self._steps else None
        return Report(self._failure, used=used, facts=self._facts)

    def _tool(self, key: str, part: dict[str, Any]) -> None:
        """A tool comes as one event, when it has answered."""
        state, call = part.get("state") or {}, str(part.get("callID"))
        code = (state.get("metadata") or {}).get("exit")
        failed = state.get("status") == "error"
        self._log.called(key, call, str(part.get("tool")), state.get("input") or {})
        content = str(state.get("error") if failed else state.get("output") or "")
        self._log.gave(call, content, failed=failed, code=code if isinstance(code, int) else None)

    def _step(self, part: dict[str, Any]) -> None:
        """What a step used: cached tokens are counted beside the input, thoughts beside the output."""
        tokens = part.get("tokens") or {}
        cache = tokens.get("cache") or {}
        self._steps += 1
        self._input += int(tokens.get("input") or 0) + int(cache.get("read") or 0) + int(cache.get("write") or 0)
        self._output += int(tokens.get("output") or 0) + int(tokens.get("reasoning") or 0)
        self._facts["end"] = str(part.get("reason"))


def _error(error: Any) -> str:
    """Its errors have a name and, in their data, a message."""
    if not isinstance(error, dict):
        return str(error)
    data = error.get("data")
    told = data.get("message") if isinstance(data, dict) else error.get("message")
    return f"{error.get('name')}: {told or ''}"


class _Plugin(Cli):
    name = "opencode"
    pinned = "1.18.33"
    wires = frozenset(_WIRES)
    skills = ".config/opencode/skills"
    helpers = ("rg",)
    settled: ClassVar[frozenset[str]] = frozenset({"max_tokens"})
    takes: ClassVar[tuple[str, ...]] = ("skill", "mcp")

    def start(self, job: Job) -> Start:
        argv = [job.executable, "run", "--format", "json", "--model", f"gateway/{job.endpoint.model}", "--auto"]
        argv += ["--title", "task"]  # else it has the model think of one
        off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
        places = {"CONFIG": ".config", "DATA": ".local/share", "CACHE": ".cache", "STATE": ".local/state"}
        env = {
            "PATH": self.there().search(job.image.environment.get("PATH", "")),
            **{f"OPENCODE_DISABLE_{name}": "1" for name in off},
            **{f"XDG_{name}_HOME": f"{HOME}/{folder}" for name, folder in places.items()},
        }
        return Start(tuple(argv), env, {".config/opencode/opencode.json": json.dumps(_settings(job))})

    def reader(self, log: Log) -> Reader:
        return _Reader(log)

    def make(self, setup: AgentSetup) -> Agent:
        return Work(self, setup)


def _settings(job: Job) -> dict[str, Any]:
    end = job.endpoint
    model = f"gateway/{end.model}"
    limit = {"context": _CONTEXT, "output": job.sampling.max_tokens or _OUTPUT}
    return {
        "autoupdate": False,
        "share": "disabled",
        "snapshot": False,
        "model": model,
        "small_model": model,
        "enabled_providers": ["gateway"],
        "provider": {
            "gateway": {
                "npm": _WIRES[end.wire],
                "name": "gateway",
                "options": {"baseURL": f"{end.url}/{'v1beta' if end.wire == 'gemini' else 'v1'}", "apiKey": end.token},
                "models": {end.model: {"name": end.model, "tool_call": True, "limit": limit}},
            }
        },
        "permission": {"edit": "allow", "bash": "allow", "webfetch": "deny", "websearch": "deny"},
        "mcp": {
            name: {
                "type": "local",
                "command": [row["command"], *row["args"]],
                "environment": row["env"],
                "enabled": True,
            }
            for name, row in servers(job.condition.mcp).items()
        },
    }


opencode: Final = _Plugin()
