"""What a way of caching would execute over a row of nights, without running it: from this follows what is an alternative."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

__all__ = ["Job", "Night", "Step", "Way", "differs", "play", "required"]

Night = Mapping[str, str]
"""File -> which content it has that night."""

Key = Literal["", "content", "time", "never"]


class Step(NamedTuple):
    """A step. takes: the steps whose outputs it works on. reads: the file that it reads, "" for none."""

    name: str
    takes: tuple[str, ...] = ()
    reads: str = ""


class Way(NamedTuple):
    """How a step is cached, beside its inputs. key: by nothing else, by the content of files or the time when they were
    written, or never. files: which.
    """

    key: Key = ""
    files: tuple[str, ...] = ()


Job = Sequence[Step]


class Played(NamedTuple):
    """What one night came to: the steps executed, and what the output of each was computed from."""

    executed: frozenset[str]
    outputs: dict[str, str]


def play(job: Job, nights: Sequence[Night], ways: Mapping[str, Way]) -> list[Played]:
    """Play nights; each begins with all files written anew."""
    cache: dict[str, str] = {}
    played = []
    for number, night in enumerate(nights):
        outputs: dict[str, str] = {}
        executed = set()
        for step in job:
            inputs = [outputs[name] for name in step.takes]
            key = repr((step.name, inputs, _key(ways.get(step.name, Way()), night, number)))
            if key not in cache:
                executed.add(step.name)
                cache[key] = repr((step.name, inputs, night.get(step.reads, "")))
            outputs[step.name] = cache[key]
        played.append(Played(frozenset(executed), outputs))
    return played


def _key(way: Way, night: Night, number: int) -> tuple[str, ...]:
    if way.key == "content":
        return tuple(f"{file}={night[file]}" for file in way.files)
    return (str(number),) if way.key in {"time", "never"} else ()


def required(job: Job, nights: Sequence[Night]) -> list[Played]:
    """What has to come of the nights: each step executed only for what is new, and nothing stale."""
    return play(job, nights, {step.name: Way("content", (step.reads,)) for step in job if step.reads})


def differs(
    job: Job, nights: Sequence[Night], ways: Mapping[str, Way], must: Iterable[str]
) -> Literal["", "seen", "new", "result"]:
    """How a way of caching first goes against what is required; "" if it is right.

    must: the steps of which it matters when they are executed. seen: one is executed that should have been cached. new: one
    is cached that should have been executed. result: the last step's output is of other files than the night's.
    """
    wanted, got = required(job, nights), play(job, nights, ways)
    pairs = [(name, ours.executed, theirs.executed) for ours, theirs in zip(wanted, got, strict=True) for name in must]
    if any(name in theirs and name not in ours for name, ours, theirs in pairs):
        return "seen"
    if any(name in ours and name not in theirs for name, ours, theirs in pairs):
        return "new"
    last = job[-1].name
    stale = any(ours.outputs[last] != theirs.outputs[last] for ours, theirs in zip(wanted, got, strict=True))
    return "result" if stale else ""
