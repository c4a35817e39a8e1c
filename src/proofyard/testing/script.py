"""What a scripted model says: turns, and policies that choose them by what was asked."""

import json
import shlex
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

__all__ = ["Asked", "Call", "Policy", "Turn", "Usage", "say", "turns", "write_file"]

Wire = Literal["openai-chat", "openai-responses", "anthropic-messages", "gemini"]


class Asked(NamedTuple):
    """A request, the same for every wire. `turn` counts the model's answers so far; `last` is the text of the last message."""

    wire: Wire
    model: str
    stream: bool
    tools: tuple[str, ...]
    turn: int
    prompt: str
    last: str
    body: dict[str, Any]


class Call(NamedTuple):
    """A tool call. `arguments` as text goes out as it is. namespace: of the tool, which only responses have."""

    name: str
    arguments: dict[str, Any] | str
    id: str = ""
    namespace: str = ""

    @property
    def text(self) -> str:
        """The arguments as they go out."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


class Usage(NamedTuple):
    """Tokens of an answer, in the convention that input includes cached and output includes thoughts."""

    input: int
    output: int
    cached: int = 0
    cache_write: int = 0
    reasoning: int = 0


class Turn(NamedTuple):
    """One answer. stop `""` is what its content implies: `tool_calls` with calls, else `stop`; None: no reason is given."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    stop: Literal["", "stop", "tool_calls", "length", "filter", "refusal"] | None = ""
    thinking: str = ""
    usage: Usage | None = Usage(100, 20)

    @property
    def why(self) -> str | None:
        """The reason it stops for."""
        return ("tool_calls" if self.calls else "stop") if self.stop == "" else self.stop


Policy = Callable[[Asked], Turn]


def say(text: str, **more: Any) -> Policy:
    """Answer everything with the same text; `more` are fields of `Turn`."""
    return lambda _asked: Turn(text=text, **more)


def turns(script: Sequence[Turn]) -> Policy:
    """Answer turn n of a conversation with the n-th of these, further ones with the last."""
    kept = tuple(script)
    return lambda asked: kept[min(asked.turn, len(kept) - 1)]


def write_file(path: str, content: str, done: str = "Done.") -> Policy:
    """Write one file by whatever tool is offered for that, then say that it is done.

    Knows the tools of the common agent programs: `Write`, `write`, `exec_command`, `shell_command`, `shell`, `local_shell`,
    `bash`, `Bash`. Without any of them it answers in words only.
    """

    def policy(asked: Asked) -> Turn:
        tool = next((name for name in _WRITERS if name in asked.tools), None)
        if tool is None or asked.turn > 0:
            return Turn(text=done)
        arguments = _WRITERS[tool](path, content)
        if isinstance(arguments.get("command"), list) and _takes_text(asked.body, tool):
            arguments["command"] = arguments["command"][-1]
        return Turn(text="Writing the file.", calls=(Call(tool, arguments),))

    return policy


def _takes_text(body: Any, tool: str) -> bool:
    """Whether the tool's description in a request says that its command is text; programs differ in what `shell` takes."""
    if isinstance(body, list):
        return any(_takes_text(one, tool) for one in body)
    if not isinstance(body, dict):
        return False
    schemas = ("parameters", "input_schema", "parametersJsonSchema", "parameters_json_schema")
    schema = next((body[key] for key in schemas if key in body), None)
    if body.get("name") == tool and isinstance(schema, dict):
        command = (schema.get("properties") or {}).get("command") or {}
        return str(command.get("type")).lower() == "string"
    return any(_takes_text(one, tool) for one in body.values())


def _shell(path: str, content: str) -> str:
    return f"printf %s {shlex.quote(content)} > {shlex.quote(path)}"


_WRITERS: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "Write": lambda path, content: {"file_path": path, "content": content},
    "write": lambda path, content: {"filePath": path, "content": content},
    "exec_command": lambda path, content: {"cmd": _shell(path, content)},
    "shell_command": lambda path, content: {"command": _shell(path, content)},
    "shell": lambda path, content: {"command": ["bash", "-lc", _shell(path, content)]},
    "local_shell": lambda path, content: {"command": ["bash", "-lc", _shell(path, content)]},
    "bash": lambda path, content: {"command": _shell(path, content), "description": "write the file"},
    "Bash": lambda path, content: {"command": _shell(path, content), "description": "write the file"},
}
