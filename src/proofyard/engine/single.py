"""Grading one solution of one task, without a run folder."""

import time

import msgspec

from proofyard.core import Blobs, Given, Provider, Subject, Submission, Task, Tree, Trial, UsageError, Verdict, trial_id
from proofyard.engine.grading import grade_tree, grader_digest
from proofyard.engine.opening import opener
from proofyard.engine.plugins import grader_of
from proofyard.engine.work import verdict_of
from proofyard.store import now

__all__ = ["evaluate_one"]


def evaluate_one(
    task: Task, tree: Tree, blobs: Blobs, provider: Provider, *, public_only: bool = False, unsafe: bool = False
) -> tuple[Trial, Verdict]:
    """Grade a solution as attempt 0 of the subject `solution`. `blobs` hold the contents of tree and task.

    What breaks below the grader is a verdict with outcome `error`, never an exception.

    Raises:
        UsageError: the task has no public examples, or several steps.

    """
    if len(task.steps) != 1:
        raise UsageError(f"task {task.id} has {len(task.steps)} steps; only tasks of one step can be evaluated")
    step = task.steps[0]
    grader = grader_of(step.grader.kind)
    # The tree is part of the subject: two solutions of a task are two attempts of nobody in particular, not one.
    subject = Subject(agent="solution", version="1", parameters={"tree": tree.digest})
    document = blobs.put(msgspec.json.encode(tree, order="sorted"))
    started, clock = now(), time.monotonic_ns()
    trial = Trial(
        id=trial_id(step.brief.digest, subject, 0),
        task=task.id,
        subject=subject.digest,
        subject_name="solution",
        brief=step.brief.digest,
        k=0,
        submissions=(Submission(tree=tree.digest, blob=document),),
        started=started,
    )
    open_sandbox = opener(lambda: provider, blobs, unsafe=unsafe)
    grade = grade_tree(step, tree, grader, open_sandbox, Given(public_only=public_only), blobs)
    wall_us = (time.monotonic_ns() - clock) // 1000
    digest = grader_digest(step, grader, public_only=public_only)
    return trial, verdict_of(grade, trial.id, task.id, tree.digest, digest, started=started, wall_us=wall_us)
