"""Contract, inputs and the golden case of the family `tax-brackets`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import tax_brackets as program

__all__ = ["FAMILY"]

NOTES = (
    "Amounts are whole cents; rates are basis points (hundredths of a percent). *Rounded* means "
    "rounded to the nearest integer, an exact half upwards.",
    "**Brackets.** A bracket begins at its `from` and ends at the `from` of the next one; the last has no end. A "
    "taxable amount T **reaches** a bracket if T is greater than its `from`: 0 reaches none, and T equal to a `from` "
    "only touches that bracket. The **part** of T in a bracket that it reaches goes from its `from` to its end or to "
    "T, whichever is less.",
    "The **tax on an amount** at a rate is amount * rate / 10000, rounded.",
)

BRACKETS = Param(
    name="brackets",
    type='array of 1 to 10 objects `{"from": integer, "rate": integer}`',
    text="the brackets in ascending order; `from` is 0 to 1000000000000, `rate` 0 to 9000; other keys are ignored",
)
ALLOWANCE = Param(
    name="allowance", type="integer, 0 to 1000000000000", text="income that is not taxed; default 0", required=False
)
BAD_BRACKETS = ErrorDoc(
    code="bad_brackets",
    when="the `from` of the first bracket is not 0, or that of another is not greater than that of the bracket before",
    extra=(("index", "integer: the place in `brackets`, counted from 0, of the first bracket that is wrong"),),
)

ASSESS = OperationDoc(
    name="assess",
    summary="The tax on an income.",
    parameters=(
        Param(name="income", type="integer, 0 to 1000000000000", text="the income"),
        BRACKETS,
        ALLOWANCE,
        Param(
            name="taper_from",
            type="integer, 0 to 1000000000000",
            text="the income above which the allowance shrinks; by default it never does",
            required=False,
        ),
        Param(
            name="credit",
            type="integer, 0 to 1000000000000",
            text="an amount taken off the tax; default 0",
            required=False,
        ),
        Param(
            name="mode",
            type="string, `marginal` or `slab`",
            text="whether each part is taxed at its own rate or all at one rate; default `marginal`",
            required=False,
        ),
    ),
    result='`{"allowance": integer, "taxable": integer, "parts": [{"from": integer, "amount": integer, "tax": '
    'integer}, ...], "tax": integer, "unused_credit": integer, "average": integer}`: the allowance left after the '
    "taper, the taxable amount, the taxed parts, the tax after the credit, what is left of the credit, and the "
    "average rate in basis points.",
    errors=(BAD_BRACKETS,),
    rules=(
        "If `income` is greater than `taper_from`, the allowance is reduced by half of the difference, the half "
        "without its fraction (5 of 11), but not below 0.",
        "The taxable amount is the income minus the allowance, but not below 0.",
        "`marginal`: `parts` has one object for each bracket that the taxable amount reaches, in order, with the "
        "`from` of the bracket, the size of the part in it, and the tax on that at the rate of the bracket, each "
        "part rounded by itself. A bracket with rate 0 is no exception.",
        "`slab`: `parts` has one object only, for the last bracket that the taxable amount reaches: its `from`, the "
        "whole taxable amount as `amount`, and the tax on that at the rate of this bracket. In both modes `parts` is "
        "`[]` if the taxable amount is 0.",
        "`tax` is the sum of the taxes of the parts minus `credit`, but not below 0; `unused_credit` is `credit` "
        "minus that sum, but not below 0.",
        "`average` is 10000 times `tax` / `income`, rounded; 0 if `income` is 0.",
    ),
)

GROSS_UP = OperationDoc(
    name="gross_up",
    summary="The income that leaves a wanted net.",
    parameters=(
        Param(name="net", type="integer, 0 to 1000000000000", text="what shall be left after tax"),
        BRACKETS,
        ALLOWANCE,
    ),
    result='`{"income": integer, "tax": integer}`: the smallest income, without upper limit, for which income minus '
    "tax is at least `net`, and the tax on it.",
    errors=(BAD_BRACKETS,),
    rules=(
        "The tax is the one that `assess` computes for that income (or would, where it is out of range there) with "
        "these brackets and this allowance, in mode `marginal`, without taper and without credit.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation; brackets that fit the income mostly."""
    scale = 10 ** rng.randint(3, 9)
    starts = sorted(rng.sample(range(1, 20), rng.randint(1, 5)))
    brackets = [_bracket(0, rng.choice((0, rng.randint(1, 2000))))]
    brackets += [_bracket(start * scale // 10 + rng.randint(0, 9), rng.randint(0, 6000)) for start in starts]
    if rng.random() < 0.05:
        rng.shuffle(brackets)
    args: dict[str, Any] = {"brackets": brackets}
    if rng.random() < 0.6:
        args["allowance"] = rng.randint(0, scale // 2)
    if rng.random() < 0.35:
        return "gross_up", {"net": rng.randint(1, 2 * scale), **args}
    args["income"] = income = rng.randint(scale // 10, 3 * scale)
    if rng.random() < 0.5:
        args["taper_from"] = rng.randint(income // 2, income)
    if rng.random() < 0.5:
        args["credit"] = rng.randint(1, scale // 4)
    if rng.random() < 0.5:
        args["mode"] = rng.choice(("slab", "slab", "marginal"))
    return "assess", args


def _bracket(start: int, rate: int) -> dict[str, int]:
    return {"from": start, "rate": rate}


def _args(brackets: str, **more: Any) -> dict[str, Any]:
    """Arguments with brackets from a short text: `0:1000 500:2000` is 10 % from 0 and 20 % from 500."""
    pairs = [text.split(":") for text in brackets.split()]
    return {"brackets": [_bracket(int(start), int(rate)) for start, rate in pairs], **more}


FOUR = "0:0 1000:1005 2500:2000 9000:4550"
TEN = " ".join(f"{i * 7}:{i * 1000}" for i in range(10))
TOP = 10**12

BOUNDARY: tuple[Input, ...] = (
    ("assess", _args("0:1000 500:2000 500:3000 400:100", income=100)),
    ("assess", _args("1:1000", income=100)),
    ("assess", _args("0:1000 9:2000 8:3000", income=100)),
    ("assess", _args("5:1000 5:2000", income=100)),
    ("assess", _args("0:1000 0:2000", income=0)),
    ("assess", _args(FOUR, income=0)),
    ("assess", _args(FOUR, income=0, credit=5, allowance=7, mode="slab")),
    ("assess", _args(FOUR, income=0, credit=0, taper_from=0, allowance=0)),
    *(("assess", _args(FOUR, income=income)) for income in (1, 1000, 1001, 1005, 2500, 2501, 8999, 9000, 9001, 99999)),
    *(
        ("assess", _args(FOUR, income=income, mode="slab"))
        for income in (1, 1000, 1001, 2500, 2501, 2502, 9000, 9001, 99999)
    ),
    ("assess", _args("0:5000", income=1)),
    ("assess", _args("0:4999", income=1, mode="marginal")),
    ("assess", _args("0:5000 1:5000 2:5000 3:5000", income=4)),
    ("assess", _args("0:5000 1:5000 2:5000 3:5000", income=4, mode="slab")),
    ("assess", _args(FOUR, income=5000, allowance=5000)),
    ("assess", _args(FOUR, income=5000, allowance=4999)),
    ("assess", _args(FOUR, income=5000, allowance=6000, credit=9, mode="slab")),
    ("assess", _args(FOUR, income=5000, allowance=2000, taper_from=5000)),
    ("assess", _args(FOUR, income=5000, allowance=2000, taper_from=4999)),
    ("assess", _args(FOUR, income=5000, allowance=2000, taper_from=4998)),
    ("assess", _args(FOUR, income=5000, allowance=2000, taper_from=1000)),
    ("assess", _args(FOUR, income=5000, allowance=2000, taper_from=999)),
    ("assess", _args(FOUR, income=5001, allowance=2000, taper_from=0)),
    ("assess", _args(FOUR, income=5000, taper_from=0)),
    ("assess", _args(FOUR, income=5000, allowance=2000, taper_from=TOP)),
    ("assess", _args("0:1000", income=5000, credit=500)),
    ("assess", _args("0:1000", income=5000, credit=499)),
    ("assess", _args("0:1000", income=5000, credit=501)),
    ("assess", _args("0:2", income=20000, credit=3)),
    ("assess", _args("0:1000", income=20000, credit=1999)),
    ("assess", _args("0:1000", income=20001, credit=1999)),
    ("assess", _args("0:0", income=777, credit=TOP)),
    ("assess", _args("0:9000", income=TOP, mode="slab")),
    ("assess", _args(f"0:9000 {TOP}:0", income=TOP, allowance=TOP, taper_from=0, credit=TOP)),
    ("assess", _args(TEN, income=70)),
    ("assess", _args(TEN, income=63, mode="slab")),
    ("gross_up", _args("0:1000 500:2000 300:100", net=100)),
    ("gross_up", _args("10:1000", net=0)),
    ("gross_up", _args("0:1000", net=0)),
    ("gross_up", _args("0:1000", net=0, allowance=100)),
    ("gross_up", _args("0:1000", net=100, allowance=100)),
    ("gross_up", _args("0:1000", net=101, allowance=99)),
    ("gross_up", _args("0:5000", net=1)),
    ("gross_up", _args("0:5000", net=2)),
    ("gross_up", _args("0:5000 1:5000 2:5000", net=3)),
    ("gross_up", _args("0:0", net=12345)),
    ("gross_up", _args("0:9000", net=7)),
    ("gross_up", _args("0:9000", net=TOP)),
    ("gross_up", _args("0:9000", net=TOP, allowance=TOP)),
    ("gross_up", _args(FOUR, net=2349)),
    ("gross_up", _args(FOUR, net=2350)),
    ("gross_up", _args(FOUR, net=8000, allowance=300)),
    ("gross_up", _args(TEN, net=50)),
)

GOOD = _args(FOUR, income=5000)
NET = _args(FOUR, net=5000)


def _bad(*brackets: Any) -> Input:
    return "assess", {"income": 5000, "brackets": [_bracket(0, 100), *brackets]}


MALFORMED: tuple[Input, ...] = (
    ("assess", {"income": 5000}),
    ("assess", {"brackets": GOOD["brackets"]}),
    ("assess", {**GOOD, "brackets": []}),
    ("assess", {**GOOD, "brackets": _bracket(0, 1)}),
    ("assess", {**GOOD, "brackets": [_bracket(i, 1) for i in range(11)]}),
    _bad([500, 1]),
    _bad({"from": 500}),
    _bad({"rate": 500}),
    _bad(_bracket(-1, 1)),
    _bad(_bracket(TOP + 1, 1)),
    _bad(_bracket(500, -1)),
    _bad(_bracket(500, 9001)),
    _bad({"from": 500, "rate": 12.5}),
    _bad({"from": 500, "rate": True}),
    _bad({"from": False, "rate": 100}),
    _bad(_bracket(0, 5), {"from": 500, "rate": "5"}),
    _bad({"from": None, "rate": 100}),
    *(("assess", {**GOOD, "income": bad}) for bad in (-1, TOP + 1, 5000.0, "5000", True)),
    *(("assess", {**GOOD, name: -1}) for name in ("allowance", "taper_from", "credit")),
    *(("assess", {**GOOD, name: TOP + 1}) for name in ("allowance", "taper_from", "credit")),
    *(("assess", {**GOOD, name: None}) for name in ("allowance", "taper_from", "credit", "mode")),
    *(("assess", {**GOOD, name: False}) for name in ("allowance", "taper_from", "credit", "mode")),
    ("assess", {**GOOD, "mode": "Slab"}),
    ("gross_up", {"net": 5000}),
    ("gross_up", {"brackets": NET["brackets"]}),
    *(("gross_up", {**NET, "net": bad}) for bad in (-1, TOP + 1, 5000.0, None, True)),
    ("gross_up", {**NET, "allowance": TOP + 1}),
    ("gross_up", {**NET, "allowance": -1}),
    ("gross_up", {**NET, "allowance": None}),
    ("gross_up", {**NET, "brackets": None}),
)

FAMILY = Family(
    number=46,
    slug="tax-brackets",
    category="ledgers",
    title="Tax brackets",
    purpose="Computes income tax by brackets, with an allowance that shrinks with the income and a tax credit, and "
    "finds the income that leaves a wanted net.",
    notes=NOTES,
    operations=(ASSESS, GROSS_UP),
    program=program,
    # 50001 is 10001 above 40000: half is 5000.5, down to 5000; the allowance is 3000, taxable 47001. Parts: 10000 at 0 %: 0;
    # 20000 at 15 %: 3000; 17001 at 32.5 %: 5525.325, 5525. Together 8525, less 525: 8000. Average: 80000000 / 50001 =
    # 1599.968, 1600.
    golden=Case(
        op="assess",
        args=_args("0:0 10000:1500 30000:3250 60000:4200", income=50001, allowance=8000, taper_from=40000, credit=525),
        expected={
            "allowance": 3000,
            "taxable": 47001,
            "parts": [
                {"from": 0, "amount": 10000, "tax": 0},
                {"from": 10000, "amount": 20000, "tax": 3000},
                {"from": 30000, "amount": 17001, "tax": 5525},
            ],
            "tax": 8000,
            "unused_credit": 0,
            "average": 1600,
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
