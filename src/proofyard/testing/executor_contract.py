"""What every executor must do, on threads of one process or on a cluster.

Subclass `ExecutorContract` in a test module, define `make`, and give the class a name that pytest collects:

    class TestMyExecutor(ExecutorContract):
        def make(self, slots):
            return MyExecutor(slots)

The functions jobs call are below, so that a worker anywhere can import them. Jobs that must wait do so for a file, in a
folder that coordinator and workers share; nothing is decided by time.
"""

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from proofyard.core import Done, Executor, Job, Lost, sha256

__all__ = ["ExecutorContract"]

_HERE = "proofyard.testing.executor_contract:"
_PATIENCE_S = 60.0


def answer(job: Job) -> Done:
    """Return the payload as it came."""
    return Done(id=job.id, payload=job.payload)


def hold(job: Job) -> Done:
    """Leave a mark that the job began, wait for the file the payload names (or the end of the folder), then answer."""
    order = msgspec.json.decode(job.payload, type=_Hold)
    Path(order.folder, f"began-{job.id}").touch()
    deadline = time.monotonic() + _PATIENCE_S
    while order.until and Path(order.folder).exists() and not Path(order.folder, order.until).exists():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{order.until} never came")
        time.sleep(0.005)
    return Done(id=job.id, payload=job.payload)


def double(job: Job) -> Done:
    """Return each content that came along doubled, as a new content."""
    made = [content * 2 for content in job.blobs.values()]
    return Done(id=job.id, payload=job.payload, blobs={sha256(content): content for content in made})


def refuse(job: Job) -> Done:
    """Raise for jobs whose payload is false."""
    if msgspec.json.decode(job.payload) is False:
        raise ArithmeticError("refused\non purpose")
    return Done(id=job.id, payload=job.payload)


def die(job: Job) -> Done:
    """End the worker when the payload names its coordinator: by SIGKILL in a process of its own, else by SystemExit."""
    coordinator = msgspec.json.decode(job.payload)
    if coordinator == os.getpid():
        raise SystemExit("the worker is gone")
    if coordinator:
        os.kill(os.getpid(), signal.SIGKILL)
    return Done(id=job.id, payload=job.payload)


class _Hold(msgspec.Struct):
    folder: str
    until: str = ""


@contextmanager
def _shared() -> Iterator[str]:
    """A folder for jobs, taken away at the end: again if an abandoned job left a mark meanwhile, which each can do once."""
    folder = tempfile.mkdtemp()
    try:
        yield folder
    finally:
        while Path(folder).exists():
            shutil.rmtree(folder, ignore_errors=True)


def _job(name: str, value: object, **blobs: bytes) -> Job:
    contents = {sha256(content): content for content in blobs.values()}
    return Job(id=name, payload=msgspec.Raw(msgspec.json.encode(value)), blobs=contents)


class ExecutorContract:
    """The contract. `make` returns a fresh executor with that many slots."""

    def make(self, slots: int) -> Executor:
        """Return an executor to test."""
        raise TypeError(f"{type(self).__name__} must define make(slots), here for {slots}")

    def test_slots_are_as_asked(self) -> None:
        """The engine sizes its look-ahead by this number."""
        assert self.make(3).slots == 3

    def test_each_job_comes_back_once_with_its_payload(self) -> None:
        """No job is lost or doubled, and a payload is untouched JSON."""
        jobs = [_job(f"j{n}", {"n": n, "text": "ä\u2028"}) for n in range(40)]
        done = list(self.make(2).run(iter(jobs), _HERE + "answer"))
        assert sorted((d.id for d in done), key=lambda name: int(name[1:])) == [job.id for job in jobs]
        assert all(isinstance(d, Done) for d in done)
        payloads = {d.id: msgspec.json.decode(d.payload) for d in done if isinstance(d, Done)}
        assert payloads == {f"j{n}": {"n": n, "text": "ä\u2028"} for n in range(40)}

    def test_no_jobs_no_results(self) -> None:
        """An empty stream ends."""
        assert list(self.make(2).run([], _HERE + "answer")) == []

    def test_results_come_in_order_of_completion(self) -> None:
        """A slow job does not hold back the quick ones that came after it."""
        with _shared() as folder:
            slow = _job("slow", _Hold(folder, "go"))
            quick = [_job(f"quick{n}", _Hold(folder)) for n in range(3)]
            order = []
            for result in self.make(2).run([slow, *quick], _HERE + "hold"):
                order.append(result.id)
                if len(order) == 3:
                    Path(folder, "go").touch()
        assert order[-1] == "slow"
        assert set(order[:3]) == {"quick0", "quick1", "quick2"}

    def test_jobs_are_taken_lazily(self) -> None:
        """At most twice as many jobs as slots are taken ahead of the results handed out."""
        taken = 0

        def jobs() -> Iterator[Job]:
            nonlocal taken
            for n in range(30):
                taken += 1
                yield _job(f"j{n}", n)

        seen = []
        for count, _ in enumerate(self.make(2).run(jobs(), _HERE + "answer"), 1):
            seen.append(taken - count)
        assert len(seen) == 30
        assert max(seen) <= 4

    def test_slots_run_at_once(self) -> None:
        """Two slots means two jobs under way: each of two jobs waits until the other began."""
        with _shared() as folder:
            pair = [_job("a", _Hold(folder, "began-b")), _job("b", _Hold(folder, "began-a"))]
            done = list(self.make(2).run(pair, _HERE + "hold"))
        assert sorted(d.id for d in done if isinstance(d, Done)) == ["a", "b"]

    def test_blobs_travel_and_come_home(self) -> None:
        """Contents reach the worker and new ones come back under the SHA-256 of exactly their bytes."""
        content = bytes(range(256)) * 300
        (done,) = self.make(1).run([_job("b", None, content=content)], _HERE + "double")
        assert isinstance(done, Done)
        assert done.blobs == {sha256(content * 2): content * 2}

    def test_a_raising_job_is_lost_and_the_rest_goes_on(self) -> None:
        """An exception is infrastructure: one line of it in a failure, never a result, never an end of the run."""
        jobs = [_job(f"j{n}", n != 3) for n in range(8)]
        results = {r.id: r for r in self.make(2).run(jobs, _HERE + "refuse")}
        lost = results.pop("j3")
        assert isinstance(lost, Lost)
        assert lost.failure.code == "worker_lost"
        assert "refused on purpose" in lost.failure.message
        assert "\n" not in lost.failure.message
        assert len(results) == 7
        assert all(isinstance(r, Done) for r in results.values())

    def test_a_lost_worker_loses_its_job_alone(self) -> None:
        """Workers may die as often as there are slots and more: their jobs come back as lost, the others are done."""
        jobs = [_job(f"j{n}", os.getpid() if n % 3 == 0 else 0) for n in range(12)]
        results = {r.id: r for r in self.make(2).run(jobs, _HERE + "die")}
        lost = sorted((r.id for r in results.values() if isinstance(r, Lost)), key=lambda name: int(name[1:]))
        assert lost == ["j0", "j3", "j6", "j9"]
        assert {r.failure.code for r in results.values() if isinstance(r, Lost)} == {"worker_lost"}
        assert len(results) == 12

    def test_stop_takes_no_more_jobs(self) -> None:
        """After `stop` the stream of results ends although jobs are left, and those are never begun."""
        with _shared() as folder:
            executor = self.make(2)
            jobs = [_job(f"j{n}", _Hold(folder)) for n in range(100)]
            got = []
            for result in executor.run(jobs, _HERE + "hold"):
                got.append(result.id)
                if len(got) == 5:
                    executor.stop()
            begun = len(list(Path(folder).glob("began-*")))
        assert len(got) <= 5 + 4
        assert begun <= 5 + 4

    def test_stop_abandons_jobs_under_way(self) -> None:
        """`stop` from another thread ends a stream which waits for a job that does not end."""
        with _shared() as folder:
            executor = self.make(1)

            def stop_once_begun() -> None:
                while not Path(folder, "began-stuck").exists():
                    time.sleep(0.005)
                executor.stop()

            stopper = threading.Thread(target=stop_once_begun)
            stopper.start()
            stuck = _job("stuck", _Hold(folder, "go"))
            results = list(executor.run([stuck], _HERE + "hold"))
            stopper.join()
            Path(folder, "go").touch()
        assert all(isinstance(r, Lost) for r in results)

    def test_an_error_of_the_caller_ends_the_run(self) -> None:
        """A stream of jobs that raises hands its error on, and a consumer may leave early."""

        def jobs() -> Iterator[Job]:
            yield _job("only", 1)
            raise LookupError("no more")

        caught = ""
        try:
            list(self.make(1).run(jobs(), _HERE + "answer"))
        except LookupError as error:
            caught = str(error)
        assert caught == "no more"
        assert next(iter(self.make(1).run([_job("first", 1), _job("second", 2)], _HERE + "answer"))).id == "first"
