"""Interval merging against lists with one number for each minute."""

from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.interval_merge import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "counting minute by minute"
BASE = datetime(2024, 3, 5, 23, 30)
MOMENTS = st.integers(0, 60).map(lambda n: (BASE + timedelta(minutes=n)).isoformat(timespec="minutes"))
INTERVALS = st.lists(
    st.tuples(MOMENTS, MOMENTS).map(lambda pair: dict(zip(("start", "end"), sorted(pair), strict=True))), max_size=8
)
Span = tuple[int, int]


def parsed(text: str) -> datetime | None:
    try:
        moment = datetime.strptime(text, "%Y-%m-%dT%H:%M")
    except ValueError:
        return None
    return moment if 2000 <= moment.year <= 2099 else None


class Line:
    """The minutes around some intervals, with how many intervals hold each."""

    def __init__(self, args: dict[str, Any]) -> None:
        texts = [(i["start"], i["end"]) for i in args["intervals"]]
        window = [args[name] for name in ("from", "to") if name in args]
        moments = {text: parsed(text) for pair in [*texts, window] for text in pair}
        known = [m for m in moments.values() if m]
        self.error: dict[str, Any] = {} if len(known) == len(moments) else {"code": "no_such_time"}
        self.zero = min(known, default=BASE) - timedelta(minutes=300)
        self.at = {text: (m - self.zero) // timedelta(minutes=1) for text, m in moments.items() if m}
        self.pairs = [(self.at.get(a, 0), self.at.get(b, 0)) for a, b in texts]
        backward = [n for n, (start, end) in enumerate(self.pairs) if end < start]
        if backward and not self.error:
            self.error = {"code": "bad_interval", "index": backward[0]}
        if window and not self.error and self.at[window[0]] >= self.at[window[1]]:
            self.error = {"code": "bad_window"}
        self.pairs = [pair for pair in self.pairs if pair[0] != pair[1]]

    def levels(self, buffer: int = 0) -> list[int]:
        found = [0] * (max(self.at.values(), default=0) + 300)
        for start, end in self.pairs:
            for n in range(start - buffer, end + buffer):
                found[n] += 1
        return found

    def text(self, minute: int) -> str:
        return (self.zero + timedelta(minutes=minute)).isoformat(timespec="minutes")


def spans(flags: list[bool]) -> list[Span]:
    """The longest runs of true ones."""
    found = []
    for flag, run in groupby(enumerate(flags), key=lambda item: item[1]):
        places = [n for n, _ in run]
        if flag:
            found.append((places[0], places[-1] + 1))
    return found


def check_merge(args: dict[str, Any]) -> None:
    line, result = Line(args), play(FAMILY, "merge", args)
    if line.error:
        assert result == line.error
        return
    levels = line.levels()
    flags = [level > 0 for level in levels]
    for start, end in spans([not flag for flag in flags])[1:-1]:
        if end - start <= args.get("gap", 0):
            flags[start:end] = [True] * (end - start)
    rows = [
        {"start": line.text(a), "end": line.text(b), "count": sum(a <= start < b for start, _ in line.pairs)}
        for a, b in spans(flags)
    ]
    assert result == {"intervals": rows, "covered": sum(map(bool, levels)), "total": sum(levels)}


def check_peak(args: dict[str, Any]) -> None:
    line, result = Line(args), play(FAMILY, "peak", args)
    if line.error:
        assert result == line.error
        return
    levels = line.levels()
    most = max(levels)
    found = spans([level == most > 0 for level in levels])
    assert result == {"peak": most, "spans": [{"start": line.text(a), "end": line.text(b)} for a, b in found]}


def check_free(args: dict[str, Any]) -> None:
    line, result = Line(args), play(FAMILY, "free", args)
    if line.error:
        assert result == line.error
        return
    start, end = line.at[args["from"]], line.at[args["to"]]
    levels = line.levels(args.get("buffer", 0))
    rows: list[dict[str, Any]] = []
    for first, last in spans([start <= n < end and level == 0 for n, level in enumerate(levels)]):
        fitting = [n for n in range(first, last) if (n - start) % args.get("align", 1) == 0]
        if fitting and last - fitting[0] >= args["minutes"]:
            rows.append(
                {"start": line.text(fitting[0]), "end": line.text(last), "minutes": len(range(fitting[0], last))}
            )
    assert result == {"slots": rows, "longest": max([0, *(row["minutes"] for row in rows)])}


CHECKS = {"merge": check_merge, "peak": check_peak, "free": check_free}


@settings(max_examples=40, deadline=None)
@given(INTERVALS, st.integers(0, 6))
def test_merge_minute_by_minute(intervals: list[Any], gap: int) -> None:
    check_merge({"intervals": intervals, "gap": gap})


@settings(max_examples=40, deadline=None)
@given(INTERVALS)
def test_peak_minute_by_minute(intervals: list[Any]) -> None:
    check_peak({"intervals": intervals})


@settings(max_examples=40, deadline=None)
@given(INTERVALS, MOMENTS, MOMENTS, st.integers(1, 9), st.integers(0, 4), st.integers(1, 8))
def test_free_minute_by_minute(
    intervals: list[Any], start: str, end: str, minutes: int, buffer: int, align: int
) -> None:
    window = {"from": start, "to": end, "minutes": minutes, "buffer": buffer, "align": align}
    check_free({"intervals": intervals, **window})


def test_all_on_their_own_inputs() -> None:
    for op, check in CHECKS.items():
        for args in of(FAMILY, op, 120):
            if "2000-01-01T00:00" not in str(args):  # a century of minutes; see below
                check(args)


def test_a_century() -> None:
    minutes = 36525 * 1440
    whole = {"start": "2000-01-01T00:00", "end": "2099-12-31T23:59"}
    one = {"start": "2024-02-29T23:59", "end": "2024-03-01T00:00"}
    assert play(FAMILY, "merge", {"intervals": [whole, one]}) == {
        "intervals": [{**whole, "count": 2}],
        "covered": minutes - 1,
        "total": minutes,
    }
    assert play(FAMILY, "peak", {"intervals": [whole, one]}) == {"peak": 2, "spans": [one]}
    window = {"from": whole["start"], "to": whole["end"], "minutes": 1440, "align": 60}
    before = (datetime(2024, 2, 29) - datetime(2000, 1, 1)).days * 1440 + 1439
    assert play(FAMILY, "free", {"intervals": [one], **window})["slots"] == [
        {"start": whole["start"], "end": one["start"], "minutes": before},
        {"start": one["end"], "end": whole["end"], "minutes": minutes - 1 - before - 1},
    ]
