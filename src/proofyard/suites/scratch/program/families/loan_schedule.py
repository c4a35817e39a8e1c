"""Repays a loan month by month, and tells how much a monthly payment can borrow."""

from collections import Counter
from fractions import Fraction
from math import ceil, floor
from typing import Any

from ..arguments import array, enum, integer, optional, required, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

RATE = integer(0, 10000)
MONTHS = integer(1, 120)
EXTRA = structure({"month": integer(1, 200), "amount": integer(1, 10**11)})


def check_schedule(args: dict[str, Any]) -> None:
    """Check the arguments of `schedule`."""
    required(args, "principal", integer(1, 10**11))
    required(args, "rate", RATE)
    required(args, "months", MONTHS)
    optional(args, "extras", array(EXTRA, high=20))
    optional(args, "after_extra", enum("shorten", "recast"))


def check_afford(args: dict[str, Any]) -> None:
    """Check the arguments of `afford`."""
    required(args, "payment", integer(1, 10**9))
    required(args, "rate", RATE)
    required(args, "months", MONTHS)


def schedule(args: dict[str, Any]) -> object:
    """All months of a loan until it is repaid."""
    extras: Counter[int] = Counter()
    for index, extra in enumerate(args.get("extras", [])):
        if extra["month"] > args["months"]:
            raise DomainError("beyond_term", "an extra payment comes after the term", index=index)
        extras[extra["month"]] += extra["amount"]
    rows = repay(args["principal"], args, extras)
    late = [month for month in extras if month > len(rows)]
    if late:
        raise DomainError("overpaid", "nothing is owed any more", month=min(late))
    return {
        "payment": level(args["principal"], args["rate"], args["months"]),
        "rows": rows,
        "interest": sum(row["interest"] for row in rows),
    }


def afford(args: dict[str, Any]) -> object:
    """The greatest loan that a monthly payment repays."""
    principal = floor(args["payment"] * worth(args["rate"], args["months"]))
    rows = repay(principal, args, Counter())
    return {"principal": principal, "interest": sum(row["interest"] for row in rows)}


def repay(principal: int, terms: dict[str, Any], extras: Counter[int]) -> list[dict[str, int]]:
    """The months in which something is owed."""
    rate, months = terms["rate"], terms["months"]
    share = monthly(rate)
    payment = level(principal, rate, months)
    balance = principal
    rows: list[dict[str, int]] = []
    while balance > 0:
        month = len(rows) + 1
        interest = round(balance * share)
        due = balance + interest
        paid = due if month == months else min(payment, due)
        extra = extras[month]
        if extra > due - paid:
            raise DomainError("overpaid", "an extra payment is more than what is owed", month=month)
        balance = due - paid - extra
        rows.append(
            {
                "month": month,
                "payment": paid,
                "interest": interest,
                "principal": paid - interest,
                "extra": extra,
                "balance": balance,
            }
        )
        if extra > 0 and terms.get("after_extra") == "recast":
            payment = level(balance, rate, months - month)
    return rows


def level(balance: int, rate: int, months: int) -> int:
    """The equal monthly payment that repays `balance`, rounded up."""
    return ceil(balance / worth(rate, months))


def worth(rate: int, months: int) -> Fraction:
    """What one cent a month is worth today."""
    if rate == 0:
        return Fraction(months)
    return (1 - 1 / (1 + monthly(rate)) ** months) / monthly(rate)


def monthly(rate: int) -> Fraction:
    """The monthly rate as a fraction."""
    return Fraction(rate, 120000)


OPERATIONS = {
    "schedule": Operation(("principal", "rate", "months", "extras", "after_extra"), check_schedule, schedule),
    "afford": Operation(("payment", "rate", "months"), check_afford, afford),
}
