"""Intervals of time: minutes are whole numbers, and a peak is found among the pieces between all ends."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

Test = Callable[[Any], bool]
Span = tuple[int, int]

_ZERO = datetime(2000, 1, 1)


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _integer(least: int, most: int) -> Test:
    """Integers from `least` to `most`."""
    return lambda value: type(value) is int and least <= value <= most


def _form(pattern: str) -> Test:
    """Strings that a pattern matches from end to end."""
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _array(least: int, most: int, item: Test) -> Test:
    """Arrays of so many items, each of them right."""
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(item, value))


def _keys(needed: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    """Objects with all needed keys, where these and the optional ones are right."""
    tests = needed | (optional or {})
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in needed)
        and all(test(value[name]) for name, test in tests.items() if name in value)
    )


_TIME = _form("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")
_INTERVALS = _array(0, 60, _keys({"start": _TIME, "end": _TIME}))
_NEEDED: dict[str, dict[str, Test]] = {
    "merge": {"intervals": _INTERVALS},
    "peak": {"intervals": _INTERVALS},
    "free": {"intervals": _INTERVALS, "from": _TIME, "to": _TIME, "minutes": _integer(1, 1440)},
}
_OPTIONAL: dict[str, dict[str, Test]] = {
    "merge": {"gap": _integer(0, 1440)},
    "peak": {},
    "free": {"buffer": _integer(0, 240), "align": _integer(1, 60)},
}

OPS: dict[str, tuple[str, ...]] = {op: (*_NEEDED[op], *_OPTIONAL[op]) for op in _NEEDED}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_NEEDED[op], _OPTIONAL[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    window = (_minute(args["from"]), _minute(args["to"])) if op == "free" else (0, 1)
    spans = [(_minute(each["start"]), _minute(each["end"])) for each in args["intervals"]]
    for index, (start, end) in enumerate(spans):
        if end < start:
            raise Refused("bad_interval", index=index)
    if window[1] <= window[0]:
        raise Refused("bad_window")
    spans = sorted(span for span in spans if span[0] < span[1])
    if op == "merge":
        return _merge(spans, args.get("gap", 0))
    if op == "peak":
        return _peak(spans)
    buffer = args.get("buffer", 0)
    taken = [(start - buffer, end + buffer) for start, end in spans]
    return _free(taken, window, args["minutes"], args.get("align", 1))


def _minute(text: str) -> int:
    """The number of a minute of the years 2000 to 2099."""
    try:
        time = datetime(*map(int, re.split("[-T:]", text)))  # type: ignore[arg-type]
    except ValueError:
        raise Refused("no_such_time") from None
    if not 2000 <= time.year <= 2099:
        raise Refused("no_such_time")
    return (time - _ZERO) // timedelta(minutes=1)


def _named(start: int, end: int, **more: int) -> dict[str, Any]:
    """A span of a result."""
    texts = [(_ZERO + timedelta(minutes=at)).isoformat()[:16] for at in (start, end)]
    return {"start": texts[0], "end": texts[1], **more}


def _joined(spans: list[Span], gap: int) -> list[tuple[int, int, int]]:
    """Sorted spans joined, each with the number of those that it is made of."""
    result: list[tuple[int, int, int]] = []
    for start, end in spans:
        if result and start - result[-1][1] <= gap:
            first, last, number = result.pop()
            result.append((first, max(last, end), number + 1))
        else:
            result.append((start, end, 1))
    return result


def _merge(spans: list[Span], gap: int) -> dict[str, Any]:
    """The joined intervals."""
    return {
        "intervals": [_named(start, end, count=number) for start, end, number in _joined(spans, gap)],
        "covered": sum(end - start for start, end, _ in _joined(spans, 0)),
        "total": sum(end - start for start, end in spans),
    }


def _peak(spans: list[Span]) -> dict[str, Any]:
    """The greatest number of intervals at one time, and when it is reached."""
    pieces = list(pairwise(sorted({at for span in spans for at in span})))
    numbers = [sum(start <= piece[0] < end for start, end in spans) for piece in pieces]
    peak = max(numbers, default=0)
    best = [piece for piece, number in zip(pieces, numbers, strict=True) if number == peak]
    return {"peak": peak, "spans": [_named(start, end) for start, end, _ in _joined(best, 0)]}


def _free(taken: list[Span], window: Span, minutes: int, align: int) -> dict[str, Any]:
    """The slots of the window."""
    edges = [window[0]]
    for start, end, _ in _joined(taken, 0):
        edges += [min(max(at, window[0]), window[1]) for at in (start, end)]
    edges.append(window[1])
    slots = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        moved = start + (window[0] - start) % align
        if end - moved >= minutes:
            slots.append(_named(moved, end, minutes=end - moved))
    return {"slots": slots, "longest": max((slot["minutes"] for slot in slots), default=0)}
