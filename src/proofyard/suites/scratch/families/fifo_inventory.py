"""Contract, inputs and the golden case of the family `fifo-inventory`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import fifo_inventory as program

__all__ = ["FAMILY"]

NOTES = (
    "One kind of goods is bought, sold, and sometimes returned by customers. Quantities are whole units, money is "
    "whole cents. Steps are numbered from 1. The stock is empty at first.",
    "A step is one of `buy` (units come into stock at a cost each), `sell` (units leave the stock, all at one price), "
    "or `return` (some units of the earlier sale whose step number is `sale` come back; the customer gets the unit "
    "price of that sale back for each). A sale may be returned in several steps; what came back once can't come "
    "back again, but is in stock and may be sold by a later sale.",
    "Each step has a **cost**: of `buy` it is `quantity` times `unit_cost`, of `sell` the cost of the units that "
    "leave the stock, of `return` the cost of the units that come back. Costs are never negative. What the cost of a "
    "sale and of a return is, the operation tells.",
    "`profit` is the sum over all sales of `quantity` times `unit_price` minus the cost of the step, minus the sum "
    "over all returns of `quantity` times the `unit_price` of that sale minus the cost of the step. It may be "
    "negative.",
)

STEPS = Param(
    name="steps",
    type='array of 0 to 60 objects `{"do": string, "quantity": integer, ...}`',
    text='what happens, in order: `{"do": "buy", "quantity": integer, "unit_cost": integer}`, `{"do": "sell", '
    '"quantity": integer, "unit_price": integer}` or `{"do": "return", "quantity": integer, "sale": integer}`; '
    "quantities are 1 to 1000000, `unit_cost` and `unit_price` 0 to 1000000 cents, `sale` is 1 to 60; other fields "
    "are ignored",
)
STEP_NUMBER = ("step", "integer: the number of the step that fails")
ERRORS = (
    ErrorDoc(
        code="out_of_stock",
        when="a `sell` wants more units than are in stock",
        extra=(STEP_NUMBER, ("left", "integer: the units in stock")),
    ),
    ErrorDoc(
        code="no_such_sale",
        when="the `sale` of a `return` is not the number of an earlier step that is a `sell`",
        extra=(STEP_NUMBER,),
    ),
    ErrorDoc(
        code="not_sold",
        when="a `return` brings back more units than that sale still has out",
        extra=(STEP_NUMBER, ("left", "integer: the units of that sale that have not come back")),
    ),
)
ORDER = "the steps are taken in order, and the first one that fails decides"

FIFO = OperationDoc(
    name="fifo",
    summary="First in, first out: the oldest units are sold first.",
    parameters=(STEPS,),
    result='`{"costs": [integer, ...], "profit": integer, "lots": [{"step": integer, "quantity": integer, '
    '"unit_cost": integer}, ...]}`: the cost of each step; the profit; and the lots that still have units in stock, '
    "ordered by step.",
    errors=ERRORS,
    error_order=ORDER,
    rules=(
        "Each `buy` makes a lot of its own, known by the number of that step. Lots are never merged, even at equal "
        "cost.",
        "A sale takes units from the lot with the lowest step number that has any, then from the next lot, and so on.",
        "A return takes back, of the units the sale still has out, those of the lot with the highest step number "
        "first, then those of the next lower one, and so on. They go back into the lot they came from, and so come "
        "before all later lots again at the next sale.",
        "The cost of a sale or return is the sum over its units of the `unit_cost` of their lots.",
    ),
)

AVERAGE = OperationDoc(
    name="average",
    summary="Moving average: all units in stock share one value.",
    parameters=(STEPS,),
    result='`{"costs": [integer, ...], "profit": integer, "quantity": integer, "value": integer}`: the cost of each '
    "step; the profit; and the units in stock at the end with the value of the stock.",
    errors=ERRORS,
    error_order=ORDER,
    rules=(
        "The stock has a quantity and a value, both 0 at first. `buy` adds its quantity and its cost to them.",
        "`sell` costs value times `quantity` / quantity in stock, rounded to a whole cent, an exact half upwards. "
        "Its quantity and its cost are taken off the stock.",
        "Each sale likewise has a quantity still out and a cost still out: at first its own quantity and cost. A "
        "`return` costs the cost still out times `quantity` / quantity still out, rounded in the same way. Its "
        "quantity and its cost are taken off what that sale has out and added to the stock.",
    ),
)


def generate(rng: Random) -> Input:
    """Steps that mostly go well, for either operation."""
    steps: list[dict[str, Any]] = []
    stock, sales = 0, dict[int, int]()
    most = rng.choice((9, 9, 40, 3000))
    for number in range(1, rng.randint(5, 14)):
        do = rng.choice(("buy", "buy", "sell", "sell", "return")) if number > 1 else "buy"
        if do == "sell" and stock:
            sales[number] = rng.randint(1, min(stock, most))
            stock -= sales[number]
            steps.append(_step("sell", sales[number], rng.randint(0, 900)))
        elif do == "return" and any(sales.values()):
            sale = rng.choice([sale for sale, out in sales.items() if out])
            back = rng.randint(1, sales[sale])
            sales[sale] -= back
            stock += back
            steps.append(_step("return", back, sale))
        else:
            stock += (bought := rng.randint(1, most))
            steps.append(_step("buy", bought, rng.randint(1, 500)))
    if rng.random() < 0.06:
        steps.append(rng.choice((_step("sell", stock + 1, 5), _step("return", 1, rng.randint(1, 20)))))
    return rng.choice(("fifo", "average")), {"steps": steps}


THIRD = {"buy": "unit_cost", "sell": "unit_price", "return": "sale"}
WORDS = {"+": "buy", "-": "sell", "<": "return"}


def _step(do: str, quantity: int, third: int) -> dict[str, Any]:
    return {"do": do, "quantity": quantity, THIRD[do]: third}


def _args(steps: str) -> dict[str, Any]:
    """Steps from a short text: `+5@10` buys 5 at 10 each, `-3@20` sells 3 for 20 each, `<2@4` returns 2 of step 4."""
    read = [(text[0], *text[1:].split("@")) for text in steps.split()]
    return {"steps": [_step(WORDS[sign], int(quantity), int(third)) for sign, quantity, third in read]}


BOTH = (
    "",
    "+3@5",
    "+3@5 -3@9",
    "+3@5 -4@9",
    "-1@5",
    "+3@5 -2@9 -2@9",
    "+3@5 <1@1",
    "+3@5 <1@60",
    "+3@5 <1@2",
    "+3@5 -1@9 <1@3",
    "+3@5 -1@9 <1@4 -1@9",
    "+3@5 -3@9 <2@2 <2@2",
    "+3@5 -3@9 <4@2",
    "+3@5 -3@9 <3@2 <1@2",
    "+3@5 -3@9 <1@2 <2@2 -3@1",
    "+3@5 -2@9 <5@9 -9@9",
    "+2@10 +2@20 +2@30 -5@40 <2@4 +1@7 -2@50",
    "+2@10 +2@20 +2@30 -5@40 <2@4 <3@4 -6@45",
    "+2@10 +2@10 -1@15 +4@13 -4@15 <1@3 <3@5 -2@16 <1@3",
    "+1@1 +1@2 +1@4 -1@9 -1@9 <1@4 <1@5 -1@9",
    "+4@10 -2@30 +4@16 -3@30 <2@2 <2@4 -5@30 <1@4 <4@7",
    "+4@10 -2@30 -2@20 <1@2 -1@40 <1@5 -1@0",
    "+1@0 -1@0 <1@2",
    "+2@7 +1@8 -1@10 <1@3 -2@10 <1@5 <1@5",
    "+1000000@1000000 +1000000@999999 -1000000@1000000 -999999@1 <1000000@3 <999999@4",
)
MIXED = " ".join(f"+{7 + i % 5}@{90 + 13 * i % 40} -{4 + i % 3}@150 <{1 + i % 2}@{3 * i + 2}" for i in range(20))

BOUNDARY: tuple[Input, ...] = (
    ("fifo", _args("+2@100 +2@120 -3@200 <2@3 -4@150 -1@150")),
    *((op, _args(steps)) for steps in BOTH for op in ("fifo", "average")),
    ("fifo", _args(MIXED)),
    ("average", _args(MIXED)),
    ("average", _args("+1@1 +1@0 -1@5")),
    ("average", _args("+1@1 +1@2 -1@5 -1@5")),
    ("average", _args("+1@5 +3@5 +4@4 -4@5")),
    ("average", _args("+3@0 +1@1 -1@5 -1@5 -1@5 -1@5")),
    ("average", _args("+1@3 +1@4 +1@4 -2@5 <1@4 <1@4")),
    ("average", _args("+3@10 +4@11 -5@20 <2@3 +2@14 -1@9 <3@3 <1@6")),
    ("fifo", {"steps": [{**_step("buy", 2, 3), "sale": "x", "unit_price": None}, {**_step("sell", 1, 3), "sale": 0}]}),
)


def _bad(*steps: Any) -> dict[str, Any]:
    return {"steps": [_step("buy", 3, 5), _step("sell", 2, 5), *steps]}


def _spoilt(kind: str, **changes: Any) -> dict[str, Any]:
    """A step of which fields are changed; None takes the field away."""
    return {key: value for key, value in {**_step(kind, 1, 2), **changes}.items() if value is not None}


MALFORMED: tuple[Input, ...] = (
    ("fifo", {}),
    ("fifo", {"steps": _step("buy", 1, 1)}),
    ("fifo", {"steps": [_step("buy", 1, 1)] * 61}),
    ("fifo", _bad("buy")),
    ("fifo", _bad(["buy", 1, 1])),
    *(("fifo", _bad(_spoilt("sell", do=do))) for do in (None, "Sell", 5, ["sell"])),
    *(("fifo", _bad(_spoilt(do, quantity=None))) for do in THIRD),
    *(("average", _bad(_spoilt(do, **{third: None}))) for do, third in THIRD.items()),
    *(("fifo", _bad(_spoilt("sell", quantity=n))) for n in (0, -1, 10**6 + 1, True, 1.0, "1")),
    *(("fifo", _bad(_spoilt("buy", unit_cost=n))) for n in (-1, 10**6 + 1, False, 2.5)),
    *(("average", _bad(_spoilt("sell", unit_price=n))) for n in (-1, 10**6 + 1, True, 2.5)),
    *(("fifo", _bad(_spoilt("return", sale=n))) for n in (0, 61, True, 2.0, "2")),
    ("fifo", _bad(_step("sell", 100, 5), _step("buy", 0, 5))),
    ("average", _bad(_step("return", 100, 2), {"do": "buy", "quantity": 1, "unit_cost": None})),
    ("average", {"steps": [_step("buy", 1, 2), None]}),
)

FAMILY = Family(
    number=45,
    slug="fifo-inventory",
    category="ledgers",
    title="FIFO inventory",
    purpose="Keeps the stock of one kind of goods: what each sale and each return costs, the profit, and what is left, "
    "either first in first out or by moving average.",
    notes=NOTES,
    operations=(FIFO, AVERAGE),
    program=program,
    # Lots: step 1 has 4 at 100, step 2 has 3 at 130. Sale 3 of 6 takes 4 at 100 and 2 at 130: 660. Return of 3: first the two
    # of lot 2 (260), then one of lot 1 (100): 360; lot 1 has 1, lot 2 has 3. Step 5 buys 2 at 90: 180. Sale 6 of 3: one at
    # 100, two at 130: 360. Left: 1 of lot 2, 2 of lot 5. Profit: 6*200-660 = 540, minus (3*200-360) = 240, plus 3*150-360 =
    # 90: 390.
    golden=Case(
        op="fifo",
        args=_args("+4@100 +3@130 -6@200 <3@3 +2@90 -3@150"),
        expected={
            "costs": [400, 390, 660, 360, 180, 360],
            "profit": 390,
            "lots": [{"step": 2, "quantity": 1, "unit_cost": 130}, {"step": 5, "quantity": 2, "unit_cost": 90}],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
