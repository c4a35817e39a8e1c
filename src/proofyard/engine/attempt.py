"""One attempt: an agent, the place it works in, the model it asks, what it leaves. Whatever goes wrong has its place here."""

import time
from contextlib import ExitStack
from pathlib import Path

import msgspec

from proofyard.agents import SKILLS, AgentPlugin, AgentSetup, Condition, Endpoint, WithModel, write_tree
from proofyard.core import (
    ROUTE_PORT,
    Agent,
    Blobs,
    Brief,
    Failure,
    Finish,
    InfrastructureError,
    Mount,
    Network,
    Reason,
    Recorder,
    Rung,
    SandboxSpec,
    Submission,
    Tree,
    Trial,
    UsageError,
)
from proofyard.engine.asking import asked_in_turn, bounded, conditions
from proofyard.engine.jobblobs import JobBlobs, PlaceBlobs
from proofyard.engine.modelling import tightest
from proofyard.engine.opening import Ready, open_ready, ready
from proofyard.engine.orders import AttemptOrder
from proofyard.engine.plugins import loaded
from proofyard.engine.resolve import model_side
from proofyard.engine.site import WorkSite
from proofyard.engine.solving import SolutionAgent
from proofyard.engine.watched import Watched
from proofyard.engine.workplace import Workplace
from proofyard.models import Account, BudgetSpent, Gateway, ModelSession
from proofyard.store import TrialFolder, append_event, now, sweep

__all__ = ["attempt"]


def attempt(order: AttemptOrder, site: WorkSite, blobs: JobBlobs) -> Trial | None:
    """Make one attempt; None if the agent has nothing for this task. Faults become the trial's failure."""
    run = Path(order.site.run)
    recorder = TrialFolder(run, order.trial)
    workspace = run / "work" / order.trial
    started, clock = now(), time.monotonic_ns()
    work = _Work(order, site, blobs, recorder, workspace)
    submissions: tuple[Submission, ...] = ()
    try:
        recorder.clear()
        finish = work.done()
        submissions = _submissions(finish, blobs)
    except InfrastructureError as error:
        finish = Finish(failure=error.failure)
    except BudgetSpent as error:
        finish = Finish(failure=Failure(code="run_over", message=str(error)))
    except UsageError as error:
        code = "agent_crash" if order.subject.model is None else "agent_unusable"
        finish = Finish(failure=Failure(code=code, message=f"agent {order.subject.agent}: {error}"))
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:500]
        finish = Finish(failure=Failure(code="agent_crash", message=f"agent {order.subject.agent}: {text}"))
    finally:
        sweep(workspace)
    if finish.missing:
        recorder.clear()
        return None
    finish = work.accounted(finish)
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
        reason=finish.reason if submissions else None,
    )


class _Work:
    """An attempt under way. `session` is its model, once there is one: what was spent counts however the attempt ends."""

    def __init__(
        self, order: AttemptOrder, site: WorkSite, blobs: JobBlobs, recorder: Recorder, workspace: Path
    ) -> None:
        self._order = order
        self._site = site
        self._blobs = blobs
        self._plain = recorder
        self._recorder = Watched(recorder, order)
        self._workspace = workspace
        self.session: ModelSession | None = None

    def done(self) -> Finish:
        """Do it."""
        order, run = self._order, Path(self._order.site.run)
        brief = msgspec.json.decode(order.brief, type=Brief)
        plugin: AgentPlugin = loaded("agents", order.subject.agent)
        account = self._site.models.account(tightest(order.budget, order.subject.budget))
        self.session = self._site.models.session(order.subject, order.key_env, account, order.trial, order.tries)
        side = model_side(plugin)
        blobs = PlaceBlobs(self._blobs) if brief.work.image.source else self._blobs
        with ExitStack() as stack:
            spec = bounded(side.place(brief.work, order.subject.parameters), brief)
            there = self._ready(spec, blobs) if brief.work.image.source else None
            self._given(brief, side, there)
            spec = _with_skills(spec if there is None else there.spec, self._order)
            setup = self._setup()
            if side.gateway and self.session is not None:
                gateway = stack.enter_context(Gateway(self.session, self._recorder.keep))
                setup, spec = _through(gateway, setup, spec)
            agent = plugin.make(setup) if order.solution is None else SolutionAgent(order.solution)
            if order.solution is not None:
                spec = msgspec.structs.replace(spec, kept=(*spec.kept, order.solution.place))
            append_event(run, 5, order.trial)
            place = self._open(agent, brief, Ready(spec, None if there is None else there.image), blobs)
            if place is not None:
                stack.callback(place.sandbox.close)
            append_event(run, 6, order.trial)
            finish = asked_in_turn(agent, brief, place, self._recorder, account, self._blobs)
            append_event(run, 7, order.trial)
        self._go_on(account, finish)
        return finish

    def _ready(self, spec: SandboxSpec, blobs: Blobs) -> Ready:
        lowest = "none" if self._site.site.unsafe else spec.lowest
        return ready(msgspec.structs.replace(spec, lowest=lowest), self._site.provider(), blobs)

    def _given(self, brief: Brief, side: WithModel, there: Ready | None) -> None:
        """Add the servers and skills that the task itself brings to those of the condition."""
        servers, skills = conditions(brief, side, there.image.tree if there is not None and there.image else Tree())
        if not (servers or skills):
            return
        known = msgspec.json.decode(self._order.mcp, type=dict[str, object]) if self._order.mcp else {}
        mcp = msgspec.json.encode({**servers, **known}, order="sorted").decode() if servers or known else ""
        self._order = msgspec.structs.replace(self._order, mcp=mcp, skills={**skills, **self._order.skills})
        self._recorder = Watched(self._plain, self._order)

    def accounted(self, finish: Finish) -> Finish:
        """The finish with what the model cost, and why the work is not whole where a budget ended it."""
        session = self.session
        if session is None:
            return finish
        spend = msgspec.structs.replace(session.spend(), sandbox=finish.spend.sandbox)
        if finish.failure is not None and finish.failure.code == "agent_exit" and session.spent_out:
            finish = msgspec.structs.replace(finish, failure=None)  # it was told that there is no more to spend
        reason = finish.reason or (Reason.BUDGET if session.spent_out else None)
        provenance = {"model": session.name, **session.facts, **self._recorder.facts, **finish.provenance}
        return msgspec.structs.replace(finish, spend=spend, reason=reason, provenance=provenance)

    def _setup(self) -> AgentSetup:
        order = self._order
        return AgentSetup(
            order.subject.parameters,
            self._workspace,
            order.given,
            order.max_files,
            order.max_bytes,
            model=self.session,
            sampling=order.subject.sampling,
            k=order.k,
            condition=Condition(order.skills, order.mcp),
        )

    def _go_on(self, account: Account, finish: Finish) -> None:
        """An attempt which the end of the run cut short is no attempt: it is owed. Raises BudgetSpent.

        One whose program ended because its model gave no answer is infrastructure's failure. Raises InfrastructureError.
        """
        if self.session is not None and self.session.run_over and self.session.spent_out is not None:
            raise self.session.spent_out
        if self.session is not None and account.reached() == "stopped":
            raise BudgetSpent("stopped", "the run was asked to stop", of_run=True)
        exited = finish.failure is not None and finish.failure.code == "agent_exit"
        if self.session is not None and self.session.lost is not None and exited:
            raise InfrastructureError(self.session.lost)

    def _open(self, agent: Agent, brief: Brief, there: Ready, blobs: Blobs) -> Workplace | None:
        if agent.needs == "sandbox" or brief.submits:
            lowest = "none" if self._site.site.unsafe else there.spec.lowest
            spec = msgspec.structs.replace(there.spec, lowest=lowest)
            opened = open_ready(there._replace(spec=spec), self._site.provider(), blobs)
            return Workplace(opened, spec, brief.work, blobs, self._blobs)
        if agent.needs == "host":
            if brief.work.image.source:
                raise UsageError("it works on the host; this task has an image, in which its work has to be done")
            try:
                self._workspace.mkdir(parents=True)
                write_tree(brief.files, self._workspace / "project", self._blobs)
            except (OSError, UsageError) as error:
                message = f"workspace {self._workspace}: {error}"
                raise InfrastructureError(Failure(code="store_io", message=message)) from error
        return None


def _through(gateway: Gateway, setup: AgentSetup, spec: SandboxSpec) -> tuple[AgentSetup, SandboxSpec]:
    """Lead the sandbox's own loopback port to the gateway, and tell the agent."""
    target = gateway.target
    endpoint = Endpoint(
        url=f"http://127.0.0.1:{ROUTE_PORT}",
        token=gateway.token,
        wire=target.provider.wire,
        model=target.model,
        price_known=gateway.prices.row(target) is not None,
    )
    public, contained = spec.network.mode == "public", spec.lowest == "container"
    network = Network(mode="public" if public else "hosts", hosts=spec.network.hosts, route=gateway.path)
    lowest: Rung = "container" if contained else "bubblewrap"
    return setup._replace(endpoint=endpoint), msgspec.structs.replace(spec, network=network, lowest=lowest)


def _with_skills(spec: SandboxSpec, order: AttemptOrder) -> SandboxSpec:
    mounts = tuple(Mount(path=f"{SKILLS}/{name}", tree=tree) for name, tree in sorted(order.skills.items()))
    return msgspec.structs.replace(spec, mounts=(*spec.mounts, *mounts))


def _submissions(finish: Finish, blobs: JobBlobs) -> tuple[Submission, ...]:
    if finish.submission is None or not (finish.failure is None or finish.failure.grade):
        return ()
    # Also what a job came with (a solution handed in, files of the brief) has to be kept once it is submitted.
    blobs.home.update(sha for sha in finish.submission.blobs() if sha)
    document = msgspec.json.encode(finish.submission, order="sorted")
    return (Submission(tree=finish.submission.digest, blob=blobs.put(document)),)
