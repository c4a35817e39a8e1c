"""The models of a run in one worker process, and the run's account: what all its calls up to now have used."""

import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec

from proofyard.core import Budget, Subject, UsageError
from proofyard.engine.orders import Site
from proofyard.models import (
    Account,
    Attempt,
    Client,
    Model,
    ModelSession,
    Options,
    Prices,
    ResponseCache,
    RetryPolicy,
    open_model,
    read_env_file,
    read_prices,
)
from proofyard.store import CallRecord, call_note, read_calls

__all__ = ["Models", "check_models", "run_account", "tightest"]

_LIMITS: Final = ("wall_s", "steps", "tokens", "cost_micro_usd")


class Models:
    """Opens each model once, whoever asks. Safe for threads."""

    def __init__(self, site: Site, asked_to_stop: Callable[[], bool]) -> None:
        self._site = site
        self._asked = asked_to_stop
        self._lock = threading.Lock()
        self._open: dict[tuple[str, str, str], Model] = {}
        self._account: Account | None = None

    def account(self, budget: Budget) -> Account:
        """Return a new account of an attempt, below that of the run."""
        with self._lock:
            if self._account is None:
                self._account = run_account(Path(self._site.run), self._site.budget)
            above = self._account
        return Account(budget, above, asked_to_stop=self._asked)

    def session(self, subject: Subject, key_env: str, account: Account, trial: str, tries: int) -> ModelSession | None:
        """Return the subject's model for one attempt, None if it has none. Raises UsageError if it cannot be opened."""
        if subject.model is None:
            return None
        model = self._model(subject.model, subject.base_url or "", key_env)
        return ModelSession(model, account, call_note(Path(self._site.run), trial, tries))

    def close(self) -> None:
        """Close the connections that are open."""
        with self._lock:
            models, self._open = list(self._open.values()), {}
        for model in models:
            model.close()

    def _model(self, name: str, base_url: str, key_env: str) -> Model:
        key = (name, base_url, key_env)
        with self._lock:
            if key not in self._open:
                self._open[key] = _opened(self._site, *key)
            return self._open[key]


def check_models(site: Site, subjects: Iterable[tuple[Subject, str]]) -> None:
    """Check before a run begins that each model can be opened, and that a budget of cost can be kept.

    subjects: each with the variable of its key. Raises UsageError.
    """
    prices = Prices(read_prices(Path(site.prices)) if site.prices else None)
    for subject, key_env in subjects:
        if subject.model is None:
            continue
        model = _opened(site, subject.model, subject.base_url or "", key_env)
        limited = site.budget.cost_micro_usd is not None or subject.budget.cost_micro_usd is not None
        if limited and isinstance(model, Client) and prices.row(model.target) is None:
            raise UsageError(f"no price is known for {model.name}: give one by --prices FILE, or set no budget of cost")


def run_account(run: Path, budget: Budget) -> Account:
    """Return the account of a run: what its calls up to now used, those in flight when it was killed at their most."""
    account = Account(budget)
    for record in read_calls(run):
        if record.sent.get("n") == 1:
            account.step()
        account.charge(_attempt(record), record.sent.get("guess") or 0, record.sent.get("bound"))
    return account


def tightest(*budgets: Budget) -> Budget:
    """Return the budget that keeps all of these."""
    found = {}
    for name in _LIMITS:
        values = [getattr(budget, name) for budget in budgets]
        found[name] = min((value for value in values if value is not None), default=None)
    return Budget(**found)


def _attempt(record: CallRecord) -> Attempt:
    """A call of the ledger; of one that has no end nothing is known, except where it was refused before it went out."""
    if record.end is None:
        return Attempt(n=1, billed=None)
    if "attempt" not in record.end:
        return Attempt(n=1, billed=False)
    return msgspec.convert(record.end["attempt"], type=Attempt)


def _opened(site: Site, name: str, base_url: str, key_env: str) -> Model:
    environment = {**os.environ, **(read_env_file(Path(site.env_file)) if site.env_file else {})}
    prices = Prices(read_prices(Path(site.prices)) if site.prices else None)
    retry = RetryPolicy(attempts=site.model_attempts) if site.model_attempts else RetryPolicy()
    cache = ResponseCache(Path(site.answers)) if site.answers else None
    options = Options(retry=retry, prices=prices, cache=cache)
    return open_model(name, base_url=base_url, key_env=key_env, environment=environment, options=options)
