"""Contract, inputs and the golden case of the family `glob-match`."""

# ruff: noqa: SIM905 - a list of patterns reads best as text

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import glob_match as program

__all__ = ["FAMILY"]

NOTES = (
    "A pattern and a path are both split at every `/` into **segments**; nothing protects a `/` in a pattern. "
    "A segment "
    "may be empty: `/a/` has three, the first and the last of them empty, and an empty string has one empty "
    "segment. A pattern matches a "
    "path if its segments, in order, match all segments of the path.",
    "A pattern segment that is exactly `**` matches any number of segments of the path, none too, but no segment that "
    "begins with `.`. Every other pattern segment matches exactly one segment, and all of it.",
    "Within a segment: `*` matches any number of characters, none too (`**` beside other characters, or `***`, is no "
    "different from `*`); `?` matches any one character; `[...]` is a class, which matches one character; `\\` and the "
    "character after it match that character; every other character matches itself, `]`, `!`, `-`, `{` or `^` "
    "outside of "
    "a class too. Case matters.",
    "A **class** begins with `[`, or with `[!` if it is negated, and ends at the first `]` that has at least one "
    "character between it and that beginning: `[]a]` is a class of `]` and `a`, `[!]]` one of all but `]`. Between "
    "them, "
    "read from the left, three characters X`-`Y are a range (all characters from X to Y by code point, both included), "
    "and any other character stands for itself: `[a-c-e]` holds `a` to `c`, `-` and `e`; `[-a]` and `[a-]` hold `-` "
    "and "
    "`a`. `\\`, `[`, `*`, `?`, `^` and a later `!` are ordinary in a class. A negated class matches any one character "
    "that the class without `!` would not match.",
    "Hidden names: a segment of a path that begins with `.` matches only a pattern segment that begins with `.`, with "
    "`\\.` or with exactly `[.]`: neither `*`, `?`, `**` nor another class takes that first `.`.",
    "A pattern is **bad** if in a segment a `[` (outside of a class, not after `\\`) begins no class because its "
    "`]` is "
    "missing, if a `\\` outside of a class is the last character of its segment, or if a range runs backwards (X is "
    "greater than Y).",
    "Paths are given back as they came, in the order given; one that is given twice is given back twice.",
)

PATTERN_NUMBER = (("pattern", "integer: the number of the first bad pattern, from 1"),)

MATCH = OperationDoc(
    name="match",
    summary="The paths that match a pattern.",
    parameters=(
        Param(name="pattern", type="string, 1 to 30 code points", text="the pattern"),
        Param(name="paths", type="array of 0 to 10 strings, each of 0 to 30 code points", text="the paths"),
    ),
    result='`{"paths": [string, ...]}`: those of the paths that match.',
    errors=(
        ErrorDoc(
            code="bad_pattern",
            when="the pattern is bad, whatever the paths are",
            extra=(("pattern", "integer: always 1"),),
        ),
    ),
)

SELECT = OperationDoc(
    name="select",
    summary="The paths that a list of patterns selects, each pattern adding or taking away.",
    parameters=(
        Param(
            name="patterns", type="array of 1 to 4 strings, each of 1 to 30 code points", text="the patterns, in order"
        ),
        Param(name="paths", type="array of 0 to 6 strings, each of 0 to 30 code points", text="the paths"),
    ),
    result='`{"paths": [string, ...]}`: the selected paths.',
    rules=(
        "A pattern whose first character is `!` takes away: the pattern proper is what follows that one `!`. It may be "
        "empty, and then has one empty segment. (In `match` a `!` at the beginning is an ordinary character.)",
        "A pattern proper without any `/` is matched against the last segment of the path alone; one with a `/` "
        "against "
        "the whole path.",
        "Of the patterns that match a path the last one in the list decides: the path is selected unless that pattern "
        "takes away. A path that no pattern matches is not selected.",
    ),
    errors=(ErrorDoc(code="bad_pattern", when="a pattern is bad, whatever the paths are", extra=PATTERN_NUMBER),),
)

PARTS = (
    "* * ** ** *.py *.py test_* ?.txt [a-c]* [!a-c]* src docs a?c .* .git [.]git \\** [*?] a*b*c [a-] *[0-9] []x]* ?* "
    "é* [à-ü]? *.?? \\[a] *-* ** build *_test.* [!.]* x[!x]x"
).split()
NAMES = (
    "src docs a.py main.py test_a.py b.txt ab.txt abc aXc .git .hidden.py *x ? axbxc a - b-1 v10 ]x xyz é ép à1 [a] "
    "build "
    "run_test.go x.gz xax xxx _ .".split()
)
TEMPTING = ("[a-", "x\\", "[z-a]", "[]", "[!]")


def generate(rng: Random) -> Input:
    """One input of a random operation; most paths are made to fit."""
    op = rng.choice(("match", "select"))
    patterns = [_pattern(rng) for _ in range(1 if op == "match" else rng.randint(2, 4))]
    paths = [_path(rng, rng.choice(patterns)) for _ in range(rng.randint(3, 5))]
    paths.append(f"{_path(rng, rng.choice(patterns))[:15]}/v{rng.randint(0, 10**8)}.py")
    if op == "match":
        return op, {"pattern": patterns[0], "paths": paths}
    return op, {"patterns": [("!" if rng.random() < 0.4 else "") + text for text in patterns], "paths": paths}


def _pattern(rng: Random) -> str:
    segments = [rng.choice(PARTS) for _ in range(rng.choice((1, 1, 2, 2, 3, 4)))]
    if rng.random() < 0.04:
        segments[-1] = rng.choice(TEMPTING)
    return "/".join(segments)[:29]


def _path(rng: Random, pattern: str) -> str:
    """A path of names that mostly suit the segments of a pattern."""
    segments: list[str] = []
    for part in pattern.split("/"):
        fitting = [name for name in NAMES if part[:1] in (*"*?[\\!", name[:1]) and rng.random() < 0.9]
        segments += rng.sample(fitting, min(len(fitting), 1)) if part != "**" else rng.sample(NAMES, rng.randint(0, 2))
    return "/".join(segments[-6:])[:30]


def _match(pattern: str, paths: str) -> Input:
    """A match of paths that hold no space."""
    return "match", {"pattern": pattern, "paths": paths.split(" ")}


def _select(patterns: str, paths: str) -> Input:
    return "select", {"patterns": patterns.split(" "), "paths": paths.split(" ")}


BOUNDARY: tuple[Input, ...] = (
    _select("*.py !test_* test_a.py !old/**", "a.py test_a.py test_b.py x/test_a.py old/b.py old/x/test_a.py"),
    _match("src/*.py", "src/a.py src/.py src/x/a.py src/.a.py a.py SRC/a.py src/apy"),
    _match("**", "a a/b .a a/.b /"),
    _match("**/a", "a x/a x/y/a .x/a x/.y/a a/a /a a/ ba"),
    _match("a/**", "a a/ a/b a/b/c a/.b b/a aa/b a/b/.c"),
    _match("a/**/b", "a/b a/x/b a/x/y/b ab a/.x/b a/b/b a/b/c"),
    _match("**/**/x", "x a/x a/b/x .a/x xx"),
    _match("**/a/**/b/**", "a/b b/a x/a/b a/a/y/b/b/z a/b/a c/a/.d/b"),
    _match("**/.x/**/y", "a/.x/y .x/y a/.x/b/y a/b/.x/.c/y y"),
    _match("a**b", "ab axb a/b a**b axxb aba"),
    _match("***", "a a/b .a abc"),
    _match("*a*b*", "ab ba xaxbx aab b xxa .ab a/b"),
    _match("a*a", "a aa aba abaa aab"),
    _match("?", "a é . ab / \U0001f600 ?"),
    _match("a?c", "abc ac a/c a.c a?c abbc"),
    _match("*", "a .a"),
    ("match", {"pattern": "*", "paths": ["", "/", "a\nb", "a b", " ", "\r"]}),
    ("match", {"pattern": "a?b", "paths": ["a\nb", "a\tb", "a\u2028b"]}),
    ("match", {"pattern": "[\n]\\\n[!x][\x00-\x1f]", "paths": ["\n\n\n\n", "\n\ny\x1f", "\n\nx\n", "\n\ny "]}),
    _match("/", "/ a/ /a // a"),
    _match("/a/", "/a/ a a/ /a //a/"),
    _match("a//b", "a/b a//b a/x/b"),
    _match(".*", ". .. .a a .a/b"),
    _match("\\.a", ".a a \\.a \\xa"),
    _match("[.]a", ".a a xa"),
    _match("[..]a", ".a a"),
    _match("[!a]b", ".b xb ab b"),
    _match("[+-/]b", ".b -b +b ,b"),
    _match("*.a", ".a x.a x.y.a"),
    _match("?a", ".a xa"),
    _match("*/.a", "x/.a .x/.a x/a"),
    _match("[]]", "] [ a"),
    _match("[]-a]", "] a ^ _ - b"),
    _match("[!]-a]x", "]x ax ^x bx -x"),
    _match("[!]]", "] [ a !"),
    _match("[a]]", "a] a ] aa"),
    _match("[[]", "[ [[ ]"),
    _match("[a-c-e]", "a b c d e -"),
    _match("[-a]", "- a b"),
    _match("[a-]", "- a b"),
    _match("[!a-]", "- a b !"),
    _match("[--0]", "- . / 0 1 ,"),
    _match("x[--0]", "x- x. x/ x0 x1 x,"),
    _match("[a!]", "a ! b"),
    _match("[a^]", "a ^ b"),
    _match("[^a]", "a ^ b"),
    _match("[\\]", "\\ ] a"),
    _match("[\\]]", "\\] ] \\"),
    _match("[*?]", "* ? a"),
    _match("[a-a][B-Y]", "aB aY aA aZ bB aM am"),
    _match("\\*\\?\\[\\]\\\\\\a", "*?[]\\a *?[]\\\\a x?[]\\a"),
    _match("a]!-^{b,c}", "a]!-^{b,c} a]!-^b"),
    _match("!a", "!a a b"),
    _match("é[à-ü]?", "éàx éüx éax éÿx e\u0301àx"),
    _match("[", "a ["),
    _match("a/[b/c]", "a/b"),
    _match("[]", "]"),
    _match("[!]", "!"),
    _match("a[!", "a"),
    _match("a\\", "a\\"),
    _match("a\\/b", "a/b a\\/b"),
    _match("[b-a]", "a b"),
    _match("[!a-cz-y]", "a"),
    _match("b[a-", "ba"),
    ("match", {"pattern": "[z-a]", "paths": []}),
    ("match", {"pattern": "a", "paths": []}),
    _match("a", "a a b a"),
    _match("[ab]", "a b c a b c a b c a"),
    ("match", {"pattern": wide(30), "paths": [wide(30), wide(29), ""]}),
    ("match", {"pattern": "*?" * 15, "paths": ["x" * 30, "x" * 15, "x" * 14, wide(30)]}),
    ("match", {"pattern": "*a" * 14 + "*b", "paths": ["a" * 30, "a" * 29 + "b"] * 3}),
    ("match", {"pattern": "**/" * 9 + "*a", "paths": ["/".join("a" * 15), "/".join("a" * 14 + "b")] * 3}),
    ("select", {"patterns": [wide(30), "?" * 30], "paths": [wide(30), "é" * 30, "z" * 29]}),
    ("select", {"patterns": ["a"], "paths": []}),
    ("select", {"patterns": ["a", "[", "\\"], "paths": []}),
    _select("a !", "a b/ / c"),
    ("select", {"patterns": ["*", "!"], "paths": ["", "a", "b/", "/a"]}),
    _select("*/* !!b !\\!c", "a/!b a/b a/!c x"),
    _select("\\!b", "!b b a/!b"),
    _select("!a a", "a b"),
    _select("a !a", "a b"),
    _select("!a *", "a b .c x/.d .d/e"),
    _select("** !x/** x/y", "a a/b x x/y x/y/z q/x/y"),
    _select("*.a !/b.a", "b.a /b.a c/b.a"),
    _select("!*.a", "b"),
    _select("x [b-a] [", "x"),
    _select("x ![", "x"),
    _select("b/", "b b/ a/b/"),
    _select("a* *b", "ab a/b b/a a/.ab ab"),
)

MALFORMED: tuple[Input, ...] = (
    ("match", {"pattern": "a"}),
    ("match", {"paths": ["a"]}),
    ("match", {"pattern": "", "paths": ["a"]}),
    ("match", {"pattern": None, "paths": ["a"]}),
    ("match", {"pattern": ["a"], "paths": ["a"]}),
    ("match", {"pattern": "a" * 31, "paths": ["a"]}),
    ("match", {"pattern": wide(31), "paths": ["a"]}),
    ("match", {"pattern": "a", "paths": "a"}),
    ("match", {"pattern": "a", "paths": [1]}),
    ("match", {"pattern": "a", "paths": [None]}),
    ("match", {"pattern": "a", "paths": ["a"] * 11}),
    ("match", {"pattern": "[", "paths": ["a", "b" * 31]}),
    ("match", {"pattern": "a", "paths": [wide(31)]}),
    ("select", {"patterns": ["a"]}),
    ("select", {"paths": ["a"]}),
    ("select", {"patterns": "a", "paths": ["a"]}),
    ("select", {"patterns": [], "paths": ["a"]}),
    ("select", {"patterns": ["a", ""], "paths": ["a"]}),
    ("select", {"patterns": ["["] * 5, "paths": ["a"]}),
    ("select", {"patterns": ["[", 2], "paths": ["a"]}),
    ("select", {"patterns": ["a", wide(31)], "paths": ["a"]}),
    ("select", {"patterns": ["a"], "paths": {}}),
    ("select", {"patterns": ["a"], "paths": ["a"] * 7}),
    ("select", {"patterns": ["a"], "paths": ["a", True]}),
    ("select", {"patterns": ["a"], "paths": ["a" * 31]}),
)

FAMILY = Family(
    number=4,
    slug="glob-match",
    category="text",
    title="Glob matching",
    purpose="Matches paths against patterns with wildcards, as file lists and ignore files use them.",
    notes=NOTES,
    operations=(MATCH, SELECT),
    program=program,
    # `**` takes `src` and `a` in the first path, nothing in the second; `[!t]*` takes `main.py` and `lib.py`: then the class
    # takes one character that is not `t` and `*.py` the rest. `test.py` begins with t; `.x.py` is hidden; in the fifth `**`
    # would have to take `.git`; the last has no `.py` at its end.
    golden=Case(
        op="match",
        args={
            "pattern": "**/[!t]*.py",
            "paths": ["src/a/main.py", "lib.py", "src/test.py", "src/.x.py", ".git/lib.py", "lib.pyc"],
        },
        expected={"paths": ["src/a/main.py", "lib.py"]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
