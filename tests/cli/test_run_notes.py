from typing import Any

from proofyard.cli.run_notes import model_notes
from proofyard.core import Reason, Trial


def trial(task: str, reason: Reason | None = None, subject: str = "oneshot:a/m", **facts: Any) -> Trial:
    provenance = {"model": "a/m", **facts} if subject.startswith("oneshot") else {}
    return Trial(
        id="0" * 32, task=task, subject="s", subject_name=subject, brief="b", k=0, reason=reason, provenance=provenance
    )


def test_what_a_reader_must_know_is_said_by_subject_and_task() -> None:
    trials = [
        trial("t1", Reason.TRUNCATED, retries="2"),
        trial("t1", Reason.TRUNCATED),
        trial("t2", Reason.TRUNCATED, dropped="temperature=0: this model takes none"),
        trial("t3", dropped="temperature=0: this model takes none", retries="1"),
        trial("t4", Reason.BUDGET, provider_tools_removed="web_search, code_interpreter"),
        trial("t5", Reason.TRUNCATED, subject="nop"),
    ]
    assert model_notes(trials) == [
        "oneshot:a/m: 3 of 5 attempts cut at the limit of tokens (t1 2, t2)",
        "oneshot:a/m: 1 of 5 attempts ended by a budget of the attempt (t4)",
        "oneshot:a/m: not sent: temperature=0: this model takes none",
        "oneshot:a/m: tools of the provider taken out of requests: code_interpreter, web_search",
        "oneshot:a/m: calls made again after a failure: 3",
    ]


def test_many_tasks_are_counted() -> None:
    (line,) = model_notes([trial(f"t{n}", Reason.TRUNCATED) for n in range(8)])
    assert line.endswith("(t0, t1, t2, t3, t4 and 3 more tasks)")
