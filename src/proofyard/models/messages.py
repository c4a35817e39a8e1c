"""What is said to a model and by it: parts of messages, tools, and one request."""

from typing import Literal

from proofyard.core import Record, Sampling

__all__ = ["Message", "Part", "Request", "Role", "Text", "Thinking", "Tool", "ToolCall", "ToolResult", "system", "user"]

Role = Literal["system", "user", "assistant", "tool"]


class Text(Record, frozen=True, kw_only=True, tag="text"):
    """Words."""

    text: str


class Thinking(Record, frozen=True, kw_only=True, tag="thinking"):
    """A model's thoughts. `raw` is the block as JSON of the wire it came by, kept word for word to be sent back there.

    `text` is what a person can read of it, empty where the provider hides it.
    """

    text: str = ""
    wire: str = ""
    raw: str = ""


class ToolCall(Record, frozen=True, kw_only=True, tag="tool_call"):
    """A tool the model wants used. `arguments` is JSON as the model wrote it; `problem` says why it cannot be used.

    A problem is the model's fault, never infrastructure: arguments that are no JSON object, an id used twice (the
    second is then renamed, so that results can be told apart).
    """

    id: str
    name: str
    arguments: str = "{}"
    problem: str = ""


class ToolResult(Record, frozen=True, kw_only=True, tag="tool_result"):
    """What a tool gave; `call` is the id of the call it answers."""

    call: str
    text: str
    failed: bool = False


Part = Text | Thinking | ToolCall | ToolResult


class Message(Record, frozen=True, kw_only=True):
    """One message. Results of tools have the role `tool`."""

    role: Role
    parts: tuple[Part, ...] = ()

    @property
    def text(self) -> str:
        """All its words, and those of tools' results."""
        return "".join(part.text for part in self.parts if isinstance(part, Text | ToolResult))


class Tool(Record, frozen=True, kw_only=True):
    """A tool on offer; `parameters` is a JSON Schema as text."""

    name: str
    description: str = ""
    parameters: str = '{"type":"object","properties":{}}'


class Request(Record, frozen=True, kw_only=True):
    """One question to a model.

    sample: the index of this answer among several wanted for the same question, from 0; part of the digest, so that
    samples never share a cached answer. tool_choice `required`: the model must use a tool.
    """

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    tool_choice: Literal["auto", "required", "none"] = "auto"
    sampling: Sampling = Sampling()
    sample: int = 0

    @property
    def turn(self) -> int:
        """How many answers of the model are already in the conversation."""
        return sum(message.role == "assistant" for message in self.messages)


def system(text: str) -> Message:
    """Return a message of the system."""
    return Message(role="system", parts=(Text(text=text),))


def user(text: str) -> Message:
    """Return a message of the user."""
    return Message(role="user", parts=(Text(text=text),))
