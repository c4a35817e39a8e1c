"""Contract, inputs and the golden case of the family `topological-order`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import topological_order as program

__all__ = ["FAMILY"]

NOTES = (
    "Each pair `[a, b]` says that `a` must come somewhere before `b`; it need not stand directly before it. The same "
    "pair may be given several times, which says no more than once. Both names may be the same: `[a, a]` is a cycle.",
    "Item x **leads to** item y if there are pairs `[x, i1]`, `[i1, i2]`, ..., `[ik, y]`: a chain of one or more "
    "pairs. An item is **on a cycle** if it leads to itself. An item that only leads to a cycle, or to which only a "
    "cycle leads, is not on it.",
    "Names are compared exactly, and ordered by code point, as Python compares strings.",
)

ITEMS = (
    Param(name="items", type="array of 1 to 30 strings, each of 1 to 30 code points", text="the items to order"),
    Param(
        name="pairs",
        type="array of 0 to 80 arrays `[string, string]`",
        text="which item must come before which; each of exactly two names of 1 to 30 code points",
    ),
)

ERRORS = (
    ErrorDoc(code="duplicate_item", when="`items` lists a name twice"),
    ErrorDoc(code="unknown_item", when="a pair holds a name that is not in `items`"),
    ErrorDoc(
        code="cycle",
        when="an item is on a cycle, so that there is no order",
        extra=(("items", "array of strings: all items that are on a cycle, ordered by name"),),
    ),
)

SEQUENCE = OperationDoc(
    name="sequence",
    summary="All items in one row that keeps to the pairs.",
    parameters=(
        *ITEMS,
        Param(
            name="fill",
            type="string, `front` or `back`",
            text="from which end the row is filled; default `front`",
            required=False,
        ),
    ),
    result='`{"order": [string, ...]}`: each item once.',
    errors=ERRORS,
    rules=(
        "With `front` the places are filled from the first to the last: the next place takes, of all items not yet "
        "placed whose direct predecessors (every `a` with a pair `[a, item]`) are all placed, the one with the "
        "smallest name.",
        "With `back` the places are filled from the last to the first: the next place takes, of all items not yet "
        "placed whose direct successors (every `b` with a pair `[item, b]`) are all placed, the one with the greatest "
        "name. The row is returned from its first place to its last. The two ways often give different rows.",
    ),
)

LEVELS = OperationDoc(
    name="levels",
    summary="The items in groups that can be done at the same time, each as early as possible.",
    parameters=ITEMS,
    result='`{"levels": [[string, ...], ...]}`: the groups in order.',
    errors=ERRORS,
    rules=(
        "An item is in group n, counted from 0, if the longest chain of pairs that ends at it has n pairs. So the "
        "first group has the items that need no other; no group is empty. Each group is ordered by name.",
    ),
)

REDUCE = OperationDoc(
    name="reduce",
    summary="The pairs without those that follow from others.",
    parameters=ITEMS,
    result='`{"pairs": [[string, string], ...], "removed": integer}`: the different pairs that remain, ordered by '
    "their first name, then by their second; and how many of the given pairs are not among them, repetitions included.",
    errors=ERRORS,
    rules=(
        "A pair `[a, b]` follows from others if `a` leads to some item c and c leads to `b`: it is then left out. "
        "A pair that is given several times remains once or not at all; each further copy counts as removed.",
    ),
)

NAMES = ("b", "a", "B", "C", "é", "10", "9", "a1", "ä", "Zeta", "zeta", "boot", "db up", "web")


def generate(rng: Random) -> Input:
    """One input of a random operation; most pairs go forward in a random order of the items."""
    op = rng.choice(("sequence", "sequence", "levels", "reduce"))
    items = rng.sample(NAMES, rng.randint(4, 9))
    ranked = rng.sample(items, len(items))
    pairs = []
    for _ in range(rng.randint(len(items) - 2, 2 * len(items))):
        first, second = sorted(rng.sample(range(len(items)), 2))
        pairs.append([ranked[first], ranked[second]])
    if rng.random() < 0.05:
        pairs.append([ranked[-1], ranked[rng.randint(0, 2)]])
    if rng.random() < 0.03:
        pairs.append([ranked[0], "nobody"])
    args: dict[str, Any] = {"items": items, "pairs": pairs}
    if op == "sequence" and rng.random() < 0.75:
        args["fill"] = rng.choice(("front", "back", "back"))
    return op, args


def _args(items: str, pairs: str = "", **more: Any) -> dict[str, Any]:
    """Arguments from short texts: items `a b c`, pairs `a<b b<c`."""
    return {"items": items.split(), "pairs": [pair.split("<") for pair in pairs.split()], **more}


WIDE = wide(30)
NARROW = "é" * 30
WIDE_PAIR: dict[str, Any] = {"items": [WIDE, NARROW], "pairs": [[WIDE, NARROW]]}
THIRTY = " ".join(f"n{i}" for i in range(30))
CHAIN = " ".join(f"n{i + 1}<n{i}" for i in range(29))
MANY = " ".join(f"n{7 * i % 30}<n{7 * (i + k) % 30}" for k in (1, 4, 9) for i in range(30 - k))
DIAMOND = "a<b a<c b<d c<d"
LOOPS = "in<p p<q q<p q<mid mid<r r<r r<out in<out"

BOUNDARY: tuple[Input, ...] = (
    ("sequence", _args("in p q mid r out", LOOPS)),
    ("sequence", _args("a b c a", "a<b b<a")),
    ("sequence", _args("a b", "a<b b<a a<c")),
    ("sequence", _args("a", "a<a")),
    ("sequence", _args("a")),
    ("sequence", _args("c a b")),
    ("sequence", _args("c a b", fill="front")),
    ("sequence", _args("c a b", fill="back")),
    ("sequence", _args("a b c z", "z<a")),
    ("sequence", _args("a b c z", "z<a", fill="back")),
    ("sequence", _args("f e d c b a", "f<a e<b d<c a<e", fill="front")),
    ("sequence", _args("f e d c b a", "f<a e<b d<c a<e", fill="back")),
    ("sequence", _args("é e z E Z 10 9 a1 a", "z<9")),
    ("sequence", {"items": ["\U0001f600", "\uffee", "n"], "pairs": [["\U0001f600", "n"]], "fill": "back"}),
    ("sequence", _args("a b c d", "d<c d<c c<b d<c b<a d<a", fill="back")),
    ("sequence", _args("d c b a", DIAMOND, fill="back")),
    ("sequence", _args(THIRTY, CHAIN)),
    ("sequence", _args(THIRTY, MANY, fill="back")),
    ("sequence", {**WIDE_PAIR, "fill": "back"}),
    ("levels", _args("a b a", "a<c")),
    ("levels", _args("a b", "a<b c<b b<a")),
    ("levels", _args("a b", "c<a")),
    ("levels", _args("z y x w v", "z<y y<z x<w w<v v<w v<v")),
    ("levels", _args("c a b")),
    ("levels", _args("d c b a e", DIAMOND + " a<d e<d")),
    ("levels", _args("a b c d e f", "f<e e<d f<d d<b c<b f<b f<a")),
    ("levels", _args(THIRTY, MANY)),
    ("levels", WIDE_PAIR),
    ("reduce", _args("a a")),
    ("reduce", _args("a b", "a<b b<a b<c")),
    ("reduce", _args("x a b c", "a<b b<c c<a x<a")),
    ("reduce", _args("a b c")),
    ("reduce", _args("a b", "a<b a<b a<b")),
    ("reduce", _args("a b c", "a<b b<c a<c a<c")),
    ("reduce", _args("c b a e d", "a<c " + DIAMOND + " a<d d<e a<e b<e")),
    ("reduce", _args("d c B a", "d<c d<B a<c B<a d<a")),
    ("reduce", _args(THIRTY, MANY + " n0<n7" * 4)),
    ("reduce", WIDE_PAIR),
)

GOOD = _args("a b", "a<b")

MALFORMED: tuple[Input, ...] = (
    ("sequence", {"pairs": []}),
    ("sequence", {"items": ["a"]}),
    ("sequence", {**GOOD, "items": []}),
    ("sequence", {**GOOD, "items": "ab"}),
    ("sequence", {**GOOD, "items": ["a", "b", ""]}),
    ("sequence", {**GOOD, "items": ["a", "b", 3]}),
    ("sequence", {**GOOD, "items": ["a", "b", "n" * 31]}),
    ("sequence", {**GOOD, "items": ["a", "b", wide(31)]}),
    ("sequence", {**GOOD, "items": [str(number) for number in range(31)]}),
    ("sequence", {**GOOD, "pairs": {"a": "b"}}),
    ("sequence", {**GOOD, "pairs": ["a", "b"]}),
    ("sequence", {**GOOD, "pairs": [["a", "b"], "ab"]}),
    ("sequence", {**GOOD, "pairs": [["a"]]}),
    ("sequence", {**GOOD, "pairs": [["a", "b", "b"]]}),
    ("sequence", {**GOOD, "pairs": [["a", ""]]}),
    ("sequence", {**GOOD, "pairs": [["a", 1]]}),
    ("sequence", {**GOOD, "pairs": [["a", None]]}),
    ("sequence", {**GOOD, "pairs": [[wide(31), "b"]]}),
    ("sequence", {**GOOD, "pairs": [["a", "b"]] * 81}),
    ("sequence", {**GOOD, "fill": "Front"}),
    ("sequence", {**GOOD, "fill": ""}),
    ("sequence", {**GOOD, "fill": None}),
    ("sequence", {**GOOD, "fill": True}),
    ("sequence", {**GOOD, "fill": ["back"]}),
    ("sequence", {"items": ["a", "a"], "pairs": [["a", "x"], ["x"]]}),
    ("levels", {"items": ["a"], "pairs": None}),
    ("levels", {"items": None, "pairs": []}),
    ("levels", {"items": ["a"], "pairs": [["a", "a"], ["a", 0]]}),
    ("levels", {"pairs": [["a", "b"]]}),
    ("reduce", {"items": ["a", "b"]}),
    ("reduce", {"items": ["a", ["b"]], "pairs": []}),
    ("reduce", {"items": ["a", "a", False], "pairs": []}),
)

FAMILY = Family(
    number=33,
    slug="topological-order",
    category="graphs",
    title="Topological order",
    purpose="Orders items of which some must come before others: in one row with ties broken by name, in groups, and "
    "reduced to the constraints that matter.",
    notes=NOTES,
    operations=(SEQUENCE, LEVELS, REDUCE),
    program=program,
    # From the last place: only dry and tidy have no successors; tidy is the greater. Then dry is the only free one (wash waits
    # for it), then wash, then eat (wash and tidy are placed). Now bake and cook are free: cook. That frees shop: of bake and
    # shop, shop; bake is left for the first place.
    golden=Case(
        op="sequence",
        args=_args(
            "tidy shop cook bake eat wash dry",
            "shop<cook cook<eat bake<eat eat<wash wash<dry cook<eat eat<tidy",
            fill="back",
        ),
        expected={"order": ["bake", "shop", "cook", "eat", "wash", "dry", "tidy"]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
