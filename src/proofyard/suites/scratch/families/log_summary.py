"""Contract, inputs and the golden case of the family `log-summary`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import log_summary as program

__all__ = ["FAMILY"]

NOTES = (
    "**Lines.** A log is text; a line ends at a line feed, with or without one carriage return directly before it, or at "
    "the end of the text. Any other carriage return is an ordinary character. Each line is the first of these that "
    "fits:",
    "(1) an *entry*: a time of 1 to 10 ASCII digits, one space, a level, one space, a component, a colon, one space, and "
    "a message of any characters, perhaps none, up to the end of the line. The level is `DEBUG`, `INFO`, `WARN` or `ERROR`. "
    "The component is 1 to 30 of the characters `a` to `z`, `0` to `9`, `.`, `_` and `-`. Spaces and tabs at the end of "
    "the message are not part of it, those at its beginning are: `17 INFO db.pool: ready` is an entry, as is "
    "`007 WARN x: ` with an empty message. Times are seconds; they need not be in order.",
    "(2) *blank*: nothing but spaces and tabs, or nothing at all. Blank lines are skipped as if they were not there.",
    "(3) a *continuation*: its first character is a space or a tab, and of the lines before it (blank ones apart) the "
    "last is an entry or a continuation. It belongs to the entry before it.",
    "(4) *malformed*: every other line, such as ` 5 INFO a: b` at the beginning of the log, `5 info a: b`, `5 INFO A: b`, "
    "`5  INFO a: b`, `-5 INFO a: b` and `5 INFO a:`.",
    "The levels rise in the order `DEBUG`, `INFO`, `WARN`, `ERROR`. With `level` only entries of that level or a higher one "
    "count, and only their continuations; the others still are entries and take continuations, but are left out of the "
    "result. Malformed lines are counted whatever `level` is.",
)

LOG = Param(name="log", type="string, 0 to 2000 code points", text="the log")
LEVEL = Param(
    name="level",
    type="string: `DEBUG`, `INFO`, `WARN` or `ERROR`",
    text="the lowest level that counts; default `DEBUG`",
    required=False,
)
NO_ENTRIES = ErrorDoc(
    code="no_entries",
    when="no entry of the log counts",
    extra=(("malformed", "integer: how many lines are malformed"),),
)

SUMMARY = OperationDoc(
    name="summary",
    summary="Counts the entries of a log.",
    parameters=(LOG, LEVEL),
    result='`{"entries": integer, "continuations": integer, "malformed": integer, "first": integer, "last": integer, '
    '"levels": {"DEBUG": integer, "INFO": integer, "WARN": integer, "ERROR": integer}, "components": [{"component": '
    'string, "entries": integer, "errors": integer}, ...]}`: the numbers of entries and of lines that continue them, of '
    "malformed lines, the least and the greatest time of an entry, the number of entries of each level (all four keys are "
    "always there), and for each component its number of entries and how many of them are `ERROR`.",
    errors=(NO_ENTRIES,),
    rules=(
        "`components` is ordered by `errors`, greatest first, then by `entries`, greatest first, then by name (by code "
        "point).",
    ),
)

PATTERNS = OperationDoc(
    name="patterns",
    summary="The most frequent messages, apart from numbers and quoted text in them.",
    parameters=(
        LOG,
        LEVEL,
        Param(
            name="limit", type="integer, 1 to 50", text="how many patterns to list at most; default 10", required=False
        ),
    ),
    result='`{"distinct": integer, "patterns": [{"component": string, "pattern": string, "count": integer, "first": '
    'integer, "last": integer}, ...]}`: how many different ones there are; and of the most frequent the number of entries '
    "and the least and greatest time of one.",
    errors=(NO_ENTRIES,),
    rules=(
        'The pattern of a message: reading from the left, each piece from a `"` to the next `"` is replaced by `"*"` as a '
        'whole, and outside of such pieces each longest run of ASCII digits by `#`. A `"` without another one after it is an '
        'ordinary character. `x12 took 3.5s: "a 1"` has the pattern `x# took #.#s: "*"`. Nothing else is changed, '
        "continuations play no part, and a `#` in the message stays.",
        "Entries are counted together if component and pattern are equal. `patterns` is ordered by `count`, greatest first, "
        "then by component, then by pattern (both by code point), and is cut after `limit`.",
    ),
)

BURSTS = OperationDoc(
    name="bursts",
    summary="When many entries come close together.",
    parameters=(
        LOG,
        Param(name="gap", type="integer, 0 to 100000", text="the longest pause inside a group, in seconds"),
        Param(name="least", type="integer, 1 to 100", text="how many entries make a burst"),
        LEVEL,
    ),
    result='`{"groups": integer, "bursts": [{"start": integer, "end": integer, "entries": integer, "cause": string}, '
    "...]}`: the number of groups; and for each burst, in order of time, the times of its first and last entry, its number "
    "of entries and the message of its first entry.",
    errors=(NO_ENTRIES,),
    rules=(
        "The entries that count are put in order of time; those of the same time keep the order of the log. Two neighbours in "
        "this order are in the same group if the second is at most `gap` seconds later than the first. Every entry is in "
        "exactly one group; a group with at least `least` entries is a burst.",
    ),
)

COMPONENTS = ("api", "db.pool", "auth-2", "x_1", "cron", "0")
MESSAGES = (
    "request {n} took {m} ms",
    'user "{w}" logged in',
    'cannot open "{w} {n}": code {m}',
    "retry #{n} of 3",
    "ready",
    "",
    'said "{w}" and "{n}" then "',
    "v{n}.{m}-rc1 started  ",
    " indented {w}",
)
WORDS = ("ada", "bob", "Zoë", "a:b")


def generate(rng: Random) -> Input:
    """One input of a random operation on a random log."""
    op = rng.choice(("summary", "patterns", "bursts", "bursts"))
    lines, time = [], rng.randint(0, 2000)
    components, messages = rng.sample(COMPONENTS, 3), rng.sample(MESSAGES, 4)
    levels = rng.choices(("DEBUG", "INFO", "INFO", "WARN", "ERROR"), k=4)
    for _ in range(rng.randint(4, 22)):
        time = max(0, time + rng.choice((0, 1, 2, 5, 30, -3)))
        text = rng.choice(messages).format(n=rng.randint(0, 120), m=rng.randint(0, 9), w=rng.choice(WORDS))
        lines.append(f"{time} {rng.choice(levels)} {rng.choice(components)}: {text}")
        if rng.random() < 0.3:
            lines.append(rng.choice(("", "  at main", "\tat line 7", "garbage", f"{time} info api: x", " ")))
    args: dict[str, Any] = {"log": rng.choice(("\n", "\n", "\r\n")).join(lines) + rng.choice(("", "\n"))}
    if rng.random() < 0.4:
        args["level"] = rng.choice(
            ("INFO", "WARN", "WARN", "ERROR") if rng.random() < 0.3 else ("INFO", "INFO", "WARN")
        )
    if op == "bursts":
        args |= {"gap": rng.choice((0, 1, 2, 5)), "least": rng.randint(1, 4)}
    elif op == "patterns" and rng.random() < 0.5:
        args["limit"] = rng.randint(1, 4)
    return op, args


def _summary(*lines: str, **more: Any) -> Input:
    return "summary", {"log": "\n".join(lines), **more}


def _patterns(*messages: str, **more: Any) -> Input:
    """Each message of component `m`, at the times 1, 2, 3, ...; a message that begins with `>` is a whole line."""
    lines = [m[1:] if m[:1] == ">" else f"{time} INFO m: {m}" for time, m in enumerate(messages, start=1)]
    return "patterns", {"log": "\n".join(lines), **more}


def _bursts(times: str, gap: int, least: int, **more: Any) -> Input:
    """Entries at the times, `7e` with the level ERROR, others INFO; messages are the places, from 0."""
    lines = [
        f"{time.strip('e')} {'ERROR' if 'e' in time else 'INFO'} c: {place}" for place, time in enumerate(times.split())
    ]
    return "bursts", {"log": "\n".join(lines), "gap": gap, "least": least, **more}


E = "5 ERROR a: b"
NOT_ENTRIES = (
    *(" 5 INFO a: b", "5  INFO a: b", "5 INFO  a: b", "5\tINFO a: b", "5 info a: b", "5 INFO A: b", "5 INFO a:b"),
    *("5 INFO a:", "-5 INFO a: b", "5.5 INFO a: b", "INFO a: b", "5 INFO : b", "5 FATAL a: b", "5 WARNING a: b"),
    *(
        "12345678901 INFO a: b",
        "٣ INFO a: b",
        "5 INFO é: b",
        "5 INFO a b: c",
        "5 INFO a/b: c",
        "5 INFO: b",
        "+5 INFO a: b",
    ),
    *("5 INFO a\u00a0: b", "5 INFO a:\tb", "\ufeff5 INFO a: b", "5 INFO " + "a" * 31 + ": b", "5 ERRORS a: b"),
)

BOUNDARY: tuple[Input, ...] = (
    ("bursts", {"log": "9 WARN a: slow\n3 INFO b: up\n\tv2\n4 WARN a: x\n6 WARN b: y\noops\n", "gap": 2, "least": 2}),
    _summary(),
    _summary("", " ", "\t"),
    _summary("oops", " 5 INFO a: b", "5 INFO a:"),
    _summary("1 INFO a: x", "2 WARN b: y", "bad", level="ERROR"),
    *(_summary(E, line) for line in NOT_ENTRIES),
    _summary("0 INFO a: x", "9999999999 WARN a: y", "0000000007 DEBUG b: "),
    _summary("5 INFO " + "a" * 30 + ": b", "5 INFO 0: b", "5 INFO .-_: b", "5 INFO a: : b: c"),
    _summary("7 INFO a: x", "3 ERROR b: y", "5 ERROR a: z", "4 WARN c: w", "6 DEBUG c: v", "6 DEBUG c: v"),
    *(
        _summary("7 INFO a: x", "3 ERROR b: y", "5 WARN a: z", "4 DEBUG c: w", "?", level=level)
        for level in ("DEBUG", "INFO", "WARN", "ERROR")
    ),
    _summary("1 INFO z: ", "1 INFO B: ", "1 INFO b: ", "1 INFO b.: ", "1 INFO 9: ", "1 INFO _: ", "2 INFO b: "),
    _summary("1 ERROR b: ", "1 ERROR a: ", "1 INFO a: ", "1 INFO c: ", "1 INFO c: ", "1 INFO c: ", "1 ERROR d: "),
    _summary(" early", "\tearly", E, " one", "", "\ttwo", " \t", "  three", "bad", " four", E, " five"),
    _summary(E, "bad", " more", "\tmore", E, "x", "", " more"),
    _summary("1 INFO a: x", " m", "2 ERROR b: y", " n", " o", "3 DEBUG c: z", " p", " q", level="ERROR"),
    _summary("1 INFO a: x\r", " m\r", "\r", "bad\r", "2 INFO a: y\r", ""),
    _summary("1 INFO a: x\r2 INFO b: y", "\r\r", "3 INFO c: z\u20284 INFO d: w", " \r"),
    _summary("1 INFO a: x\r"),
    _summary(E, "\u00a0more", "\x0bmore", "\u3000"),
    _summary(E, " 6 INFO a: inside", "   x"),
    ("summary", {"log": E + "\n" + wide(1987)}),
    _patterns("a 1", "a 22", "b", "a 3", "b", ">9 INFO l: b"),
    _patterns("", "", ">4 WARN m: a", ">7 INFO m:  a", ">8 INFO m: a \t ", ">9 INFO a: ", ">2 INFO m: a", level="WARN"),
    _patterns('x "1 2" 3', 'x "" 4', 'x "a', 'x "a" "b" "1', 'x "#" #', '"', '""', '"a""b"', "'a' '1'", '1"2"3"4'),
    _patterns("1.5", "-7", "0x1f", "12:30", "a1b22c", "٣", "½ 1", "#", "1", "##", "1,000", "²3"),
    _patterns("A", "a", " a", "  a", "a  b", "a b", "é 1", "e\u0301 2", "\U0001f600", "\uffee"),
    _patterns('a "x\r" 1', "b \\", 'c \\"1\\" 2', "d %s {0} *"),
    _patterns(">5 INFO b: x", ">1 INFO a: x", ">3 INFO b: x", ">9 INFO a: x", ">7 ERROR b: x", " 1", ">2 INFO c: x"),
    _patterns(*"abcdefghijkl"),
    _patterns(*"abcdefghijkl", limit=11),
    _patterns(*"lkjihgfedcba", limit=1),
    _patterns(">5 INFO b: x", "> 1", ">?", limit=50, level="INFO"),
    _patterns("x", ">bad", limit=1, level="WARN"),
    ("patterns", {"log": E + "\n" + wide(1987)}),
    _bursts("1 2 3 10 11 20", 1, 2),
    _bursts("1 3 5 8 10", 2, 3),
    _bursts("5 5 5 6", 0, 1),
    _bursts("5 5 5 6", 0, 3),
    _bursts("5 5 5 6", 0, 4),
    _bursts("9 1 5 1 9 3", 2, 2),
    _bursts("30 20 10", 10, 3),
    _bursts("30 19 10", 10, 2),
    _bursts("1 2e 3 9e 10 11e", 2, 1, level="ERROR"),
    _bursts("1 2 3", 2, 1, level="WARN"),
    _bursts("7", 100000, 1),
    _bursts("7", 0, 2),
    _bursts("0 100000 200001 9999999999", 100000, 1),
    _bursts(" ".join(["4"] * 99 + ["4e"]), 0, 100),
    _bursts(" ".join(["4"] * 99), 0, 100),
    _bursts("", 5, 1),
    ("bursts", {"log": E + "\n" + wide(1987), "gap": 1, "least": 1}),
    ("bursts", {"log": "4 INFO a:   lead\t \n4 INFO a: 2\n4 WARN a: \n", "gap": 1, "least": 1, "level": "INFO"}),
)

GOOD: dict[str, Any] = {"log": E, "gap": 1, "least": 1}


def _spoilt(op: str, name: str, *values: Any) -> list[Input]:
    """The operation with each of the values in the place of a good argument."""
    return [(op, {**GOOD, name: value}) for value in values]


MALFORMED: tuple[Input, ...] = (
    ("summary", {}),
    ("summary", {"level": "INFO"}),
    *_spoilt("summary", "log", None, 1, [E], {"log": E}, "a" * 2001, wide(2001)),
    *_spoilt("summary", "level", None, "info", "", "FATAL", 2, ["INFO"]),
    ("patterns", {"limit": 5}),
    *_spoilt("patterns", "log", None, False, wide(2001)),
    *_spoilt("patterns", "level", None, "Warn"),
    *_spoilt("patterns", "limit", None, 0, 51, True, 2.0, "5"),
    *(("bursts", {key: value for key, value in GOOD.items() if key != name}) for name in GOOD),
    *_spoilt("bursts", "log", None, wide(2001)),
    *_spoilt("bursts", "gap", None, -1, 100001, True, 1.0, "1"),
    *_spoilt("bursts", "least", None, 0, 101, False, 1.5, []),
    *_spoilt("bursts", "level", None, "error"),
    ("bursts", {"log": "", "gap": 1, "least": 0}),
)

FAMILY = Family(
    number=17,
    slug="log-summary",
    category="data",
    title="Log summary",
    purpose="Reads logs: counts entries by level and component, finds messages that recur, and times at which many "
    "entries come together.",
    notes=NOTES,
    operations=(SUMMARY, PATTERNS, BURSTS),
    program=program,
    # Line 1 is an entry of level INFO, left out with its continuation (line 2). Lines 3, 5 and 8 count; line 4 continues line 3
    # and line 7 line 5, the blank line 6 between them means nothing. Line 9 has a level in small letters: malformed, so is
    # line 10, which begins with a space but follows a malformed line. Times 8, 4, 9. db has one ERROR, api none with 2 entries.
    golden=Case(
        op="summary",
        args={
            "log": "7 INFO api: up\n port 80\n8 WARN api: slow\n\tby 3 s\n4 ERROR db: gone\n\n  retry\n"
            "9 WARN api: slow\n9 error db: x\n y",
            "level": "WARN",
        },
        expected={
            "entries": 3,
            "continuations": 2,
            "malformed": 2,
            "first": 4,
            "last": 9,
            "levels": {"DEBUG": 0, "INFO": 0, "WARN": 2, "ERROR": 1},
            "components": [
                {"component": "db", "entries": 1, "errors": 1},
                {"component": "api", "entries": 2, "errors": 0},
            ],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
