"""Contract, inputs and the golden case of the family `order-book`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import order_book as program

__all__ = ["FAMILY"]

NOTES = (
    "Orders buy or sell a whole `quantity` of one good. The `price` of a buy order is the most it pays for one unit, "
    "that of a sell order the least it takes: a buy order **accepts** a price that is not above its own, a sell order "
    "a price that is not below its own.",
    "**Priority** among orders of one side: of buy orders the one with the higher price comes first, of sell orders "
    "the one with the lower price; of equal prices the one placed (or listed) earlier. Ids are compared exactly.",
    "A quantity is **handed out** to orders in their priority: each gets all it wants or what is left, whichever is "
    "less, until nothing is left.",
)

DUPLICATE = "an order has the id of an earlier order"

TRADE = OperationDoc(
    name="trade",
    summary="Takes orders one by one against a book of resting orders.",
    parameters=(
        Param(
            name="steps",
            type='array of 0 to 50 objects `{"do": string, "id": string, ...}`',
            text='what happens, in order: `{"do": "place", "id": string, "side": string, "quantity": integer, "price": '
            'integer, "mode": string}` or `{"do": "cancel", "id": string}`; ids have 1 to 20 code points, `side` is '
            "`buy` or `sell`, `quantity` and `price` are 1 to 1000000, `mode` is `rest`, `now` or `all`; `price` and "
            "`mode` may be left out; other fields are ignored",
        ),
    ),
    result='`{"results": [integer, ...], "trades": [{"buy": string, "sell": string, "price": integer, "quantity": '
    'integer}, ...], "bids": [{"id": string, "price": integer, "quantity": integer}, ...], "asks": [{"id": string, '
    '"price": integer, "quantity": integer}, ...]}`: the result of each step; all trades in the order in which they '
    "are made, with the ids of the buy and of the sell order; and the buy and the sell orders that rest in the book "
    "at the end, each in priority, with the quantity that is left of them.",
    errors=(
        ErrorDoc(
            code="duplicate_id",
            when=f"{DUPLICATE}, whatever became of that one",
            extra=(("number", "integer: the number of the first such `place` step; all steps count, from 1"),),
        ),
    ),
    rules=(
        "The book is empty at first. `place` compares the new order with the resting orders of the other side whose "
        "price the new order accepts; an order without `price` accepts any. They are taken in their priority: the "
        "quantity of the new order is handed out to them, and each one that gets some makes one trade, at the price "
        "of the resting order. A resting order of which nothing is left leaves the book. The result of the step is "
        "the quantity traded.",
        "What is left of the new order then rests in the book if it has a `price` and its `mode` is `rest` (the "
        "default); otherwise it is dropped. An order without `price` never rests.",
        "With mode `all` an order of which something would be left does not trade at all and is dropped: result 0, "
        "and the book is as before. This holds without `price` too.",
        "`cancel` takes the order with that id out of the book. The result is the quantity that was left of it; 0 if "
        "no such order rests there. Its id stays used.",
    ),
)

AUCTION = OperationDoc(
    name="auction",
    summary="Finds the one price at which most is traded.",
    parameters=(
        Param(
            name="orders",
            type='array of 0 to 50 objects `{"id": string, "side": string, "quantity": integer, "price": integer}`',
            text="the orders; `id` has 1 to 20 code points, `side` is `buy` or `sell`, `quantity` and `price` are 1 to "
            "1000000; other keys are ignored",
        ),
        Param(name="reference", type="integer, 1 to 1000000", text="the last price, which decides between equals"),
    ),
    result='`{"price": integer, "volume": integer, "fills": [{"id": string, "quantity": integer}, ...]}`: the price, '
    "the quantity bought (and sold) at it, and what each order gets, in the order of `orders`, without those that "
    "get nothing.",
    errors=(
        ErrorDoc(
            code="duplicate_id",
            when=DUPLICATE,
            extra=(("number", "integer: the number of the first such order, counted from 1"),),
        ),
        ErrorDoc(code="no_cross", when="at no price is anything traded"),
    ),
    rules=(
        "At a price, the demand is the sum of the quantities of the buy orders that accept it, the supply that of the "
        "sell orders; the volume is the smaller of the two, the surplus the difference without its sign.",
        "Only prices that some order has are considered. The price with the greatest volume is taken; of equals the "
        "one with the smallest surplus, then the one nearest to `reference`, then the lowest.",
        "The volume is handed out in priority to the buy orders that accept the price, and likewise to the sell "
        "orders. All of them trade at that one price.",
    ),
)

NAMES = ("a", "A", "b", "ö", "x1", "x2", "x10", "買", "q q", "z")


def generate(rng: Random) -> Input:
    """One input of a random operation; prices are close together, so that orders meet."""
    middle, spread = rng.randint(20, 900), rng.choice((2, 5, 12))
    most = rng.choice((9, 9, 300))
    names = [f"{rng.choice(NAMES)}{number}" for number in range(rng.randint(4, 14))]
    if rng.random() < 0.05:
        names[-1] = names[0]
    orders = [_order(rng, name, middle + rng.randint(-spread, spread), most) for name in names]
    if rng.random() < 0.35:
        return "auction", {"orders": orders, "reference": middle + rng.randint(-spread, spread)}
    steps: list[dict[str, Any]] = []
    for number, order in enumerate(orders):
        if rng.random() < 0.15:
            del order["price"]
        if rng.random() < 0.35:
            order["mode"] = rng.choice(("rest", "now", "all", "all"))
        steps.append({"do": "place", **order})
        if rng.random() < 0.2:
            steps.append({"do": "cancel", "id": rng.choice(names[: number + 1])})
    return "trade", {"steps": steps}


def _order(rng: Random, name: str, price: int, most: int) -> dict[str, Any]:
    return {"id": name, "side": rng.choice(("buy", "sell")), "quantity": rng.randint(1, most), "price": price}


SIDES = {"+": "buy", "-": "sell"}
MODES = {"!": "now", "&": "all", "=": "rest"}


def _read(text: str) -> dict[str, Any]:
    """An order from a short text: `a+5@10` buys 5 at 10, `b-3` sells 3 at any price."""
    sign = "+" if "+" in text else "-"
    name, rest = text.split(sign)
    quantity, _, price = rest.partition("@")
    order = {"id": name, "side": SIDES[sign], "quantity": int(quantity)}
    return {**order, "price": int(price)} if price else order


def _step(text: str) -> dict[str, Any]:
    """A step from a short text: an order with perhaps `!` (now), `&` (all) or `=` (rest) behind it, or `~a` to cancel."""
    if text[0] == "~":
        return {"do": "cancel", "id": text[1:]}
    mode = {"mode": MODES[text[-1]]} if text[-1] in MODES else {}
    return {"do": "place", **_read(text.rstrip("!&=")), **mode}


def _trade(steps: str) -> Input:
    return "trade", {"steps": [_step(text) for text in steps.split()]}


def _auction(orders: str, reference: int) -> Input:
    return "auction", {"orders": [_read(text) for text in orders.split()], "reference": reference}


WIDE = wide(20)
MANY = " ".join(f"o{i}{'+-'[i % 2]}{1 + i * 7 % 10}@{100 + i * 13 % 9}" for i in range(50))

BOUNDARY: tuple[Input, ...] = (
    _trade("s1-5@10 s2-5@9 s3-5@10 b1+12@10 b2+4@8 m-6 ~s3 ~m"),
    _trade(""),
    _trade("a+5@10"),
    _trade("a-5@10 b+5@9"),
    _trade("a-5@10 b+5@10"),
    _trade("a-5@10 b+5@11"),
    _trade("a+5@10 b-5@11"),
    _trade("a+5@10 b-5@10"),
    _trade("a+5@10 b-5@9"),
    _trade("a+5@10 b+5@12 c+5@11 d+5@12 e-12@11"),
    _trade("a-5@10 b-5@8 c-5@9 d-5@8 e+12@9"),
    _trade("a-2@10 b-2@10 c+3@10 d-1@10 e+2@10"),
    _trade("a+3 b-3@5 c+2 d-3"),
    _trade("a-3@5 b+5 c-4@5"),
    _trade("a-3@5 b+5= c+5@5="),
    _trade("a-3@5 b+5! c-4@6"),
    _trade("a-3@5 b+5@7! c-4@6 d+4@6!"),
    _trade("a-3@5 b+4@7& c+3@7&"),
    _trade("a-3@5 b-3@6 c+4@5& d+4@6&"),
    _trade("a-3@5 b+4& c+3&"),
    _trade("a-3@5 b+1& c+2@4& d+1@5&"),
    _trade("a+9@5 b-4@5& c-4@5! d-4@6! e-4@4"),
    _trade("a+5@10 ~a ~a b-5@10"),
    _trade("a+5@10 b-2@10 ~a ~b ~c"),
    _trade("~a a+5@10"),
    _trade("a+5@10 b+5@10 ~a c+1@10 d-6@10"),
    _trade("a+5@10 b-5@10 ~a ~b"),
    _trade("a+5@10 ~a a+5@10"),
    _trade("~a ~a a+1 b-1@5 b+1@4 a-7@7"),
    _trade("a-5@10 a+5@10"),
    _trade("a+5@10 A+4@10 b-6@10"),
    _trade("z+1000000@1000000 y-999999@1"),
    _trade("a-1@1 b+1@1000000"),
    _trade(MANY),
    (
        "trade",
        {
            "steps": [
                {"do": "cancel", "id": "a", "side": "up", "price": None},
                {**_step("a+1@2"), "owner": 5},
                {**_step(f"{WIDE}-1@2")},
                {"do": "cancel", "id": WIDE},
            ]
        },
    ),
    _auction("a+5@10 b-5@10 c+5@11 a-5@9", 10),
    _auction("a+5@10 b-5@10 b-1@1 a+1@1", 10),
    _auction("", 1),
    _auction("a+5@10", 10),
    _auction("a+5@10 b-5@11", 10),
    _auction("a+5@10 b-5@10", 1),
    _auction("a+5@12 b-5@10", 11),
    _auction("a+5@12 b-5@10", 12),
    _auction("a+5@12 b-5@10", 1000000),
    _auction("a+5@12 b-5@9 c+1@10", 11),
    _auction("a+5@12 b-5@10 c-1@11", 10),
    _auction("a+5@12 b-5@10 c-1@12", 10),
    _auction("a+5@14 b-5@10 c-1@12 d+1@12", 11),
    _auction("a+8@12 b-5@10 c-1@11", 1),
    _auction("a+8@12 b-5@10 c+4@10", 12),
    _auction("a+3@10 b+3@11 c+3@10 d-2@10 e-3@9 f-2@10", 10),
    _auction("a-3@10 b-3@9 c-3@10 d+2@10 e+3@11 f+2@10", 10),
    _auction("a-3@10 b-3@9 c-3@10 d+2@10 e+3@11", 10),
    _auction("a+3@1 b-3@1000000 c+2@5 d-2@5", 5),
    _auction("x+1000000@1000000 y-1000000@1", 500000),
    _auction("x+1000000@1000000 y-1000000@1", 500001),
    _auction(f"a+4@7 {WIDE}-3@7 A+1@8", 7),
    _auction(MANY, 103),
)

GOOD_STEP = _step("b-5@10!")
GOOD_ORDER = _read("b-5@10")


def _bad(*steps: Any) -> Input:
    return "trade", {"steps": [_step("a+5@10"), *steps]}


def _bad_order(*orders: Any) -> Input:
    return "auction", {"orders": [_read("a+5@10"), *orders], "reference": 10}


def _without(value: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key != name}


MALFORMED: tuple[Input, ...] = (
    ("trade", {}),
    ("trade", {"steps": GOOD_STEP}),
    ("trade", {"steps": [{"do": "cancel", "id": "a"}] * 51}),
    _bad("b-5@10"),
    _bad(["place", "b"]),
    *(_bad(_without(GOOD_STEP, name)) for name in ("do", "id", "side", "quantity")),
    *(_bad({**GOOD_STEP, "do": do}) for do in ("amend", "Place", None, 1, ["place"])),
    *(_bad({**GOOD_STEP, "id": name}) for name in ("", wide(21), 5, None)),
    *(_bad({**GOOD_STEP, "side": side}) for side in ("Buy", "", None, True)),
    *(_bad({**GOOD_STEP, "quantity": bad}) for bad in (0, -5, 10**6 + 1, 5.0, True, "5", None)),
    *(_bad({**GOOD_STEP, "price": bad}) for bad in (0, -5, 10**6 + 1, 9.5, True, "5", None)),
    *(_bad({**GOOD_STEP, "mode": bad}) for bad in ("Rest", "", None, False)),
    _bad({"do": "cancel"}),
    _bad({"do": "cancel", "id": ""}),
    _bad({"do": "cancel", "id": wide(21)}),
    _bad(_step("a-5@10"), {"do": "cancel", "id": None}),
    ("auction", {"orders": []}),
    ("auction", {"reference": 5}),
    *(("auction", {"orders": [], "reference": bad}) for bad in (0, 10**6 + 1, True, 5.0, "5", None)),
    ("auction", {"orders": {"a": 5}, "reference": 5}),
    ("auction", {"orders": [_read(f"o{i}+1@1") for i in range(51)], "reference": 5}),
    *(_bad_order(_without(GOOD_ORDER, name)) for name in GOOD_ORDER),
    _bad_order({**GOOD_ORDER, "id": wide(21)}),
    _bad_order({**GOOD_ORDER, "side": "bid"}),
    _bad_order({**GOOD_ORDER, "quantity": 0}),
    _bad_order({**GOOD_ORDER, "price": 10**6 + 1}),
    _bad_order({**GOOD_ORDER, "price": True}),
    _bad_order(_read("a-5@10"), {**GOOD_ORDER, "price": None}),
)

FAMILY = Family(
    number=48,
    slug="order-book",
    category="ledgers",
    title="Order book",
    purpose="Matches orders to buy and to sell: one by one against a book of resting orders, with priority by price and "
    "then time, or all at once in an auction at a single price.",
    notes=NOTES,
    operations=(TRADE, AUCTION),
    program=program,
    # s2 is cheapest, then s1 before s3 at 102. b1 (7 up to 102) takes 4 of s2 at 101 and 3 of s1 at 102; nothing is left of it.
    # b2 wants all 10 up to 102, but only 2 + 5 are there: dropped. b3 finds no seller at 100 and rests. m sells 3 at any price:
    # 2 to b3 at 100; the last one is dropped. s4 rests. Cancelling s1 gives the 2 that were left of it.
    golden=Case(
        op="trade",
        args=_trade("s1-5@102 s2-4@101 s3-5@102 b1+7@102 b2+10@102& b3+2@100 m-3 s4-1@101 ~s1")[1],
        expected={
            "results": [0, 0, 0, 7, 0, 0, 2, 0, 2],
            "trades": [
                {"buy": "b1", "sell": "s2", "price": 101, "quantity": 4},
                {"buy": "b1", "sell": "s1", "price": 102, "quantity": 3},
                {"buy": "b3", "sell": "m", "price": 100, "quantity": 2},
            ],
            "bids": [],
            "asks": [{"id": "s4", "price": 101, "quantity": 1}, {"id": "s3", "price": 102, "quantity": 5}],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
