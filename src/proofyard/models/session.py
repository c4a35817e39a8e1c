"""A model as one attempt uses it: its budget is kept, its calls are put down, and what they cost is added up."""

import threading
from decimal import Decimal

from proofyard.core import Failure, Spend
from proofyard.models.answer import Answer, Attempt, BudgetSpent, ModelError, micro_usd, total_cost
from proofyard.models.budget import Account
from proofyard.models.client import Client, Model, Note, no_note
from proofyard.models.messages import Request

__all__ = ["ModelSession", "spend_of"]


class ModelSession:
    """Asks a model on behalf of one attempt. Safe for threads.

    account: the attempt's budget, below it the run's. note: told of every call before it goes out and when it is over.
    spent_out: the limit that ended it, once one has; it was the run's if `run_over`. lost: why the last call got no answer,
    where a program called by itself; None if it got one.
    """

    def __init__(self, model: Model, account: Account, note: Note = no_note) -> None:
        self.model = model
        self.account = account
        self.note = note
        self.spent_out: BudgetSpent | None = None
        self.facts: dict[str, str] = {}
        self.lost: Failure | None = None
        self._attempts: list[Attempt] = []
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """`provider/model`."""
        return self.model.name

    @property
    def takes_tools(self) -> bool:
        """Whether the model can be offered tools, as far as is known."""
        return not isinstance(self.model, Client) or self.model.target.quirks.tools

    @property
    def run_over(self) -> bool:
        """Whether the run's budget is used up, or the run was asked to stop."""
        return self.spent_out is not None and self.spent_out.of_run

    def generate(self, request: Request) -> Answer:
        """Answer one request.

        Raises:
            ModelError: no answer came, by no fault of the model's.
            BudgetSpent: a limit is reached; nothing was sent.
            UsageError: the request cannot be put to this model.

        """
        try:
            answer = self.model.generate(request, self.account, self.note)
        except ModelError as error:
            self.add(error.attempts)
            raise
        except BudgetSpent as error:
            self.add(error.attempts)
            self.spent_out = error
            raise
        self.add(answer.attempts)
        self._remember(answer)
        return answer

    def add(self, attempts: tuple[Attempt, ...]) -> None:
        """Enter calls that were made."""
        with self._lock:
            self._attempts.extend(attempts)

    def spend(self) -> Spend:
        """Return what all calls up to now cost."""
        with self._lock:
            return spend_of(tuple(self._attempts), self.account.spent().steps)

    def _remember(self, answer: Answer) -> None:
        """Keep what the reader of a result must know of its model."""
        with self._lock:
            if answer.dropped:
                self.facts["dropped"] = "; ".join(f"{one.name}={one.value}: {one.why}" for one in answer.dropped)
            if answer.served_model:
                self.facts["served_model"] = answer.served_model
            if answer.served_by:
                self.facts["served_by"] = answer.served_by
            if answer.cost:
                row = answer.cost.row
                self.facts["price"] = f"{row.source}: {row.provider}/{row.model}"
            if answer.cached:
                self.facts["answers_kept"] = str(int(self.facts.get("answers_kept", "0")) + 1)
            tries = len(answer.attempts) - 1
            if tries > 0:
                self.facts["retries"] = str(int(self.facts.get("retries", "0")) + tries)


def spend_of(attempts: tuple[Attempt, ...], steps: int = 0) -> Spend:
    """Return what calls cost together; a number that is known of none of them is None."""
    billed = [one for one in attempts if one.billed is not False]
    tokens = [one.tokens for one in billed if one.tokens]
    cached = [one.cached for one in tokens if one.cached is not None]
    reasoning = [one.reasoning for one in tokens if one.reasoning is not None]
    usd = total_cost(attempts) if billed else None
    return Spend(
        steps=steps,
        calls=len(billed),
        unknown_calls=sum(one.tokens is None or one.partial for one in billed),
        input_tokens=sum(one.input for one in tokens) if tokens else None,
        output_tokens=sum(one.output for one in tokens) if tokens else None,
        cached_tokens=sum(cached) if cached else None,
        reasoning_tokens=sum(reasoning) if reasoning else None,
        cost_micro_usd=None if usd is None else micro_usd(Decimal(usd)),
    )
