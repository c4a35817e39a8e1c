"""An agent asked for one thing after the other in the same place, and what becomes of it."""

from msgspec.structs import replace

from proofyard.agents import WithModel
from proofyard.core import (
    Agent,
    Brief,
    Finish,
    Limits,
    Meter,
    Reason,
    Recorder,
    SandboxSpec,
    Tree,
    UsageError,
)
from proofyard.engine.jobblobs import JobBlobs
from proofyard.engine.workplace import Workplace
from proofyard.images import below
from proofyard.models import BudgetSpent

__all__ = ["asked_in_turn", "bounded", "conditions"]


def asked_in_turn(
    agent: Agent, brief: Brief, place: Workplace | None, recorder: Recorder, meter: Meter, blobs: JobBlobs
) -> Finish:
    """Ask for what the brief says and for what comes next in it; the submission has a folder for each, by number, if several.

    Raises:
        InfrastructureError: from the sandbox. BudgetSpent: of the whole run.
        UsageError: the agent hands in one tree where several things are asked.

    """
    briefs = (brief, *brief.then)
    parts: list[Tree] = []
    whole = Finish()
    for one in briefs:
        finish = _asked(agent, one, place, recorder, meter, blobs)
        if finish.missing:
            return finish
        whole = _joined(whole, finish)
        lost = finish.failure is not None and not finish.failure.grade
        parts.append(_taken(finish, one, brief, place))
        if lost or finish.reason is Reason.BUDGET or meter.stopped():
            break
    if place is not None:
        spend = replace(whole.spend, sandbox=place.sandbox.usage())
        whole = replace(whole, spend=spend, provenance={**place.sandbox.provenance, **whole.provenance})
    if len(briefs) == 1:
        return replace(whole, submission=parts[0])
    parts += [parts[-1]] * (len(briefs) - len(parts))  # what was not come to is graded as it stands
    entries = {f"{n}/{path}": e for n, part in enumerate(parts, start=1) for path, e in part.entries.items()}
    return replace(whole, submission=Tree(entries=entries))


def _asked(
    agent: Agent, brief: Brief, place: Workplace | None, recorder: Recorder, meter: Meter, blobs: JobBlobs
) -> Finish:
    if place is not None:
        place.begin(brief, meter.stopped)
    try:
        return agent.run(
            brief, None if place is None else place.sandbox, recorder, meter, blobs if place is None else place.blobs
        )
    except BudgetSpent as error:
        if error.of_run:
            raise
        # The attempt is over, not the run: what there is of its work is graded.
        nothing = Tree() if place is None else None
        return Finish(submission=nothing, reason=Reason.BUDGET, provenance={"note": str(error)})


def _joined(before: Finish, finish: Finish) -> Finish:
    """What is known of all that was asked so far; the first thing that went wrong stays."""
    return replace(
        finish,
        failure=before.failure or finish.failure,
        reason=before.reason or finish.reason,
        provenance={**before.provenance, **finish.provenance},
    )


def _taken(finish: Finish, asked: Brief, first: Brief, place: Workplace | None) -> Tree:
    tree = finish.submission
    if tree is not None and first.then and tree.entries:
        raise UsageError("it hands in one tree; this task asks for several things, one after the other")
    if place is not None:
        if tree is None or asked.submits:
            return place.taken(asked, tree or Tree())
        place.kill()
    if tree is None:
        return Tree()
    return below(tree, first.work.image.workdir) if first.work.image.source and tree.entries else tree


def bounded(place: SandboxSpec, brief: Brief) -> SandboxSpec:
    """The place of an agent within what a task's image may use: its memory, storage and times, the longest of all asked."""
    if not brief.work.image.source:
        return place
    asked = [one.work.limits for one in (brief, *brief.then)]
    most, mine = brief.work.limits, place.limits
    limits: Limits = replace(mine, tree_memory=most.tree_memory, disk=most.disk, inodes=most.inodes)
    wall_ms, cpu_ms = max(one.wall_ms for one in asked), max(one.cpu_ms for one in asked)
    return replace(place, limits=replace(limits, wall_ms=wall_ms, cpu_ms=cpu_ms))


def conditions(brief: Brief, side: WithModel, base: Tree) -> tuple[dict[str, object], dict[str, Tree]]:
    """The servers and skills that a task brings, for an agent that works with a model; others need none.

    Raises:
        UsageError: the agent cannot be given them.

    """
    if not side.takes_model:
        return {}, {}
    prefix = brief.skills.strip("/") + "/"
    skills: dict[str, dict[str, object]] = {}
    for path, entry in base.entries.items() if brief.skills else ():
        name, sign, inside = path.removeprefix(prefix).partition("/")
        if path.startswith(prefix) and sign:
            skills.setdefault(name, {})[inside] = entry
    for what, there in (("mcp", bool(brief.servers)), ("skill", bool(skills))):
        if there and what not in side.takes:
            raise UsageError(f"it cannot be given the task's {'MCP servers' if what == 'mcp' else 'skills'}")
    servers = {server.name: {"command": server.command, "args": list(server.args)} for server in brief.servers}
    trees = {name: Tree(entries=dict(entries)) for name, entries in skills.items()}  # type: ignore[arg-type]
    return dict(servers), trees
