"""Servers of tools (MCP over standard input and output), started inside the sandbox and offered to the model as tools."""

import itertools
import json
import time
from typing import Any, Final, NamedTuple

from proofyard.core import Process, Sandbox, UsageError
from proofyard.models import Tool

__all__ = ["Answered", "Servers"]

_VERSION: Final = "2025-06-18"
_START_MS: Final = 30_000
_MOST_PAGES: Final = 100


class Answered(NamedTuple):
    """What a tool of a server gave."""

    text: str
    failed: bool = False


class _Server(NamedTuple):
    name: str
    process: Process


class Servers:
    """The servers of a condition. `tools`: theirs, named `mcp__SERVER__TOOL`."""

    def __init__(self, sandbox: Sandbox, condition: str) -> None:
        """Start them. Raises UsageError for one that does not come up; InfrastructureError if the sandbox is lost."""
        self._numbers = itertools.count(1)
        self._owners: dict[str, tuple[_Server, str]] = {}
        self.tools: tuple[Tool, ...] = ()
        given: dict[str, dict[str, Any]] = json.loads(condition) if condition else {}
        for name, row in sorted(given.items()):
            argv = [str(row["command"]), *map(str, row.get("args") or [])]
            env = {str(key): str(value) for key, value in (row.get("env") or {}).items()}
            server = _Server(name, sandbox.start(argv, env=env))
            self._greet(server)
            self.tools += tuple(self._listed(server))

    def owns(self, tool: str) -> bool:
        """Whether a tool is one of theirs."""
        return tool in self._owners

    def call(self, tool: str, arguments: dict[str, Any], wall_ms: int) -> Answered:
        """Use a tool, for at most so long. A server that is gone or says nonsense is a failed use, told to the model."""
        server, name = self._owners[tool]
        try:
            given = self._ask(server, "tools/call", {"name": name, "arguments": arguments}, wall_ms)
        except _LostError as error:
            return Answered(f"the server {server.name} {error}", failed=True)
        parts = given.get("content")
        texts = [_text(part) for part in parts] if isinstance(parts, list) else []
        return Answered("\n".join(texts), failed=bool(given.get("isError")))

    def _greet(self, server: _Server) -> None:
        hello = {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": {"name": "proofyard", "version": "1"}}
        try:
            self._ask(server, "initialize", hello, _START_MS)
        except _LostError as error:
            end = server.process.finish(1000)
            said = end.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise UsageError(
                f"MCP server {server.name} {error}" + "".join(f": {line[:200]}" for line in said)
            ) from None
        server.process.send(_line({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def _listed(self, server: _Server) -> list[Tool]:
        found: list[Tool] = []
        cursor: dict[str, Any] = {}
        for _ in range(_MOST_PAGES):
            try:
                page = self._ask(server, "tools/list", cursor, _START_MS)
            except _LostError as error:
                raise UsageError(f"MCP server {server.name} {error}") from None
            for row in page.get("tools") or []:
                tool = f"mcp__{server.name}__{row['name']}"
                self._owners[tool] = (server, row["name"])
                schema = json.dumps(row.get("inputSchema") or {"type": "object", "properties": {}})
                found.append(Tool(name=tool, description=str(row.get("description") or ""), parameters=schema))
            if not page.get("nextCursor"):
                break
            cursor = {"cursor": page["nextCursor"]}
        return found

    def _ask(self, server: _Server, method: str, parameters: dict[str, Any], wall_ms: int) -> dict[str, Any]:
        """Put one question; what a server says meanwhile of its own is passed over."""
        number = next(self._numbers)
        server.process.send(_line({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}))
        deadline = time.monotonic() + wall_ms / 1000
        while (left := deadline - time.monotonic()) > 0:
            reply = server.process.receive(max(1, int(left * 1000)))
            if reply.line is None or reply.fault is not None:
                raise _LostError(f"gave no answer ({reply.fault})")
            try:
                said = json.loads(reply.line)
            except (ValueError, RecursionError):
                raise _LostError("does not speak the protocol") from None
            if isinstance(said, dict) and said.get("id") == number and "method" not in said:
                if isinstance(said.get("result"), dict):
                    result: dict[str, Any] = said["result"]
                    return result
                raise _LostError(f"answered with an error: {str(said.get('error'))[:300]}")
        raise _LostError("gave no answer in time")


class _LostError(Exception):
    """A question that has no answer; says why, after the server's name."""


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _text(part: Any) -> str:
    if isinstance(part, dict) and part.get("type") == "text":
        return str(part.get("text") or "")
    kind = part.get("type") if isinstance(part, dict) else type(part).__name__
    return f"[{kind}: not shown]"
