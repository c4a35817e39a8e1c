import os
import signal
import threading
from pathlib import Path

import msgspec
import pytest

from proofyard.core import InfrastructureError, Outcome, ProofyardError, Reason, UnknownNameError, UsageError
from proofyard.engine import Counts, regrade
from proofyard.store import RunStore, read_events, read_run
from tests.engine.helpers import collect, essence, go


def test_a_run_attempts_grades_and_journals_each_trial_once(tmp_path: Path) -> None:
    outcome, seen = collect(tmp_path / "run", "oracle", "toy:wrong", "nop", attempts=2, concurrency=2)
    assert outcome.counts == Counts(total=60, passed=20, failed=40)
    assert outcome.exit_code == 1
    assert outcome.path == tmp_path / "run"
    data = read_run(tmp_path / "run")
    assert len(data.trials) == len(data.verdicts) == 60
    assert {v.trial for v in data.verdicts.values()} == set(data.trials)
    assert [c.owed for c in (seen[0], seen[-1])] == [60, 0]
    assert all(c.left_s is not None for c in seen[-3:-1])
    by_name = {(data.trials[v.trial].subject_name, v.outcome, v.reason) for v in data.verdicts.values()}
    assert by_name == {
        ("oracle", Outcome.PASSED, None),
        ("toy:wrong", Outcome.FAILED, Reason.WRONG_RESULT),
        ("nop", Outcome.FAILED, Reason.NO_SUBMISSION),
    }
    assert data.header.plan.subjects[0].agent == "oracle"
    assert data.header.hardware["cores"] == str(os.cpu_count())
    assert not (tmp_path / "run" / "work").exists()


def test_every_step_is_logged_in_order_for_a_trial(tmp_path: Path) -> None:
    go(tmp_path / "run", "toy:right", subset="one")
    events = read_events(tmp_path / "run")
    assert [e.step for e in events] == [1, 2, 3, 4, 5, 6, 7, 9, 8, 9, 10]
    (trial,) = read_run(tmp_path / "run").trials.values()
    assert {e.trial for e in events if 5 <= e.step <= 9} == {trial.id}
    steps = (tmp_path / "run" / "trials" / trial.id[:2] / trial.id / "steps.jsonl").read_bytes().splitlines()
    assert [msgspec.json.decode(step)["verb"] for step in steps] == ["right"]


def test_the_same_request_again_does_nothing_more(tmp_path: Path) -> None:
    go(tmp_path / "run", "oracle", "nop")
    before = essence(tmp_path / "run")
    size = (tmp_path / "run" / "trials.jsonl").stat().st_size
    outcome, seen = collect(tmp_path / "run", "oracle", "nop")
    assert outcome.counts == Counts(total=20, passed=10, failed=10)
    assert seen[0].owed == 0
    assert essence(tmp_path / "run") == before
    assert (tmp_path / "run" / "trials.jsonl").stat().st_size == size
    assert not (tmp_path / "run" / "revisions.jsonl").exists()


def test_more_attempts_and_more_agents_extend_a_run_and_keep_ids(tmp_path: Path) -> None:
    go(tmp_path / "run", "oracle", subset="few")
    first = set(read_run(tmp_path / "run").trials)
    assert go(tmp_path / "run", "oracle", subset="few", attempts=3).counts.total == 9
    assert go(tmp_path / "run", "oracle", "nop", subset="few", attempts=3).counts.total == 18
    data = read_run(tmp_path / "run")
    assert [p.attempts for p in data.plans] == [1, 3, 3]
    assert [len(p.subjects) for p in data.plans] == [1, 1, 2]
    assert first < set(data.trials)
    assert len(data.trials) == 18
    go(tmp_path / "other", "oracle", subset="few", attempts=3)
    assert set(read_run(tmp_path / "other").trials) < set(data.trials)


@pytest.mark.parametrize(
    ("agents", "more", "message"),
    [
        (("nop",), {}, "measures oracle, not nop; choose another --output"),
        (("oracle",), {"subset": "few"}, "was started with subset all, not few"),
        (("oracle",), {"tasks": ("toy-1",)}, "was started with other tasks"),
        (("oracle",), {"attempts": 1}, "was planned with 2 attempts; ask for as many or more"),
        (("oracle",), {"grade": False}, "was started with grading on, not off"),
        (("oracle",), {"seed": 5}, "was started with dataset version 1, not 1-seed5"),
    ],
)
def test_a_run_folder_of_something_else_is_refused(
    tmp_path: Path, agents: tuple[str, ...], more: dict[str, object], message: str
) -> None:
    go(tmp_path / "run", "oracle", attempts=2)
    before = essence(tmp_path / "run")
    with pytest.raises(UsageError, match=message):
        go(tmp_path / "run", *agents, **{"attempts": 2, **more})
    assert essence(tmp_path / "run") == before


def test_a_suite_s_options_are_kept_and_used_again(tmp_path: Path) -> None:
    go(tmp_path / "run", suite_options={"version": "-x"})
    assert read_run(tmp_path / "run").header.suite_options == {"version": "-x"}
    assert read_run(tmp_path / "run").plan.version == "1-x"
    assert regrade(tmp_path / "run", lambda counts: None).counts.passed == 10
    with pytest.raises(UsageError, match="was started with dataset version 1-x, not 1"):
        go(tmp_path / "run")


def test_attempt_k_of_samples_submits_sample_k(tmp_path: Path) -> None:
    outcome = go(tmp_path / "run", "samples:abc", attempts=2)
    # Task n has n % 3 samples, and sample k answers k, which is right for task n == k alone.
    assert outcome.counts == Counts(total=20, passed=0, failed=9, missing=11)
    data = read_run(tmp_path / "run")
    assert {(t.task, t.k) for t in data.trials.values()} == {(f"toy-{n}", k) for n in range(10) for k in range(n % 3)}
    answers = {(data.trials[v.trial].k, v.evidence.got) for v in data.verdicts.values()}
    assert answers == {(0, "0"), (1, "1")}
    with pytest.raises(UsageError, match="samples needs the digest of samples"):
        go(tmp_path / "other", "samples")
    with pytest.raises(UsageError, match=r"no task of this run has a solution named 'sample-0'"):
        go(tmp_path / "none", "samples:abc", tasks=("toy-0", "toy-3"))


def test_another_dataset_is_refused_also_when_its_version_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(tmp_path / "run")
    with monkeypatch.context() as patch:
        patch.setenv("TOY_VERSION", "2")
        with pytest.raises(UsageError, match="dataset version 1, not 2"):
            go(tmp_path / "run")
        with pytest.raises(UsageError, match="was made with dataset version 1; this proofyard has 2"):
            regrade(tmp_path / "run", lambda counts: None)
    monkeypatch.setenv("TOY_PROMPT", "print")
    with pytest.raises(UsageError, match="task toy-0 has another brief than when this run was started"):
        go(tmp_path / "run", attempts=2)
    with pytest.raises(UsageError, match="task toy-0 has another brief than when this run was started"):
        regrade(tmp_path / "run", lambda counts: None)


def test_a_resumed_run_loads_only_tasks_it_still_owes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go(tmp_path / "run", "toy:missing", subset="few")
    monkeypatch.setenv("TOY_LOADED", str(tmp_path / "loaded"))
    go(tmp_path / "run", "toy:missing", subset="few")
    assert (tmp_path / "loaded").read_text() == "toy-1 "


@pytest.mark.parametrize(
    ("agents", "more", "message"),
    [
        (("oracl",), {}, r"unknown agent 'oracl'; did you mean oracle"),
        (("oracle", "oracle"), {}, "named twice"),
        (("oracle:x",), {}, "agent oracle takes no argument"),
        (("given",), {}, "needs the name of a solution"),
        (("given:absent",), {}, "no task of this run has a solution named 'absent'"),
        (("folder:/nowhere",), {}, "/nowhere is no folder that exists"),
        (("broken",), {}, "agent 'broken' cannot be loaded"),
        (("oracle",), {"attempts": 0}, "attempts must be at least 1"),
        (("oracle",), {"subset": "fow"}, "unknown subset 'fow'; did you mean few"),
        (("oracle",), {"subset": "none"}, "suite toy has no tasks in subset 'none'"),
        (("oracle",), {"tasks": ("toy-11",)}, "unknown task 'toy-11'; did you mean toy-1"),
        (("oracle",), {"tasks": ("toy-9",), "subset": "few"}, "task toy-9 is not in subset 'few'"),
        (("oracle",), {"concurrency": 0}, "at least one slot"),
    ],
)
def test_a_request_that_cannot_be_is_one_line_and_leaves_nothing(
    tmp_path: Path, agents: tuple[str, ...], more: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        go(tmp_path / "run", *agents, **more)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "run" / "trials.jsonl").exists()
    assert not [p for p in tmp_path.rglob("*") if p.name not in {"run", "run.json", "lock"}]


def test_an_unknown_suite_and_an_unknown_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from proofyard.engine import RunRequest, run

    with pytest.raises(UnknownNameError, match="unknown suite 'tpy'; did you mean toy"):
        run(RunRequest(suite="tpy", output=str(tmp_path / "a"), agents=("nop",)), lambda counts: None)
    monkeypatch.setenv("TOY_KIND", "toys")
    with pytest.raises(UnknownNameError, match="unknown grader 'toys'; did you mean toy"):
        go(tmp_path / "a")
    monkeypatch.setenv("TOY_STEPS", "2")
    with pytest.raises(UsageError, match="task toy-0 has 2 steps"):
        go(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_tasks_by_name_run_in_the_order_of_the_dataset(tmp_path: Path) -> None:
    assert go(tmp_path / "run", "oracle", tasks=("toy-7", "toy-2")).counts == Counts(total=2, passed=2)
    assert read_run(tmp_path / "run").plan.tasks == ("toy-2", "toy-7")


def test_solutions_by_name_and_missing_ones(tmp_path: Path) -> None:
    assert go(tmp_path / "off", "given:off", subset="few").counts == Counts(total=3, failed=3)
    outcome = go(tmp_path / "rare", "given:rare", subset="few")
    assert outcome.counts == Counts(total=3, passed=1, missing=2)
    assert outcome.exit_code == 0
    assert len(read_run(tmp_path / "rare").trials) == 1


def test_missing_work_is_not_journalled_and_is_owed_again(tmp_path: Path) -> None:
    assert go(tmp_path / "run", "toy:missing", subset="few").counts == Counts(total=3, passed=2, missing=1)
    kept = [path.name for path in (tmp_path / "run" / "trials").glob("*/*")]
    assert sorted(kept) == sorted(read_run(tmp_path / "run").trials), "nothing is kept of missing ones"
    outcome, seen = collect(tmp_path / "run", "toy:missing", subset="few")
    assert seen[0] == Counts(total=3, passed=2, owed=1)
    assert outcome.counts == Counts(total=3, passed=2, missing=1)


def test_collecting_without_grading(tmp_path: Path) -> None:
    outcome = go(tmp_path / "run", "oracle", subset="few", grade=False)
    assert outcome.counts == Counts(total=3, ungraded=3)
    assert outcome.exit_code == 0
    assert go(tmp_path / "run", "oracle", subset="few", grade=False).counts == Counts(total=3, ungraded=3)
    assert read_run(tmp_path / "run").verdicts == {}
    assert regrade(tmp_path / "run", lambda counts: None).counts == Counts(total=3, passed=3)


def test_infrastructure_is_tried_again_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "n").mkdir()
    monkeypatch.setenv("TOY_GRADER", f"lost:{tmp_path / 'n'}:1")
    outcome = go(tmp_path / "run", f"toy:lost:{tmp_path / 'n'}:2", subset="few", concurrency=2)
    assert outcome.counts == Counts(total=3, passed=3)
    assert outcome.errors == ()
    data = read_run(tmp_path / "run")
    assert [t.tries for t in data.trials.values()] == [3, 3, 3]
    assert (tmp_path / "n" / "grade-toy-1").read_bytes() == b".."
    notes = [e.note for e in read_events(tmp_path / "run") if e.note]
    assert notes.count("again after sandbox_lost: loss 1") == 6
    assert notes.count("again after sandbox_lost: loss 2") == 3


def test_after_three_tries_it_is_an_error_without_a_score_and_a_resume_tries_again(tmp_path: Path) -> None:
    (tmp_path / "n").mkdir()
    agent = f"toy:lost:{tmp_path / 'n'}:4"
    outcome = go(tmp_path / "run", agent, subset="one")
    assert outcome.counts == Counts(total=1, error=1)
    assert outcome.exit_code == 3
    assert outcome.errors == ("toy-0: loss 3",)
    (trial,) = read_run(tmp_path / "run").trials.values()
    assert (trial.submissions, trial.tries) == ((), 3)
    assert trial.failure is not None
    assert trial.failure.code == "sandbox_lost"
    outcome = go(tmp_path / "run", agent, subset="one")
    assert outcome.counts == Counts(total=1, passed=1)
    (trial,) = read_run(tmp_path / "run").trials.values()
    assert (len(trial.submissions), trial.tries) == (1, 5)


def test_a_grading_that_errs_is_an_error_and_is_owed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "n").mkdir()
    monkeypatch.setenv("TOY_GRADER", f"lost:{tmp_path / 'n'}:4")
    outcome = go(tmp_path / "run", "oracle", subset="one")
    assert outcome.counts == Counts(total=1, error=1)
    (verdict,) = read_run(tmp_path / "run").verdicts.values()
    assert (verdict.outcome, verdict.score, verdict.n) == (Outcome.ERROR, None, 0)
    outcome, seen = collect(tmp_path / "run", "oracle", subset="one")
    assert seen[0].owed == 1
    assert outcome.counts == Counts(total=1, passed=1)
    (verdict,) = read_run(tmp_path / "run").verdicts.values()
    assert (verdict.outcome, verdict.score, verdict.n) == (Outcome.PASSED, 1.0, 0)
    assert (tmp_path / "run" / "trials.jsonl").read_bytes().count(b"\n") == 1, "the attempt was not made again"


@pytest.mark.parametrize(
    ("how", "message"),
    [("raise", "grader toy: KeyError: 'bug in the grader'"), ("infinite", "a number of the grade is not finite")],
)
def test_a_bug_of_the_grader_is_never_a_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, message: str
) -> None:
    monkeypatch.setenv("TOY_GRADER", how)
    outcome = go(tmp_path / "run", "oracle", subset="one")
    assert outcome.exit_code == 3
    (verdict,) = read_run(tmp_path / "run").verdicts.values()
    assert verdict.score is None
    assert verdict.failure is not None
    assert verdict.failure.code == "grader_crash"
    assert message in verdict.failure.message


def test_a_task_that_cannot_be_graded_is_invalid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_GRADER", "invalid")
    outcome = go(tmp_path / "run", "oracle", subset="few")
    assert outcome.counts == Counts(total=3, invalid=3)
    assert outcome.exit_code == 0
    assert {(v.score, v.evidence.note) for v in read_run(tmp_path / "run").verdicts.values()} == {
        (None, "this task cannot be graded")
    }


def test_evidence_is_clipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_GRADER", "long")
    go(tmp_path / "run", "oracle", subset="one")
    (verdict,) = read_run(tmp_path / "run").verdicts.values()
    assert verdict.evidence.got == "é" * 8192 + "… (91808 more characters)"


def test_a_bug_of_the_agent_is_an_error_that_is_over(tmp_path: Path) -> None:
    outcome = go(tmp_path / "run", "toy:crash", subset="one")
    assert outcome.counts == Counts(total=1, error=1)
    assert outcome.errors == ("toy-0: agent toy: ZeroDivisionError: bug in the agent",)
    outcome, seen = collect(tmp_path / "run", "toy:crash", subset="one")
    assert seen[0] == Counts(total=1, error=1)
    assert outcome.errors == ("toy-0: agent toy: ZeroDivisionError: bug in the agent",)
    assert outcome.exit_code == 3


def test_what_an_agent_left_before_it_failed_is_graded(tmp_path: Path) -> None:
    assert go(tmp_path / "run", "toy:exit", subset="one").counts == Counts(total=1, passed=1)
    (trial,) = read_run(tmp_path / "run").trials.values()
    assert trial.failure is not None
    assert trial.failure.code == "agent_exit"


@pytest.mark.parametrize("code", ["disk_full", "store_io", "isolation_unavailable"])
def test_what_every_trial_would_meet_ends_the_run_and_is_not_held_against_it(tmp_path: Path, code: str) -> None:
    with pytest.raises(InfrastructureError, match=rf"as asked \[{code}\]") as caught:
        go(tmp_path / "run", f"toy:fail:{code}")
    assert caught.value.exit_code == 3
    assert read_run(tmp_path / "run").trials == {}
    RunStore.open(tmp_path / "run").close()


def test_a_second_coordinator_is_refused(tmp_path: Path) -> None:
    go(tmp_path / "run")
    with RunStore.open(tmp_path / "run"), pytest.raises(UsageError, match="is in use by another proofyard"):
        go(tmp_path / "run")
    with RunStore.open(tmp_path / "run"), pytest.raises(ProofyardError, match="is in use by another proofyard"):
        regrade(tmp_path / "run", lambda counts: None)


@pytest.mark.parametrize("when", ["early", "late"])
def test_interrupted_it_stops_cleanly_and_goes_on_later(tmp_path: Path, when: str) -> None:
    """A real SIGINT while two attempts are under way, with some or none of the others done."""
    gate = tmp_path / "gate"
    gate.mkdir()
    agents = ("oracle", f"toy:wait:{gate}") if when == "late" else (f"toy:wait:{gate}", "oracle")

    def interrupt() -> None:
        while len(list(gate.glob("began-*"))) < 2:
            threading.Event().wait(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    killer = threading.Thread(target=interrupt)
    killer.start()
    outcome = go(tmp_path / "run", *agents, subset="few", concurrency=2)
    killer.join()
    assert outcome.interrupted
    assert outcome.exit_code == 130
    assert outcome.counts.owed >= 2
    RunStore.open(tmp_path / "run").close()
    assert not [t for t in threading.enumerate() if t.name.startswith("proofyard-slot")]
    assert not (tmp_path / "run" / "work").exists()

    (gate / "go").touch()
    outcome = go(tmp_path / "run", *agents, subset="few", concurrency=2)
    assert outcome.counts == Counts(total=6, passed=6)
    go(tmp_path / "whole", *agents, subset="few", concurrency=2)
    assert essence(tmp_path / "run") == essence(tmp_path / "whole")


def test_regrading_adds_verdicts_and_rewrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go(tmp_path / "run", "oracle", "toy:wrong", subset="few")
    trials = (tmp_path / "run" / "trials.jsonl").read_bytes()
    first = (tmp_path / "run" / "verdicts.jsonl").read_bytes()
    outcome = regrade(tmp_path / "run", lambda counts: None, concurrency=2)
    assert outcome.counts == Counts(total=6, passed=3, failed=3)
    assert outcome.exit_code == 1
    monkeypatch.setenv("TOY_GRADER_VERSION", "2")
    regrade(tmp_path / "run", lambda counts: None)
    assert (tmp_path / "run" / "trials.jsonl").read_bytes() == trials
    assert (tmp_path / "run" / "verdicts.jsonl").read_bytes().startswith(first)
    data = read_run(tmp_path / "run")
    per_grader: dict[str, list[int]] = {}
    for verdict in data.verdicts.values():
        per_grader.setdefault(verdict.grader, []).append(verdict.n)
    assert sorted(sorted(ns) for ns in per_grader.values()) == [[0, 0]] * 3 + [[0, 0, 1, 1]] * 3
    assert {v.provenance.get("n") for v in data.verdicts.values()} == {"0", "1"}
    assert all(v.n == 0 for v in data.newest().values())


def test_a_run_resumed_with_a_newer_grader_keeps_the_verdicts_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(tmp_path / "run", "oracle", subset="few")
    monkeypatch.setenv("TOY_GRADER_VERSION", "2")
    go(tmp_path / "run", "oracle", subset="few", attempts=2)
    data = read_run(tmp_path / "run")
    assert len(data.verdicts) == 6
    assert sorted(data.graders().values()) == [1] * 6


def test_regrading_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no run folder of proofyard"):
        regrade(tmp_path, lambda counts: None)


def test_a_damaged_blob_is_an_error_of_the_store_not_of_the_submission(tmp_path: Path) -> None:
    go(tmp_path / "run", "oracle", subset="one")
    for blob in (tmp_path / "run" / "blobs").rglob("*"):
        if blob.is_file():
            blob.write_bytes(b"damaged")
    outcome = regrade(tmp_path / "run", lambda counts: None)
    assert outcome.counts == Counts(total=1, error=1)
    assert outcome.exit_code == 3
    assert "does not match its name" in outcome.errors[0]
    assert [v.score for v in read_run(tmp_path / "run").verdicts.values()] == [1.0, None]
    assert [v.score for v in read_run(tmp_path / "run").newest().values()] == [1.0]
