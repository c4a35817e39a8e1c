"""What comes back: an answer with its tokens, cost and attempts, or the error that says why there is none."""

from decimal import ROUND_CEILING, Decimal
from typing import Literal

import msgspec

from proofyard.core import Failure, InfrastructureError, ProofyardError, Record, decimal_text
from proofyard.models.messages import Message, Part, Text, Thinking, ToolCall

__all__ = [
    "Answer",
    "Attempt",
    "BudgetSpent",
    "Cost",
    "Dropped",
    "ModelError",
    "PriceRow",
    "Stop",
    "Tokens",
    "micro_usd",
    "total_cost",
]

Stop = Literal["stop", "tool_calls", "length", "context_window", "refusal"]
"""Why the model stopped: it was done, it wants tools, its answer was cut at the limit of tokens, the conversation does not
fit, or it (or the provider's filter) refused. All five are outcomes of the model and count."""


class Tokens(Record, frozen=True, kw_only=True):
    """Tokens in one convention for every wire; None is not reported, never 0.

    input: all that was read, with what came from the provider's cache (`cached`) and what was written to it
    (`cache_write`). output: all that was written, thoughts (`reasoning`) too.
    """

    input: int
    output: int
    cached: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None

    @property
    def total(self) -> int:
        """Input and output together."""
        return self.input + self.output


class PriceRow(Record, frozen=True, kw_only=True):
    """The row of a price table that was used: dollars a million tokens as decimal strings, tiers as the table writes them."""

    source: str
    provider: str
    model: str
    prices: dict[str, str] = msgspec.field(default_factory=dict)


class Cost(Record, frozen=True, kw_only=True):
    """What a call cost: dollars as an exact decimal string, and the row it was worked out by."""

    usd: str
    row: PriceRow

    @property
    def micro_usd(self) -> int:
        """Millionths of a dollar, rounded up."""
        return micro_usd(Decimal(self.usd))


class Dropped(Record, frozen=True, kw_only=True):
    """A parameter that was asked for and not sent, and why."""

    name: str
    value: str
    why: str


class Attempt(Record, frozen=True, kw_only=True):
    """One call over the wire. `n` counts from 1; `started` is UTC, ISO 8601; `waited_ms` is the pause before it.

    code: the failure code, empty if it gave an answer. billed: whether the provider had begun to answer and so may charge
    for it; None where that cannot be known. retry_after_ms: what the provider asked for. partial: the answer broke off before
    its usage was final: `tokens` is the least it can be, and no cost is worked out.
    """

    n: int
    call: str = ""
    started: str = ""
    wall_us: int = 0
    waited_ms: int = 0
    status: int | None = None
    code: str = ""
    message: str = ""
    billed: bool | None = False
    retry_after_ms: int | None = None
    tokens: Tokens | None = None
    partial: bool = False
    cost: Cost | None = None


class Answer(Record, frozen=True, kw_only=True):
    """A model's answer. `parts` in the order they came; `raw_stop` is the wire's own word for `stop`.

    tokens and cost are those of the attempt that gave it; what all attempts cost is `spent_usd`. sent: the parameters as
    they went out; served_model and served_by: who says it answered. cached: taken from the response cache, nothing was
    called (`attempts` is empty).
    """

    parts: tuple[Part, ...] = ()
    stop: Stop
    raw_stop: str = ""
    tokens: Tokens | None = None
    cost: Cost | None = None
    sent: dict[str, str] = msgspec.field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()
    served_model: str = ""
    served_by: str = ""
    response_id: str = ""
    attempts: tuple[Attempt, ...] = ()
    cached: bool = False

    @property
    def text(self) -> str:
        """The words of the answer."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def thinking(self) -> str:
        """The thoughts that can be read."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Thinking) and part.text)

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tools it wants used, in order."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def empty(self) -> bool:
        """Whether there is neither a word nor a tool call in it: an outcome of its own, told apart from a wrong answer."""
        return not self.text.strip() and not self.tool_calls

    @property
    def truncated(self) -> bool:
        """Whether the limit of tokens cut it."""
        return self.stop == "length"

    @property
    def message(self) -> Message:
        """The answer as a message of the conversation, thoughts kept for replay."""
        return Message(role="assistant", parts=self.parts)

    @property
    def spent_usd(self) -> str | None:
        """Dollars for all attempts as a decimal string; None if any that may have been billed has no known cost."""
        return total_cost(self.attempts)


class ModelError(InfrastructureError):
    """No answer came, through no fault of the model's: the failure, and every attempt that was made."""

    def __init__(self, failure: Failure, attempts: tuple[Attempt, ...] = ()) -> None:
        super().__init__(failure)
        self.attempts = attempts

    def __reduce__(self) -> tuple[type["ModelError"], tuple[Failure, tuple[Attempt, ...]]]:  # type: ignore[override]
        """Keep failure and attempts when the error crosses a process."""
        return (ModelError, (self.failure, self.attempts))


class BudgetSpent(ProofyardError):  # noqa: N818 - no error of anyone's
    """A budget is used up, or the run was asked to stop; nothing more is sent. `limit` names which.

    attempts: calls of the request at hand that were made before. of_run: it is the run that is over, not the attempt alone.
    """

    def __init__(self, limit: str, message: str, attempts: tuple[Attempt, ...] = (), *, of_run: bool = False) -> None:
        super().__init__(message)
        self.limit = limit
        self.of_run = of_run
        self.attempts = attempts


def total_cost(attempts: tuple[Attempt, ...]) -> str | None:
    """Return the dollars of all attempts, None if one that may have been billed has no known cost."""
    total = Decimal(0)
    for attempt in attempts:
        if attempt.billed is False:
            continue
        if attempt.cost is None:
            return None
        total += Decimal(attempt.cost.usd)
    return decimal_text(str(total))


def micro_usd(usd: Decimal) -> int:
    """Return millionths of a dollar, rounded up."""
    return int((usd * 1_000_000).to_integral_value(rounding=ROUND_CEILING))
