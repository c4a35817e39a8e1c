"""Logs against a reader that takes lines apart by hand, and against counting and grouping by brute force."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.log_summary import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a reader without regular expressions, and brute force over all entries"

RANKS = {"DEBUG": 0, "INFO": 1, "WARN": 2, "ERROR": 3}
NAME = set("abcdefghijklmnopqrstuvwxyz0123456789._-")
DIGITS = set("0123456789")

PIECES = st.sampled_from(
    [
        "1",
        "22",
        " ",
        "  ",
        "INFO",
        "ERROR",
        "WARN",
        "a",
        "b",
        ":",
        ": ",
        "\n",
        "\r\n",
        "\t",
        "\r",
        '"',
        "é",
        "5 INFO a: ",
    ]
)
LINES = st.lists(
    st.builds(
        "{} {} {}: {}".format,
        st.integers(0, 30),
        st.sampled_from(sorted(RANKS)),
        st.sampled_from(["a", "b", "c"]),
        st.lists(st.sampled_from(["x", "1", "23", '"', " ", "#"]), max_size=5).map("".join),
    )
    | st.sampled_from(["", " more", "\tmore", "bad", " "]),
    max_size=12,
)


def entry(line: str) -> dict[str, Any] | None:
    parts = line.split(" ", 3)
    if len(parts) < 4 or not parts[2].endswith(":"):
        return None
    time, level, name, message = parts[0], parts[1], parts[2][:-1], parts[3]
    if not (
        1 <= len(time) <= 10 and set(time) <= DIGITS and level in RANKS and 1 <= len(name) <= 30 and set(name) <= NAME
    ):
        return None
    while message and message[-1] in " \t":
        message = message[:-1]
    return {"time": int(time), "level": level, "component": name, "message": message, "more": 0}


def read(args: dict[str, Any]) -> tuple[list[dict[str, Any]], int]:
    lines = args["log"].split("\n")
    lines = [line.removesuffix("\r") for line in lines[:-1]] + lines[-1:]
    lines = [line for line in lines if set(line) - set(" \t")]
    kinds: list[Any] = []
    for line in lines:
        found = entry(line)
        if found is None and line[0] in " \t" and kinds and kinds[-1] != "malformed":
            found = kinds[-1]
            found["more"] += 1
        kinds.append(found or "malformed")
    entries = [kind for n, kind in enumerate(kinds) if kind != "malformed" and (n == 0 or kind is not kinds[n - 1])]
    least = RANKS[args.get("level", "DEBUG")]
    return [e for e in entries if RANKS[e["level"]] >= least], kinds.count("malformed")


def summary(args: dict[str, Any]) -> Any:
    entries, malformed = read(args)
    if not entries:
        return {"code": "no_entries", "malformed": malformed}
    components = []
    for name in {e["component"] for e in entries}:
        mine = [e for e in entries if e["component"] == name]
        errors = len([e for e in mine if e["level"] == "ERROR"])
        components.append({"component": name, "entries": len(mine), "errors": errors})
    components.sort(key=lambda c: c["component"])
    components.sort(key=lambda c: (c["errors"], c["entries"]), reverse=True)
    return {
        "entries": len(entries),
        "continuations": sum(e["more"] for e in entries),
        "malformed": malformed,
        "first": sorted(e["time"] for e in entries)[0],
        "last": sorted(e["time"] for e in entries)[-1],
        "levels": {level: len([e for e in entries if e["level"] == level]) for level in RANKS},
        "components": components,
    }


def pattern(message: str) -> str:
    if not message:
        return ""
    if message[0] == '"' and '"' in message[1:]:
        return '"*"' + pattern(message[1:].partition('"')[2])
    if message[0] in DIGITS:
        return "#" + pattern(message.lstrip("0123456789"))
    return message[0] + pattern(message[1:])


def patterns(args: dict[str, Any]) -> Any:
    entries, malformed = read(args)
    if not entries:
        return {"code": "no_entries", "malformed": malformed}
    keys = [(e["component"], pattern(e["message"])) for e in entries]
    found = []
    for key in sorted(set(keys)):
        times = sorted(e["time"] for e, other in zip(entries, keys, strict=True) if other == key)
        row = {"component": key[0], "pattern": key[1], "count": len(times), "first": times[0], "last": times[-1]}
        found.append(row)
    found.sort(key=lambda row: row["count"], reverse=True)
    return {"distinct": len(found), "patterns": found[: args.get("limit", 10)]}


def bursts(args: dict[str, Any]) -> Any:
    entries, malformed = read(args)
    if not entries:
        return {"code": "no_entries", "malformed": malformed}
    times = [e["time"] for e in entries]
    starts = sorted({t for t in times if not any(t - args["gap"] <= other < t for other in times)})
    found = []
    for start, following in zip(starts, [*starts[1:], 10**12], strict=True):
        mine = [t for t in times if start <= t < following]
        cause = next(e["message"] for e in entries if e["time"] == start)
        if len(mine) >= args["least"]:
            found.append({"start": start, "end": max(mine), "entries": len(mine), "cause": cause})
    return {"groups": len(starts), "bursts": found}


def check(args: dict[str, Any]) -> None:
    for op, expected in (("summary", summary), ("patterns", patterns)):
        assert play(FAMILY, op, args) == expected(args)
    for gap in (0, 1, 3):
        for least in (1, 2, 3):
            more = {**args, "gap": gap, "least": least}
            assert play(FAMILY, "bursts", more) == bursts(more)


def test_on_its_own_inputs() -> None:
    for op, expected in (("summary", summary), ("patterns", patterns), ("bursts", bursts)):
        for args in of(FAMILY, op, 250):
            if len(args["log"]) < 2000 or op != "patterns":
                assert play(FAMILY, op, args) == expected(args)


@settings(max_examples=60, deadline=None)
@given(LINES, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["DEBUG", "WARN"]))
def test_logs(lines: list[str], end: str, level: str) -> None:
    check({"log": end.join(lines), "level": level})


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_lines(log: str) -> None:
    check({"log": log})
