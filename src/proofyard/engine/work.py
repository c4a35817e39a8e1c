"""What a worker does with a job: one attempt, or one grading. Runs in any process that can import proofyard."""

import time
from pathlib import Path
from typing import Any, Final

import msgspec

from proofyard.core import (
    Done,
    Evidence,
    Given,
    Grade,
    Grader,
    InfrastructureError,
    Job,
    Outcome,
    Reason,
    Step,
    Tree,
    UsageError,
    Verdict,
    verdict_id,
)
from proofyard.engine.attempt import attempt
from proofyard.engine.grading import grade_tree
from proofyard.engine.jobblobs import JobBlobs, PlaceBlobs
from proofyard.engine.opening import opener
from proofyard.engine.orders import AttemptOrder, GradeOrder, Order
from proofyard.engine.plugins import loaded
from proofyard.engine.site import WorkSite, at
from proofyard.store import append_event, now

__all__ = ["PERFORM", "grade", "perform", "verdict_of"]

PERFORM: Final = "proofyard.engine.work:perform"
"""The function executors call."""

_orders = msgspec.json.Decoder(Order)
_trees = msgspec.json.Decoder(Tree)


def perform(job: Job) -> Done:
    """Do what a job's order says; the payload of the result is a `Trial` (null: nothing submitted) or a `Verdict`."""
    order = _orders.decode(job.payload)
    blobs = JobBlobs(job.blobs)
    site = at(order.site)
    with site.working():
        result = attempt(order, site, blobs) if isinstance(order, AttemptOrder) else grade(order, site, blobs)
    home = {sha: blobs.content[sha] for sha in blobs.home}
    return Done(id=job.id, payload=msgspec.Raw(msgspec.json.encode(result)), blobs=home)


def grade(order: GradeOrder, site: WorkSite, blobs: JobBlobs) -> Verdict:
    """Grade one submission. A fault of the task makes it invalid, one of infrastructure an error."""
    append_event(Path(order.site.run), 8, order.trial)
    started, clock = now(), time.monotonic_ns()
    step = msgspec.json.decode(order.step, type=Step)
    grader: Grader = loaded("graders", step.grader.kind)()
    try:
        tree = _trees.decode(blobs.get(order.submission.blob))
        contents = PlaceBlobs(blobs) if step.grading.image.source else blobs
        open_sandbox = opener(site.provider, contents, unsafe=site.site.unsafe)
        found = grade_tree(step, tree, grader, open_sandbox, Given(n=order.n), contents)
    except InfrastructureError as error:
        found = Grade(outcome=Outcome.ERROR, failure=error.failure)
    except UsageError as error:
        found = Grade(outcome=Outcome.INVALID, evidence=Evidence(note=str(error)))
    if order.reason is not None and found.outcome is Outcome.FAILED and found.reason is Reason.NO_SUBMISSION:
        found = msgspec.structs.replace(found, reason=order.reason)
    wall_us = (time.monotonic_ns() - clock) // 1000
    return verdict_of(
        found, order.trial, order.task, order.submission.tree, order.grader, n=order.n, started=started, wall_us=wall_us
    )


def verdict_of(
    found: Grade,
    trial: str,
    task: str,
    submission: str,
    grader: str,
    *,
    n: int = 0,
    started: str = "",
    wall_us: int = 0,
) -> Verdict:
    """Return the verdict that a grade is for a trial's submission (its tree digest)."""
    fields: dict[str, Any] = {name: getattr(found, name) for name in Grade.__struct_fields__}
    return Verdict(
        **fields,
        id=verdict_id(trial, submission, grader, n),
        trial=trial,
        task=task,
        submission=submission,
        grader=grader,
        n=n,
        started=started,
        wall_us=wall_us,
    )
