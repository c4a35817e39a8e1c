"""Loan schedule: level payments through the exact present value of one cent a month."""

from fractions import Fraction
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "schedule": ("principal", "rate", "months", "extras", "after_extra"),
    "afford": ("payment", "rate", "months"),
}
YEAR = 120000


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _whole(value: Any, low: int, high: int) -> bool:
    """Whether a value is an integer in a range."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_extra(value: Any) -> bool:
    """Whether a value is an extra payment."""
    return isinstance(value, dict) and _whole(value.get("month"), 1, 200) and _whole(value.get("amount"), 1, 10**11)


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all types and ranges are right."""
    if not (_whole(args.get("rate"), 0, 10000) and _whole(args.get("months"), 1, 120)):
        return False
    if op == "afford":
        return _whole(args.get("payment"), 1, 10**9)
    extras, after = args.get("extras", []), args.get("after_extra", "shorten")
    if not (isinstance(extras, list) and len(extras) <= 20 and all(map(_is_extra, extras))):
        return False
    return _whole(args.get("principal"), 1, 10**11) and isinstance(after, str) and after in ("shorten", "recast")


def _annuity(rate: int, months: int) -> tuple[int, int]:
    """What one cent a month is worth at the start: the sum of (1 + r)^-k, as numerator and denominator."""
    grown = YEAR + rate
    return sum(YEAR**k * grown ** (months - k) for k in range(1, months + 1)), grown**months


def _level(balance: int, rate: int, months: int) -> int:
    """The level payment, rounded up."""
    worth, unit = _annuity(rate, months)
    return -(-balance * unit // worth)


def _repay(principal: int, rate: int, months: int, extras: dict[int, int], recast: bool) -> list[dict[str, int]]:
    """The rows of a repayment; an extra payment beyond what is owed is refused."""
    balance, level = principal, _level(principal, rate, months)
    rows: list[dict[str, int]] = []
    for month in range(1, months + 1):
        extra = extras.get(month, 0)
        if balance == 0:
            if extra:
                raise Refused("overpaid", month=month)
            continue
        interest = round(Fraction(balance * rate, YEAR))
        owed = balance + interest
        paid = owed if month == months else min(level, owed)
        balance = owed - paid - extra
        if balance < 0:
            raise Refused("overpaid", month=month)
        row = {"month": month, "payment": paid, "interest": interest, "principal": paid - interest}
        rows.append({**row, "extra": extra, "balance": balance})
        if recast and extra and balance:
            level = _level(balance, rate, months - month)
    return rows


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of a checked operation."""
    rate, months = args["rate"], args["months"]
    if op == "afford":
        worth, unit = _annuity(rate, months)
        principal = args["payment"] * worth // unit
        rows = _repay(principal, rate, months, {}, False)
        return {"principal": principal, "interest": sum(row["interest"] for row in rows)}
    extras: dict[int, int] = {}
    for index, extra in enumerate(args.get("extras", [])):
        if extra["month"] > months:
            raise Refused("beyond_term", index=index)
        extras[extra["month"]] = extras.get(extra["month"], 0) + extra["amount"]
    principal = args["principal"]
    rows = _repay(principal, rate, months, extras, args.get("after_extra") == "recast")
    total = sum(row["interest"] for row in rows)
    return {"payment": _level(principal, rate, months), "rows": rows, "interest": total}
