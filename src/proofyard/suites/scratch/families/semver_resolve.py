"""Contract, inputs and the golden case of the family `semver-resolve`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import semver_resolve as program

__all__ = ["FAMILY"]

NOTES = (
    "A **version** is `X.Y.Z`, or `X.Y.Z-` and a pre-release. X, Y and Z are integers in ASCII digits without leading zeros. A "
    "pre-release is one or more identifiers joined by `.`; an identifier is one or more of the ASCII letters, digits and `-`; "
    "one of digits only has no leading zero, unless it is `0`. Nothing else is a version: no `v`, no build metadata `+x`, no "
    "spaces.",
    "**Order.** X, Y and Z are compared as numbers, in this order. If they are equal, a version with a "
    "pre-release is less than the one without; two pre-releases are compared identifier by identifier: two of "
    "digits only as numbers, two others by code point (as Python compares strings), one of digits only is less "
    "than any other; if all of the shorter one are equal, the shorter one is less. `1.0.0-2` < `1.0.0-10` < "
    "`1.0.0-B` < `1.0.0-a` < `1.0.0-a.1` < `1.0.0-a-b` < `1.0.0`.",
    "A **range** is one or more alternatives joined by `||`. An alternative is `*` alone, or one or more "
    "comparators separated by spaces (U+0020 only); spaces may also stand at its ends. A comparator is a sign "
    "and directly after it a version. An alternative matches a version v if all its comparators hold (those of "
    "`*` always do) and the pre-release rule lets it.",
    "Comparators with base b: `<b`, `<=b`, `>b`, `>=b` by the order; `=b` or just `b`: v is equal to b. `^b`: v "
    ">= b, and v has the same X, Y, Z as b up to and including the first of them that is not 0 in b (all three "
    "if all are 0). `~b`: v >= b, and v has the same X and Y as b. So `^0.2.3` holds for 0.2.9, not for 0.3.0; "
    "`^1.2.3` holds neither for 2.0.0-a nor for 1.2.3-a.",
    "**Pre-release rule**: an alternative matches a version with a pre-release only if one of its comparators "
    "has a base with a pre-release and the same X, Y and Z, whatever the sign: `>=1.0.0-a` matches 1.0.0-b but "
    "not 1.1.0-b; `*` matches none.",
)

BAD_VERSION = ErrorDoc(
    code="bad_version", when="one of the versions of the arguments is not a version as defined above"
)
BAD_RANGE = ErrorDoc(code="bad_range", when="one of the ranges is not a range as defined above")

MATCH = OperationDoc(
    name="match",
    summary="The versions that match a range.",
    parameters=(
        Param(name="range", type="string, 1 to 60 code points", text="the range"),
        Param(name="versions", type="array of 0 to 40 strings, each of 1 to 40 code points", text="the versions"),
    ),
    result='`{"best": string or null, "matching": [string, ...]}`: the greatest of `versions` that matches, `null` if none '
    "does; and all that match, the greatest first, as often as they are given.",
    errors=(BAD_VERSION, BAD_RANGE),
)

RESOLVE = OperationDoc(
    name="resolve",
    summary="One version of each package that is needed, so that all needs are met.",
    parameters=(
        Param(
            name="packages",
            type='array of 0 to 12 objects `{"name": string, "version": string, "needs": {name: range, ...}}`',
            text="what is on offer, each version of a package on its own, in any order; `name` has 1 to 20 code points, "
            "`version` 1 to 40; `needs` has 0 to 6 keys, names of packages that this version needs, and their ranges, each a "
            "string of 1 to 60 code points; other keys are ignored",
        ),
        Param(
            name="needs",
            type="object with 0 to 6 keys, each value a string of 1 to 60 code points",
            text="the packages that are wanted, and their ranges",
        ),
    ),
    result='`{"selected": {name: version, ...}}`: each package that is selected and its version.',
    errors=(
        BAD_VERSION,
        BAD_RANGE,
        ErrorDoc(code="duplicate", when="two packages on offer have the same name and the same version"),
        ErrorDoc(code="no_solution", when="no selection meets all needs"),
    ),
    rules=(
        "A selection has at most one version of a package. The needs of the request and of every selected version must be met: "
        "the package is selected, in a version that matches the range. A version may need its own package, and packages may "
        "need each other in a circle.",
        "A selection is made by decisions: of the names that are needed so far (by the request or by a version "
        "selected already) and not decided yet, the first by code point is decided next, for one of its "
        "versions; and so on until no name is left. So a selection holds no package that nothing in it needs.",
        "Of all selections that meet all needs, the result is the one with the greatest version in the first decision; among "
        "those, the one with the greatest in the second, and so on. A search finds it first that tries the greatest version "
        "first and, where a need cannot be met, goes back to the latest decision that has a lower version left.",
    ),
)

NAMES = ("a", "b", "c", "d", "e")
LABELS = ("alpha", "alpha.1", "alpha.beta", "beta", "beta.2", "beta.11", "rc.1", "1", "10", "2", "x-y", "0")


def generate(rng: Random) -> Input:
    """One input of a random operation; a few have a fault."""
    op = rng.choice(("match", "resolve"))
    if op == "match":
        versions = [_version(rng, rng.choice((0, 0.5))) for _ in range(rng.randint(8, 16))]
        text = " || ".join(
            " ".join(_comparator(rng, versions) for _ in range(rng.choice((1, 1, 2))))
            for _ in range(rng.choice((1, 2)))
        )
        if rng.random() < 0.08:
            versions[rng.randrange(len(versions))] = rng.choice(
                ("1.02.3", "1.2", "v1.2.3", "1.2.3+b", "1.2.3-", "1.2.3-01")
            )
        if rng.random() < 0.08:
            text += rng.choice((" ||", " *", "  ^1", " => 1.0.0", "x"))
        return op, {"range": text[:60], "versions": versions}
    packages: list[dict[str, Any]] = []
    used = NAMES[: rng.randint(3, 4)]
    for name in used:
        for version in sorted({f"{rng.randint(1, 3)}.{rng.randint(0, 3)}.{rng.randint(0, 9)}" for _ in range(3)}):
            needs = {other: _need(rng) for other in used if other != name and rng.random() < 0.4}
            packages.append({"name": name, "version": version, "needs": needs})
    return op, {"packages": rng.sample(packages, len(packages)), "needs": {name: _need(rng) for name in used[1:]}}


def _version(rng: Random, share: float) -> str:
    numbers = f"{rng.choice((0, 0, 1, 1, 2, 10))}.{rng.choice((0, 0, 1, 2, 9, 10))}.{rng.randint(0, 12)}"
    return f"{numbers}-{rng.choice(LABELS)}" if rng.random() < share else numbers


def _comparator(rng: Random, versions: list[str]) -> str:
    return rng.choice(("^", "^", "~", "<", "<=", ">", ">=", "=", "")) + rng.choice(
        (rng.choice(versions), _version(rng, 0.4))
    )


def _need(rng: Random) -> str:
    low, high = sorted((rng.randint(1, 3), rng.randint(2, 4)))
    choices = ("*", f">={low}.0.0", f"<{high}.2.0", f"^{low}.1.0 || ^{high - 1}.0.0", f"<={high}.1.5")
    return rng.choice(choices)


def _match(text: str, versions: str) -> Input:
    return "match", {"range": text, "versions": versions.split()}


def _needs(text: str) -> dict[str, str]:
    """Needs from a short text: `a ^1.0.0, b *`."""
    return {word.split()[0]: " ".join(word.split()[1:]) for word in text.split(",") if word.strip()}


def _resolve(needs: str, *packages: str) -> Input:
    """Packages from short texts: `a 1.0.0: b *, c ~1.0.0`."""
    made = []
    for package in packages:
        head, _, tail = package.partition(":")
        name, version = head.split()
        made.append({"name": name, "version": version, "needs": _needs(tail)})
    return "resolve", {"packages": made, "needs": _needs(needs)}


ORDERED = (
    "1.0.0 1.0.0-rc.1 1.0.0-beta.11 1.0.0-beta.2 1.0.0-beta 1.0.0-alpha.beta 1.0.0-alpha.1 1.0.0-alpha 1.0.0-B 1.0.0-10 "
    "1.0.0-2 1.0.0-a-b 1.0.0--1 1.0.0-a.b 1.0.0-0 1.0.0-1a 1.0.0-2.1"
)
SOME = "0.0.0 0.0.3 0.0.4 0.2.3 0.2.9 0.3.0 1.2.2 1.2.3 1.2.4 1.3.0 2.0.0 1.2.3-a 2.0.0-a 10.0.0 1.10.0 1.9.0"
WIDE_NEEDS = {name: wide(60) for name in (*NAMES, "B")}

BOUNDARY: tuple[Input, ...] = (
    _resolve("a *, c <2.0.0", "a 1.0.0", "a 2.0.0: b ^1.0.0", "b 1.5.0: c *", "b 1.0.0", "c 2.0.0", "c 1.9.0"),
    _match("*", "1.2.3 1.2 0.0.1"),
    _match("^1.2", "1.2.3"),
    _match("^1.2", "1.2.3 x"),
    *(
        _match("*", text)
        for text in ("1.2.3.4", "01.2.3", "1.02.3", "1.2.03", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3-a.")
    ),
    *(
        _match("*", text)
        for text in ("1.2.3+b", "v1.2.3", "-1.2.3", "1.2.x", "1.2.3-\u00e9", "1.2.\u0663", "1.2.3-a_b", "1.2.3a")
    ),
    ("match", {"range": "*", "versions": ["1.2.3\n"]}),
    ("match", {"range": "*", "versions": [" 1.2.3"]}),
    ("match", {"range": "*", "versions": [wide(40)]}),
    ("match", {"range": wide(60), "versions": []}),
    *(
        _match(text, "1.0.0")
        for text in (" ", "||", "1.0.0 ||", "|| 1.0.0", "1.0.0 || || 2.0.0", "1.0.0 | 2.0.0", "1.0.0||| 2.0.0")
    ),
    *(
        _match(text, "1.0.0")
        for text in ("* *", "* 1.0.0", "1.0.0 *", "^*", "==1.0.0", "=>1.0.0", "<>1.0.0", "^~1.0.0", "!1.0.0")
    ),
    *(
        _match(text, "1.0.0")
        for text in (">= 1.0.0", "^", "1.0.0,2.0.0", "1.0.0\t", "1.0.0\n", "1.x", "x", "1.0", "^01.0.0")
    ),
    _match("  1.0.0  ||   =2.0.0 || *  ", "1.0.0 2.0.0 3.0.0"),
    _match("1.0.0||2.0.0", "2.0.0 1.0.0 3.0.0 1.0.0"),
    _match("*", ""),
    _match("*", SOME),
    _match(">=1.0.0-0 <=1.0.0", ORDERED),
    _match("<1.0.0-beta.2", ORDERED),
    _match(">1.0.0-a-b", ORDERED),
    _match("<=1.0.0-2", ORDERED),
    _match("1.0.0-alpha", ORDERED),
    _match("^1.2.3", SOME),
    _match("^0.2.3", SOME),
    _match("^0.0.3", SOME),
    _match("^0.0.0", SOME + " 0.0.0-a"),
    _match("^0.0.0-a", SOME + " 0.0.0-a 0.0.0-b 0.0.1-b"),
    _match("^1.0.0-b", "1.0.0-a 1.0.0-b 1.0.0-c 1.0.0 1.0.1-c 1.5.0 2.0.0-a 2.0.0"),
    _match("~1.2.3", SOME),
    _match("~0.0.3", SOME),
    _match("~1.2.3-a", SOME + " 1.2.3-b 1.2.4-b"),
    _match("=1.2.3", SOME),
    _match(">1.2.3", SOME),
    _match(">=1.2.3 <2.0.0", SOME),
    _match("<=1.2.3", SOME),
    _match(">=1.2.3-a", SOME),
    _match("<2.0.0-b >=1.0.0", SOME),
    _match("^1.2.3 <2.0.0-b", SOME),
    _match("<2.0.0-b || *", SOME),
    _match("<1.0.0-b || >2.0.0", "2.1.0 1.0.0-a 2.0.0-a 3.0.0-a"),
    _match(">1.0.0-a 1.1.0", "1.1.0 1.1.0-b 1.0.0-b"),
    _match(">=1.9.0", "1.10.0 1.9.0 1.9.9 10.0.0 9.0.0 1.0.10 99999999999999999999.0.0"),
    _match("<5.0.0 >6.0.0", "1.0.0 7.0.0"),
    ("match", {"range": "*", "versions": [f"{i % 7}.{i % 5}.{i}" for i in range(40)]}),
    _resolve(""),
    _resolve("", "a 1.0.0: b *"),
    _resolve("a *", "a 1.0", "a 2.0.0: b x"),
    _resolve("a x", "b 1.0.0"),
    _resolve("a *", "a 1.0.0", "a 1.0.0", "b 1.0.0: c !"),
    _resolve("a *", "a 1.0.0: b *", "a 1.0.0"),
    _resolve("z *", "a 1.0.0", "b 1.0.0", "a 1.0.0"),
    _resolve("a *"),
    _resolve("a ^2.0.0", "a 1.0.0"),
    _resolve("a *", "a 1.0.0-x"),
    _resolve("a >=1.0.0-w", "a 1.0.0-x", "a 1.0.0-y"),
    _resolve("a *", "a 1.9.0", "a 1.10.0", "a 1.2.0"),
    _resolve("a *", "a 1.0.0: a ^1.0.0", "a 2.0.0: a ^1.0.0"),
    _resolve("a *", "a 1.0.0: b *", "b 1.0.0: a *", "b 2.0.0: a ^2.0.0"),
    _resolve("a *, b *", "a 2.0.0: b ^1.0.0", "a 1.0.0: b ^2.0.0", "b 1.0.0", "b 2.0.0"),
    _resolve("b *", "b 2.0.0: a ^1.0.0", "b 1.0.0: a ^2.0.0", "a 1.0.0", "a 2.0.0"),
    _resolve("a *", "a 2.0.0: b *", "a 1.0.0", "b 1.0.0: c *"),
    _resolve(
        "a *, b *", "a 1.0.0: d ^1.0.0", "b 1.0.0: d ^2.0.0", "b 0.9.0: d <2.0.0", "d 1.0.0", "d 1.1.0", "d 2.0.0"
    ),
    _resolve("c *, a *", "a 3.0.0: b *", "a 2.0.0: b *", "b 1.0.0: c ^1.0.0", "c 2.0.0", "c 3.0.0", "a 1.0.0"),
    _resolve("a *, b *", "a 2.0.0", "a 1.0.0", "b 1.0.0: a <2.0.0", "b 0.1.0: a <1.0.0"),
    _resolve("a *", "a 2.0.0: d *, b *", "b 1.0.0: d <2.0.0", "d 3.0.0", "d 1.0.0", "c 1.0.0"),
    _resolve("B *, a *", "B 1.0.0: a <2.0.0", "B 2.0.0: a <1.0.0", "a 2.0.0", "a 1.0.0"),
    _resolve("a *", "a 1.0.0: B *, b *", "B 2.0.0: b ^1.0.0", "B 1.0.0", "b 2.0.0", "b 1.0.0"),
    _resolve(
        "a *",
        *(
            f"{name} {n}.0.0: {after} *"
            for name, after in (("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"))
            for n in (1, 2, 3)
        ),
    ),
    ("resolve", {"packages": [{"name": wide(20), "version": "1.0.0", "needs": WIDE_NEEDS}], "needs": {"z": wide(60)}}),
    ("resolve", {"packages": [{"name": wide(20), "version": "1.0.0", "needs": {}}], "needs": {wide(20): "^1.0.0"}}),
    ("resolve", {"packages": [{"name": wide(20), "version": "1.0.0", "needs": {}}], "needs": {wide(20): wide(60)}}),
    ("resolve", {"packages": [{"name": "a", "version": wide(40), "needs": {}}], "needs": WIDE_NEEDS}),
)

GOOD = {"range": "*", "versions": ["1.0.0"]}
OFFER = {"name": "a", "version": "1.0.0", "needs": {"b": "*"}}
PAIR = {"packages": [OFFER], "needs": {"a": "*"}}


def _bad(**changes: Any) -> dict[str, Any]:
    """A request with a duplicate package, and a package with a change; None takes the key away."""
    changed = {key: value for key, value in {**OFFER, **changes}.items() if value is not None}
    return {"packages": [OFFER, OFFER, changed], "needs": {"a": "x"}}


MALFORMED: tuple[Input, ...] = (
    ("match", {}),
    ("match", {"range": "*"}),
    ("match", {"versions": ["1.0.0"]}),
    ("match", {**GOOD, "range": ""}),
    ("match", {**GOOD, "range": None}),
    ("match", {**GOOD, "range": ["*"]}),
    ("match", {**GOOD, "range": "*" * 61}),
    ("match", {**GOOD, "range": wide(61)}),
    ("match", {**GOOD, "versions": "1.0.0"}),
    ("match", {**GOOD, "versions": ["1.0.0"] * 41}),
    ("match", {**GOOD, "versions": ["x", ""]}),
    ("match", {**GOOD, "versions": ["x", 1]}),
    ("match", {**GOOD, "versions": ["x", "1" * 41]}),
    ("match", {**GOOD, "versions": ["x", wide(41)]}),
    ("resolve", {"packages": []}),
    ("resolve", {"needs": {}}),
    ("resolve", {**PAIR, "packages": OFFER}),
    ("resolve", {**PAIR, "packages": [OFFER, "a 1.0.0"]}),
    ("resolve", {**PAIR, "packages": [{**OFFER, "version": f"{i}.0.0"} for i in range(13)]}),
    ("resolve", {**PAIR, "needs": None}),
    ("resolve", {**PAIR, "needs": ["a"]}),
    ("resolve", {**PAIR, "needs": {"a": 1}}),
    ("resolve", {**PAIR, "needs": {"a": ""}}),
    ("resolve", {**PAIR, "needs": {"a": wide(61)}}),
    ("resolve", {**PAIR, "needs": {f"n{i}": "*" for i in range(7)}}),
    ("resolve", _bad(name=None)),
    ("resolve", _bad(version=None)),
    ("resolve", _bad(needs=None)),
    ("resolve", _bad(name="")),
    ("resolve", _bad(name=7)),
    ("resolve", _bad(name=wide(21))),
    ("resolve", _bad(version="")),
    ("resolve", _bad(version=1.0)),
    ("resolve", _bad(version=wide(41))),
    ("resolve", _bad(needs=[])),
    ("resolve", _bad(needs={"b": False})),
    ("resolve", _bad(needs={"b": ""})),
    ("resolve", _bad(needs={"b": "x" * 61})),
    ("resolve", _bad(needs={f"n{i}": "*" for i in range(7)})),
)

FAMILY = Family(
    number=58,
    slug="semver-resolve",
    category="parsing",
    title="Semantic versions",
    purpose="Reads semantic versions and ranges of them, tells which versions match a range, and selects versions of packages "
    "that fit together.",
    notes=NOTES,
    operations=(MATCH, RESOLVE),
    program=program,
    # ^1.2.0-rc.1: X is 1, at least 1.2.0-rc.1. 1.2.0-rc.2 is such a one and has the numbers of the base; 1.2.0-beta is
    # less (b < r); 1.3.0-rc.1 has other numbers than the base: left out; 1.10.0 and 1.2.0 match; 2.0.0 does not. ~0.3.1
    # adds 0.3.4 and not 0.4.0. By number 1.10.0 > 1.2.0 > 1.2.0-rc.2 > 0.3.4.
    golden=Case(
        op="match",
        args={
            "range": "^1.2.0-rc.1 || ~0.3.1",
            "versions": ["1.2.0", "0.3.4", "1.2.0-rc.2", "1.10.0", "1.2.0-beta", "1.3.0-rc.1", "2.0.0", "0.4.0"],
        },
        expected={"best": "1.10.0", "matching": ["1.10.0", "1.2.0", "1.2.0-rc.2", "0.3.4"]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
