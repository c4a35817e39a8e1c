"""From a request to a plan: suite, tasks and subjects are looked up by name; nothing is run or written."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from proofyard.agents import AgentPlugin, WithModel, read_tree
from proofyard.core import Blobs, Budget, MemoryBlobs, Plan, Sampling, Subject, Suite, Tree, UsageError, sha256
from proofyard.engine.plugins import load
from proofyard.engine.request import Entrant, RunRequest

__all__ = ["Provision", "check_same", "entered", "label", "model_side", "resolve", "subject_of"]


class Provision(NamedTuple):
    """What the attempts of a subject are given that its record only names: `key_env`, folders of skills, MCP servers."""

    key_env: str = ""
    skills: Mapping[str, Tree] = {}
    mcp: str = ""


def resolve(
    request: RunRequest, suite: Suite, tasks: Sequence[str], blobs: Blobs | None = None
) -> tuple[Plan, dict[str, Provision]]:
    """Return the plan of a request, and by the subjects' digests what they are given. `blobs` get the skills' contents.

    Raises:
        UsageError: an agent is unknown or its argument is no good, or the numbers make no sense.

    """
    if request.attempts < 1:
        raise UsageError(f"attempts must be at least 1, not {request.attempts}")
    asked = (*(Entrant(agent=text) for text in request.agents), *request.entrants)
    found = [entered(entrant, blobs or MemoryBlobs()) for entrant in asked]
    subjects = tuple(subject for subject, _ in found)
    if not subjects:
        raise UsageError("a run needs an agent")
    if len({subject.digest for subject in subjects}) < len(subjects):
        raise UsageError("an agent is named twice; ask for more attempts instead")
    plan = Plan(
        suite=suite.name,
        version=suite.version,
        tasks=tuple(tasks),
        subjects=subjects,
        attempts=request.attempts,
        subset=request.subset,
        grade=request.grade,
    )
    return plan, {subject.digest: provision for subject, provision in found}


def subject_of(text: str) -> Subject:
    """Return the subject that `name` or `name:argument` stands for. Raises UsageError."""
    return entered(Entrant(agent=text), MemoryBlobs())[0]


def entered(entrant: Entrant, blobs: Blobs) -> tuple[Subject, Provision]:
    """Return the subject that is asked for, and what it is given.

    Raises:
        UsageError: the agent is unknown, its argument no good; it needs a model, or cannot be given a condition.

    """
    name, _, argument = entrant.agent.partition(":")
    plugin: AgentPlugin = load("agents", name)
    side = model_side(plugin)
    subject = Subject(agent=name, version=plugin.version, parameters=plugin.parameters(argument))
    if not side.takes_model:
        if entrant.conditions:
            raise UsageError(f"agent {name} works without a model and takes no condition")
        return subject, Provision()
    model = side.model(argument) or entrant.model
    if not model:
        raise UsageError(f"agent {name} needs a model: --model PROVIDER/MODEL (proofyard models lists the providers)")
    side.suits(model)
    skills, mcp = _conditions(entrant, name, side, blobs)
    subject = msgspec.structs.replace(
        subject,
        model=model,
        base_url=entrant.base_url.rstrip("/") or None,
        sampling=entrant.sampling,
        skills=tuple(f"{skill}@{tree.digest[:16]}" for skill, tree in sorted(skills.items())),
        mcp=(f"servers@{sha256(mcp.encode())[:16]}",) if mcp else (),
        budget=_budget(entrant, side),
    )
    return subject, Provision(entrant.key_env, skills, mcp)


def model_side(plugin: object) -> WithModel:
    """Return what a plug-in says of models; one that says nothing takes none."""
    if isinstance(plugin, WithModel):
        return plugin
    return _Without()


class _Without(WithModel):
    takes_model = False


def _budget(entrant: Entrant, side: WithModel) -> Budget:
    given = {name: getattr(entrant.budget, name) for name in Budget.__struct_fields__}
    return msgspec.structs.replace(side.budget, **{name: value for name, value in given.items() if value is not None})


def _conditions(entrant: Entrant, name: str, side: WithModel, blobs: Blobs) -> tuple[dict[str, Tree], str]:
    skills: dict[str, Tree] = {}
    servers: dict[str, object] = {}
    for condition in entrant.conditions:
        kind, _, value = condition.partition(":")
        if condition == "bare":
            continue
        if kind not in {"skill", "mcp"} or not value:
            raise UsageError(f"condition {condition!r}: write bare, skill:DIR or mcp:FILE")
        if kind not in side.takes:
            raise UsageError(f"agent {name} cannot be given {kind}s")
        if kind == "skill":
            path = Path(value).resolve()
            skills[path.name] = _skill(path, value, blobs)
        else:
            servers |= _servers(Path(value))
    return skills, msgspec.json.encode(servers, order="sorted").decode() if servers else ""


def _skill(path: Path, said: str, blobs: Blobs) -> Tree:
    if not path.is_dir():
        raise UsageError(f"condition skill:{said}: no such folder")
    tree = read_tree(path, blobs)
    odd = next((name for name, entry in tree.entries.items() if entry.kind != "file" or not entry.sha), None)
    if odd is not None:
        raise UsageError(f"condition skill:{said}: {odd} is no regular file, or too large")
    if "SKILL.md" not in tree.entries:
        raise UsageError(f"condition skill:{said}: a skill has a file SKILL.md")
    return tree


def _servers(path: Path) -> dict[str, object]:
    try:
        given = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise UsageError(f"condition mcp:{path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise UsageError(f"condition mcp:{path}: {error}") from None
    servers = given.get("mcpServers") if isinstance(given, dict) else None
    if not isinstance(servers, dict) or not servers:
        raise UsageError(f'condition mcp:{path}: write {{"mcpServers": {{NAME: {{"command": ..., "args": [...]}}}}}}')
    for name, server in servers.items():
        if not isinstance(server, dict) or not isinstance(server.get("command"), str):
            raise UsageError(f"condition mcp:{path}: server {name!r} has no command; servers run inside the sandbox")
    return servers


def label(subject: Subject) -> str:
    """A subject's name for tables: the agent, its model, its parameters, how the model is asked, what it is given."""
    asked = [f"{sign}={value}" for sign, value in _asked(subject.sampling) if value is not None]
    given = [one.partition("@")[0] for one in subject.skills] + (["mcp"] if subject.mcp else [])
    return ":".join([subject.name, *subject.parameters.values(), *asked, *(f"+{one}" for one in given)])[:80]


def _asked(sampling: Sampling) -> tuple[tuple[str, str | None], ...]:
    return (("t", sampling.temperature), ("p", sampling.top_p), ("reasoning", sampling.reasoning))


def check_same(before: Plan, now: Plan, where: str) -> None:
    """Check that a plan may continue a run: everything the same, or more attempts, or more subjects.

    Raises:
        UsageError: it may not; the message says what differs.

    """
    for what, old, new in (
        ("suite", before.suite, now.suite),
        ("dataset version", before.version, now.version),
        ("subset", before.subset or "all", now.subset or "all"),
        ("grading", "on" if before.grade else "off", "on" if now.grade else "off"),
    ):
        if old != new:
            raise UsageError(f"{where} was started with {what} {old}, not {new}; choose another --output")
    if before.tasks != now.tasks:
        raise UsageError(f"{where} was started with other tasks ({len(before.tasks)}); choose another --output")
    known = {subject.digest for subject in now.subjects}
    gone = [label(subject) for subject in before.subjects if subject.digest not in known]
    if gone:
        asked = ", ".join(label(subject) for subject in now.subjects)
        raise UsageError(f"{where} measures {', '.join(gone)}, not {asked}; choose another --output")
    if now.attempts < before.attempts:
        raise UsageError(
            f"{where} was planned with {before.attempts} attempts; ask for as many or more, or choose another --output"
        )
