"""Tax brackets: parts cut out between neighbouring bounds, and the wanted income by bisection."""

from bisect import bisect_left
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "assess": ("income", "brackets", "allowance", "taper_from", "credit", "mode"),
    "gross_up": ("net", "brackets", "allowance"),
}
MOST = 10**12


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _whole(value: Any, high: int) -> bool:
    """Whether a value is an integer from 0 to a limit."""
    return type(value) is int and 0 <= value <= high


def _is_bracket(value: Any) -> bool:
    """Whether a value is a bracket."""
    return isinstance(value, dict) and _whole(value.get("from"), MOST) and _whole(value.get("rate"), 9000)


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all types and ranges are right."""
    brackets, mode = args.get("brackets"), args.get("mode", "slab")
    if not (isinstance(brackets, list) and 1 <= len(brackets) <= 10 and all(map(_is_bracket, brackets))):
        return False
    if op == "gross_up":
        return _whole(args.get("net"), MOST) and _whole(args.get("allowance", 0), MOST)
    amounts = (args.get("income"), *(args.get(name, 0) for name in ("allowance", "taper_from", "credit")))
    return all(_whole(amount, MOST) for amount in amounts) and isinstance(mode, str) and mode in ("marginal", "slab")


def _rounded(top: int, bottom: int) -> int:
    """The quotient rounded to the nearest integer, a half upwards."""
    return (2 * top + bottom) // (2 * bottom)


def _parts(taxable: int, brackets: list[dict[str, int]]) -> list[tuple[int, int, int]]:
    """The start, size and tax of the part in each bracket reached."""
    ends = [bracket["from"] for bracket in brackets[1:]] + [taxable]
    sizes = [(b["from"], min(end, taxable) - b["from"], b["rate"]) for b, end in zip(brackets, ends, strict=True)]
    return [(start, size, _rounded(size * rate, 10000)) for start, size, rate in sizes if size > 0]


def _ordered(brackets: list[dict[str, int]]) -> None:
    """Refuse brackets that do not begin at 0 and go up."""
    before = -1
    for index, bracket in enumerate(brackets):
        if bracket["from"] <= before or (index == 0 and bracket["from"] != 0):
            raise Refused("bad_brackets", index=index)
        before = bracket["from"]


def _gross_up(net: int, brackets: list[dict[str, int]], allowance: int) -> dict[str, int]:
    """The smallest income that leaves a net; a cent more of income never lowers what is left."""

    def tax(income: int) -> int:
        return sum(part[2] for part in _parts(max(income - allowance, 0), brackets))

    income = bisect_left(range(10 * net + 100), net, key=lambda income: income - tax(income))
    return {"income": income, "tax": tax(income)}


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation."""
    brackets, allowance = args["brackets"], args.get("allowance", 0)
    _ordered(brackets)
    if op == "gross_up":
        return _gross_up(args["net"], brackets, allowance)
    income, credit = args["income"], args.get("credit", 0)
    excess = max(income - args.get("taper_from", income), 0)
    allowance = max(allowance - excess // 2, 0)
    taxable = max(income - allowance, 0)
    parts = _parts(taxable, brackets)
    if args.get("mode") == "slab" and parts:
        last = brackets[len(parts) - 1]
        parts = [(last["from"], taxable, _rounded(taxable * last["rate"], 10000))]
    before = sum(part[2] for part in parts)
    tax = max(before - credit, 0)
    return {
        "allowance": allowance,
        "taxable": taxable,
        "parts": [{"from": start, "amount": size, "tax": part} for start, size, part in parts],
        "tax": tax,
        "unused_credit": max(credit - before, 0),
        "average": _rounded(10000 * tax, income) if income else 0,
    }
