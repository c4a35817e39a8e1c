"""Budgets: what a trial, and the run it belongs to, may still use. Checked before every call, retries included."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Final, Literal

from proofyard.core import Budget, Record
from proofyard.models.answer import Attempt, BudgetSpent

__all__ = ["Account", "Spent"]

_POLL_S: Final = 0.2


class Spent(Record, frozen=True, kw_only=True):
    """What was used. tokens and cost count every call that may have been billed, failed ones too.

    bounded: calls whose usage never came: what is known or can be estimated of their tokens is entered, and their cost at an
    upper bound. unpriced: calls whose cost has no bound either.
    """

    steps: int = 0
    tokens: int = 0
    cost_micro_usd: int = 0
    wall_ms: int = 0
    bounded: int = 0
    unpriced: int = 0


class Account:
    """One budget being used, by any number of threads; `parent` is the budget of the run, which is used along with it.

    A hard stop: once a limit is reached, nothing more is sent. Calls already under way are not called back. Near a limit on
    cost a call waits until it is known what those under way cost, if together they could use up the rest: so the most that can
    be overshot is one call, however many threads ask. A limit on cost also stops at the first call whose cost has no bound.
    It is a `Meter` for agents.
    """

    def __init__(
        self,
        limits: Budget,
        parent: "Account | None" = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        asked_to_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self.limits = limits
        self._parent = parent
        self._clock = clock
        self._asked = asked_to_stop
        self._began = clock()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._aside = 0
        self._steps = self._tokens = self._cost = self._bounded = self._unpriced = 0

    def spent(self) -> Spent:
        """Return what was used up to now."""
        with self._lock:
            return Spent(
                steps=self._steps,
                tokens=self._tokens,
                cost_micro_usd=self._cost,
                wall_ms=int((self._clock() - self._began) * 1000),
                bounded=self._bounded,
                unpriced=self._unpriced,
            )

    def remaining_ms(self) -> int | None:
        """Return the wall left in milliseconds, the run's own if that is less; None without a limit, 0 for a stopped run."""
        if self._asked():
            return 0
        own = None
        if self.limits.wall_s is not None:
            own = max(0, int((self._began + self.limits.wall_s - self._clock()) * 1000))
        above = self._parent.remaining_ms() if self._parent else None
        return min((left for left in (own, above) if left is not None), default=None)

    def stopped(self) -> bool:
        """Whether a limit is reached or the run was asked to stop."""
        return self.reached() is not None

    def limited(self, limit: Literal["cost", "tokens", "steps", "wall"]) -> bool:
        """Whether this budget, or the run's, limits that at all."""
        field = {"cost": "cost_micro_usd", "wall": "wall_s"}.get(limit, limit)
        return getattr(self.limits, field) is not None or (self._parent is not None and self._parent.limited(limit))

    def reached(self, *, again: bool = False) -> str | None:
        """Return the limit that is reached: `stopped`, `wall`, `steps`, `tokens`, `cost`, or None.

        again: for a retry, which is no step of its own.
        """
        own = self._own(again)
        if own is not None:
            return own
        return self._parent.reached(again=again) if self._parent else None

    def _own(self, again: bool) -> str | None:
        if self._asked():
            return "stopped"
        limits, used = self.limits, self.spent()
        if limits.wall_s is not None and used.wall_ms >= limits.wall_s * 1000:
            return "wall"
        if not again and limits.steps is not None and used.steps >= limits.steps:
            return "steps"
        if limits.tokens is not None and used.tokens >= limits.tokens:
            return "tokens"
        if limits.cost_micro_usd is not None and (used.cost_micro_usd >= limits.cost_micro_usd or used.unpriced):
            return "cost"
        return None

    def check(self, attempts: tuple[Attempt, ...] = (), *, again: bool = False) -> None:
        """Raise BudgetSpent if nothing more may be sent. again: see `reached`."""
        own = self._own(again)
        limit = own or self.reached(again=again)
        if limit is not None:
            of_run = limit == "stopped" or (own is None and self._parent is not None)
            raise BudgetSpent(limit, self._said(limit), attempts, of_run=of_run)

    @contextmanager
    def sending(self, bound_micro_usd: int | None, attempts: tuple[Attempt, ...] = ()) -> Iterator[None]:
        """Check, and hold the most a call can cost set aside while it is under way; charge it before this ends.

        Raises BudgetSpent if nothing more may be sent.
        """
        self.check(attempts, again=True)
        amount = bound_micro_usd or 0
        self._set_aside(amount, attempts)
        try:
            with self._parent._sending_of_run(bound_micro_usd, attempts) if self._parent else nullcontext():
                yield
        finally:
            with self._changed:
                self._aside -= amount
                self._changed.notify_all()

    @contextmanager
    def _sending_of_run(self, bound_micro_usd: int | None, attempts: tuple[Attempt, ...]) -> Iterator[None]:
        """The same for the run's account, whose end is the run's."""
        entered = False
        try:
            with self.sending(bound_micro_usd, attempts):
                entered = True
                yield
        except BudgetSpent as error:
            if not entered:
                raise BudgetSpent(error.limit, str(error), error.attempts, of_run=True) from None
            raise

    def _set_aside(self, amount: int, attempts: tuple[Attempt, ...]) -> None:
        limit = self.limits.cost_micro_usd
        while True:
            with self._changed:
                if limit is None or not self._aside or self._cost + self._aside < limit:
                    self._aside += amount
                    return
                self._changed.wait(_POLL_S)
            self.check(attempts, again=True)

    def step(self) -> None:
        """Count one question to a model."""
        with self._lock:
            self._steps += 1
        if self._parent:
            self._parent.step()

    def charge(self, attempt: Attempt, guess: int, bound_micro_usd: int | None) -> None:
        """Enter a call that was made.

        guess: tokens to enter where nothing is known of them. bound_micro_usd: the most it can have cost, entered where its
        cost is unknown; None if there is no bound. A limit on tokens keeps an attempt short, so a fair guess will do; a
        limit on cost keeps a promise about money, so there it is the most.
        """
        if attempt.billed is False:
            return
        tokens = attempt.tokens.total if attempt.tokens else guess
        cost = attempt.cost.micro_usd if attempt.cost else bound_micro_usd
        with self._lock:
            self._tokens += tokens
            self._bounded += attempt.tokens is None or attempt.partial
            self._cost += cost or 0
            self._unpriced += cost is None
        if self._parent:
            self._parent.charge(attempt, guess, bound_micro_usd)

    def _is_unpriced(self) -> bool:
        own = self.limits.cost_micro_usd is not None and self._unpriced > 0 and self._cost < self.limits.cost_micro_usd
        return own or (self._parent is not None and self._parent._is_unpriced())

    def _said(self, limit: str) -> str:
        if limit == "stopped":
            return "the run was asked to stop"
        if limit == "cost" and self._is_unpriced():
            return "the budget of cost cannot be kept: a call has no known price (give one by --prices FILE)"
        return f"the budget of {limit} is used up"
