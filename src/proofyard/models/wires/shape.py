"""What all wires share: the built request, the answer as it grows, and the tidying of text and tool calls."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from proofyard.core import UsageError
from proofyard.models.answer import Dropped, Stop, Tokens
from proofyard.models.faults import BrokenAnswer
from proofyard.models.messages import Part, Request, Text, Thinking, ToolCall
from proofyard.models.providers import Quirks

__all__ = [
    "Built",
    "Draft",
    "Reader",
    "count",
    "finished",
    "joined",
    "number",
    "objects",
    "settings",
    "thought",
    "tidy",
    "tool_calls",
    "understood",
]

_OURS = frozenset({"model", "messages", "input", "contents", "stream", "tools", "system", "instructions"})


class Built(NamedTuple):
    """A request as it goes out: its JSON body, the parameters in it, and what had to be left out."""

    body: dict[str, Any]
    sent: dict[str, str]
    dropped: tuple[Dropped, ...]


class Draft(NamedTuple):
    """An answer as it was read."""

    parts: tuple[Part, ...]
    stop: Stop
    raw_stop: str
    tokens: Tokens | None
    served_model: str = ""
    served_by: str = ""
    response_id: str = ""


class Reader(Protocol):
    """Takes an answer apart, piece by piece; what it knows before the end is there to be recorded if the end never comes."""

    @property
    def begun(self) -> bool:
        """Whether the provider had begun to answer."""
        ...

    @property
    def tokens(self) -> Tokens | None:
        """The usage reported so far."""
        ...

    @property
    def settled(self) -> bool:
        """Whether that usage is final, and not just what was known when the answer began."""
        ...

    def feed(self, data: dict[str, Any]) -> None:
        """Take one event of a stream. Raises StreamError, BrokenAnswer."""
        ...

    def whole(self, data: dict[str, Any]) -> None:
        """Take an answer that was not streamed. Raises StreamError, BrokenAnswer."""
        ...

    def finish(self, closed: bool) -> Draft:
        """Return the answer; `closed` says that the stream ended with the wire's own end mark, or was no stream.

        Raises:
            BrokenAnswer: there is no reason why it stopped, or one we do not know.

        """
        ...


class _Settings:
    """The parameters of a request, as they are put into a body."""

    def __init__(self) -> None:
        self.body: dict[str, Any] = {}
        self.sent: dict[str, str] = {}
        self.dropped: list[Dropped] = []

    def put(self, field: str, value: Any, shown: str) -> None:
        self.body[field] = value
        self.sent[field] = shown

    def drop(self, name: str, value: str, why: str) -> None:
        self.dropped.append(Dropped(name=name, value=value, why=why))


def settings(request: Request, quirks: Quirks, stop_field: str, reason: Callable[[str], dict[str, Any]]) -> Built:
    """Put the sampling of a request into a body under the names this model wants; drop what it refuses.

    reason: makes the fields that ask for thinking out of the level or number of tokens asked for.

    Raises:
        UsageError: a number or an extra field cannot be sent.

    """
    asked, out = request.sampling, _Settings()
    thinking = asked.reasoning is not None and bool(quirks.reasoning) and asked.reasoning != "off"
    _put_numbers(request, quirks, thinking, out)
    if asked.stop:
        shown = json.dumps(list(asked.stop), ensure_ascii=False)
        if quirks.stop:
            out.put(stop_field, list(asked.stop), shown)
        else:
            out.drop("stop", shown, "this model takes no stop texts")
    if asked.reasoning is not None:
        fields = reason(asked.reasoning) if quirks.reasoning else {}
        for field, value in fields.items():
            out.put(field, value, json.dumps(value))
        if not fields and not (asked.reasoning == "off" and not quirks.reasoning):
            out.drop("reasoning", asked.reasoning, "this model cannot be told how much to think")
    for field, text in asked.extra.items():
        if field in _OURS:
            raise UsageError(f"the extra parameter {field!r} is part of every request: it cannot be set")
        out.put(field, _extra(text), text)
    return Built(out.body, out.sent, tuple(out.dropped))


def _put_numbers(request: Request, quirks: Quirks, thinking: bool, out: _Settings) -> None:
    asked = request.sampling
    limit = asked.max_tokens if asked.max_tokens is not None else quirks.max_tokens
    if limit is not None:
        out.put(quirks.token_field, limit, str(limit))
    why_not = "this model takes none"
    if asked.temperature is not None:
        if not quirks.temperature:
            out.drop("temperature", asked.temperature, why_not)
        elif thinking and quirks.thinking_fixes_temperature:
            out.drop("temperature", asked.temperature, "this model takes none while it thinks")
        else:
            out.put("temperature", float(asked.temperature), asked.temperature)
    if asked.top_p is not None:
        if not quirks.top_p:
            out.drop("top_p", asked.top_p, why_not)
        elif quirks.one_of and asked.temperature is not None:
            out.drop("top_p", asked.top_p, "this model takes temperature or top_p, not both")
        else:
            out.put("top_p", float(asked.top_p), asked.top_p)
    if asked.seed is not None:
        if quirks.seed_field:
            out.put(quirks.seed_field, asked.seed, str(asked.seed))
        else:
            out.drop("seed", str(asked.seed), why_not)


def _extra(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, float) and not math.isfinite(value) else value


def number(reasoning: str) -> int | None:
    """Return the number of tokens to think for, None if a level is named."""
    return int(reasoning) if reasoning.isascii() and reasoning.isdigit() else None


def count(data: Any, *path: str) -> int | None:
    """Return the number of tokens at a path of usage, None if it is not reported or is no count."""
    for name in path:
        data = data.get(name) if isinstance(data, Mapping) else None
    return int(data) if isinstance(data, int | float) and not isinstance(data, bool) and 0 <= data < 1 << 53 else None


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of an array; whatever else a server puts there counts as nothing."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def tidy(text: str) -> str:
    """Join halves of surrogate pairs that came in two pieces; replace lone ones, which no file could hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def tool_calls(found: list[dict[str, Any]]) -> list[Part]:
    """Make calls of id, name and arguments; say what is wrong with each that cannot be used."""
    calls: list[Part] = []
    seen: set[str] = set()
    for index, one in enumerate(found):
        arguments = one.get("arguments")
        text = arguments if isinstance(arguments, str) else json.dumps({} if arguments is None else arguments)
        text = tidy(text) or "{}"
        problem = _unreadable(text)
        asked = tidy(str(one.get("id") or "")) or f"call_{index}"
        name, again = asked, 1
        while name in seen:
            again += 1
            name = f"{asked}_{again}"
            problem = f"the id {asked!r} is used twice"
        seen.add(name)
        calls.append(ToolCall(id=name, name=tidy(str(one.get("name") or "")), arguments=text, problem=problem))
    return calls


def _unreadable(arguments: str) -> str:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError) as error:
        return f"the arguments are no JSON: {error}"
    return "" if isinstance(value, dict) else "the arguments are no JSON object"


def finished(raw: str | None, stops: Mapping[str, Stop], parts: tuple[Part, ...], closed: bool) -> Stop:
    """Translate a wire's reason for stopping; tool calls there are count as wanted whatever the wire calls it.

    Raises:
        BrokenAnswer: there is none, or it is unknown.

    """
    if not raw:
        if closed:
            raise BrokenAnswer("the answer gives no reason why it stopped")
        raise BrokenAnswer("the stream ended before the answer did", "model_connection_closed")
    stop = stops.get(raw)
    if stop is None:
        raise BrokenAnswer(f"the answer stopped for a reason unknown here: {raw[:80]!r}")
    if stop in {"stop", "tool_calls"}:
        return "tool_calls" if any(isinstance(part, ToolCall) for part in parts) else "stop"
    return stop


@contextmanager
def understood() -> Iterator[None]:
    """Turn what trips over data of another form than the wire's into a broken answer."""
    try:
        yield
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise BrokenAnswer(f"the answer is not of this wire's form: {type(error).__name__}: {error}") from error


def joined(texts: list[str]) -> list[Part]:
    """Make one part of text out of its pieces, none if they are empty."""
    text = tidy("".join(texts))
    return [Text(text=text)] if text else []


def thought(wire: str, text: str, raw: Any) -> Thinking:
    """Keep a block of thoughts, `raw` word for word."""
    return Thinking(text=tidy(text), wire=wire, raw=tidy(json.dumps(raw, ensure_ascii=False)))
