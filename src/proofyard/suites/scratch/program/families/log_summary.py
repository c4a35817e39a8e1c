"""Reads logs: counts their entries, finds recurring messages and bursts."""

import re
from collections import Counter, defaultdict
from typing import Any, NamedTuple

from ..arguments import enum, integer, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

LEVELS = ("DEBUG", "INFO", "WARN", "ERROR")
ENTRY = re.compile(r"([0-9]{1,10}) (DEBUG|INFO|WARN|ERROR) ([a-z0-9._-]{1,30}): (.*)")


class Entry(NamedTuple):
    """An entry, and the lines that continue it."""

    time: int
    level: str
    component: str
    message: str
    more: list[str]


def check_summary(args: dict[str, Any]) -> None:
    """Check the arguments of `summary`."""
    required(args, "log", string(high=2000))
    optional(args, "level", enum(*LEVELS))


def check_patterns(args: dict[str, Any]) -> None:
    """Check the arguments of `patterns`."""
    check_summary(args)
    optional(args, "limit", integer(1, 50))


def check_bursts(args: dict[str, Any]) -> None:
    """Check the arguments of `bursts`."""
    check_summary(args)
    required(args, "gap", integer(0, 100000))
    required(args, "least", integer(1, 100))


def summary(args: dict[str, Any]) -> object:
    """Count the entries in all, by level and by component."""
    entries, malformed = read(args)
    levels = Counter(entry.level for entry in entries)
    counts = Counter(entry.component for entry in entries)
    errors = Counter(entry.component for entry in entries if entry.level == "ERROR")
    times = [entry.time for entry in entries]
    return {
        "entries": len(entries),
        "continuations": sum(len(entry.more) for entry in entries),
        "malformed": malformed,
        "first": min(times),
        "last": max(times),
        "levels": {level: levels[level] for level in LEVELS},
        "components": [
            {"component": name, "entries": counts[name], "errors": errors[name]}
            for name in sorted(counts, key=lambda name: (-errors[name], -counts[name], name))
        ],
    }


def patterns(args: dict[str, Any]) -> object:
    """The most frequent messages of each component, apart from numbers and quoted text."""
    times: dict[tuple[str, str], list[int]] = defaultdict(list)
    for entry in read(args)[0]:
        times[entry.component, re.sub(r'"[^"]*"|[0-9]+', hole, entry.message)].append(entry.time)
    ranked = sorted(times, key=lambda pattern: (-len(times[pattern]), pattern))
    found = [
        {
            "component": key[0],
            "pattern": key[1],
            "count": len(times[key]),
            "first": min(times[key]),
            "last": max(times[key]),
        }
        for key in ranked[: args.get("limit", 10)]
    ]
    return {"distinct": len(times), "patterns": found}


def hole(match: re.Match[str]) -> str:
    """What stands in a pattern for a number or for quoted text."""
    return '"*"' if match[0].startswith('"') else "#"


def bursts(args: dict[str, Any]) -> object:
    """The groups of entries without a longer pause in them."""
    groups: list[list[Entry]] = []
    for entry in sorted(read(args)[0], key=lambda entry: entry.time):
        if not groups or entry.time - groups[-1][-1].time > args["gap"]:
            groups.append([])
        groups[-1].append(entry)
    return {
        "groups": len(groups),
        "bursts": [
            {"start": group[0].time, "end": group[-1].time, "entries": len(group), "cause": group[0].message}
            for group in groups
            if len(group) >= args["least"]
        ],
    }


def read(args: dict[str, Any]) -> tuple[list[Entry], int]:
    """The entries of at least the wanted level, at least one, and the number of malformed lines."""
    entries: list[Entry] = []
    more: list[str] | None = None
    malformed = 0
    lines = [line for line in re.split("\r?\n", args["log"]) if line.strip(" \t")]
    for line in lines:
        match = ENTRY.fullmatch(line)
        if match:
            time, level, component, message = match.groups()
            more = []
            entries.append(Entry(int(time), level, component, message.rstrip(" \t"), more))
        elif more is not None and line[0] in " \t":
            more.append(line)
        else:
            malformed += 1
            more = None
    wanted = LEVELS[LEVELS.index(args.get("level", "DEBUG")) :]
    chosen = [entry for entry in entries if entry.level in wanted]
    if not chosen:
        raise DomainError("no_entries", "the log has no such entry", malformed=malformed)
    return chosen, malformed


OPERATIONS = {
    "summary": Operation(("log", "level"), check_summary, summary),
    "patterns": Operation(("log", "level", "limit"), check_patterns, patterns),
    "bursts": Operation(("log", "gap", "least", "level"), check_bursts, bursts),
}
