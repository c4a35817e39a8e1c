"""Jobs on threads of this process."""

import importlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue

from proofyard.core import Done, Failure, Job, Lost, UsageError

__all__ = ["LocalExecutor", "function_named"]


class LocalExecutor:
    """Runs jobs on `slots` threads. One `run` at a time."""

    def __init__(self, slots: int) -> None:
        if slots < 1:
            raise UsageError(f"an executor needs at least one slot, not {slots}")
        self._slots = slots
        self._stopped = threading.Event()
        self._results: SimpleQueue[Done | Lost | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    @property
    def slots(self) -> int:
        """How many jobs run at once."""
        return self._slots

    def run(self, jobs: Iterable[Job], function: str) -> Iterator[Done | Lost]:
        """Call `function` on each job; yield in order of completion. See `proofyard.core.Executor`."""
        call = function_named(function)
        taken: SimpleQueue[Job | None] = SimpleQueue()
        # Each run has queues of its own, so that a job abandoned by an earlier run cannot answer into this one.
        results = self._results = SimpleQueue[Done | Lost | None]()
        self._threads = [
            threading.Thread(
                target=_serve, args=(call, taken, results, self._stopped), name=f"proofyard-slot-{n}", daemon=True
            )
            for n in range(self._slots)
        ]
        for thread in self._threads:
            thread.start()
        try:
            yield from self._feed(iter(jobs), taken, results)
        finally:
            _drop(taken)
            for _ in self._threads:
                taken.put(None)

    def _feed(
        self, jobs: Iterator[Job], taken: "SimpleQueue[Job | None]", results: "SimpleQueue[Done | Lost | None]"
    ) -> Iterator[Done | Lost]:
        flying = 0
        more = True
        while not self._stopped.is_set():
            while more and flying < 2 * self._slots:
                job = next(jobs, None)
                more = job is not None
                if job is not None:
                    taken.put(job)
                    flying += 1
            if not flying:
                return
            result = results.get()
            if result is None:
                return
            flying -= 1
            yield result

    def stop(self) -> None:
        """Take no more jobs; jobs under way are abandoned and yield nothing."""
        self._stopped.set()
        self._results.put(None)

    def join(self, seconds: float) -> bool:
        """Wait for jobs under way; whether all ended in that time."""
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)


def function_named(name: str) -> Callable[[Job], Done]:
    """Return the function "package.module:name" refers to."""
    module, _, attribute = name.partition(":")
    found: Callable[[Job], Done] = getattr(importlib.import_module(module), attribute)
    return found


def _drop(taken: "SimpleQueue[Job | None]") -> None:
    while True:
        try:
            taken.get_nowait()
        except Empty:
            return


def _serve(
    call: Callable[[Job], Done],
    taken: "SimpleQueue[Job | None]",
    results: "SimpleQueue[Done | Lost | None]",
    stopped: threading.Event,
) -> None:
    while (job := taken.get()) is not None and not stopped.is_set():
        try:
            result: Done | Lost = call(job)
        except BaseException as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())[:500]
            result = Lost(id=job.id, failure=Failure(code="worker_lost", message=text))
        results.put(result)
