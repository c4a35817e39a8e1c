"""`oneshot`: one question, one answer, and the files in it. `oneshot:tool` wants them by a tool call instead of fences."""

from typing import Final, Literal, NamedTuple

import msgspec

from proofyard.agents.answer_files import Found, files_of_call, files_of_text
from proofyard.agents.moves import answer_move, shown_files
from proofyard.agents.plugin import AgentSetup, WithModel
from proofyard.core import (
    Agent,
    Blobs,
    Brief,
    Finish,
    Meter,
    Move,
    Reason,
    Recorder,
    Sandbox,
    Tree,
    UsageError,
    tree_of,
)
from proofyard.models import Answer, BudgetSpent, Request, Tool, system, user

__all__ = ["oneshot"]

_RULES: Final = """\
You write software to a specification. You have one answer; nothing of it is run for you and there is no second turn.
{how}
Write every file whole, nothing left out and nothing to be filled in later."""

_FENCES: Final = """\
Give each file as a block between fences, its path behind the language, like this:

```python main.py
print("hello")
```

Paths are relative to the project's folder. If a file holds three backticks, use longer fences."""

_TOOL: Final = "Give all files by one call of the tool `submit`. Paths are relative to the project's folder."

_SUBMIT: Final = Tool(
    name="submit",
    description="Hand in the files of the project, all of them.",
    parameters=(
        '{"type":"object","properties":{"files":{"type":"array","items":{"type":"object","properties":{"path":'
        '{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}}},"required":["files"]}'
    ),
)


class _Oneshot(NamedTuple):
    setup: AgentSetup

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        return "nothing"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        del sandbox, meter
        assert self.setup.model is not None
        by_tool = self.setup.parameters.get("files") == "tool"
        request = self._request(brief, blobs, by_tool)
        for n, message in enumerate(request.messages, 1):
            recorder.move(Move(n=n, source="system" if message.role == "system" else "user", message=message.text))
        try:
            answer = self.setup.model.generate(request)
        except BudgetSpent as error:
            if error.of_run:
                raise
            return Finish(submission=Tree(), reason=Reason.BUDGET, provenance={"note": str(error)})
        recorder.move(answer_move(len(request.messages) + 1, answer))
        found = _found(answer, brief.entry, by_tool)
        tree = brief.files.merged(tree_of(found.files, blobs)) if found.files else Tree()
        provenance = {"stop": answer.raw_stop or answer.stop} | ({"note": found.why} if found.why else {})
        return Finish(submission=tree, reason=_reason(answer, found), provenance=provenance)

    def _request(self, brief: Brief, blobs: Blobs, by_tool: bool) -> Request:
        sampling, k = self.setup.sampling, self.setup.k
        if sampling.seed is not None:
            sampling = msgspec.structs.replace(sampling, seed=sampling.seed + k)
        return Request(
            messages=(
                system(_RULES.format(how=_TOOL if by_tool else _FENCES)),
                user(brief.prompt + shown_files(brief.files, blobs)),
            ),
            tools=(_SUBMIT,) if by_tool else (),
            tool_choice="required" if by_tool else "auto",
            sampling=sampling,
            sample=k,
        )


def _found(answer: Answer, entry: str, by_tool: bool) -> Found:
    calls = [call for call in answer.tool_calls if call.name == _SUBMIT.name]
    if by_tool and calls:
        return files_of_call(calls[-1].arguments)
    return files_of_text(answer.text, entry, truncated=answer.truncated)


def _reason(answer: Answer, found: Found) -> Reason | None:
    """Why the work is not whole, None if as far as anyone can tell it is."""
    if answer.truncated:
        return Reason.TRUNCATED
    if found.files:
        return None
    return Reason.NO_SUBMISSION if answer.empty or answer.stop in {"refusal", "context_window"} else Reason.UNPARSABLE


class _Plugin(WithModel):
    name = "oneshot"
    version = "1"

    def parameters(self, argument: str) -> dict[str, str]:
        if argument not in {"", "fences", "tool"}:
            raise UsageError(f"agent oneshot takes its files by oneshot or oneshot:tool, not oneshot:{argument}")
        return {"files": "tool"} if argument == "tool" else {}

    def make(self, setup: AgentSetup) -> Agent:
        return _Oneshot(setup)


oneshot: Final = _Plugin()
