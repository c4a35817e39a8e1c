"""How the model says what to run: by a tool where it has tools, in a fence where it has none."""

import json
import re
from typing import Any, Final, NamedTuple

from proofyard.agents.terminal.servers import Answered
from proofyard.models import Answer, Message, Tool, ToolResult, user
from proofyard.sandbox.shell import Ran
from proofyard.source.extract_fences import without_thinking

__all__ = ["DONE", "SHELL", "Asked", "asked_in_text", "asked_of_tools", "results_of_tools", "shown"]

DONE: Final = "TASK_DONE"
SHELL: Final = Tool(
    name="shell",
    description=(
        "Run a command in a bash that stays: the folder, variables, functions and background jobs are kept from one call to "
        "the next. Standard input is empty. A command that takes longer than its time is interrupted."
    ),
    parameters=json.dumps(
        {
            "type": "object",
            "properties": {
                "command": {"type": "string", "description": "what to run"},
                "timeout_s": {"type": "integer", "description": "seconds it may take; 120 unless given, at most 600"},
            },
            "required": ["command"],
        }
    ),
)
_FENCE: Final = re.compile(r"^(`{3,})(?:sh|bash|shell|console)?[ \t]*\n(.*?)\n?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_USUAL_S: Final = 120
_LONGEST_S: Final = 600


class Asked(NamedTuple):
    """A command the model wants run, or the `problem` with what it wrote. call: the id of the tool call, empty in text.

    tool, arguments: a server's tool instead of a command, and the JSON object it is used with.
    """

    command: str = ""
    timeout_s: int = _USUAL_S
    call: str = ""
    problem: str = ""
    tool: str = ""
    arguments: str = ""


def asked_of_tools(answer: Answer, others: frozenset[str] = frozenset()) -> list[Asked]:
    """Return what the tool calls of an answer ask for, each with its id. others: tools besides the shell."""
    return [
        Asked(call=call.id, problem=call.problem)
        if call.problem
        else Asked(call=call.id, tool=call.name, arguments=call.arguments)
        if call.name in others
        else _of_call(call.name, call.arguments)._replace(call=call.id)
        for call in answer.tool_calls
    ]


def asked_in_text(answer: Answer) -> list[Asked]:
    """Return the command in the fence of an answer; none if it says that it is done."""
    text = without_thinking(answer.text)
    found = [match[2] for match in _FENCE.finditer(text)]
    if not found and re.search(rf"^\W*{DONE}\W*$", text, re.MULTILINE):
        return []
    if len(found) != 1:
        many = f"{len(found)} commands" if found else "no command"
        return [Asked(problem=f"your answer has {many}; give exactly one, in a ```sh fence, or say {DONE}")]
    return [Asked(found[0])]


def results_of_tools(asked: list[Asked], texts: list[str], failed: list[bool]) -> Message:
    """Return what the tools gave as the message that answers the calls."""
    parts = tuple(
        ToolResult(call=one.call, text=text, failed=bad) for one, text, bad in zip(asked, texts, failed, strict=True)
    )
    return Message(role="tool", parts=parts) if asked[0].call else user("\n\n".join(texts))


def shown(ran: Ran | Answered) -> str:
    """Return what came of a command or a tool in words for the model."""
    if isinstance(ran, Answered):
        return ran.text or "[nothing]"
    lines = [ran.out.rstrip("\n")] if ran.out.strip() else []
    if ran.fault:
        lines.append(f"[the sandbox ended the shell and all it ran: {ran.fault}]")
    elif ran.timed_out:
        lines.append("[interrupted: its time was over]")
    else:
        lines.append(f"[exit code {ran.code}]")
    if ran.restarted:
        lines.append("[the shell was lost; this is a new one: variables, functions and background jobs are gone]")
    return "\n".join(lines)


def _of_call(name: str, arguments: str) -> Asked:
    if name != SHELL.name:
        return Asked(problem=f"there is no tool {name!r}; the only one is {SHELL.name!r}")
    given: Any = json.loads(arguments)
    command, limit = given.get("command"), given.get("timeout_s", _USUAL_S)
    if not isinstance(command, str) or not command.strip():
        return Asked(problem="the call has no command")
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not limit > 0:
        return Asked(problem="timeout_s is no number of seconds")
    return Asked(command, int(min(max(limit, 1), _LONGEST_S)))
