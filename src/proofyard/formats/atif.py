"""Trajectories in ATIF, the format that Harbor and others exchange: 1.7 is written, 1.0 to 1.8 are read, strictly.

A step of ATIF is a `Move` of ours. What one side has and the other has not is kept beside it and put back: our fields in
`extra.proofyard`, ATIF's in `Move.extra["atif"]`.
"""

import msgspec

from proofyard.core import Move, Record, UsageError
from proofyard.formats.atif_schema import WRITTEN, Agent, Document, check
from proofyard.formats.atif_steps import from_step, from_totals, plain, text_of, to_step, to_totals

__all__ = ["Trajectory", "read_atif", "write_atif"]


class Trajectory(Record, frozen=True, kw_only=True):
    """A trajectory and whose it is.

    model: of the moves that name none. tools: the tools offered, JSON text of an array, empty if it is not known. totals:
    sums that whoever wrote the file gives, JSON text; empty: those of the moves. continued: the file in which it goes on.
    subagents: trajectories of agents that this one called. agent_extra, extra: what else there is, JSON text by name.
    """

    agent: str
    version: str
    model: str = ""
    session: str = ""
    id: str = ""
    moves: tuple[Move, ...] = ()
    tools: str = ""
    notes: str = ""
    totals: str = ""
    continued: str = ""
    subagents: tuple["Trajectory", ...] = ()
    agent_extra: dict[str, str] = msgspec.field(default_factory=dict)
    extra: dict[str, str] = msgspec.field(default_factory=dict)


def read_atif(data: bytes, where: str = "trajectory") -> Trajectory:
    """Read a trajectory. `where` names it in errors.

    Raises:
        UsageError: it is no ATIF of version 1.0 to 1.8, or breaks one of its rules.
    """
    try:
        document = msgspec.json.decode(data, type=Document)
        check(document)
        return _trajectory(document)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise UsageError(f"{where}: no valid ATIF: {error}") from None


def write_atif(trajectory: Trajectory) -> bytes:
    """Write a trajectory as indented JSON of version 1.7.

    Raises:
        UsageError: it has no moves, or two of its subagents have the same id or none.
    """
    document = _document(trajectory)
    try:
        check(document)
    except ValueError as error:
        raise UsageError(f"this trajectory cannot be written as ATIF: {error}") from None
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _trajectory(document: Document) -> Trajectory:
    agent = document.agent
    moves = tuple(from_step(step) for step in document.steps)
    return Trajectory(
        agent=agent.name,
        version=agent.version,
        model=agent.model_name or "",
        session=document.session_id or "",
        id=document.trajectory_id or "",
        moves=moves,
        tools="" if agent.tool_definitions is None else text_of(agent.tool_definitions),
        notes=document.notes or "",
        totals=from_totals(document.final_metrics, moves),
        continued=document.continued_trajectory_ref or "",
        subagents=tuple(_trajectory(one) for one in document.subagent_trajectories or ()),
        agent_extra={name: text_of(value) for name, value in (agent.extra or {}).items()},
        extra={name: text_of(value) for name, value in (document.extra or {}).items()},
    )


def _document(trajectory: Trajectory) -> Document:
    return Document(
        schema_version=WRITTEN,
        session_id=trajectory.session or None,
        trajectory_id=trajectory.id or None,
        agent=Agent(
            name=trajectory.agent,
            version=trajectory.version,
            model_name=trajectory.model or None,
            tool_definitions=plain(trajectory.tools) if trajectory.tools else None,
            extra={name: plain(text) for name, text in trajectory.agent_extra.items()} or None,
        ),
        steps=[to_step(move, index) for index, move in enumerate(trajectory.moves, 1)],
        notes=trajectory.notes or None,
        final_metrics=to_totals(trajectory.totals, trajectory.moves),
        continued_trajectory_ref=trajectory.continued or None,
        extra={name: plain(text) for name, text in trajectory.extra.items()} or None,
        subagent_trajectories=[_document(one) for one in trajectory.subagents] or None,
    )
