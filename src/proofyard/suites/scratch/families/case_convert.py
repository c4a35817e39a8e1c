"""Contract, inputs and the golden case of the family `case-convert`."""

# ruff: noqa: RUF001 - look-alike characters are tried on purpose

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import case_convert as program

__all__ = ["FAMILY"]

NOTES = (
    "Only the ASCII letters `A` to `Z` and `a` to `z` count as letters, only `0` to `9` as digits.",
    "A name is split into **words** in these steps. First every apostrophe `'` (U+0027) is taken out, so that what "
    "stood on "
    "both sides of it is then side by side. Then the name is cut wherever another character stands that is no "
    "letter and no "
    "digit (a letter like `é` too); those characters are dropped. Then each piece is cut further: between a small "
    "letter or a "
    "digit and a capital directly after it; and between two capitals if a small letter comes directly after the "
    "second. There "
    "is no other cut: none between letters and digits after them, none between a digit and a small letter. The "
    "words are the "
    "pieces that are not empty, in small letters.",
    "So `parseHTTPResponse2xx` has the words `parse`, `http`, `response2xx`; `iOSApp` has `i`, `os`, `app`; "
    "`utf8Name` has "
    "`utf8`, `name`; `ABc` has `a`, `bc`; `it's_DON'T` has `its`, `dont`; `2FA` has `2`, `fa`.",
    "The **styles**, for the words `user`, `id`, `2fa`: `camel` is `userId2fa`, `pascal` is `UserId2fa`, `title` is "
    "`User Id "
    "2fa`, `snake` is `user_id_2fa`, `kebab` is `user-id-2fa`, `constant` is `USER_ID_2FA`. In `camel` (but for the "
    "first word, "
    "which is in small letters), `pascal` and `title` the first character of a word becomes a capital, if it is a "
    "letter, and "
    "the others stay small.",
)

CONVERT = OperationDoc(
    name="convert",
    summary="Names written in one style.",
    parameters=(
        Param(name="names", type="array of 1 to 20 strings, each of 0 to 60 code points", text="the names"),
        Param(
            name="style",
            type="string: `camel`, `pascal`, `title`, `snake`, `kebab` or `constant`",
            text="the style to write them in",
        ),
        Param(
            name="acronyms",
            type="array of 0 to 10 strings, each of 1 to 10 code points",
            text="words with a spelling of their own; default none",
            required=False,
        ),
        Param(
            name="unique",
            type="boolean",
            text="whether no two names of the result may be the same; default false",
            required=False,
        ),
    ),
    result='`{"names": [string, ...]}`: the new names, in the order of `names`.',
    rules=(
        "In `camel` (but for the first word), `pascal` and `title`, a word is written exactly as an acronym is "
        "given, if that "
        "acronym, changed by Python's `str.lower()`, is that whole word; the first such acronym counts. An acronym "
        "that equals "
        "no word does nothing. In the other styles acronyms do nothing.",
        "With `unique`, names are made in order, and one that is the same as a name already made is made anew with "
        "a number as "
        "one more word at its end: `2`, or if that is taken `3`, and so on; the least that gives a name not yet made. "
        "(`a_b`, `a_b_2`, `a_b_3`; in camel `aB`, `aB2`, `aB3`.) Names that come later in `names` do not matter.",
    ),
    errors=(
        ErrorDoc(
            code="no_words",
            when="a name has no words",
            extra=(("name", "integer: the number of the first such name, from 1"),),
        ),
    ),
)

DETECT = OperationDoc(
    name="detect",
    summary="The words of a name, and the styles it is written in.",
    parameters=(Param(name="name", type="string, 0 to 60 code points", text="the name"),),
    result='`{"words": [string, ...], "styles": [string, ...]}`: the words, and all styles in which these words, without '
    "acronyms, are written exactly like the name.",
    rules=(
        "`styles` is in the order `camel`, `pascal`, `title`, `snake`, `kebab`, `constant`. It is `[]` where none "
        "fits, and for "
        "a name without words, also the empty one (`words` is `[]` then too).",
    ),
)

PARTS = (
    *("user", "User", "ID", "id", "HTTP", "http", "Server", "x", "X", "2fa", "utf8", "8", "42", "v2", "iOS", "don't"),
    *("JSON", "Url", "aB", "é", "Straße", "name", "NAME", "A", "Of", "B2B", "XMLHttp", "1st"),
)
JOINTS = ("", "", "_", "_", "-", " ", "  ", ".", "__", "'", "/", "ß")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    if rng.random() < 0.3:
        style = rng.choice((*program.JOINTS, ""))
        name = _name(rng, rng.sample(PARTS, rng.randint(1, 4)))[:48] + f"V{rng.randint(0, 10**8)}"
        words = program.split(name) or ["none"]
        return "detect", {"name": program.written(words, style, [])[:60] if style else name}
    few = rng.sample(PARTS, rng.randint(2, 5))
    args: dict[str, Any] = {
        "names": [_name(rng, few) for _ in range(rng.randint(3, 9))],
        "style": rng.choice(("camel", "camel", "pascal", "title", "snake", "kebab", "constant")),
    }
    if rng.random() < 0.05:
        args["names"].append(rng.choice(("", "é", "__")))
    if rng.random() < 0.6:
        args["acronyms"] = rng.sample(
            ("ID", "HTTP", "iOS", "Id", "utf8", "UTF8", "JSON", "OS", "dOn'T", "XML", "2FA"), 5
        )
    if rng.random() < 0.6:
        args["unique"] = rng.random() < 0.8
    return "convert", args


def _name(rng: Random, parts: list[str]) -> str:
    made = rng.choice(("", "", "", "_", "é"))
    for _ in range(rng.randint(1, 4)):
        made += rng.choice(parts) + rng.choice(JOINTS)
    return made if program.split(made) else f"{made}q"


def _convert(names: str, style: str, **more: Any) -> Input:
    return "convert", {"names": names.split("|"), "style": style, **more}


def _detect(name: str) -> Input:
    return "detect", {"name": name}


MIXED = "parseHTTPResponse2xx|iOSApp|user_id|Don't--STOP now|2FA|x|ABc|"[:-1]

BOUNDARY: tuple[Input, ...] = (
    _convert("user-id|userID|http_Status|user id", "camel", acronyms=["ID", "HTTP"], unique=True),
    *(_convert(MIXED, style) for style in program.JOINTS),
    *(_convert(MIXED, style, acronyms=["HTTP", "Os", "XX", "Fa", "x", "ID", "DONt"]) for style in program.JOINTS),
    _convert("", "snake"),
    _convert("a||_", "camel"),
    _convert("a|'|b", "snake"),
    _convert("é|a", "title", unique=True),
    _convert("a|a|a", "snake"),
    _convert("a|a|a", "snake", unique=False),
    _convert("a|A|a_2|a|a2|a 2|a|a|a|a|a|a|a", "snake", unique=True),
    _convert("a2|a|A|a2|a", "camel", unique=True),
    _convert("a|a|a 2|a_2", "pascal", unique=True),
    _convert("aB|a-b|AB|ab|a_b", "kebab", unique=True),
    _convert("a|a 2|a|a", "title", unique=True, acronyms=["2", "A"]),
    _convert("xA|x_a|x a", "constant", unique=True),
    _convert("id|idId|id_id", "camel", acronyms=["ID", "Id"], unique=True),
    _convert("api id|API|a_p_i", "pascal", acronyms=["aPi", "API", "api"]),
    _convert("abc|a b c", "title", acronyms=["a b c", "AB", "C-", "b"]),
    _convert("k k|i i", "pascal", acronyms=["\u212a", "\u0130"]),
    _convert("utf8|UTF8x|utf-8", "pascal", acronyms=["UTF8", "UTF"]),
    _convert("a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t", "pascal", acronyms=list("ABCDEFGHIJ")),
    ("convert", {"names": [wide(60), f"q{wide(59)}"], "style": "snake"}),
    ("convert", {"names": [f"{wide(59)}q"], "style": "title", "acronyms": [wide(10), "Q"]}),
    _detect(""),
    _detect("_"),
    _detect("'é'"),
    _detect("a"),
    _detect("A"),
    _detect("7"),
    _detect("aB"),
    _detect("AB"),
    _detect("ABc"),
    _detect("Ab"),
    _detect("abC1D"),
    _detect("userId"),
    _detect("user_id"),
    _detect("user__id"),
    _detect("_user_id"),
    _detect("User_Id"),
    _detect("USER_ID"),
    _detect("user-id"),
    _detect("User Id"),
    _detect("User id"),
    _detect("User  Id"),
    _detect("UserId"),
    _detect("UserID"),
    _detect("HTTPServer"),
    _detect("HTTPSx2"),
    _detect("HTTP2Server"),
    _detect("A1B2c3D4"),
    _detect("V2_8"),
    _detect("2fa"),
    _detect("2Fa"),
    _detect("user2_3"),
    _detect("don't"),
    _detect("DON'Ts"),
    _detect("a'B'C'd"),
    _detect("it’s a.b/c\td\ne"),
    _detect("naïveÉa\u0130b\u212aC"),
    _detect("X٣x²Y"),
    _detect("aaB" * 20),
    _detect(wide(60)),
)

GOOD = {"names": ["a"], "style": "camel"}
WORDLESS = {"names": [""], "style": "camel"}

MALFORMED: tuple[Input, ...] = (
    ("convert", {"names": ["a"]}),
    ("convert", {"style": "camel"}),
    ("convert", {**GOOD, "names": "a"}),
    ("convert", {**GOOD, "names": []}),
    ("convert", {**GOOD, "names": [None]}),
    ("convert", {**GOOD, "names": ["", 1]}),
    ("convert", {**GOOD, "names": ["a"] * 21}),
    ("convert", {**GOOD, "names": ["", wide(61)]}),
    ("convert", {**GOOD, "style": "Camel"}),
    ("convert", {**GOOD, "style": "dot"}),
    ("convert", {**GOOD, "style": ""}),
    ("convert", {**GOOD, "style": None}),
    ("convert", {**GOOD, "style": ["camel"]}),
    ("convert", {**WORDLESS, "acronyms": "ID"}),
    ("convert", {**WORDLESS, "acronyms": [""]}),
    ("convert", {**WORDLESS, "acronyms": ["ID", 1]}),
    ("convert", {**WORDLESS, "acronyms": ["ID"] * 11}),
    ("convert", {**WORDLESS, "acronyms": [wide(11)]}),
    ("convert", {**WORDLESS, "acronyms": None}),
    ("convert", {**WORDLESS, "unique": 1}),
    ("convert", {**WORDLESS, "unique": None}),
    ("convert", {**WORDLESS, "unique": "yes"}),
    ("detect", {}),
    ("detect", {"name": None}),
    ("detect", {"name": ["a"]}),
    ("detect", {"name": 5}),
    ("detect", {"name": "a" * 61}),
    ("detect", {"name": wide(61)}),
)

FAMILY = Family(
    number=8,
    slug="case-convert",
    category="text",
    title="Case conversion",
    purpose="Splits identifiers into words and writes them in another style: camelCase, snake_case and others, with acronyms "
    "and without doubles.",
    notes=NOTES,
    operations=(CONVERT, DETECT),
    program=program,
    # MyURLParser: cut between y and U, and between L and P as a follows: my, url, parser; `url` is an acronym: MyURLParser.
    # my-url_parser: the same words, so the same name: taken, and 2 is added. url2 is one word, no acronym: Url2; then the word
    # `go`. can'tURL: the apostrophe goes, cut between t and U: cant, url.
    golden=Case(
        op="convert",
        args={
            "names": ["MyURLParser", "my-url_parser", "url2 go", "can'tURL"],
            "style": "pascal",
            "acronyms": ["URL"],
            "unique": True,
        },
        expected={"names": ["MyURLParser", "MyURLParser2", "Url2Go", "CantURL"]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
