"""What the tests of models share: a server, clients of it on every wire, and time that does not pass."""

import random
from typing import Any

from proofyard.models import Client, Key, Options, Request, RetryPolicy, Timing, Tool, target_of, user
from proofyard.testing.script import Wire
from proofyard.testing.server import ModelServer

CANARY = "sk-canary-0123456789abcdef"
WIRES: tuple[Wire, ...] = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")
PROVIDER = {
    "openai-chat": "openai-compatible",
    "openai-responses": "responses-compatible",
    "anthropic-messages": "anthropic-compatible",
    "gemini": "gemini-native",
}
BASH = Tool(name="bash", parameters='{"type":"object","properties":{"command":{"type":"string"}}}')
HELLO = Request(messages=(user("Say hello."),), tools=(BASH,))


class Sleeper:
    """Sleeps without time; remembers how long in all."""

    def __init__(self) -> None:
        self.total = 0.0

    def __call__(self, seconds: float) -> None:
        self.total += seconds


def client_of(server: ModelServer, wire: Wire, *, model: str = "m", provider: str = "", **more: Any) -> Client:
    """A client of the server; `more` are fields of `Options`."""
    options = {"timing": Timing(stall_s=60.0, attempt_s=120.0), "retry": RetryPolicy(attempts=3), **more}
    sleep = options.pop("sleep", Sleeper())
    quirks = options.pop("quirks", None)
    target = target_of(f"{provider or PROVIDER[wire]}/{model}", server.url(wire), quirks)
    return Client(target, Key(CANARY), Options(**options), sleep=sleep, chance=random.Random(7))
