"""The loop of a run: what is owed goes to the executor, what comes back goes to the journal.

Gradings go first, then attempts in the plan's order. A stream of jobs ends when nothing is ready; what was made ready by
the last results goes out as a further stream, so that an executor never has to wait for its own results.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from proofyard.core import (
    Blobs,
    Done,
    Executor,
    Failure,
    Grade,
    InfrastructureError,
    Job,
    Lost,
    MemoryBlobs,
    Outcome,
    Owed,
    Reason,
    Subject,
    Submission,
    Tree,
    Trial,
    Verdict,
    verdict_id,
)
from proofyard.engine.contents import contents_of, place_contents, solution_contents
from proofyard.engine.halts import Halts
from proofyard.engine.orders import AttemptOrder, GradeOrder, Site
from proofyard.engine.request import Progress, Tally
from proofyard.engine.resolve import Provision, label
from proofyard.engine.shelf import Shelf
from proofyard.engine.work import PERFORM, verdict_of
from proofyard.store import RunStore

__all__ = ["MOST_TRIES", "Coordinator", "Grading"]

MOST_TRIES: Final = 3
"""How often a piece of work is begun when infrastructure fails under it."""

_ABORT: Final = {"disk_full", "store_io", "isolation_unavailable"}
"""Failures that the next trial would meet as well: the run ends, nothing is journalled for the trial at hand."""

_trial_or_none = msgspec.json.Decoder(Trial | None)
_verdict = msgspec.json.Decoder(Verdict)


class Grading(NamedTuple):
    """A grading to be done: the `n`-th of a submission of a trial."""

    trial: str
    task: str
    submission: Submission
    grader: str
    n: int = 0
    reason: Reason | None = None

    @property
    def id(self) -> str:
        """The id of the verdict it will give."""
        return verdict_id(self.trial, self.submission.tree, self.grader, self.n)


class _Item(NamedTuple):
    """Work and how often it was begun; `contents` are at hand because the attempt just brought them."""

    work: Owed | Grading
    tries: int
    contents: Mapping[str, bytes]


class Coordinator:
    """Drives one run to its end. All its methods run on one thread."""

    def __init__(
        self,
        store: RunStore,
        site: Site,
        shelf: Shelf,
        tally: Tally,
        progress: Progress,
        *,
        grade: bool,
        provisions: Mapping[str, Provision] | None = None,
        contents: Blobs | None = None,
    ) -> None:
        self._store = store
        self._site = site
        self._shelf = shelf
        self._tally = tally
        self._progress = progress
        self._grade = grade
        self._provisions = provisions or {}
        self._contents = contents or MemoryBlobs()
        self._halts = Halts()
        self._ready: deque[_Item] = deque()
        self._flying: dict[str, _Item] = {}
        self._subjects: dict[int, tuple[str, str]] = {}
        self._began = time.monotonic()
        self._finished = 0

    def drive(self, executor: Executor, owed: Iterable[Owed | Grading]) -> None:
        """Do all that is owed. Raises InfrastructureError when no more work makes sense (a full disk)."""
        waiting = iter(owed)
        self._report()
        while True:
            for result in executor.run(self._stream(waiting), PERFORM):
                self._take(result)
            if not self._ready:
                break
        self._tally.stopped.update(dict.fromkeys(self._halts.said))

    def _stream(self, waiting: Iterator[Owed | Grading]) -> Iterator[Job]:
        while True:
            if self._ready:
                item = self._ready.popleft()
            else:
                work = next(waiting, None)
                if work is None:
                    return
                if isinstance(work, Owed) and self._halts.halted(self._named(work.subject)[0]):
                    continue
                item = _Item(work, 1, {})
            try:
                job = self._job(item)
            except InfrastructureError as error:
                self._settle(item, None, error.failure, {})
                continue
            self._flying[job.id] = item
            yield job

    def _job(self, item: _Item) -> Job:
        order = self._attempt(item.work, item.tries) if isinstance(item.work, Owed) else self._grading(item.work)
        step = self._shelf.task(item.work.task).step
        contents: dict[str, bytes] = {}
        if isinstance(order, AttemptOrder):
            wanted = {*contents_of(step.brief), *(order.given or Tree()).blobs(), *solution_contents(order.solution)}
            contents = {sha: self._contents.get(sha) for tree in order.skills.values() for sha in tree.blobs()}
        else:
            wanted = {*step.hidden.tests.blobs(), *place_contents(step.grading)}
            document = self._submitted(item, order.submission.blob)
            tree = msgspec.json.decode(document, type=Tree)
            contents = {sha: self._submitted(item, sha) for sha in tree.blobs() if sha}
            contents[order.submission.blob] = document
        contents |= {sha: self._shelf.contents.get(sha) for sha in wanted}
        return Job(id=item.work.id, payload=msgspec.Raw(msgspec.json.encode(order)), blobs=contents)

    def _submitted(self, item: _Item, sha: str) -> bytes:
        content = item.contents.get(sha)
        return self._store.blobs.get(sha) if content is None else content

    def _attempt(self, owed: Owed, tries: int) -> AttemptOrder:
        prepared = self._shelf.task(owed.task)
        limits = prepared.step.grading.limits
        digest, name = self._named(owed.subject)
        provision = self._provisions.get(digest, Provision())
        handed = self._shelf.handed(owed.subject, owed.task, owed.k)
        return AttemptOrder(
            site=self._site,
            trial=owed.id,
            task=owed.task,
            subject=owed.subject,
            subject_digest=digest,
            subject_name=name,
            brief=prepared.brief_json,
            brief_digest=prepared.brief_digest,
            k=owed.k,
            tries=self._earlier(owed.id) + tries,
            budget=prepared.task.budget,
            given=handed.tree if handed is not None and not handed.argv else None,
            solution=handed if handed is not None and handed.argv else None,
            key_env=provision.key_env,
            skills=dict(provision.skills),
            mcp=provision.mcp,
            max_files=limits.inodes,
            max_bytes=limits.disk,
        )

    def _grading(self, work: Grading) -> GradeOrder:
        return GradeOrder(
            site=self._site,
            trial=work.trial,
            task=work.task,
            step=self._shelf.task(work.task).step_json,
            submission=work.submission,
            grader=work.grader,
            n=work.n,
            reason=work.reason,
        )

    def _earlier(self, trial: str) -> int:
        """How often earlier coordinators began this trial and met an infrastructure failure each time."""
        before = self._store.data.trials.get(trial) if self._store.data else None
        return before.tries if before else 0

    def _named(self, subject: Subject) -> tuple[str, str]:
        key = id(subject)
        found = self._subjects.get(key)
        if found is None:
            found = self._subjects[key] = (subject.digest, label(subject))
        return found

    def _take(self, result: Done | Lost) -> None:
        item = self._flying.pop(result.id)
        record: Trial | Verdict | None = None
        if isinstance(result, Done):
            record = (
                _trial_or_none.decode(result.payload)
                if isinstance(item.work, Owed)
                else _verdict.decode(result.payload)
            )
            failure = record.failure if record else None
        else:
            failure = result.failure
        if failure is not None and self._again(item, failure):
            return
        if isinstance(item.work, Owed):
            self._halts.ended(self._named(item.work.subject)[0], failure)
        if isinstance(result, Done):
            for content in result.blobs.values():
                self._store.blobs.put(content)
        self._settle(item, record, failure, result.blobs if isinstance(result, Done) else {})

    def _settle(
        self, item: _Item, record: Trial | Verdict | None, failure: Failure | None, contents: Mapping[str, bytes]
    ) -> None:
        if isinstance(item.work, Owed):
            trial = record if isinstance(record, Trial) else None
            grading = self._attempted(item.work, trial, failure, item.tries)
            if grading is not None:
                self._ready.append(_Item(grading, 1, contents))
        else:
            self._graded(item.work, record if isinstance(record, Verdict) else None, failure)
        self._report()

    def _again(self, item: _Item, failure: Failure) -> bool:
        """Whether the work goes back to the queue. Raises if the whole run has to end."""
        if failure.code in _ABORT:
            raise InfrastructureError(failure)
        if isinstance(item.work, Owed):
            digest, name = self._named(item.work.subject)
            if self._halts.halts(digest, name, failure):
                self._report()
                return True  # it was not made, and stays owed
        if not failure.retry or item.tries >= MOST_TRIES:
            return False
        work = item.work
        step, trial = (5, work.id) if isinstance(work, Owed) else (8, work.trial)
        self._store.event(step, trial, f"again after {failure.code}: {failure.message}")
        self._ready.append(_Item(work, item.tries + 1, item.contents))
        return True

    def _attempted(self, owed: Owed, trial: Trial | None, failure: Failure | None, tries: int) -> Grading | None:
        """Journal an attempt; the grading that is due now."""
        if trial is None and failure is None:
            self._end("missing")
            return None
        if trial is None:
            digest, name = self._named(owed.subject)
            trial = Trial(
                id=owed.id,
                task=owed.task,
                subject=digest,
                subject_name=name,
                brief=self._shelf.task(owed.task).brief_digest,
                k=owed.k,
                tries=self._earlier(owed.id) + tries,
                failure=failure,
            )
        self._store.event(9, owed.id)
        self._store.append_trial(trial)
        if not trial.submissions:
            self._end("error", f"{trial.task}: {failure.message}" if failure else "")
        elif not self._grade:
            self._end("ungraded")
        else:
            grader = self._shelf.task(owed.task).grader_digest
            return Grading(owed.id, owed.task, trial.submissions[0], grader, reason=trial.reason)
        return None

    def _graded(self, work: Grading, verdict: Verdict | None, failure: Failure | None) -> None:
        if verdict is None:
            lost = failure or Failure(code="worker_lost", message="no result")
            found = Grade(outcome=Outcome.ERROR, failure=lost)
            verdict = verdict_of(found, work.trial, work.task, work.submission.tree, work.grader, n=work.n)
        self._store.event(9, work.trial)
        self._store.append_verdict(verdict)
        self._end(verdict.outcome.value, f"{work.task}: {failure.message}" if failure else "")

    def _end(self, how: str, error: str = "") -> None:
        self._tally.end(how, error)
        self._finished += 1

    def _report(self) -> None:
        owed = self._tally.owed
        spent = time.monotonic() - self._began
        self._progress(self._tally.counts(owed * spent / self._finished if self._finished else None))
