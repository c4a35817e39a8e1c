from pathlib import Path

import msgspec
import pytest

from proofyard.core import (
    Done,
    Job,
    Subject,
    Submission,
    Trial,
    Verdict,
    sha256,
    trial_id,
    verdict_id,
)
from proofyard.engine import site as sites
from proofyard.engine.executors.local import function_named
from proofyard.engine.orders import AttemptOrder, GradeOrder, Order, Site
from proofyard.engine.plugins import grader_of, load_suite
from proofyard.engine.shelf import Prepared
from proofyard.engine.work import PERFORM, perform


def _job(name: str, order: Order, blobs: dict[str, bytes]) -> Job:
    """A job as it is after a journey: JSON and contents, nothing shared."""
    return Job(id=name, payload=msgspec.Raw(bytes(msgspec.json.encode(order))), blobs=dict(blobs))


@pytest.fixture
def prepared() -> tuple[Prepared, dict[str, bytes]]:
    suite = load_suite("toy")
    task = Prepared(suite.load("toy-3"), grader_of("toy"))
    wanted = [*task.step.brief.files.blobs(), *task.step.hidden.tests.blobs()]
    return task, {sha: suite.blobs().get(sha) for sha in wanted}


def test_an_attempt_and_its_grading_as_two_jobs(tmp_path: Path, prepared: tuple[Prepared, dict[str, bytes]]) -> None:
    task, contents = prepared
    subject = Subject(agent="toy", version="1", parameters={"do": "right"})
    site = Site(run=str(tmp_path))
    order = AttemptOrder(
        site=site,
        trial=trial_id(task.brief_digest, subject, 0),
        task="toy-3",
        subject=subject,
        subject_digest=subject.digest,
        subject_name="toy:right",
        brief=task.brief_json,
        brief_digest=task.brief_digest,
        k=0,
        tries=2,
    )
    done = perform(_job("a", order, contents))
    assert isinstance(done, Done)
    assert done.id == "a"
    assert all(sha256(content) == sha for sha, content in done.blobs.items())
    trial = msgspec.json.decode(done.payload, type=Trial)
    (submission,) = trial.submissions
    assert set(done.blobs) >= {submission.blob}
    assert len(done.blobs) == 2, "the tree, and the file too large to be in it"
    assert (trial.id, trial.k, trial.tries, trial.failure) == (order.trial, 0, 2, None)

    grading = GradeOrder(
        site=site, trial=trial.id, task="toy-3", step=task.step_json, submission=submission, grader="g", n=4
    )
    graded = perform(_job("g", grading, {**contents, **done.blobs}))
    verdict = msgspec.json.decode(graded.payload, type=Verdict)
    assert graded.blobs == {}
    assert verdict.id == verdict_id(trial.id, submission.tree, "g", 4)
    assert (verdict.score, verdict.n, verdict.provenance) == (1.0, 4, {"n": "4"})
    sites.close(str(tmp_path), 1.0)


def test_a_grading_without_its_contents_is_an_error(
    tmp_path: Path, prepared: tuple[Prepared, dict[str, bytes]]
) -> None:
    task, contents = prepared
    submission = Submission(tree="0" * 64, blob="1" * 64)
    order = GradeOrder(
        site=Site(run=str(tmp_path)), trial="t", task="toy-3", step=task.step_json, submission=submission, grader="g"
    )
    verdict = msgspec.json.decode(perform(_job("g", order, contents)).payload, type=Verdict)
    assert verdict.score is None
    assert verdict.failure is not None
    assert verdict.failure.code == "blob_missing"
    sites.close(str(tmp_path), 1.0)


def test_the_function_executors_call_is_this_one() -> None:
    assert function_named(PERFORM) is perform
