"""What a model server can do wrong, one fault a request: the list, and the short notation for it."""

from typing import Final, NamedTuple

__all__ = ["FAULTS", "Fault", "parse_faults"]

FAULTS: Final[dict[str, str]] = {
    "rate_limit": "429 with Retry-After; value: seconds (none: without the header)",
    "rate_limit_date": "429 with Retry-After as a date; value: seconds from now",
    "rate_limit_ms": "429 with retry-after-ms; value: milliseconds",
    "quota": "429 that no waiting helps: the quota is used up",
    "server_error": "500 with a JSON body",
    "html": "502 with a page of HTML",
    "overloaded": "529",
    "auth": "401; the message repeats the key, as some providers do",
    "unsupported": "400: a parameter is not supported; value: its name",
    "no_model": "404: no such model",
    "context": "400: the conversation is longer than the model's context",
    "filtered_prompt": "400: the provider's filter refuses the question",
    "stream_error": "an error reported inside a stream that began well (not streamed: 500)",
    "cut_before": "the connection ends before the first token; value `hard`: in the middle of a chunk",
    "cut": "the connection ends after the first token; value `hard`: in the middle of a chunk",
    "cut_tool": "the connection ends inside a tool's arguments; value `hard`: in the middle of a chunk",
    "stall": "nothing more comes after the first token; value: seconds until the connection ends",
    "slow": "the answer comes byte by byte; value: milliseconds between bytes",
    "reset": "the connection is reset before any answer",
    "badjson": "200 with a body that is no JSON",
    "no_stop": "a complete answer without a reason why it stopped",
    "bad_arguments": "a tool call whose arguments are no JSON",
    "duplicate_ids": "two tool calls with the same id",
    "empty": "an answer without content",
    "length": "an answer cut at the limit of tokens",
    "filter": "an answer ended by the provider's filter",
    "refusal": "the model refuses",
    "no_usage": "a good answer without usage",
}
"""Name -> what it does. A fault is used up by one request to a model; other requests (models, token counts) use none."""

_SHORT: Final = {
    "429": "rate_limit",
    "500": "server_error",
    "502": "html",
    "529": "overloaded",
    "401": "auth",
    "400": "unsupported",
    "404": "no_model",
    "hang": "stall",
}


class Fault(NamedTuple):
    """A fault and its value, see `FAULTS`."""

    name: str
    value: str = ""

    def number(self, default: float) -> float:
        """The value as a number."""
        return float(self.value) if self.value else default


def parse_faults(text: str) -> list[Fault | None]:
    """Read `429:2,overloaded,ok,cut:hard,...`: one fault a request in order, `ok` for none. A count repeats: `500*3`.

    Raises:
        ValueError: a fault is unknown.

    """
    found: list[Fault | None] = []
    for item in filter(None, (part.strip() for part in text.split(","))):
        what, _, times = item.partition("*")
        name, _, value = what.partition(":")
        name = _SHORT.get(name, name)
        if name != "ok" and name not in FAULTS:
            raise ValueError(f"unknown fault {name!r}; known: ok, {', '.join(FAULTS)}")
        found.extend([None if name == "ok" else Fault(name, value)] * int(times or 1))
    return found
