"""Contract, inputs and the golden case of the family `word-frequency`."""

# ruff: noqa: RUF001, SIM905 - look-alike characters are what this family is about; a word list reads best as text

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import word_frequency as program

__all__ = ["FAMILY"]

NOTES = (
    "A **letter** is a character for which Python's `str.isalpha()` is true (Unicode general category L). A "
    "**digit** is one of the ASCII characters `0` to `9`. A **joiner** is `'` (U+0027), `’` (U+2019) or `-` (U+002D).",
    "A **token** is a longest run of letters, digits and joiners in which each joiner stands directly between two "
    "letters or digits. Every other character ends a token, and so does a joiner that is not between two letters or "
    "digits: `rock-n-roll` and `don't` are one token each, `-x`, `x'` and `(x)` hold the token `x`, `a--b` and "
    "`a'-b` hold the tokens `a` and `b`.",
    "A **word** is a token with at least one letter. Tokens without a letter (`2024`, `10-12`) are dropped as if "
    "they were spaces; `2nd` is a word.",
    "Words are compared and reported in folded form: each `’` becomes `'`, then Python's `str.casefold()` is "
    "applied, so `Straße` and `STRASSE` are the same word `strasse`. There is no Unicode normalisation: a combining "
    "mark is no letter and ends a token.",
    "Words are ordered by code point, as Python compares strings; pairs by the first word, then by the second.",
)

TOP = OperationDoc(
    name="top",
    summary="The most frequent words of a text.",
    parameters=(
        Param(name="text", type="string, 0 to 5000 code points", text="the text"),
        Param(
            name="limit", type="integer, 1 to 100", text="how many words to return at most; default 10", required=False
        ),
        Param(
            name="min_length", type="integer, 1 to 50", text="shorter words are not counted; default 1", required=False
        ),
        Param(
            name="stopwords",
            type="array of 0 to 50 strings, each of 1 to 50 code points",
            text="words that are not counted; default none",
            required=False,
        ),
    ),
    result='`{"total": integer, "distinct": integer, "words": [{"word": string, "count": integer}, ...]}`: how many '
    "words were counted, how many different ones among them, and the most frequent ones.",
    rules=(
        "A word is counted if its folded form has at least `min_length` code points (joiners included) and is not a "
        "stopword. Stopwords are folded in the same way before they are compared; one that is not, as a whole, "
        "one word (`(the)`, `42`, `a b`, `i` with U+0307 after it) matches nothing.",
        "`total` and `distinct` are of all counted words, whatever `limit` is.",
        "`words` is ordered by `count`, greatest first, equal counts by word, and is cut after `limit` words.",
    ),
)

PAIRS = OperationDoc(
    name="pairs",
    summary="The most frequent pairs of neighbouring words.",
    parameters=(
        Param(name="text", type="string, 0 to 5000 code points", text="the text"),
        Param(
            name="limit", type="integer, 1 to 100", text="how many pairs to return at most; default 10", required=False
        ),
    ),
    result='`{"total": integer, "pairs": [{"first": string, "second": string, "count": integer}, ...]}`: how many '
    "pairs there are, each occurrence counted, and the most frequent ones.",
    rules=(
        "Two words make a pair if the second is the next word after the first and no `.`, `!` or `?` stands anywhere "
        "between them (dropped tokens between them do not matter, line ends neither). Overlapping pairs all count: "
        "`a a a` has the pair `a`, `a` twice.",
        "`.`, `!` and `?` separate wherever they stand, also inside what a reader may take for one unit: `e.g` has "
        "the words `e` and `g`, and no pair.",
        "`pairs` is ordered by `count`, greatest first, equal counts by `first`, then by `second`, and is cut after "
        "`limit` pairs. `total` does not depend on `limit`.",
    ),
)

COMPARE = OperationDoc(
    name="compare",
    summary="Which words two texts share, and how far they overlap.",
    parameters=(
        Param(name="left", type="string, 0 to 5000 code points", text="the one text"),
        Param(name="right", type="string, 0 to 5000 code points", text="the other text"),
    ),
    result='`{"left_only": [string, ...], "right_only": [string, ...], "common": [{"word": string, "left": integer, '
    '"right": integer}, ...], "overlap": integer}`: the words of `left` only, those of `right` only, those of both '
    "with their counts in either text, and the overlap in percent. All three arrays are ordered by word.",
    errors=(ErrorDoc(code="no_words", when="neither text has a word"),),
    rules=(
        "`overlap` = 100 times S / U rounded to an integer, an exact half upwards. S is the sum over all words of the "
        "smaller of their counts in `left` and in `right`, U the sum of the greater.",
    ),
)

VOCABULARY = (
    "the The a river River stone bridge don't Don’t rock-n-roll well-known 2nd 42 10-12 Straße STRASSE Ünïcode "
    "ünïcode λόγος ΛΌΓΟΣ 東京 e é it's IT’S x1 north North sail sailing of and And -- 'tis dogs' snow_man ½ ½cup"
).split()
GAPS = (*(" ",) * 12, ", ", "; ", ". ", "! ", "? ", "\n", "\t", "--", " - ", "…", ".", "/")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("top", "top", "pairs", "compare"))
    if op == "compare":
        if rng.random() < 0.08:
            return op, {"left": f"{rng.randint(0, 10**6)} ...", "right": "-- '' --"}
        return op, {"left": _text(rng, 18), "right": _text(rng, 18)}
    args: dict[str, object] = {"text": _text(rng, 40)}
    if rng.random() < 0.5:
        args["limit"] = rng.randint(1, 6)
    if op == "top" and rng.random() < 0.5:
        args["min_length"] = rng.randint(2, 6)
    if op == "top" and rng.random() < 0.5:
        args["stopwords"] = rng.sample(VOCABULARY, rng.randint(1, 4))
    return op, args


def _text(rng: Random, most: int) -> str:
    few = rng.sample(VOCABULARY, rng.randint(3, 10))
    return "".join(rng.choice(few) + rng.choice(GAPS) for _ in range(rng.randint(4, most)))


BOUNDARY: tuple[Input, ...] = (
    ("pairs", {"text": "Stop. Go now, go NOW! 7 times: go 7 now?", "limit": 2}),
    ("compare", {"left": "2024: 10-12 --", "right": ""}),
    ("top", {"text": ""}),
    ("top", {"text": "' - ’ 12 3-4 ½ _"}),
    ("top", {"text": "a--b a'-b -c c- 'd' e’f E'F 1-x x-1", "limit": 100}),
    ("top", {"text": "Straße STRASSE straße ẞ ß İ i", "min_length": 2}),
    ("top", {"text": "a0 0b c9d 9e x1y8 2z3w4v5u6t7", "limit": 20}),
    ("top", {"text": "Xenon's max X-"}),
    ("top", {"text": "b a B A c", "limit": 2}),
    ("top", {"text": "b b a a c", "limit": 1}),
    ("top", {"text": "it’s its it's ITS", "stopwords": ["IT'S", "42", "?"]}),
    ("top", {"text": "The the (the) don't Don’t", "stopwords": ["(the)", "-the", "the the", "don’t"]}),
    ("top", {"text": "İ i İstanbul", "stopwords": ["i\u0307", "İSTANBUL"]}),
    ("top", {"text": "İ i̇ I", "stopwords": ["İ"]}),
    ("top", {"text": wide(5000), "stopwords": [wide(50), "é" * 50]}),
    ("pairs", {"text": wide(5000)}),
    ("compare", {"left": wide(5000), "right": wide(5000)}),
    ("top", {"text": "e\u0301a éa ÉA 𝒜𝒷 ａｂ x²y 4٣4 ٣b", "limit": 3}),
    ("top", {"text": "ab abc a-b ab's", "min_length": 3}),
    ("top", {"text": "z é Z É \U0001f600 a\U0001f600b \ufb01n fin"}),
    ("top", {"text": "l k j i h g f e d c b a"}),
    ("top", {"text": "word " * 1000, "limit": 1, "min_length": 4, "stopwords": []}),
    ("top", {"text": "a" * 50 + " " + "a" * 51, "min_length": 50}),
    ("top", {"text": "a ab", "min_length": 1, "stopwords": ["x" * 50] * 49 + ["ab"]}),
    ("pairs", {"text": ""}),
    ("pairs", {"text": "alone"}),
    ("pairs", {"text": "a a a a"}),
    ("pairs", {"text": "e.g this\nthat 3.5 x 3 x! y-x?z z"}),
    ("pairs", {"text": "b c b d a b c b d a", "limit": 100}),
    ("pairs", {"text": "a b c d e f g h i j k l m"}),
    ("compare", {"left": "a b b", "right": "b c"}),
    ("compare", {"left": "a", "right": ""}),
    ("compare", {"left": "Same-old SAME-OLD", "right": "same-old same-old"}),
    ("compare", {"left": "a b c d e f g", "right": "g"}),
    ("compare", {"left": "p p p p p q", "right": "p r r"}),
)

MALFORMED: tuple[Input, ...] = (
    ("top", {}),
    ("top", {"text": None}),
    ("top", {"text": 12}),
    ("top", {"text": ["a"]}),
    ("top", {"text": "a" * 5001}),
    ("top", {"text": "a", "limit": 0}),
    ("top", {"text": "a", "limit": 101}),
    ("top", {"text": "a", "limit": True}),
    ("top", {"text": "a", "limit": 5.0}),
    ("top", {"text": "a", "limit": "5"}),
    ("top", {"text": "a", "limit": None}),
    ("top", {"text": "a", "min_length": 0}),
    ("top", {"text": "a", "min_length": 51}),
    ("top", {"text": "a", "min_length": False}),
    ("top", {"text": "a", "stopwords": "a"}),
    ("top", {"text": "a", "stopwords": [""]}),
    ("top", {"text": "a", "stopwords": ["b", 1]}),
    ("top", {"text": "a", "stopwords": ["b" * 51]}),
    ("top", {"text": "a", "stopwords": ["b"] * 51}),
    ("top", {"text": wide(5001)}),
    ("top", {"text": "a", "stopwords": ["a", wide(51)]}),
    ("pairs", {"limit": 3}),
    ("pairs", {"text": {}}),
    ("pairs", {"text": "a b", "limit": -1}),
    ("pairs", {"text": "a b", "limit": True}),
    ("compare", {"left": "a"}),
    ("compare", {"right": "a"}),
    ("compare", {"left": "a", "right": False}),
    ("compare", {"left": "a", "right": "b" * 5001}),
)

FAMILY = Family(
    number=1,
    slug="word-frequency",
    category="text",
    title="Word frequency",
    purpose="Counts the words of texts: the most frequent words, the most frequent pairs of neighbours, and how far "
    "the vocabularies of two texts overlap.",
    notes=NOTES,
    operations=(TOP, PAIRS, COMPARE),
    program=program,
    # Tokens: the, river, 42, the, River's, edge, a, well-known, river. 42 has no letter, so 8 words remain. The stopword
    # `A` folds to `a` and takes one away: total 7. Folded: the x2, river x2, river's, edge, well-known: 5 distinct. Equal
    # counts by code point: river < the; of the single ones edge < river's < well-known, and the limit keeps 3.
    golden=Case(
        op="top",
        args={"text": "The river; 42: the River’s edge -- a well-known river!", "limit": 3, "stopwords": ["A"]},
        expected={
            "total": 7,
            "distinct": 5,
            "words": [
                {"word": "river", "count": 2},
                {"word": "the", "count": 2},
                {"word": "edge", "count": 1},
            ],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
