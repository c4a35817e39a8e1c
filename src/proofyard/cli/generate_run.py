"""Asking: threads that ask and, one at a time, write; and when to stop."""

import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import click

from proofyard.cli.generate_store import Entry, Job, SampleStore

if TYPE_CHECKING:
    from proofyard.models import Account, Answer, Attempt, Model, Request

__all__ = ["Asker", "ask_one"]

_HOPELESS: Final = frozenset({"budget", "model_auth", "model_not_found", "model_quota", "model_unsupported_parameter"})
"""Failures that every further question would meet too."""
_IN_A_ROW: Final = 20
"""Questions without an answer, one after the other, after which nobody is asked any more."""
_QUIET_S: Final = 5.0
_NAP_S: Final = 0.2


def ask_one(model: "Model", job: Job, request: "Request", run: "Account") -> Entry:
    """Ask for one sample. No answer is an entry with its failure. Raises UsageError as the model does."""
    from proofyard.core import Budget
    from proofyard.models import Account, BudgetSpent, ModelError

    own = Account(Budget(), run)
    try:
        answer = model.generate(request, own)
    except ModelError as error:
        return _entry(job, error.attempts, own, failure=error.failure.code, message=error.failure.message)
    except BudgetSpent as error:
        failure = "stopped" if error.limit == "stopped" else "budget"
        return _entry(job, error.attempts, own, failure=failure, message=str(error))
    return _entry(job, answer.attempts, own, answer=answer)


def _entry(
    job: Job,
    attempts: "tuple[Attempt, ...]",
    own: "Account",
    *,
    answer: "Answer | None" = None,
    failure: str = "",
    message: str = "",
) -> Entry:
    from proofyard.models import total_cost

    billed = [attempt for attempt in attempts if attempt.billed is not False]
    tokens = [attempt.tokens for attempt in billed if attempt.tokens]
    return Entry(
        task_id=job.task_id,
        k=job.k,
        text=_writable(answer.text) if answer else "",
        stop=answer.stop if answer else "",
        failure=failure,
        message=_writable(message),
        attempts=len(attempts),
        calls=len(billed),
        unknown_calls=sum(attempt.tokens is None or attempt.partial for attempt in billed),
        input=sum(used.input for used in tokens),
        output=sum(used.output for used in tokens),
        usd=total_cost(attempts),
        charged=own.spent().cost_micro_usd,
        served_model=answer.served_model if answer else "",
        sent=dict(answer.sent) if answer else {},
        dropped={dropped.name: dropped.why for dropped in answer.dropped} if answer else {},
    )


def _writable(text: str) -> str:
    """Text that a file can hold: halves of surrogate pairs, which some providers let through, are replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Asker:
    """Asks for the samples that are missing and stores what comes.

    stopped: why it stopped before all were asked, "" if it did not. interrupted: by the user. asked: what came of each
    question. stop: set when nothing more is to be asked.
    """

    def __init__(
        self, store: SampleStore, ask: Callable[[Job], Entry], concurrency: int, stop: threading.Event
    ) -> None:
        self.stopped = ""
        self.interrupted = False
        self.asked: list[Entry] = []
        self.stop = stop
        self._store = store
        self._ask = ask
        self._concurrency = concurrency
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._turn = threading.Lock()
        self._working = 0
        self._error: Exception | None = None
        self._done = threading.Event()
        self._unwritable = False
        self._in_a_row = 0
        self._total = 0

    def run(self, jobs: Sequence[Job]) -> None:
        """Ask for these, until all are answered or there is no use in it.

        An interrupt lets the answers under way come in; a second one drops them.

        Raises:
            Exception: what asking or writing raised; what had come is stored.

        """
        self._total = len(jobs)
        for job in jobs:
            self._jobs.put(job)
        self._working = min(self._concurrency, len(jobs))
        if not jobs:
            return
        for _ in range(self._working):
            threading.Thread(target=self._work, daemon=True).start()
        try:
            self._watch()
        except KeyboardInterrupt:
            self.interrupted = True
            self.stop.set()
            click.echo("waiting for the answers under way; interrupt again to drop them", err=True)
            self._watch()
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        """Ask, keep, ask on: nobody asks a further question before what came of the last one is on the disk."""
        try:
            while not self.stop.is_set():
                entry = self._ask(self._jobs.get_nowait())
                with self._turn:
                    self._keep(entry)
        except queue.Empty:
            pass
        except Exception as error:  # raised again where the user is told
            with self._turn:
                self._fail(error)
        finally:
            with self._turn:
                self._working -= 1
                if not self._working:
                    self._done.set()

    def _keep(self, entry: Entry) -> None:
        if entry.attempts or not entry.failure:
            self._append(entry)
            self.asked.append(entry)
        self._in_a_row = self._in_a_row + 1 if entry.failure else 0
        if self.stopped:
            return
        if entry.failure in _HOPELESS:
            self.stopped = f"{entry.failure}: {entry.message}"
        elif self._in_a_row >= _IN_A_ROW:
            self.stopped = f"{_IN_A_ROW} questions in a row got no answer, the last one: {entry.message}"
        if self.stopped:
            self.stop.set()

    def _append(self, entry: Entry) -> None:
        if self._unwritable:
            return
        try:
            self._store.append(entry)
        except Exception as error:  # the disk's, mostly; raised again where the user is told
            self._unwritable = True  # for the next line would stand behind half of this one
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._error = self._error or error
        self.stop.set()

    def _watch(self) -> None:
        """Show how it stands on standard error until all is asked.

        It waits for an event: a thread that is waited for when an interrupt comes counts as ended in some Pythons.
        """
        due = time.monotonic() + _QUIET_S
        while not self._done.wait(_NAP_S):
            if time.monotonic() >= due:
                due = time.monotonic() + _QUIET_S
                failed = sum(bool(entry.failure) for entry in list(self.asked))
                lost = f", {failed} without an answer" if failed else ""
                click.echo(f"{len(self.asked)}/{self._total} asked{lost}", err=True)
                sys.stderr.flush()
