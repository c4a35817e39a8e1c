"""The client: one question in, one answer out, every attempt at it on record."""

import itertools
import random
import time
import uuid
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Final, NamedTuple, Protocol

import msgspec

from proofyard.core import Failure, UsageError
from proofyard.models.answer import Answer, Attempt, ModelError, Tokens
from proofyard.models.budget import Account
from proofyard.models.cache import ResponseCache, cache_key
from proofyard.models.faults import Fault, classify
from proofyard.models.keys import Key
from proofyard.models.messages import Request
from proofyard.models.prices import Prices
from proofyard.models.providers import Target
from proofyard.models.retry import RetryPolicy
from proofyard.models.wires import Connection
from proofyard.models.wires.sdk import Timing
from proofyard.models.wires.shape import Built, Draft, understood

__all__ = ["LEAST_BYTES", "LONG_ANSWER", "USUAL_BYTES", "Client", "Model", "Note", "Options", "billed", "no_note"]

_POLL_S: Final = 0.2

# For calls whose usage never came: bytes of a request a token has at least, and usually; the longest answer without a limit.
LEAST_BYTES: Final = 2
USUAL_BYTES: Final = 4
LONG_ANSWER: Final = 32_000


class Note(Protocol):
    """Takes what happens, as it happens; `Recorder.step` is one."""

    def __call__(self, kind: str, **data: object) -> None:
        """Append one step; `data` are JSON values."""
        ...


def no_note(kind: str, **data: object) -> None:
    """Record nothing."""


class Model(Protocol):
    """Whatever answers: a provider, a script, a recording."""

    @property
    def name(self) -> str:
        """`provider/model`."""
        ...

    def generate(self, request: Request, account: Account | None = None, note: Note = no_note) -> Answer:
        """Answer one request. Used by many threads at once.

        account: the budget to use. note: told `model_send` before each call goes out and `model_end` when it is over,
        so that after a kill what was sent is what is recorded and what was in flight.

        Raises:
            ModelError: no answer came, by no fault of the model's.
            BudgetSpent: a limit is reached, or the run was asked to stop.
            UsageError: the request cannot be put to this model.

        """
        ...

    def close(self) -> None:
        """Close what is open."""
        ...


class Options(NamedTuple):
    """How a model is called: retries, time limits, prices, kept answers, streamed or not."""

    retry: RetryPolicy = RetryPolicy()
    timing: Timing = Timing()
    prices: Prices | None = None
    cache: ResponseCache | None = None
    stream: bool = True


class _Outcome(msgspec.Struct):
    attempt: Attempt
    draft: Draft | None = None
    fault: Fault | None = None


class Client:
    """A model at a provider. `sleep` and `chance` are there for tests."""

    def __init__(
        self,
        target: Target,
        key: Key,
        options: Options | None = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        chance: random.Random | None = None,
    ) -> None:
        self.target = target
        self._key = key
        options = options or Options()
        self._retry = options.retry
        self._timing = options.timing
        self._prices = options.prices or Prices()
        self._cache = options.cache
        self._stream = options.stream and target.quirks.stream
        self._sleep = sleep
        self._chance = chance or random.Random()
        self._connection = Connection(target, key, self._timing)

    @property
    def name(self) -> str:
        """`provider/model`."""
        return self.target.name

    @property
    def access(self) -> tuple[Key, Prices]:
        """What calls on this model's behalf need: its key, and what they cost."""
        return self._key, self._prices

    @property
    def retry(self) -> RetryPolicy:
        """How often a call is made again; who calls in this model's place keeps to it."""
        return self._retry

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def generate(self, request: Request, account: Account | None = None, note: Note = no_note) -> Answer:
        """Answer one request; see `Model.generate`."""
        built = self._connection.wire.build(request, self.target, self._stream)
        cache = self._cache if self._cache and self._cache.takes(request) else None
        try:
            digest = cache_key(self.target, request, self._stream)
        except UnicodeEncodeError:
            raise UsageError("a message or tool holds half a surrogate pair, which no request can carry") from None
        kept = cache.get(digest) if cache else None
        if account:
            self._affordable(account, kept)
            account.check()
            account.step()
        if kept is not None:
            note("model_cached", model=self.name, request=digest)
            return kept
        self._connection.open()
        answer = self._tries(request, built, digest, account, note)
        if cache:
            try:
                cache.put(digest, self.name, request, answer)
            except OSError as error:
                note("model_not_kept", model=self.name, request=digest, why=str(error))
        return answer

    def _affordable(self, account: Account, kept: Answer | None) -> None:
        if account.limited("cost") and kept is None and self._prices.row(self.target) is None:
            raise UsageError(f"no price is known for {self.name}: give one by --prices FILE, or set no budget of cost")

    def _tries(self, request: Request, built: Built, digest: str, account: Account | None, note: Note) -> Answer:
        attempts: tuple[Attempt, ...] = ()
        waited = 0
        for n in itertools.count(1):
            guess, bound = self._bound(request, built)
            with account.sending(bound, attempts) if account else nullcontext():
                call = uuid.uuid4().hex
                note("model_send", call=call, n=n, model=self.name, request=digest, guess=guess, bound=bound)
                try:
                    outcome = self._attempt(built, call, n, waited, account)
                except Exception as error:
                    note("model_end", call=call, refused=self._key.scrub(f"{type(error).__name__}: {error}"))
                    raise
                note("model_end", call=call, attempt=msgspec.to_builtins(outcome.attempt))
                attempts = (*attempts, outcome.attempt)
                if account:
                    account.charge(outcome.attempt, guess, bound)
            fault = outcome.fault
            if fault is None or fault.stop is not None:
                return self._answer(outcome, built, attempts)
            if account and fault.code == "model_stalled":
                account.check(attempts, again=True)
            pause = self._retry.pause_ms(n, fault, self._chance)
            left = account.remaining_ms() if account else None
            if pause is None or (left is not None and pause >= left):
                raise ModelError(Failure(code=fault.code, message=self._said(fault, n)), attempts)
            self._wait(pause, account, attempts)
            waited = pause
        raise AssertionError("attempts end by an answer or an error")

    def _said(self, fault: Fault, n: int) -> str:
        tries = "1 attempt" if n == 1 else f"{n} attempts"
        return f"{self.name}: {fault.message} ({tries})"

    def _attempt(self, built: Built, call: str, n: int, waited: int, account: Account | None) -> _Outcome:
        reader = self._connection.wire.reader(self.target)
        left = account.remaining_ms() if account else None
        due = self._timing.attempt_s if left is None else min(self._timing.attempt_s, max(left / 1000, 0.001))
        started, began = datetime.now(tz=UTC), time.monotonic()
        draft, fault, status = None, None, None
        try:
            status, closed = self._connection.exchange(built, reader, call, due)
            with understood():
                draft = reader.finish(closed)
        except (UsageError, TypeError, LookupError, AttributeError, NameError, AssertionError):
            raise  # a mistake in the call, or ours: no fault of the wire
        except Exception as error:
            fault = self._scrubbed(classify(error))
            status = fault.status
        tokens = reader.tokens
        partial = tokens is not None and not reader.settled
        cost = None if partial else self._prices.cost(self.target, tokens)
        attempt = Attempt(
            n=n,
            call=call,
            started=started.isoformat(timespec="milliseconds"),
            wall_us=int((time.monotonic() - began) * 1_000_000),
            waited_ms=waited,
            status=status,
            code=fault.code if fault else "",
            message=fault.message if fault else "",
            billed=billed(fault, reader.begun or tokens is not None),
            retry_after_ms=fault.retry_after_ms if fault else None,
            tokens=tokens,
            partial=partial,
            cost=cost,
        )
        return _Outcome(attempt, draft, fault)

    def _scrubbed(self, fault: Fault) -> Fault:
        return fault._replace(message=self._key.scrub(fault.message))

    def _bound(self, request: Request, built: Built) -> tuple[int, int | None]:
        """The tokens a call whose usage never came has probably read, and the most it can have cost in micro-dollars."""
        size = len(msgspec.json.encode(built.body))
        limit = request.sampling.max_tokens or self.target.quirks.max_tokens or LONG_ANSWER
        cost = self._prices.cost(self.target, Tokens(input=size // LEAST_BYTES, output=limit))
        return size // USUAL_BYTES, cost.micro_usd if cost else None

    def _answer(self, outcome: _Outcome, built: Built, attempts: tuple[Attempt, ...]) -> Answer:
        sent = {name: self._key.scrub(value) for name, value in built.sent.items()}
        if outcome.draft is None:
            fault = outcome.fault
            assert fault is not None and fault.stop is not None
            raw = f"HTTP {fault.status}" if fault.status else "error"
            return Answer(stop=fault.stop, raw_stop=raw, sent=sent, dropped=built.dropped, attempts=attempts)
        draft = outcome.draft
        return Answer(
            parts=draft.parts,
            stop=draft.stop,
            raw_stop=draft.raw_stop,
            tokens=draft.tokens,
            cost=outcome.attempt.cost,
            sent=sent,
            dropped=built.dropped,
            served_model=draft.served_model,
            served_by=draft.served_by,
            response_id=draft.response_id,
            attempts=attempts,
        )

    def _wait(self, pause_ms: int, account: Account | None, attempts: tuple[Attempt, ...]) -> None:
        left = pause_ms / 1000
        while left > 0:
            nap = min(left, _POLL_S)
            self._sleep(nap)
            left -= nap
            if account:
                account.check(attempts, again=True)


def billed(fault: Fault | None, begun: bool) -> bool | None:
    """Whether a call can have been charged for: an answer that had begun was; where silence came, nobody knows."""
    if fault is None or begun:
        return True
    if fault.status is not None or fault.stop is not None or fault.code == "model_network":
        return False
    return None
