"""Contract, inputs and the golden case of the family `line-diff`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import line_diff as program

__all__ = ["FAMILY"]

NOTES = (
    "A **line** is any string, also an empty one; a line feed in it is a character like any other. Lines are numbered "
    "from 1.",
    "A **hunk** is one place where a text changes: from line `at` of the old text on, the lines `delete` are taken away, "
    "and the lines `insert` stand in their place. Without `delete`, `insert` comes just before line `at`; `at` is the "
    "number of lines plus 1 where a hunk stands after the last line. All hunks of a list count lines of the old text, as "
    "it is before any change.",
)

LINES = "array of 0 to 40 strings, each of 0 to 100 code points"

DIFF = OperationDoc(
    name="diff",
    summary="The hunks that turn one list of lines into another and keep as many lines as possible.",
    parameters=(
        Param(name="old", type=LINES, text="the old lines"),
        Param(name="new", type=LINES, text="the new lines"),
        Param(
            name="ignore_space",
            type="boolean",
            text="whether lines count as equal that differ in nothing but spaces (U+0020) and tabs (U+0009), wherever "
            "these stand in them; default false",
            required=False,
        ),
    ),
    result='`{"kept": integer, "hunks": [{"at": integer, "delete": [string, ...], "insert": [string, ...]}, ...]}`: how '
    "many old lines are kept, and the hunks in the order of the text.",
    rules=(
        "A **script** is a sequence of steps that goes through both lists from their beginning to their end: *keep* "
        "passes the next line of `old` and the next of `new`, which must be equal; *delete* passes the next line of "
        "`old`; *insert* passes the next line of `new`. The script with the most keeps is taken. Among several such "
        "scripts it is the one that comes first in this order: where two differ for the first time, keep comes before "
        "delete, and delete before insert.",
        "A hunk is a longest run of steps without a keep: `delete` has its deleted lines and `insert` its inserted lines, "
        "each in their order; `at` is 1 plus the number of old lines before the run. There is at least one kept line "
        "between two hunks. `kept` counts the keeps. Equal lists have no hunks.",
        "With `ignore_space`, lines are compared without their spaces and tabs, but given back as they are. A kept pair "
        "of lines that differ in spaces is no change.",
    ),
)

PATCH = OperationDoc(
    name="patch",
    summary="The lines after a list of hunks has been applied.",
    parameters=(
        Param(name="lines", type=LINES, text="the old lines"),
        Param(
            name="hunks",
            type='array of 0 to 20 objects `{"at": integer, "delete": [string, ...], "insert": [string, ...]}`',
            text="the hunks, applied in this order; `at` is 1 to 1000, `delete` and `insert` each have 0 to 40 strings of "
            "0 to 100 code points; other keys are ignored",
        ),
    ),
    result='`{"lines": [string, ...]}`: the new lines.',
    rules=(
        "A hunk begins at line `at` of `lines` or, with `at` equal to the number of lines plus 1, after the last one. It "
        "is **misplaced** if `at` is greater than that, or if it is not beyond the lines that the hunk before it "
        "deleted: with hunk P before it, `at` must be at least P's `at` plus the number of lines in P's `delete`. Hunks "
        "that touch are allowed: of two that insert at the same line, the lines of the first come first. A hunk with "
        "neither `delete` nor `insert` changes nothing but must not be misplaced either.",
        "The lines of `delete` must equal those of `lines` from `at` on, exactly (spaces matter).",
    ),
    errors=(
        ErrorDoc(
            code="misplaced",
            when="a hunk is misplaced",
            extra=(("hunk", "integer: the number of the hunk, from 1"),),
        ),
        ErrorDoc(
            code="mismatch",
            when="a line of `delete` is not the line that stands there, or there is no line any more",
            extra=(
                ("hunk", "integer: the number of the hunk, from 1"),
                (
                    "line",
                    "integer: the number of the first line of `lines` that differs; the number of lines plus 1 if they "
                    "have come to their end",
                ),
            ),
        ),
    ),
    error_order="the hunks are checked in turn, and the first faulty one decides; within one hunk `misplaced` comes first",
)

WORDS = ("", " ", "a", "b", "c", " a", "a ", "if x:", "\tif x:", "  if  x :", "end", "é", "x = 1", "x=1", "}", "{", "A")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    few = rng.sample(WORDS, rng.randint(2, 8))
    old = rng.choices(few, k=rng.randint(2, 12))
    if rng.random() < 0.6:
        args: dict[str, Any] = {"old": old, "new": _edited(rng, old, few)}
        if rng.random() < 0.6:
            args["ignore_space"] = rng.random() < 0.7
        return "diff", args
    return "patch", {"lines": old, "hunks": _hunks(rng, old, few)}


def _edited(rng: Random, old: list[str], few: list[str]) -> list[str]:
    """The lines with some dropped, added, moved or changed."""
    new = list(old)
    for _ in range(rng.randint(1, 5)):
        place = rng.randint(0, len(new))
        moved = new[place : place + rng.randint(0, 2)]
        del new[place : place + len(moved)]
        back = rng.randint(0, len(new))
        new[back:back] = rng.choice((moved, [], [rng.choice(few)], rng.choices(WORDS, k=2)))
    return new


def _hunks(rng: Random, old: list[str], few: list[str]) -> list[dict[str, Any]]:
    """Hunks that fit, mostly."""
    hunks: list[dict[str, Any]] = []
    place = rng.randint(0, 2)
    while place <= len(old) and len(hunks) < 5:
        delete = old[place : place + rng.randint(0, 3)]
        insert = rng.choices(few, k=rng.randint(0, 2))
        if rng.random() < 0.04:
            delete = [*delete, "gone"]
        hunks.append({"at": place + 1, "delete": delete, "insert": insert})
        place += len(delete) + rng.randint(0, 3) - (rng.random() < 0.04)
    return hunks


def _hunk(at: int, delete: str = "", insert: str = "") -> dict[str, Any]:
    """A hunk of lines of one letter each."""
    return {"at": at, "delete": list(delete), "insert": list(insert)}


def _diff(old: str, new: str, **more: Any) -> Input:
    """A comparison of lines of one letter each."""
    return "diff", {"old": list(old), "new": list(new), **more}


def _patch(lines: str, *hunks: dict[str, Any]) -> Input:
    """Hunks for lines of one letter each."""
    return "patch", {"lines": list(lines), "hunks": list(hunks)}


LONG = wide(100)

BOUNDARY: tuple[Input, ...] = (
    _patch("abcd", _hunk(2, "b", "xy"), _hunk(3, "cx")),
    _diff("", ""),
    _diff("", "ab"),
    _diff("ab", ""),
    _diff("abc", "abc"),
    _diff("a", "b"),
    _diff("ab", "ba"),
    _diff("abcabba", "cbabac"),
    _diff("abc", "cab"),
    _diff("abcd", "acbd"),
    _diff("axbxc", "xax"),
    _diff("aab", "ab"),
    _diff("ab", "aab"),
    _diff("abab", "baba"),
    _diff("aaaa", "aa"),
    _diff("abcxyz", "xyzabc"),
    _diff("abcwxyz", "xyzwabc"),
    _diff("xaybz", "paqbr"),
    _diff("ABC", "abc"),
    ("diff", {"old": ["a b", "c", "d\te"], "new": ["ab", "c", "de"]}),
    ("diff", {"old": ["a b", "c", "d\te"], "new": ["ab", "c", "de"], "ignore_space": False}),
    ("diff", {"old": ["a b", "c", "d\te"], "new": ["ab", "c", "de"], "ignore_space": True}),
    ("diff", {"old": ["a b", " c", "d"], "new": ["x ", "c\t", " y", ""], "ignore_space": True}),
    ("diff", {"old": ["a\u00a0b", "c\n", "e\r"], "new": ["ab", "c", "e"], "ignore_space": True}),
    ("diff", {"old": ["", "a"], "new": ["\t ", "a", "  "], "ignore_space": True}),
    ("diff", {"old": [LONG, "é", "e\u0301"], "new": ["e\u0301", LONG, "z" * 100]}),
    ("diff", {"old": [f"{i % 7}" for i in range(40)], "new": [f"{i * i % 11}" for i in range(40)]}),
    ("diff", {"old": [f"a{i}" for i in range(40)], "new": [f"b{i}" for i in range(40)]}),
    _patch("", _hunk(1, "", "ab")),
    _patch("", _hunk(2, "", "ab")),
    _patch("", _hunk(1, "a")),
    _patch(""),
    _patch("abc"),
    _patch("abc", _hunk(1, "abc")),
    _patch("abc", _hunk(1, "a", "x"), _hunk(2, "b", "y"), _hunk(3, "c", "z"), _hunk(4, "", "w"), _hunk(4, "", "v")),
    _patch("abc", _hunk(4)),
    _patch("abc", _hunk(5)),
    _patch("abc", _hunk(1000, "q")),
    _patch("abc", _hunk(2), _hunk(1, "", "x")),
    _patch("abcd", _hunk(1, "ab"), _hunk(2, "b")),
    _patch("abcd", _hunk(1, "ab"), _hunk(2, "z")),
    _patch("abcd", _hunk(2, "b", "xyz"), _hunk(3, "", "w"), _hunk(2)),
    _patch("abcd", _hunk(3, "cde")),
    _patch("abcd", _hunk(2, "bd"), _hunk(1, "a")),
    _patch("abcd", _hunk(1, "a", "q"), _hunk(3, "b"), _hunk(9)),
    ("patch", {"lines": ["a ", "b"], "hunks": [{"at": 1, "delete": ["a"], "insert": []}]}),
    ("patch", {"lines": [LONG], "hunks": [{"at": 1, "delete": [LONG], "insert": ["z" * 100, LONG], "x": 1}]}),
    ("patch", {"lines": ["a\nb", "", "c"], "hunks": [{"at": 1, "delete": ["a\nb", ""], "insert": ["", "\r"]}]}),
    ("patch", {"lines": ["m"] * 40, "hunks": [{"at": 41, "delete": [], "insert": ["n"] * 40}]}),
    (
        "patch",
        {"lines": ["m"] * 40, "hunks": [{"at": 1, "delete": ["m"] * 40, "insert": []}] + [_hunk(41, "", "o")] * 19},
    ),
)

GOOD = {"lines": ["a"], "hunks": [_hunk(1, "a")]}


def _bad_hunk(**changes: Any) -> Input:
    """A misplaced hunk and one with changed fields; None takes a field away."""
    hunk = {**_hunk(1, "a"), **changes}
    return "patch", {**GOOD, "hunks": [_hunk(9), {k: v for k, v in hunk.items() if v is not None}]}


MALFORMED: tuple[Input, ...] = (
    ("diff", {"old": ["a"]}),
    ("diff", {"new": ["a"]}),
    ("diff", {"old": "a", "new": ["a"]}),
    ("diff", {"old": ["a"], "new": None}),
    ("diff", {"old": ["a", 1], "new": []}),
    ("diff", {"old": [], "new": [["a"]]}),
    ("diff", {"old": ["a"] * 41, "new": []}),
    ("diff", {"old": [], "new": ["a"] * 41}),
    ("diff", {"old": ["a" * 101], "new": []}),
    ("diff", {"old": [], "new": ["b", wide(101)]}),
    ("diff", {"old": [], "new": [], "ignore_space": None}),
    ("diff", {"old": [], "new": [], "ignore_space": 1}),
    ("diff", {"old": [], "new": [], "ignore_space": "true"}),
    ("patch", {"lines": ["a"]}),
    ("patch", {"hunks": []}),
    ("patch", {**GOOD, "lines": ["a"] * 41}),
    ("patch", {**GOOD, "lines": [None]}),
    ("patch", {**GOOD, "lines": [wide(101)]}),
    ("patch", {**GOOD, "hunks": _hunk(1)}),
    ("patch", {**GOOD, "hunks": [_hunk(1)] * 21}),
    ("patch", {**GOOD, "hunks": [_hunk(9), [1, [], []]]}),
    _bad_hunk(at=None),
    _bad_hunk(delete=None),
    _bad_hunk(insert=None),
    _bad_hunk(at=0),
    _bad_hunk(at=1001),
    _bad_hunk(at=True),
    _bad_hunk(at=1.0),
    _bad_hunk(at="1"),
    _bad_hunk(delete="a"),
    _bad_hunk(delete=["a", 0]),
    _bad_hunk(delete=["a"] * 41),
    _bad_hunk(delete=[wide(101)]),
    _bad_hunk(insert={}),
    _bad_hunk(insert=[False]),
    _bad_hunk(insert=["a"] * 41),
    _bad_hunk(insert=["a" * 101]),
)

FAMILY = Family(
    number=3,
    slug="line-diff",
    category="text",
    title="Line differences",
    purpose="Tells in which places two lists of lines differ, with as few changed lines as possible, and applies such "
    "changes to a list of lines.",
    notes=NOTES,
    operations=(DIFF, PATCH),
    program=program,
    # `start` and `end` are in both, and of `one` `two` | `two` `one` only one can be kept in order: 3 keeps at most. After
    # start: keeping nothing at once, a deletion is tried first. Deleting `one` still leaves two, end to keep, so it is
    # deleted (line 2), `two` is kept (line 3), then `one` and `more` are inserted before `end` (line 4).
    golden=Case(
        op="diff",
        args={"old": ["start", "one", "two", "end"], "new": ["start", "two", "one", "more", "end"]},
        expected={
            "kept": 3,
            "hunks": [
                {"at": 2, "delete": ["one"], "insert": []},
                {"at": 4, "delete": [], "insert": ["one", "more"]},
            ],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
