"""Log summary: the lines are read once into entries that count; each operation sorts and counts these."""

import re
from collections import Counter, defaultdict
from typing import Any, NamedTuple

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "summary": ("log", "level"),
    "patterns": ("log", "level", "limit"),
    "bursts": ("log", "gap", "least", "level"),
}

_LEVELS = ("DEBUG", "INFO", "WARN", "ERROR")
_ENTRY = re.compile(r"([0-9]{1,10}) (DEBUG|INFO|WARN|ERROR) ([a-z0-9._-]{1,30}): (.*)", re.DOTALL)
_VARIABLE = re.compile(r'"[^"]*"|[0-9]+')


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


class _Entry(NamedTuple):
    """An entry of a log; `more` is the number of its continuations."""

    time: int
    level: str
    component: str
    message: str
    more: int


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    log = args.get("log")
    if not isinstance(log, str) or len(log) > 2000 or args.get("level", "DEBUG") not in _LEVELS:
        return False
    if op == "patterns":
        return _is_integer(args.get("limit", 10), 1, 50)
    return op == "summary" or (_is_integer(args.get("gap"), 0, 100_000) and _is_integer(args.get("least"), 1, 100))


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    entries, malformed = _read(args["log"])
    lowest = _LEVELS.index(args.get("level", "DEBUG"))
    entries = [entry for entry in entries if _LEVELS.index(entry.level) >= lowest]
    if not entries:
        raise Refused("no_entries", {"malformed": malformed})
    if op == "summary":
        return {"malformed": malformed, **_summary(entries)}
    if op == "patterns":
        return _patterns(entries, args.get("limit", 10))
    return _bursts(entries, args["gap"], args["least"])


def _is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer of this range."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _read(log: str) -> tuple[list[_Entry], int]:
    """All entries of a log, and the number of malformed lines."""
    entries: list[_Entry] = []
    malformed = 0
    open_entry = False
    for line in log.replace("\r\n", "\n").split("\n"):
        match = _ENTRY.fullmatch(line)
        if match:
            time, level, component, message = match.groups()
            entries.append(_Entry(int(time), level, component, message.rstrip(" \t"), 0))
            open_entry = True
        elif line.strip(" \t"):
            open_entry = open_entry and line[0] in " \t"
            if open_entry:
                entries[-1] = entries[-1]._replace(more=entries[-1].more + 1)
            else:
                malformed += 1
    return entries, malformed


def _summary(entries: list[_Entry]) -> dict[str, Any]:
    """The counts of the entries."""
    levels = Counter(entry.level for entry in entries)
    counts = Counter(entry.component for entry in entries)
    errors = Counter(entry.component for entry in entries if entry.level == "ERROR")
    names = sorted(counts, key=lambda name: (-errors[name], -counts[name], name))
    return {
        "entries": len(entries),
        "continuations": sum(entry.more for entry in entries),
        "first": min(entry.time for entry in entries),
        "last": max(entry.time for entry in entries),
        "levels": {level: levels[level] for level in _LEVELS},
        "components": [{"component": name, "entries": counts[name], "errors": errors[name]} for name in names],
    }


def _patterns(entries: list[_Entry], limit: int) -> dict[str, Any]:
    """The most frequent patterns."""
    times: dict[tuple[str, str], list[int]] = defaultdict(list)
    for entry in entries:
        pattern = _VARIABLE.sub(lambda match: '"*"' if match[0][0] == '"' else "#", entry.message)
        times[entry.component, pattern].append(entry.time)
    ranked = sorted(times.items(), key=lambda item: (-len(item[1]), item[0]))
    patterns = [
        {"component": component, "pattern": pattern, "count": len(seen), "first": min(seen), "last": max(seen)}
        for (component, pattern), seen in ranked[:limit]
    ]
    return {"distinct": len(times), "patterns": patterns}


def _bursts(entries: list[_Entry], gap: int, least: int) -> dict[str, Any]:
    """The groups of neighbours that are large enough."""
    groups: list[list[_Entry]] = []
    for entry in sorted(entries, key=lambda one: one.time):
        if groups and entry.time - groups[-1][-1].time <= gap:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    bursts = [
        {"start": group[0].time, "end": group[-1].time, "entries": len(group), "cause": group[0].message}
        for group in groups
        if len(group) >= least
    ]
    return {"groups": len(groups), "bursts": bursts}
