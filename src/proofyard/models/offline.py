"""Models that call nobody: answers out of a script, answers out of a recording."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from proofyard.core import FAILURES, Failure, Record, UsageError
from proofyard.models.answer import Answer, Attempt, ModelError, Stop, Tokens
from proofyard.models.budget import Account
from proofyard.models.cache import Exchange
from proofyard.models.client import Note, no_note
from proofyard.models.messages import Part, Request, Text, Thinking, ToolCall

__all__ = ["Line", "LineCall", "ReplayedModel", "ScriptedModel"]

_T = TypeVar("_T")


class LineCall(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool call of a script: `arguments` as a JSON object, or as text that goes out as it is."""

    name: str
    arguments: dict[str, object] | str = msgspec.field(default_factory=dict)
    id: str = ""


class Line(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a script.

    It answers a request if `when` (if given) occurs in the words of its messages, `turn` is the number of answers already in
    the conversation, and `sample` (if given) its sample. failure: a failure code instead of an answer.
    """

    when: str = ""
    turn: int = 0
    sample: int | None = None
    text: str = ""
    thinking: str = ""
    tool_calls: tuple[LineCall, ...] = ()
    stop: Stop | None = None
    tokens: Tokens | None = None
    failure: str = ""

    def fits(self, request: Request) -> bool:
        """Whether this line answers the request."""
        here = self.turn == request.turn and self.sample in {None, request.sample}
        return here and (not self.when or any(self.when in message.text for message in request.messages))


class ScriptedModel:
    """Answers by a file of lines (JSON, see `Line`): the first that fits. It keeps no state, so that neither threads nor
    resuming change an answer.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = tuple(_read(path, Line))
        unknown = next((line.failure for line in self._lines if line.failure and line.failure not in FAILURES), None)
        if unknown:
            raise UsageError(f"{path}: unknown failure {unknown!r}")

    @property
    def name(self) -> str:
        """`scripted/FILE`."""
        return f"scripted/{self._path}"

    def close(self) -> None:
        """Nothing is open."""

    def generate(self, request: Request, account: Account | None = None, note: Note = no_note) -> Answer:
        """Answer by the script; see `Model.generate`. Raises UsageError where no line fits."""
        line = next((line for line in self._lines if line.fits(request)), None)
        if line is None:
            raise UsageError(f"{self._path}: no line for turn {request.turn}, sample {request.sample} of this request")
        if account:
            account.check()
            account.step()
        call = f"{request.digest[:16]}-{request.turn}"
        note("model_send", call=call, n=1, model=self.name, request=request.digest, guess=0, bound=0)
        failure = Failure(code=line.failure, message=f"{self.name}: as scripted") if line.failure else None
        attempt = Attempt(
            n=1, call=call, code=line.failure, billed=failure is None, tokens=None if failure else line.tokens
        )
        note("model_end", call=call, attempt=msgspec.to_builtins(attempt))
        if failure:
            raise ModelError(failure, (attempt,))
        if account:
            account.charge(attempt, 0, 0)
        return _answer(line, attempt, self.name)


class ReplayedModel:
    """Answers out of a recording: a file of `Exchange` lines, or a folder of kept answers. A request is found again by all
    that was asked, its sample too.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        files = sorted(path.glob("*/*.json")) if path.is_dir() else [path]
        kept = itertools.chain.from_iterable(_read(file, Exchange) for file in files)
        self._answers = {one.request.digest: one.answer for one in kept}

    @property
    def name(self) -> str:
        """`replay/FILE`."""
        return f"replay/{self._path}"

    def close(self) -> None:
        """Nothing is open."""

    def generate(self, request: Request, account: Account | None = None, note: Note = no_note) -> Answer:
        """Answer as recorded, nothing billed; see `Model.generate`. Raises UsageError where nothing is recorded."""
        found = self._answers.get(request.digest)
        if found is None:
            raise UsageError(
                f"{self._path}: this request is not recorded (turn {request.turn}, sample {request.sample})"
            )
        if account:
            account.check()
            account.step()
        note("model_cached", model=self.name, request=request.digest)
        return msgspec.structs.replace(found, attempts=(), cached=True)


def _answer(line: Line, attempt: Attempt, model: str) -> Answer:
    parts: list[Part] = [Thinking(text=line.thinking)] if line.thinking else []
    parts.extend([Text(text=line.text)] if line.text else [])
    for n, call in enumerate(line.tool_calls):
        written = call.arguments
        text = written if isinstance(written, str) else msgspec.json.encode(written).decode()
        parts.append(ToolCall(id=call.id or f"{attempt.call}-{n}", name=call.name, arguments=text))
    stop: Stop = line.stop or ("tool_calls" if line.tool_calls else "stop")
    return Answer(
        parts=tuple(parts),
        stop=stop,
        raw_stop=stop,
        tokens=line.tokens,
        served_model=model,
        attempts=(attempt,),
    )


def _read(path: Path, kind: type[_T]) -> Iterator[_T]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, ValueError) as error:
            raise UsageError(f"{path} line {number}: {error}") from None
