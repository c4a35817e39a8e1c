"""Income tax by brackets, and the income that leaves a wanted net."""

from typing import Any

from ..arguments import array, enum, integer, optional, required, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

MONEY = integer(0, 10**12)
BRACKETS = array(structure({"from": MONEY, "rate": integer(0, 9000)}), 1, 10)


def check_assess(args: dict[str, Any]) -> None:
    """Check the arguments of `assess`."""
    required(args, "income", MONEY)
    required(args, "brackets", BRACKETS)
    for name in ("allowance", "taper_from", "credit"):
        optional(args, name, MONEY)
    optional(args, "mode", enum("marginal", "slab"))


def check_gross_up(args: dict[str, Any]) -> None:
    """Check the arguments of `gross_up`."""
    required(args, "net", MONEY)
    required(args, "brackets", BRACKETS)
    optional(args, "allowance", MONEY)


def assess(args: dict[str, Any]) -> object:
    """The tax on an income."""
    brackets = ascending(args["brackets"])
    income, credit = args["income"], args.get("credit", 0)
    above = max(0, income - args.get("taper_from", income))
    allowance = max(0, args.get("allowance", 0) - above // 2)
    taxable = max(0, income - allowance)
    found = parts(taxable, brackets)
    if args.get("mode") == "slab":
        found = [part(brackets[len(found) - 1], taxable)] if found else []
    due = total(found)
    tax = max(0, due - credit)
    return {
        "allowance": allowance,
        "taxable": taxable,
        "parts": found,
        "tax": tax,
        "unused_credit": max(0, credit - due),
        "average": divided(10000 * tax, income) if income > 0 else 0,
    }


def gross_up(args: dict[str, Any]) -> object:
    """The smallest income that leaves the wanted net: the net, raised by its own tax until that is enough."""
    brackets = ascending(args["brackets"])
    income = args["net"]
    while income < args["net"] + (tax := total(parts(income - args.get("allowance", 0), brackets))):
        income = args["net"] + tax
    return {"income": income, "tax": tax}


def ascending(brackets: list[dict[str, int]]) -> list[dict[str, int]]:
    """The brackets, if they begin at 0 and go up."""
    starts = [bracket["from"] for bracket in brackets]
    for index, start in enumerate(starts):
        if start > 0 if index == 0 else start <= starts[index - 1]:
            raise DomainError("bad_brackets", "the brackets must begin at 0 and go up", index=index)
    return brackets


def parts(taxable: int, brackets: list[dict[str, int]]) -> list[dict[str, int]]:
    """What of the taxable amount falls in each bracket that it reaches."""
    ends = [below["from"] for below in brackets[1:]] + [taxable]
    return [
        part(b, min(end, taxable) - b["from"]) for b, end in zip(brackets, ends, strict=True) if taxable > b["from"]
    ]


def part(bracket: dict[str, int], amount: int) -> dict[str, int]:
    """An amount taxed at the rate of a bracket."""
    return {"from": bracket["from"], "amount": amount, "tax": divided(amount * bracket["rate"], 10000)}


def total(found: list[dict[str, int]]) -> int:
    """The tax of all parts."""
    return sum(row["tax"] for row in found)


def divided(amount: int, by: int) -> int:
    """The quotient rounded, an exact half upwards."""
    return (2 * amount + by) // (2 * by)


OPERATIONS = {
    "assess": Operation(("income", "brackets", "allowance", "taper_from", "credit", "mode"), check_assess, assess),
    "gross_up": Operation(("net", "brackets", "allowance"), check_gross_up, gross_up),
}
