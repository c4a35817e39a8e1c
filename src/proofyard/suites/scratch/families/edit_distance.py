"""Contract, inputs and the golden case of the family `edit-distance`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import edit_distance as program

__all__ = ["FAMILY"]

NOTES = (
    "A **script** turns one text, the left one, into another, the right one. It is a sequence of steps that goes "
    "through both "
    "from their beginning to their end, so that every character of either belongs to exactly one step. The steps "
    "and their "
    "letters: `k` (keep) passes one character of each, which are the same; `r` (replace) passes one character of "
    "each, which "
    "are different; `s` (swap) passes two characters of each, where the two on the right are those on the left in "
    "the other "
    "order; `d` (delete) passes one character of the left text; `i` (insert) passes one character of the right text.",
    "A keep costs nothing; every other step has a cost. The **distance** is the least total cost that a script can "
    "have. "
    "As each character belongs to one step only, what was swapped cannot be changed again: with all costs 1, the "
    "distance "
    "from `ca` to `abc` is 3.",
    "A character is one code point; case matters, and nothing is normalised.",
)


def _cost(name: str, step: str) -> Param:
    return Param(name=name, type="integer, 0 to 100", text=f"the cost of a step `{step}`; default 1", required=False)


SCRIPT = OperationDoc(
    name="script",
    summary="The distance of two texts, and the script that has it.",
    parameters=(
        Param(name="left", type="string, 0 to 24 code points", text="the left text"),
        Param(name="right", type="string, 0 to 24 code points", text="the right text"),
        _cost("replace", "r"),
        _cost("swap", "s"),
        _cost("delete", "d"),
        _cost("insert", "i"),
    ),
    result='`{"distance": integer, "script": string}`: the distance, and the letters of the steps, in order; two empty texts '
    'have the script `""`.',
    rules=(
        "Of all scripts with the least cost it is the one that comes first in this order: where two differ for the "
        "first "
        "time, `k` comes before `r`, `r` before `s`, `s` before `d`, and `d` before `i`. So `ab` to `b` is `dk`, "
        "and `aa` to "
        "`a` is `kd`.",
        "The costs are as given, however odd: a replacement that costs more than a deletion and an insertion "
        "together is "
        "never used, and steps may cost 0.",
    ),
)

NEAREST = OperationDoc(
    name="nearest",
    summary="The words that are nearest to a word, for instance to correct it.",
    parameters=(
        Param(name="word", type="string, 1 to 12 code points", text="the word"),
        Param(
            name="words", type="array of 1 to 10 strings, each of 1 to 12 code points", text="the words to choose from"
        ),
        Param(
            name="within",
            type="integer, 0 to 12",
            text="how great the distance from `word` may be at most, with all costs 1; default 2",
            required=False,
        ),
    ),
    result='`{"words": [{"word": string, "distance": integer}, ...]}`: all the words within that distance, each once, however '
    "often it is in `words`.",
    rules=(
        "The words are ordered by distance, the least first; of equal ones those that share more characters with "
        "`word` at "
        "the beginning (up to the first difference) come first, and then the order is by code point, as Python "
        "compares "
        "strings.",
    ),
    errors=(
        ErrorDoc(
            code="none_near",
            when="no word is within that distance",
            extra=(("distance", "integer: the least distance of any of the words"),),
        ),
    ),
)

STEMS = (
    "kitten",
    "sitting",
    "saturday",
    "receive",
    "banana",
    "Straße",
    "abcabc",
    "lantern",
    "naïve",
    "otter",
    "mississippi",
)
LETTERS = "abeinst"


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    stem = rng.choice(STEMS)
    if rng.random() < 0.4:
        words = [_edited(rng, stem, rng.randint(0, 4))[:12] or "x" for _ in range(rng.randint(4, 10))]
        args: dict[str, Any] = {"word": _edited(rng, stem, 1)[:12] or "y", "words": words}
        if rng.random() < 0.6:
            args["within"] = rng.choice((0, 1, 1, 2, 3, 3, 4, 5))
        return "nearest", args
    args = {"left": _edited(rng, stem, 2)[:24], "right": _edited(rng, rng.choice((stem, stem, rng.choice(STEMS))), 4)}
    for name in program.KINDS:
        if rng.random() < 0.6:
            args[name] = rng.randint(0, 5)
    return "script", args


def _edited(rng: Random, text: str, times: int) -> str:
    """The text with some characters dropped, added, changed or swapped."""
    for _ in range(times):
        at = rng.randint(0, len(text))
        new = rng.choice(LETTERS)
        swapped = text[at : at + 2][::-1]
        text = (
            text[:at] + rng.choice(("", new, new + text[at : at + 1], swapped + text[at + 1 : at + 1])) + text[at + 1 :]
        )
    return text


def _script(left: str, right: str, **costs: int) -> Input:
    return "script", {"left": left, "right": right, **costs}


def _nearest(word: str, words: str, **more: int) -> Input:
    return "nearest", {"word": word, "words": words.split(" "), **more}


BOUNDARY: tuple[Input, ...] = (
    _nearest("form", "from forms farm Form fort worm form for from", within=1),
    _script("", ""),
    _script("", "abc"),
    _script("abc", ""),
    _script("abc", "abc"),
    _script("a", "b"),
    _script("ab", "ba"),
    _script("ab", "b"),
    _script("aa", "a"),
    _script("a", "aa"),
    _script("ca", "abc"),
    _script("abcdef", "badcfe"),
    _script("abab", "baba"),
    _script("aab", "aba"),
    _script("abc", "cab"),
    _script("abcd", "cdab"),
    _script("kitten", "sitting"),
    _script("Saturday", "sunday"),
    _script("ABC", "abc"),
    _script("é", "e\u0301"),
    _script("ab", "ba", swap=2),
    _script("ab", "ba", swap=3),
    _script("ab", "ba", replace=2, swap=5, delete=1, insert=2),
    _script("a", "b", replace=2),
    _script("a", "b", replace=3),
    _script("a", "b", replace=5, delete=2, insert=3),
    _script("abc", "xyz", replace=0),
    _script("abc", "xy", delete=0, insert=0),
    _script("abc", "cbaa", delete=0, insert=0, replace=0, swap=0),
    _script("abba", "baab", swap=0),
    _script("aabb", "bbaa", delete=0),
    _script("aabb", "bbaa", insert=0),
    _script("xabx", "xbay", swap=0, replace=100, delete=100, insert=100),
    _script("xaaab", "aaaby", insert=7, delete=3, replace=4),
    _script("abcab", "bacba", insert=3, delete=3, replace=2, swap=3),
    _script("bananas", "ananasb", replace=1, delete=3, insert=3),
    _script("aaaa", "bbbb", replace=100, delete=50, insert=50),
    _script("aaaa", "bbbb", replace=100, delete=49, insert=50),
    _script("aaa", "aaaaa", replace=0, delete=1, insert=100, swap=100),
    _script("abcdefghijklmnopqrstuvwx", "xwvutsrqponmlkjihgfedcba"),
    _script(wide(24), wide(23) + "x"),
    _script("x" * 24, wide(24), replace=3),
    _nearest("a", "b c d"),
    _nearest("abc", "abc", within=0),
    _nearest("abc", "abd acb abc", within=0),
    _nearest("abc", "abd acb bc ab", within=0),
    _nearest("abc", "xyz xyzw a", within=1),
    _nearest("abc", "cba", within=12),
    _nearest("abcdef", "abcdxy abcxef"),
    _nearest("abcdef", "xbcdef abcdex axcdef abcdef bacdef"),
    _nearest("abc", "abx ab abcx abd Abc abb zbc", within=1),
    _nearest("ca", "abc ac a c", within=3),
    _nearest("teh", "the then tea te eth"),
    _nearest("b", "z a é Z \U0001f600 aa", within=2),
    _nearest("abcdefghijkl", "lkjihgfedcba mnopqrstuvwx abcdefghijkx", within=12),
    _nearest("abcdefghijkl", "mnopqrstuvwx", within=11),
    _nearest("same", "same same same sane sane"),
    _nearest("four", "f fo fou four foura fourab fourabc x", within=3),
    ("nearest", {"word": wide(12), "words": [wide(12), wide(11), "é" * 12, "z"]}),
    ("nearest", {"word": " a", "words": ["a ", "a", " ", "\n"]}),
)

GOOD = {"left": "a", "right": "b"}
PICK = {"word": "a", "words": ["a"]}

MALFORMED: tuple[Input, ...] = (
    ("script", {"left": "a"}),
    ("script", {"right": "a"}),
    ("script", {**GOOD, "left": None}),
    ("script", {**GOOD, "left": ["a"]}),
    ("script", {**GOOD, "right": 5}),
    ("script", {**GOOD, "left": "a" * 25}),
    ("script", {**GOOD, "left": wide(25)}),
    ("script", {**GOOD, "right": wide(25)}),
    *(("script", {**GOOD, name: bad}) for name, bad in zip(program.KINDS, (-1, 101, True, 1.0), strict=True)),
    *(("script", {**GOOD, name: bad}) for name, bad in zip(program.KINDS, ("1", None, -1, 101), strict=True)),
    ("script", {**GOOD, "replace": 101}),
    ("script", {**GOOD, "swap": -1}),
    ("script", {**GOOD, "delete": 101}),
    ("script", {**GOOD, "insert": -1}),
    ("nearest", {"word": "a"}),
    ("nearest", {"words": ["a"]}),
    ("nearest", {**PICK, "word": ""}),
    ("nearest", {**PICK, "word": 1}),
    ("nearest", {**PICK, "word": wide(13)}),
    ("nearest", {**PICK, "words": "a"}),
    ("nearest", {**PICK, "words": []}),
    ("nearest", {**PICK, "words": ["zzzz", ""]}),
    ("nearest", {**PICK, "words": ["zzzz", None]}),
    ("nearest", {**PICK, "words": ["zzzz", wide(13)]}),
    ("nearest", {**PICK, "words": ["a"] * 11}),
    ("nearest", {**PICK, "within": -1}),
    ("nearest", {**PICK, "within": 13}),
    ("nearest", {**PICK, "within": False}),
    ("nearest", {**PICK, "within": 2.0}),
    ("nearest", {**PICK, "within": None}),
)

FAMILY = Family(
    number=7,
    slug="edit-distance",
    category="text",
    title="Edit distance",
    purpose="Finds the cheapest steps that turn one text into another - replacing, swapping neighbours, deleting, inserting - "
    "and the words that are nearest to a given word.",
    notes=NOTES,
    operations=(SCRIPT, NEAREST),
    program=program,
    # ab|cde -> ba|cxd: a swap (2) for `ab`, c is kept. `de` to `xd`: two replacements cost 6, deleting both and inserting both
    # 8, inserting x, keeping d and deleting e 3 + 1 = 4: the least. For `ab` to `ba`, d k i would cost 1 + 3 = 4 > 2. Total 6;
    # it is the only script with that cost.
    golden=Case(
        op="script",
        args={"left": "abcde", "right": "bacxd", "replace": 3, "swap": 2, "insert": 3},
        expected={"distance": 6, "script": "skikd"},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
