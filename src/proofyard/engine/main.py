"""The engine's verbs: run a plan to its end, or on from where it stopped; grade kept submissions again."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from proofyard import __version__
from proofyard.core import Budget, Executor, MemoryBlobs, Owed, Plan, Suite, UsageError
from proofyard.engine import site as sites
from proofyard.engine.coordinator import Coordinator, Grading
from proofyard.engine.executors import LocalExecutor
from proofyard.engine.leftovers import end_commands
from proofyard.engine.machine import hardware, python
from proofyard.engine.modelling import check_models, run_account
from proofyard.engine.orders import Site
from proofyard.engine.plugins import load_suite, options_of
from proofyard.engine.request import Progress, RunOutcome, RunRequest, Tally
from proofyard.engine.resolve import check_same, resolve
from proofyard.engine.shelf import Shelf, task_names
from proofyard.store import (
    SCHEMA,
    RunData,
    RunHeader,
    RunStore,
    now,
    read_calls,
    sweep,
    terminal_trial,
    terminal_verdict,
)

__all__ = ["regrade", "run"]

_PATIENCE_S = 3.0
"""How long an interrupted run waits for its jobs before the process ends and takes them along."""


def run(
    request: RunRequest, progress: Progress, executor: Executor | None = None, *, suite: Suite | None = None
) -> RunOutcome:
    """Run what is asked for, or go on with it: the same request again resumes, more attempts or agents extend.

    suite: the one of the request, where the caller has it already.

    Ctrl-C (KeyboardInterrupt) while trials are under way ends the run cleanly; the outcome says so.

    Raises:
        UsageError: the request or the folder is no good, or the folder holds another run.
        InfrastructureError: the disk is full, or nothing isolates here.

    """
    executor = executor or LocalExecutor(request.concurrency)
    store = RunStore(Path(request.output).resolve())
    try:
        store.event(1)
        _tidy(store)
        store.event(2)
        suite = load_suite(request.suite, request.seed, request.suite_options) if suite is None else suite
        names = task_names(suite, request.subset, request.tasks, request.families)
        store.event(3)
        contents = MemoryBlobs()
        plan, provisions = resolve(request, suite, names, contents)
        site = Site(
            run=str(store.path),
            slots=request.concurrency,
            unsafe=request.unsafe,
            env_file=request.env_file,
            prices=request.prices,
            budget=request.budget,
            model_attempts=request.model_attempts,
            answers=request.answers,
        )
        check_models(site, [(subject, provisions[subject.digest].key_env) for subject in plan.subjects])
        shelf, data = _begin_or_continue(store, request, plan, suite)
        store.event(4)
        tally = Tally(len(plan.tasks) * len(plan.subjects) * plan.attempts)
        owed = list(_owed(data, plan, shelf, tally))
        coordinator = Coordinator(
            store, site, shelf, tally, progress, grade=plan.grade, provisions=provisions, contents=contents
        )
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
        _tidy(store)
        data = _data(store)
        store.event(2)
        suite = load_suite(data.plan.suite, data.header.seed, data.header.suite_options)
        if suite.version != data.plan.version:
            raise UsageError(
                f"{path} was made with dataset version {data.plan.version}; this proofyard has {suite.version}"
            )
        shelf = Shelf(suite, data.header.briefs)
        store.event(3)
        owed = _gradings(data, shelf)
        store.event(4)
        site = Site(run=str(store.path), slots=concurrency, unsafe=unsafe)
        tally = Tally(len(owed))
        coordinator = Coordinator(store, site, shelf, tally, progress, grade=True)
        outcome = _drive(coordinator, store, owed, executor, tally)
        store.event(10)
    progress(outcome.counts)
    return outcome


def _tidy(store: RunStore) -> None:
    """End what a killed coordinator left running, then take away where it worked."""
    end_commands(store.work)
    sweep(store.work)


def _begin_or_continue(store: RunStore, request: RunRequest, plan: Plan, suite: Suite) -> tuple[Shelf, RunData]:
    if store.data is not None:
        check_same(store.data.plan, plan, str(store.path))
        shelf = Shelf(suite, store.data.header.briefs)
        if plan.subjects != store.data.plan.subjects:
            shelf.check_handed(plan.subjects, plan.tasks)
        if plan != store.data.plan:
            store.extend(plan)
        return shelf, _data(store)
    shelf = Shelf(suite, {})
    briefs = shelf.briefs(plan.tasks)
    shelf.check_handed(plan.subjects, plan.tasks)
    store.start(
        RunHeader(
            schema=SCHEMA,
            created=now(),
            proofyard=__version__,
            plan=plan,
            seed=request.seed,
            suite_options=options_of(suite),
            briefs=briefs,
            python=python(),
            hardware=hardware(),
            isolation={"unsafe": "yes" if request.unsafe else "no", **request.isolation},
        )
    )
    return shelf, _data(store)


def _data(store: RunStore) -> RunData:
    if store.data is None:
        raise UsageError(f"{store.path} is no run folder of proofyard")
    return store.data


def _owed(data: RunData, plan: Plan, shelf: Shelf, tally: Tally) -> Iterator[Owed | Grading]:
    """Yield what the plan asks for and the journal does not have; count what it has."""
    newest = data.newest()
    for owed in plan.expand(shelf.briefs(plan.tasks)):
        trial = data.trials.get(owed.id)
        if trial is None or not terminal_trial(trial):
            yield owed
        elif not trial.submissions:
            tally.end("error", f"{trial.task}: {trial.failure.message}" if trial.failure else "")
        elif not plan.grade:
            tally.end("ungraded")
        else:
            verdict = newest.get(owed.id)
            if verdict is not None and terminal_verdict(verdict):
                note = f"{trial.task}: {verdict.failure.message}" if verdict.failure else ""
                tally.end(verdict.outcome.value, note)
            else:
                grader = shelf.task(owed.task).grader_digest
                n = verdict.n if verdict is not None and verdict.grader == grader else 0
                yield Grading(owed.id, owed.task, trial.submissions[0], grader, n, trial.reason)


def _gradings(data: RunData, shelf: Shelf) -> list[Grading]:
    """One more grading of every submission kept: the next number by a grader that graded it before."""
    past: dict[tuple[str, str, str], int] = {}
    for verdict in data.verdicts.values():
        key = (verdict.trial, verdict.submission, verdict.grader)
        past[key] = max(past.get(key, -1), verdict.n)
    found = []
    for trial in data.trials.values():
        for submission in trial.submissions:
            grader = shelf.task(trial.task).grader_digest
            n = past.get((trial.id, submission.tree, grader), -1) + 1
            found.append(Grading(trial.id, trial.task, submission, grader, n, trial.reason))
    return found


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
        sites.close(str(store.path), _PATIENCE_S)
    store.flush()
    return RunOutcome(
        path=store.path,
        counts=tally.counts(),
        interrupted=interrupted,
        errors=tuple(tally.errors),
        stopped=tuple(tally.stopped),
        **_cost(store.path),
    )


def _cost(run: Path) -> dict[str, Any]:
    """The calls of models a run made up to now, and what they cost: the fields of a RunOutcome."""
    calls = len(read_calls(run))
    if not calls:
        return {}
    spent = run_account(run, Budget()).spent()
    most = None if spent.unpriced else spent.cost_micro_usd
    return {
        "calls": calls,
        "cost_micro_usd": None if spent.bounded else most,
        "cost_at_most_micro_usd": most,
        "unreported": spent.bounded,
    }
