"""Contract, inputs and the golden case of the family `bin-packing`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import bin_packing as program

__all__ = ["FAMILY"]

NOTES = (
    "All bins have the same capacity. An item **fits** into a bin if its size is at most what is free there, and the "
    "bin holds no item of the same group. Items without a `group` are in no group, and have no trouble with any other. "
    "Groups are compared exactly.",
    "A **method** takes the items one by one. If the item fits into none of the bins that the method looks at, it goes "
    "into a new bin, which is put after all others. Otherwise it goes into one of these: `next_fit` looks only at the "
    "last bin; the others look at all bins and take, of those into which the item fits, the first one (`first_fit`), "
    "the one with the least free (`best_fit`), or the one with the most free (`worst_fit`); of equals the first one.",
    "In **decreasing** order the items are sorted by size, the largest first; items of the same size stay in the order "
    "given.",
)


def _items(most: int) -> Param:
    return Param(
        name="items",
        type=f'array of 0 to {most} objects `{{"name": string, "size": integer, "group": string}}`',
        text="the items; `name` and `group` have 1 to 20 code points, `size` is 1 to 1000, `group` may be left out; other "
        "keys are ignored; two items may have the same name, and are two items all the same",
    )


CAPACITY = Param(name="capacity", type="integer, 1 to 1000", text="what one bin holds")
TOO_LARGE = ErrorDoc(
    code="too_large",
    when="an item has a size greater than `capacity`",
    extra=(("index", "integer: the place of the first such item in `items`, counted from 0"),),
)

PACK = OperationDoc(
    name="pack",
    summary="Packs items by one method.",
    parameters=(
        _items(60),
        CAPACITY,
        Param(
            name="method",
            type="string: `next_fit`, `first_fit`, `best_fit` or `worst_fit`",
            text="the method, as defined above",
        ),
        Param(
            name="order",
            type="string: `given` or `decreasing`",
            text="the order in which the items are taken; default `given`",
            required=False,
        ),
    ),
    result='`{"count": integer, "bins": [{"items": [string, ...], "free": integer}, ...]}`: the number of bins; and for '
    "each bin, in the order in which they were opened, the names of its items in the order in which they were put "
    "there, and what is free in it.",
    errors=(TOO_LARGE,),
    rules=("Without items `count` is 0 and `bins` is `[]`.",),
)

MINIMUM = OperationDoc(
    name="minimum",
    summary="The least number of bins.",
    parameters=(_items(7), CAPACITY),
    result='`{"bins": integer, "lower_bound": integer, "decreasing": {"next_fit": integer, "first_fit": integer, '
    '"best_fit": integer, "worst_fit": integer}}`: the least number of bins into which all items can be put in any '
    "way, so that each fits; a lower bound of it; and the number of bins that each method needs in decreasing order.",
    errors=(TOO_LARGE,),
    rules=(
        "`lower_bound` is the greater of two numbers: the sum of all sizes divided by the capacity, rounded up; and the "
        "number of items in the largest group. Without items all numbers are 0.",
    ),
)

NAMES = ("box", "Box", "crate", "tin", "sack", "fût", "箱", "x", "y", "z", "roll", "a b")
METHODS = ("next_fit", "first_fit", "best_fit", "worst_fit")


def generate(rng: Random) -> Input:
    """One input of a random operation; several bins are open, some items get in each other's way."""
    capacity = rng.choice((10, 12, 20, 100, rng.randint(5, 1000)))
    small = rng.random() < 0.35
    items: list[dict[str, Any]] = []
    for _ in range(rng.randint(3, 7) if small else rng.randint(6, 14)):
        size = rng.randint(max(1, capacity // 10), max(1, capacity * rng.choice((40, 60, 90)) // 100))
        items.append({"name": rng.choice(NAMES), "size": size})
        if rng.random() < 0.3:
            items[-1]["group"] = rng.choice("gGh")
    if rng.random() < 0.06 and capacity < 1000:
        items[rng.randrange(len(items))]["size"] = capacity + 1
    if small:
        return "minimum", {"items": items, "capacity": capacity}
    args = {"items": items, "capacity": capacity, "method": rng.choice(METHODS)}
    if rng.random() < 0.6:
        args["order"] = rng.choice(("given", "decreasing", "decreasing"))
    return "pack", args


def _list(text: str) -> list[dict[str, Any]]:
    """Items from a short text: `a5 b7/g` are a of size 5, and b of size 7 in the group g."""
    items = []
    for part in text.split():
        head, _, group = part.partition("/")
        item: dict[str, Any] = {"name": head[0], "size": int(head[1:])}
        items.append({**item, "group": group} if group else item)
    return items


def _pack(text: str, capacity: int, method: str, **more: Any) -> Input:
    return "pack", {"items": _list(text), "capacity": capacity, "method": method, **more}


def _minimum(text: str, capacity: int) -> Input:
    return "minimum", {"items": _list(text), "capacity": capacity}


def _each(text: str, capacity: int, **more: Any) -> tuple[Input, ...]:
    return tuple(_pack(text, capacity, method, **more) for method in METHODS)


MANY = " ".join(f"{'abcdefghij'[n % 10]}{1 + (n * 37) % 60}" + (f"/{n % 7}" if n % 3 else "") for n in range(60))
WIDE = [{"name": wide(20), "size": 1, "group": wide(20)}, {"name": wide(20), "size": 1, "group": "é" * 20}]

BOUNDARY: tuple[Input, ...] = (
    _pack("a6 b5/g c3 d4/g e2 f3", 10, "best_fit"),
    _pack("", 1, "next_fit"),
    _pack("a1", 1, "worst_fit"),
    *_each("a6 b7 c5 d3 e4 f2 g1", 10),
    *_each("a6 b7 c5 d3 e4 f2 g1", 10, order="decreasing"),
    *_each("a5 b5 c5 d5 e2 f3", 7, order="given"),
    *_each("a2/g b2/g c2/h d2/h e2 f2/g g2", 8),
    *_each("a8 b6 c8 d2 e4 f2 g1", 10),
    _pack("a5 b5", 10, "first_fit"),
    _pack("a5 b6", 10, "first_fit"),
    _pack("a3 b4 c3 d4 c3", 7, "first_fit", order="decreasing"),
    _pack("a2 a2 a2", 4, "next_fit"),
    _pack("a1/g b1/g c1/G d1/g", 9, "first_fit"),
    _pack("a1/g b1/g c1 d1", 9, "next_fit"),
    _pack("a9 b1 c9 d1", 10, "next_fit"),
    _pack("a4 b3/g c1/g d2", 7, "worst_fit"),
    _pack("a5 b4/g c1/g d2", 7, "best_fit"),
    _pack("a1000 b999 c1", 1000, "best_fit"),
    _pack("a5 b11 c12", 10, "first_fit"),
    _pack("a11", 10, "next_fit", order="decreasing"),
    _pack("a3 b11 c99", 10, "worst_fit", order="decreasing"),
    _pack(MANY, 100, "best_fit"),
    _pack(MANY, 100, "worst_fit", order="decreasing"),
    ("pack", {"items": WIDE, "capacity": 2, "method": "first_fit"}),
    ("minimum", {"items": WIDE, "capacity": 2}),
    _minimum("", 1),
    _minimum("a10", 10),
    _minimum("a6 b6 c6", 10),
    _minimum("a5 b5 c5 d5", 10),
    _minimum("a5 b5 c5 d5 e1", 10),
    _minimum("a4 b4 c3 d3 e3 f3", 10),
    _minimum("a6 b5 c5 d4 e4 f3 g3", 15),
    _minimum("a5 b4 c3 d3 e3 f2", 10),
    _minimum("a1/g b1/g c1/g d1", 1000),
    _minimum("a9/g b8 c2/g d1 e1/g", 10),
    _minimum("a1/g b1/h c1/G d1/h e1", 3),
    _minimum("a7 b6 c3/g d4/g e5/h f5/h", 10),
    _minimum("a1 b2 c3 d4 e5 f6 g7", 28),
    _minimum("a1 b1 c1 d1 e1 f1 g1", 1000),
    _minimum("a1 b1 c1 d1 e1 f1 g1", 1),
    _minimum("a5 b10 c12 d11", 10),
    _minimum("a11 b12", 10),
)

GOOD: dict[str, Any] = {"items": _list("a5 b7"), "capacity": 10, "method": "first_fit"}


def _bad(op: str, **changes: Any) -> Input:
    """Valid arguments but for one item of which fields are changed."""
    item = {"name": "c", "size": 1, **changes}
    items = [*GOOD["items"], {key: value for key, value in item.items() if value != "absent"}]
    return op, {**GOOD, "items": items}


MALFORMED: tuple[Input, ...] = (
    *(("pack", {name: value for name, value in GOOD.items() if name != left_out}) for left_out in GOOD),
    ("pack", {**GOOD, "items": None}),
    ("pack", {**GOOD, "items": GOOD["items"][0]}),
    ("pack", {**GOOD, "items": [5, 7]}),
    ("pack", {**GOOD, "items": GOOD["items"] * 30 + _list("c1")}),
    ("pack", {**GOOD, "capacity": 0}),
    ("pack", {**GOOD, "capacity": 1001}),
    ("pack", {**GOOD, "capacity": True}),
    ("pack", {**GOOD, "capacity": 10.0}),
    ("pack", {**GOOD, "capacity": "10"}),
    ("pack", {**GOOD, "method": "first"}),
    ("pack", {**GOOD, "method": None}),
    ("pack", {**GOOD, "method": ["first_fit"]}),
    ("pack", {**GOOD, "order": "increasing"}),
    ("pack", {**GOOD, "order": None}),
    ("pack", {**GOOD, "order": False}),
    _bad("pack", name="absent"),
    _bad("pack", size="absent"),
    _bad("pack", name=""),
    _bad("pack", name=wide(21)),
    _bad("pack", name=1),
    _bad("pack", size=0),
    _bad("pack", size=1001),
    _bad("pack", size=True),
    _bad("pack", size=1.0),
    _bad("pack", group=""),
    _bad("pack", group=wide(21)),
    _bad("pack", group=None),
    _bad("pack", group=3),
    ("pack", {**GOOD, "items": _list("a11 b0")}),
    ("minimum", {"items": GOOD["items"]}),
    ("minimum", {"capacity": 10}),
    ("minimum", {"items": _list("a1 b1 c1 d1 e1 f1 g1 h1"), "capacity": 10}),
    ("minimum", {"items": GOOD["items"], "capacity": 0}),
    ("minimum", {"items": GOOD["items"], "capacity": False}),
    _bad("minimum", size=1001),
    _bad("minimum", size=2.5),
    _bad("minimum", group=[]),
)

FAMILY = Family(
    number=42,
    slug="bin-packing",
    category="scheduling",
    title="Bin packing",
    purpose="Packs items into bins of one capacity by well-known simple methods, keeping items of one group apart, and "
    "finds the least number of bins.",
    notes=NOTES,
    operations=(PACK, MINIMUM),
    program=program,
    # Largest first: c7, then a5 before e5, d4, b3, f1. c opens bin 1 (free 3), a bin 2 (free 5). e is in a's group g: bin 3
    # (free 5). d fits into 2 and 3, both with 5 free: the first, free 1. b fits into 1 (free 3) and 3 (free 5): least free is
    # 1, now full. f: bin 2 has 1 free and bin 3 has 5: bin 2, now full.
    golden=Case(
        op="pack",
        args={
            "items": _list("a5/g b3 c7 d4 e5/g f1"),
            "capacity": 10,
            "method": "best_fit",
            "order": "decreasing",
        },
        expected={
            "count": 3,
            "bins": [
                {"items": ["c", "b"], "free": 0},
                {"items": ["a", "d", "f"], "free": 0},
                {"items": ["e"], "free": 5},
            ],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
