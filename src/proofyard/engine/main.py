"""The engine's verbs: run a plan to its end, or on from where it stopped; grade kept submissions again."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from proofyard import __version__
from proofyard.agents import AgentPlugin
from proofyard.core import Executor, Owed, Plan, Subject, Suite, Task, Tree, UsageError
from proofyard.engine import site as sites
from proofyard.engine.coordinator import Coordinator, Grading, Material
from proofyard.engine.executors import LocalExecutor
from proofyard.engine.grading import grader_digest
from proofyard.engine.machine import hardware, python
from proofyard.engine.orders import Prepared, Site
from proofyard.engine.plugins import grader_of, load, load_suite
from proofyard.engine.request import Progress, RunOutcome, RunRequest, Tally
from proofyard.engine.resolve import brief_digests, check_same, dataset_digest, load_tasks, resolve
from proofyard.store import SCHEMA, RunData, RunHeader, RunStore, now, terminal_trial, terminal_verdict

__all__ = ["regrade", "run"]


def run(request: RunRequest, progress: Progress, executor: Executor | None = None) -> RunOutcome:
    """Run what is asked for, or go on with it: the same request again resumes, more attempts or agents extend.

    Ctrl-C (KeyboardInterrupt) while trials are under way ends the run cleanly; the outcome says so.

    Raises:
        UsageError: the request or the folder is no good, or the folder holds another run.
        InfrastructureError: the disk is full, or nothing isolates here.

    """
    executor = executor or LocalExecutor(request.concurrency)
    store = RunStore(Path(request.output).resolve())
    try:
        store.event(1)
        store.event(2)
        suite = load_suite(request.suite, request.seed)
        tasks = load_tasks(suite, request.subset, request.tasks)
        briefs = brief_digests(tasks)
        store.event(3)
        plan = resolve(request, suite, tasks)
        graders = _grader_digests(tasks)
        _check_solutions(plan, tasks)
        data = _begin_or_continue(store, request, plan, briefs)
        store.event(4)
        tally = Tally(len(plan.tasks) * len(plan.subjects) * plan.attempts)
        owed = list(_owed(data, plan, briefs, graders, tally))
        site = Site(run=str(store.path), slots=request.concurrency, unsafe=request.unsafe)
        coordinator = Coordinator(store, site, _material(suite, tasks, graders), tally, progress, grade=plan.grade)
        outcome = _drive(coordinator, store, owed, executor, tally)
        store.event(10)
    finally:
        store.discard()
    progress(outcome.counts)
    return outcome


def regrade(
    path: Path, progress: Progress, *, concurrency: int = 1, unsafe: bool = False, executor: Executor | None = None
) -> RunOutcome:
    """Grade every kept submission of a run again. Verdicts are added, nothing is rewritten.

    Raises:
        UsageError: the folder is no run, or the suite has another dataset version or other briefs by now.
        InfrastructureError: the disk is full, or nothing isolates here.

    """
    executor = executor or LocalExecutor(concurrency)
    with RunStore.open(path.resolve()) as store:
        store.event(1)
        data = _data(store)
        store.event(2)
        suite = load_suite(data.plan.suite, data.header.seed)
        if suite.version != data.plan.version:
            raise UsageError(
                f"{path} was made with dataset version {data.plan.version}; this proofyard has {suite.version}"
            )
        tasks = load_tasks(suite, data.plan.subset, data.plan.tasks)
        _check_briefs(data, brief_digests(tasks))
        store.event(3)
        graders = _grader_digests(tasks)
        store.event(4)
        owed = _gradings(data, graders)
        site = Site(run=str(store.path), slots=concurrency, unsafe=unsafe)
        tally = Tally(len(owed))
        coordinator = Coordinator(store, site, _material(suite, tasks, graders), tally, progress, grade=True)
        outcome = _drive(coordinator, store, owed, executor, tally)
        store.event(10)
    progress(outcome.counts)
    return outcome


def _begin_or_continue(store: RunStore, request: RunRequest, plan: Plan, briefs: Mapping[str, str]) -> RunData:
    if store.data is None:
        store.start(
            RunHeader(
                schema=SCHEMA,
                created=now(),
                proofyard=__version__,
                plan=plan,
                seed=request.seed,
                briefs=dataset_digest(briefs),
                python=python(),
                hardware=hardware(),
                isolation=request.isolation,
            )
        )
    else:
        check_same(store.data.plan, plan, str(store.path))
        _check_briefs(store.data, briefs)
        if plan != store.data.plan:
            store.extend(plan)
    return _data(store)


def _data(store: RunStore) -> RunData:
    if store.data is None:
        raise UsageError(f"{store.path} is no run folder of proofyard")
    return store.data


def _check_briefs(data: RunData, briefs: Mapping[str, str]) -> None:
    if data.header.briefs != dataset_digest(briefs):
        raise UsageError(
            f"{data.path} was started with other briefs of dataset version {data.plan.version}; choose another folder"
        )


def _grader_digests(tasks: Mapping[str, Task]) -> dict[str, str]:
    """Task id -> digest of its grader; each kind of grader is loaded once, so that an unknown one is told at once."""
    kinds = {kind: grader_of(kind) for kind in {task.steps[0].grader.kind for task in tasks.values()}}
    return {name: grader_digest(task.steps[0], kinds[task.steps[0].grader.kind]) for name, task in tasks.items()}


def _handed(subject: Subject, task: Task) -> Tree | None:
    """Return the solution that the engine hands an agent which gets one."""
    plugin: AgentPlugin = load("agents", subject.agent)
    name = plugin.solution(subject.parameters)
    solution = task.solution(name) if name is not None else None
    return solution.tree if solution else None


def _check_solutions(plan: Plan, tasks: Mapping[str, Task]) -> None:
    for subject in plan.subjects:
        plugin: AgentPlugin = load("agents", subject.agent)
        name = plugin.solution(subject.parameters)
        found = [s for task in tasks.values() if name is not None and (s := task.solution(name))]
        if name is not None and not found:
            raise UsageError(f"no task of this run has a solution named {name!r}")
        if any(solution.argv for solution in found):
            raise UsageError(f"solution {name!r} is a command to be run, not files; agent {subject.agent} takes files")


def _owed(
    data: RunData, plan: Plan, briefs: Mapping[str, str], graders: Mapping[str, str], tally: Tally
) -> Iterator[Owed | Grading]:
    """Yield what the plan asks for and the journal does not have; count what it has."""
    newest = data.newest()
    for owed in plan.expand(briefs):
        trial = data.trials.get(owed.id)
        if trial is None or not terminal_trial(trial):
            yield owed
        elif not trial.submissions:
            tally.end(owed.id, "error", f"{trial.task}: {trial.failure.message}" if trial.failure else "")
        elif not plan.grade:
            tally.end(owed.id, "ungraded")
        else:
            verdict = newest.get(owed.id)
            if verdict is not None and terminal_verdict(verdict):
                note = f"{trial.task}: {verdict.failure.message}" if verdict.failure else ""
                tally.end(owed.id, verdict.outcome.value, note)
            else:
                grader = graders[owed.task]
                n = verdict.n if verdict is not None and verdict.grader == grader else 0
                yield Grading(owed.id, owed.task, trial.submissions[0], grader, n)


def _gradings(data: RunData, graders: Mapping[str, str]) -> list[Grading]:
    """One more grading of every submission kept: the next number by a grader that graded it before."""
    past: dict[tuple[str, str, str], int] = {}
    for verdict in data.verdicts.values():
        key = (verdict.trial, verdict.submission, verdict.grader)
        past[key] = max(past.get(key, -1), verdict.n)
    found = []
    for trial in data.trials.values():
        for submission in trial.submissions:
            grader = graders[trial.task]
            n = past.get((trial.id, submission.tree, grader), -1) + 1
            found.append(Grading(trial.id, trial.task, submission, grader, n))
    return found


def _material(suite: Suite, tasks: Mapping[str, Task], graders: dict[str, str]) -> Material:
    prepared = {name: Prepared(task) for name, task in tasks.items()}
    return Material(prepared, suite.blobs(), graders, lambda subject, task: _handed(subject, tasks[task]))


def _drive(
    coordinator: Coordinator, store: RunStore, owed: Iterable[Owed | Grading], executor: Executor, tally: Tally
) -> RunOutcome:
    interrupted = False
    try:
        coordinator.drive(executor, owed)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        executor.stop()
        sites.close(str(store.path))
    store.flush()
    return RunOutcome(path=store.path, counts=tally.counts(), interrupted=interrupted, errors=tuple(tally.errors))
