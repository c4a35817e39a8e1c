"""Contract, inputs and the golden case of the family `loan-schedule`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import loan_schedule as program

__all__ = ["FAMILY"]

NOTES = (
    "Amounts are whole cents. `rate` is a yearly rate in basis points (hundredths of a percent); the **monthly rate** "
    "is r = `rate` / 120000, as an exact fraction: 1200 is 12 % a year and 1 % a month.",
    "The **level payment** of an amount B over n months is B * r * (1 + r)^n / ((1 + r)^n - 1), or B / n if `rate` is "
    "0. It is computed exactly, as with fractions and not with floating point, and then rounded up to a whole cent "
    "(a whole number of cents stays as it is).",
    "The **interest** of a month is the balance at its start times r, computed exactly and rounded to the nearest "
    "cent, an exact half to the even cent (0.5 to 0, 1.5 to 2, 2.5 to 2).",
    "**Repayment.** Months are numbered from 1; the balance at the start of month 1 is the principal. In each month "
    "the interest is added to the balance, and the borrower pays the level payment, but never more than what is then "
    "owed (balance plus interest). In the last month of the term, month number `months`, the borrower pays all that "
    "is owed, even if that is more than the level payment. The loan ends with the month in which the balance becomes "
    "0, which may be before the end of the term.",
)

RATE = Param(name="rate", type="integer, 0 to 10000", text="the yearly rate in basis points")
MONTHS = Param(name="months", type="integer, 1 to 120", text="the term in months")

SCHEDULE = OperationDoc(
    name="schedule",
    summary="All months of a loan, with extra payments.",
    parameters=(
        Param(name="principal", type="integer, 1 to 100000000000", text="the amount borrowed, in cents"),
        RATE,
        MONTHS,
        Param(
            name="extras",
            type='array of 0 to 20 objects `{"month": integer, "amount": integer}`',
            text="extra payments in any order, also several for one month; `month` is 1 to 200, `amount` 1 to "
            "100000000000 cents; other keys are ignored; default `[]`",
            required=False,
        ),
        Param(
            name="after_extra",
            type="string, `shorten` or `recast`",
            text="what an extra payment does to the level payment; default `shorten`",
            required=False,
        ),
    ),
    result='`{"payment": integer, "rows": [{"month": integer, "payment": integer, "interest": integer, "principal": '
    'integer, "extra": integer, "balance": integer}, ...], "interest": integer}`: the level payment of the principal '
    "over `months`; one row a month from month 1 until the loan ends, with what was paid that month (without "
    "extras), the interest, the payment minus the interest (which may be 0), the sum of the extra payments of the "
    "month, and the balance after all of them; and the sum of the interest of all rows.",
    errors=(
        ErrorDoc(
            code="beyond_term",
            when="the `month` of an extra payment is greater than `months`",
            extra=(("index", "integer: the place of the first such one in `extras`, counted from 0"),),
        ),
        ErrorDoc(
            code="overpaid",
            when="the extra payments of a month are together more than what is still owed after the payment of that "
            "month; nothing is owed in a month after the end of the loan",
            extra=(("month", "integer: the first such month"),),
        ),
    ),
    rules=(
        "The extra payments of a month are taken off the balance right after the payment of that month. They may "
        "bring it to 0, which ends the loan.",
        "With `shorten` the level payment never changes. With `recast` it is computed anew after each month that has "
        "an extra payment: as the level payment of the balance after it over the months that are left of the term "
        "(`months` minus the number of that month). It holds from the next month on.",
    ),
)

AFFORD = OperationDoc(
    name="afford",
    summary="How much can be borrowed for a monthly payment.",
    parameters=(
        Param(name="payment", type="integer, 1 to 1000000000", text="the greatest monthly payment, in cents"),
        RATE,
        MONTHS,
    ),
    result='`{"principal": integer, "interest": integer}`: the greatest amount (a whole number of cents, 0 or more) '
    "of which the level payment over `months` is at most `payment`, and the sum of the interest of all months when "
    "that amount is repaid without extra payments, by its own level payment (0 for the amount 0).",
)


def generate(rng: Random) -> Input:
    """One input of a random operation; terms are short, so that results are."""
    rate = rng.choice((0, rng.randint(1, 400), rng.randint(300, 1500), rng.randint(300, 1500), rng.randint(1500, 9999)))
    if rng.random() < 0.3:
        return "afford", {"payment": rng.randint(50, 10 ** rng.randint(3, 9)), "rate": rate, "months": _term(rng, 120)}
    months = _term(rng, 14)
    principal = rng.randint(2000, 10 ** rng.randint(4, 10))
    args: dict[str, Any] = {"principal": principal, "rate": rate, "months": months}
    if rng.random() < 0.7:
        most = principal // rng.choice((4, 20, 20, 50))
        args["extras"] = [
            {"month": rng.randint(1, months // 2), "amount": rng.randint(1, most)} for _ in range(rng.randint(1, 3))
        ]
        args["after_extra"] = rng.choice(("shorten", "recast", "recast"))
    if rng.random() < 0.04:
        args.setdefault("extras", []).append({"month": months + rng.randint(0, 2), "amount": rng.randint(1, 9)})
    return "schedule", args


def _term(rng: Random, most: int) -> int:
    return rng.randint(3, most)


def _loan(principal: int, rate: int, months: int, extras: str = "", **more: Any) -> Input:
    """A loan with extra payments from a short text: `3:500 1:20` are 500 in month 3 and 20 in month 1."""
    args: dict[str, Any] = {"principal": principal, "rate": rate, "months": months, **more}
    if extras:
        pairs = [text.split(":") for text in extras.split()]
        args["extras"] = [{"month": int(month), "amount": int(amount)} for month, amount in pairs]
    return "schedule", args


def _afford(payment: int, rate: int, months: int) -> Input:
    return "afford", {"payment": payment, "rate": rate, "months": months}


BOUNDARY: tuple[Input, ...] = (
    _loan(10000, 600, 4, "2:2000 3:9999"),
    _loan(1, 0, 1),
    _loan(1, 10000, 120),
    _loan(10, 10000, 120),
    _loan(5, 0, 12),
    _loan(1200, 0, 12),
    _loan(1201, 0, 12),
    _loan(1199, 0, 12, extras="", after_extra="recast"),
    _loan(100, 600, 3),
    _loan(300, 600, 3),
    _loan(500, 600, 3),
    _loan(101000, 1200, 1),
    _loan(101, 1200, 5),
    _loan(10**11, 10000, 120),
    _loan(10**11, 1, 3),
    _loan(90000, 1200, 6, "2:10000"),
    _loan(90000, 1200, 6, "2:10000", after_extra="shorten"),
    _loan(90000, 1200, 6, "2:10000", after_extra="recast"),
    _loan(90000, 1200, 6, "4:1 2:4000 2:6000 1:3", after_extra="recast"),
    _loan(90000, 0, 6, "1:15000 2:15000", after_extra="recast"),
    _loan(90000, 0, 6, "1:75000"),
    _loan(90000, 0, 6, "1:75001"),
    _loan(90000, 0, 6, "1:75000 2:1"),
    _loan(90000, 0, 6, "1:75000 5:1 3:1", after_extra="recast"),
    _loan(90000, 0, 6, "1:75000", after_extra="recast"),
    _loan(90000, 0, 6, "5:15000", after_extra="recast"),
    _loan(90000, 0, 6, "5:14999", after_extra="recast"),
    _loan(90000, 0, 6, "6:1"),
    _loan(90000, 0, 6, "5:15001"),
    _loan(90000, 0, 6, "1:9 7:1 8:1 1:100000"),
    _loan(90000, 0, 6, "1:100000 1:1 7:1"),
    _loan(5000, 999, 5, "1:1 " * 20, after_extra="recast"),
    _loan(5000, 999, 5, "1:1 200:100000000000"),
    _loan(7, 6000, 20, "1:1 2:1", after_extra="recast"),
    _afford(1, 0, 1),
    _afford(1, 1, 1),
    _afford(1, 10000, 120),
    _afford(99, 0, 7),
    _afford(101, 1200, 1),
    _afford(100, 1200, 1),
    _afford(102, 1200, 1),
    _afford(888, 1200, 12),
    _afford(10**9, 10000, 120),
    _afford(10**9, 0, 120),
    _afford(10**9, 1, 119),
)

GOOD: dict[str, Any] = {"principal": 1000, "rate": 500, "months": 6}
EXTRA: dict[str, Any] = {"month": 2, "amount": 10}
PAY: dict[str, Any] = {"payment": 1000, "rate": 500, "months": 6}


def _without(args: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in args.items() if key != name}


MALFORMED: tuple[Input, ...] = (
    *(("schedule", _without(GOOD, name)) for name in GOOD),
    ("schedule", {**GOOD, "principal": 0}),
    ("schedule", {**GOOD, "principal": 10**11 + 1}),
    ("schedule", {**GOOD, "principal": "1000"}),
    ("schedule", {**GOOD, "principal": 1000.0}),
    ("schedule", {**GOOD, "rate": -1}),
    ("schedule", {**GOOD, "rate": 10001}),
    ("schedule", {**GOOD, "rate": 2.5}),
    ("schedule", {**GOOD, "rate": False}),
    ("schedule", {**GOOD, "months": 0}),
    ("schedule", {**GOOD, "months": 121}),
    ("schedule", {**GOOD, "months": True}),
    ("schedule", {**GOOD, "extras": EXTRA}),
    ("schedule", {**GOOD, "extras": None}),
    ("schedule", {**GOOD, "extras": [[2, 10]]}),
    ("schedule", {**GOOD, "extras": [EXTRA] * 21}),
    ("schedule", {**GOOD, "extras": [{"month": 2}]}),
    ("schedule", {**GOOD, "extras": [{"amount": 2}]}),
    ("schedule", {**GOOD, "extras": [{**EXTRA, "month": 0}]}),
    ("schedule", {**GOOD, "extras": [{**EXTRA, "month": 201}]}),
    ("schedule", {**GOOD, "extras": [{**EXTRA, "month": 7}, {**EXTRA, "amount": 0}]}),
    ("schedule", {**GOOD, "extras": [{**EXTRA, "amount": 2000}, {**EXTRA, "amount": 10**11 + 1}]}),
    ("schedule", {**GOOD, "extras": [{**EXTRA, "amount": True}]}),
    ("schedule", {**GOOD, "after_extra": "Recast"}),
    ("schedule", {**GOOD, "after_extra": None}),
    ("schedule", {**GOOD, "after_extra": True}),
    *(("afford", _without(PAY, name)) for name in PAY),
    ("afford", {**PAY, "payment": 0}),
    ("afford", {**PAY, "payment": 10**9 + 1}),
    ("afford", {**PAY, "payment": None}),
    ("afford", {**PAY, "rate": 10001}),
    ("afford", {**PAY, "rate": -5}),
    ("afford", {**PAY, "months": 0}),
    ("afford", {**PAY, "months": 121}),
    ("afford", {**PAY, "months": 12.0}),
)

FAMILY = Family(
    number=44,
    slug="loan-schedule",
    category="ledgers",
    title="Loan schedule",
    purpose="Repays a loan in level monthly payments, to the cent, with extra payments that shorten the term or lower "
    "the payment, and tells how much a monthly payment can borrow.",
    notes=NOTES,
    operations=(SCHEDULE, AFFORD),
    program=program,
    # r = 1 %. Level payment of 10050 over 3: 1.01^3 = 1.030301; 10050 * 0.01030301 / 0.030301 = 3417.22..., up: 3418. Month 1:
    # interest 100.5, an exact half, to the even 100; 10150 - 3418 = 6732, less 1000 extra = 5732. Recast over 2 months:
    # 1.01^2 = 1.0201; 5732 * 0.010201 / 0.0201 = 2909.06..., up: 2910. Month 2: interest 57.32 -> 57; 5789 - 2910 = 2879. Month
    # 3, the last: interest 28.79 -> 29; all 2908 is paid, the principal in it is 2879. Interest 100 + 57 + 29 = 186.
    golden=Case(
        op="schedule",
        args=_loan(10050, 1200, 3, "1:600 1:400", after_extra="recast")[1],
        expected={
            "payment": 3418,
            "rows": [
                {"month": 1, "payment": 3418, "interest": 100, "principal": 3318, "extra": 1000, "balance": 5732},
                {"month": 2, "payment": 2910, "interest": 57, "principal": 2853, "extra": 0, "balance": 2879},
                {"month": 3, "payment": 2908, "interest": 29, "principal": 2879, "extra": 0, "balance": 0},
            ],
            "interest": 186,
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
