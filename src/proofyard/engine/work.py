"""What a worker does with a job: one attempt, or one grading. Runs in any process that can import proofyard."""

import functools
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from proofyard.agents import AgentPlugin, AgentSetup, write_tree
from proofyard.core import (
    Agent,
    Blobs,
    Brief,
    Budget,
    Done,
    Evidence,
    Failure,
    Finish,
    Given,
    Grade,
    Grader,
    InfrastructureError,
    Job,
    MemoryBlobs,
    Outcome,
    Recorder,
    Sandbox,
    Spend,
    Step,
    Submission,
    Tree,
    Trial,
    UsageError,
    Verdict,
    verdict_id,
)
from proofyard.engine.grading import grade_tree, opener
from proofyard.engine.orders import AttemptOrder, GradeOrder, Order
from proofyard.engine.plugins import Group, load
from proofyard.engine.site import WorkSite, at
from proofyard.store import TrialFolder, append_event, now, sweep

__all__ = ["PERFORM", "BudgetMeter", "JobBlobs", "attempt", "grade", "perform", "verdict_of"]

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


class JobBlobs(MemoryBlobs):
    """The contents a job came with, and those it makes. `home` names what the coordinator has to get."""

    def __init__(self, content: Mapping[str, bytes]) -> None:
        super().__init__(content)
        self.home: set[str] = set()

    def put(self, data: bytes) -> str:
        """Keep `data`; return its SHA-256."""
        sha = super().put(data)
        self.home.add(sha)
        return sha


class BudgetMeter:
    """What is left of an attempt's wall budget; a stopped run has nothing left."""

    def __init__(self, budgets: tuple[Budget, ...], stopped: threading.Event) -> None:
        limits = [budget.wall_s for budget in budgets if budget.wall_s is not None]
        self._deadline = time.monotonic() + min(limits) if limits else None
        self._stopped = stopped

    def remaining_ms(self) -> int | None:
        """Milliseconds of wall left, None without a limit."""
        if self._stopped.is_set():
            return 0
        return None if self._deadline is None else max(0, int((self._deadline - time.monotonic()) * 1000))

    def stopped(self) -> bool:
        """Whether the run was asked to stop, or the wall budget is used up."""
        return self._stopped.is_set() or self.remaining_ms() == 0


def attempt(order: AttemptOrder, site: WorkSite, blobs: JobBlobs) -> Trial | None:
    """Make one attempt; None if the agent has nothing for this task. Faults become the trial's failure."""
    run = Path(order.site.run)
    recorder = TrialFolder(run, order.trial)
    workspace = run / "work" / order.trial
    started, clock = now(), time.monotonic_ns()
    submissions: tuple[Submission, ...] = ()
    try:
        recorder.clear()
        finish = _attempt(order, site, blobs, recorder, workspace)
        submissions = _submissions(finish, blobs)
    except InfrastructureError as error:
        finish = Finish(failure=error.failure)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:500]
        finish = Finish(failure=Failure(code="agent_crash", message=f"agent {order.subject.agent}: {text}"))
    finally:
        sweep(workspace)
    if finish.missing:
        recorder.clear()
        return None
    return Trial(
        id=order.trial,
        task=order.task,
        subject=order.subject_digest,
        subject_name=order.subject_name,
        brief=order.brief_digest,
        k=order.k,
        submissions=submissions,
        spend=finish.spend,
        started=started,
        wall_us=(time.monotonic_ns() - clock) // 1000,
        tries=order.tries,
        provenance=finish.provenance,
        failure=finish.failure,
    )


def _attempt(order: AttemptOrder, site: WorkSite, blobs: JobBlobs, recorder: Recorder, workspace: Path) -> Finish:
    run = Path(order.site.run)
    brief = msgspec.json.decode(order.brief, type=Brief)
    plugin: AgentPlugin = _plugin("agents", order.subject.agent)
    agent = plugin.make(AgentSetup(order.subject.parameters, workspace, order.given, order.max_files, order.max_bytes))
    append_event(run, 5, order.trial)
    sandbox = _open(agent, brief, site, blobs, workspace)
    try:
        append_event(run, 6, order.trial)
        meter = BudgetMeter((order.budget, order.subject.budget), site.stopped)
        finish = agent.run(brief, sandbox, recorder, meter, blobs)
        append_event(run, 7, order.trial)
        return finish if sandbox is None else _collect(finish, sandbox, brief)
    finally:
        if sandbox is not None:
            sandbox.close()


def _open(agent: Agent, brief: Brief, site: WorkSite, blobs: Blobs, workspace: Path) -> Sandbox | None:
    if agent.needs == "sandbox":
        sandbox = opener(site.provider, blobs, unsafe=site.site.unsafe)(brief.work)
        sandbox.put(brief.files, brief.work.image.workdir)
        return sandbox
    if agent.needs == "host":
        try:
            workspace.mkdir(parents=True)
            write_tree(brief.files, workspace / "project", blobs)
        except (OSError, UsageError) as error:
            message = f"workspace {workspace}: {error}"
            raise InfrastructureError(Failure(code="store_io", message=message)) from error
    return None


def _collect(finish: Finish, sandbox: Sandbox, brief: Brief) -> Finish:
    """Kill, and only then take what is in the working folder."""
    if not sandbox.kill():
        raise InfrastructureError(Failure(code="kill_unconfirmed", message="the agent's sandbox did not die"))
    tree = finish.submission
    if tree is None:
        inside = brief.work.image.workdir.lstrip("/") + "/"
        kept = sandbox.snapshot().entries
        tree = Tree(entries={p.removeprefix(inside): e for p, e in kept.items() if p.startswith(inside)})
    spend: Spend = msgspec.structs.replace(finish.spend, sandbox=sandbox.usage())
    provenance = {**sandbox.provenance, **finish.provenance}
    return msgspec.structs.replace(finish, submission=tree, spend=spend, provenance=provenance)


def _submissions(finish: Finish, blobs: JobBlobs) -> tuple[Submission, ...]:
    if finish.submission is None or not (finish.failure is None or finish.failure.grade):
        return ()
    # Also what a job came with (a solution handed in, files of the brief) has to be kept once it is submitted.
    blobs.home.update(sha for sha in finish.submission.blobs() if sha)
    document = msgspec.json.encode(finish.submission, order="sorted")
    return (Submission(tree=finish.submission.digest, blob=blobs.put(document)),)


def grade(order: GradeOrder, site: WorkSite, blobs: JobBlobs) -> Verdict:
    """Grade one submission. A fault of the task makes it invalid, one of infrastructure an error."""
    append_event(Path(order.site.run), 8, order.trial)
    started, clock = now(), time.monotonic_ns()
    step = msgspec.json.decode(order.step, type=Step)
    grader: Grader = _plugin("graders", step.grader.kind)()
    try:
        tree = _trees.decode(blobs.get(order.submission.blob))
        open_sandbox = opener(site.provider, blobs, unsafe=site.site.unsafe)
        found = grade_tree(step, tree, grader, open_sandbox, Given(n=order.n), blobs)
    except InfrastructureError as error:
        found = Grade(outcome=Outcome.ERROR, failure=error.failure)
    except UsageError as error:
        found = Grade(outcome=Outcome.INVALID, evidence=Evidence(note=str(error)))
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


@functools.cache
def _plugin(group: Group, name: str) -> Any:
    return load(group, name)
