"""Merges intervals of time, finds where most of them overlap, and where none is."""

import re
from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from ..arguments import array, integer, optional, required, string, structure
from ..errors import DomainError, InvalidArgsError
from ..operation import Operation

__all__ = ["OPERATIONS"]

FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")
MINUTE = timedelta(minutes=1)
Span = tuple[datetime, datetime]


def form(value: object, where: str) -> None:
    """Check that a value is a string of the form YYYY-MM-DDTHH:MM; whether there is such a time is not asked."""
    if FORM.fullmatch(string()(value, where)) is None:
        raise InvalidArgsError(f"{where} must have the form YYYY-MM-DDTHH:MM")


INTERVALS = array(structure({"start": form, "end": form}), high=60)


def check_merge(args: dict[str, Any]) -> None:
    """Check the arguments of `merge`."""
    required(args, "intervals", INTERVALS)
    optional(args, "gap", integer(0, 1440))


def check_peak(args: dict[str, Any]) -> None:
    """Check the arguments of `peak`."""
    required(args, "intervals", INTERVALS)


def check_free(args: dict[str, Any]) -> None:
    """Check the arguments of `free`."""
    required(args, "intervals", INTERVALS)
    required(args, "from", form)
    required(args, "to", form)
    required(args, "minutes", integer(1, 1440))
    optional(args, "buffer", integer(0, 240))
    optional(args, "align", integer(1, 60))


def merge(args: dict[str, Any]) -> object:
    """Join intervals that overlap, touch or nearly touch."""
    spans = read(args)
    joined = merged(spans, args.get("gap", 0) * MINUTE)
    return {
        "intervals": [{"start": shown(start), "end": shown(end), "count": count} for start, end, count in joined],
        "covered": sum(minutes(start, end) for start, end, _ in merged(spans)),
        "total": sum(minutes(start, end) for start, end in spans),
    }


def peak(args: dict[str, Any]) -> object:
    """Tell how many intervals there are at the same time at most, and when."""
    changes: Counter[datetime] = Counter()
    for start, end in read(args):
        changes[start] += 1
        changes[end] -= 1
    level = 0
    levels = {}
    for start, end in pairwise(sorted(changes)):
        level += changes[start]
        levels[start, end] = level
    most = max(levels.values(), default=0)
    highest = merged([span for span, count in levels.items() if count == most])
    return {"peak": most, "spans": [{"start": shown(start), "end": shown(end)} for start, end, _ in highest]}


def free(args: dict[str, Any]) -> object:
    """Find the slots of a window in which there is no interval."""
    opening, closing = parsed(args["from"]), parsed(args["to"])
    buffer, align = args.get("buffer", 0) * MINUTE, args.get("align", 1) * MINUTE
    busy = [(start - buffer, end + buffer) for start, end in read(args)]
    if opening >= closing:
        raise DomainError("bad_window", "the window does not end after it starts")
    slots: list[dict[str, Any]] = []
    now = opening
    for start, end, _ in merged([*busy, (closing, datetime.max)]):
        now += (opening - now) % align
        length = minutes(now, start)
        if length >= args["minutes"]:
            slots.append({"start": shown(now), "end": shown(start), "minutes": length})
        now = max(now, end)
    return {"slots": slots, "longest": max((slot["minutes"] for slot in slots), default=0)}


def read(args: dict[str, Any]) -> list[Span]:
    """Start and end of all intervals that are not empty."""
    spans = [(parsed(item["start"]), parsed(item["end"])) for item in args["intervals"]]
    for index, (start, end) in enumerate(spans):
        if start > end:
            raise DomainError("bad_interval", f"interval {index} ends before it starts", index=index)
    return [(start, end) for start, end in spans if start != end]


def parsed(text: str) -> datetime:
    """The time that `text` names."""
    try:
        moment = datetime.strptime(text, "%Y-%m-%dT%H:%M")
    except ValueError:
        moment = datetime.min
    if not 2000 <= moment.year <= 2099:
        raise DomainError("no_such_time", f"{text} is no time of the years 2000 to 2099")
    return moment


def shown(moment: datetime) -> str:
    """A time as it is written."""
    return moment.isoformat(timespec="minutes")


def minutes(start: datetime, end: datetime) -> int:
    """How many minutes it is from one time to another; negative if `end` is earlier."""
    return (end - start) // MINUTE


def merged(spans: list[Span], gap: timedelta = timedelta()) -> list[tuple[datetime, datetime, int]]:
    """The spans joined where they are at most `gap` apart: start, end and how many each is made of, in order."""
    found: list[tuple[datetime, datetime, int]] = []
    for start, end in sorted(spans):
        if found and start - found[-1][1] <= gap:
            first, last, count = found.pop()
            found.append((first, max(last, end), count + 1))
        else:
            found.append((start, end, 1))
    return found


OPERATIONS = {
    "merge": Operation(("intervals", "gap"), check_merge, merge),
    "peak": Operation(("intervals",), check_peak, peak),
    "free": Operation(("intervals", "from", "to", "minutes", "buffer", "align"), check_free, free),
}
