"""Contract, inputs and the golden case of the family `date-arithmetic`."""

from random import Random

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param
from ..program.families import date_arithmetic as program

__all__ = ["FAMILY"]

NOTES = (
    "Dates are of the Gregorian calendar, carried back to the year 1 (as Python's `datetime.date` does): years 1 to "
    "9999, a leap year is one divisible by 4 but not by 100, or by 400.",
    "A date is written `YYYY-MM-DD`: exactly four, two and two ASCII digits with hyphens between, nothing before or "
    "after. An argument of another form is `invalid_args`; one of this form that names no day of the years 1 to 9999 "
    "(`2023-02-29`, `2023-13-01`, `0000-01-01`) is `no_such_date`.",
    "Weekdays are named `monday` to `sunday`.",
)

NO_SUCH_DATE = ErrorDoc(code="no_such_date", when="`date` has the right form but does not exist")

ADD = OperationDoc(
    name="add",
    summary="Moves a date by years and months, then by days.",
    parameters=(
        Param(name="date", type="string, a date", text="where to start"),
        Param(name="years", type="integer, -10000 to 10000", text="years to add; default 0", required=False),
        Param(name="months", type="integer, -120000 to 120000", text="months to add; default 0", required=False),
        Param(name="days", type="integer, -4000000 to 4000000", text="days to add; default 0", required=False),
        Param(
            name="month_end",
            type="string: `clamp`, `roll` or `reject`",
            text="what to do where the month reached has no such day; default `clamp`",
            required=False,
        ),
    ),
    result='`{"date": string, "weekday": string, "moved": integer}`: the date reached, its weekday, and the signed '
    "number of days from the start to it.",
    errors=(
        NO_SUCH_DATE,
        ErrorDoc(code="out_of_range", when="the month reached by the first step is not in the years 1 to 9999"),
        ErrorDoc(
            code="no_such_day", when="`month_end` is `reject` and the month reached by the first step has no such day"
        ),
        ErrorDoc(code="out_of_range", when="the final date is not in the years 1 to 9999"),
    ),
    rules=(
        "First step: 12 times `years` plus `months` months are added at once, keeping the day of the month. If the "
        "month reached has no such day, `clamp` takes the last day of that month; `roll` goes on into the next month "
        "by as many days as are missing (January 31 plus one month is March 3, in leap years March 2); `reject` "
        "fails. `month_end` matters even if `days` would lead back.",
        "Second step: `days` are added. Only the result of a step must be in range, not the start plus `years` alone.",
    ),
)

BETWEEN = OperationDoc(
    name="between",
    summary="How far it is from one date to another.",
    parameters=(
        Param(name="from", type="string, a date", text="the first date"),
        Param(name="to", type="string, a date", text="the second date; it may be the earlier one"),
    ),
    result='`{"days": integer, "years": integer, "months": integer, "rest": integer, "weekdays": integer}`: `days` '
    "is the signed number of days from `from` to `to`; all others are 0 or more and do not depend on which of the "
    "two dates comes first.",
    errors=(ErrorDoc(code="no_such_date", when="`from` or `to` has the right form but does not exist"),),
    rules=(
        "Let E be the earlier and L the later date. `years` and `months` (0 to 11) are the greatest number of whole "
        "months that can be added to E, clamped to the end of the month as in `add`, without passing L. `rest` is "
        "the number of days from E so moved to L. From 2023-01-31 to 2023-02-28 it is 1 month and 0 days.",
        "`weekdays` is the number of days from Monday to Friday in the interval that begins with E and ends before L.",
    ),
)

DESCRIBE = OperationDoc(
    name="describe",
    summary="What kind of day a date is.",
    parameters=(Param(name="date", type="string, a date", text="the date"),),
    result='`{"weekday": string, "day_of_year": integer, "leap_year": boolean, "days_in_month": integer, '
    '"nth_weekday": integer, "last_weekday": boolean}`: `day_of_year` counts from 1; `nth_weekday` is 2 if the date '
    "is, say, the second Tuesday of its month; `last_weekday` tells whether it is the last Tuesday of its month.",
    errors=(NO_SUCH_DATE,),
)


def generate(rng: Random) -> Input:
    """One input of a random operation; ends of months and leap days are frequent."""
    op = rng.choice(("add", "add", "between", "describe"))
    if op == "describe":
        return op, {"date": _date(rng)}
    if op == "between":
        return op, {"from": _date(rng), "to": _date(rng)}
    args: dict[str, object] = {"date": _date(rng)}
    for name, most in (("years", 30), ("months", 40), ("days", 800)):
        if rng.random() < 0.6:
            args[name] = rng.randint(-most, most)
    if rng.random() < 0.6:
        args["month_end"] = rng.choice(("clamp", "roll", "roll", "reject"))
    return op, args


def _date(rng: Random) -> str:
    year = rng.choice((rng.randint(1, 9999), rng.randint(1, 99) * 100, rng.randint(1800, 2200)))
    month = rng.randint(1, 12)
    day = rng.choice((rng.randint(1, 28), rng.randint(28, 31)))
    if day > 28 and rng.random() < 0.97:
        day = min(day, 28 if month == 2 else 30)
    return f"{year:04}-{month:02}-{day:02}"


BOUNDARY: tuple[Input, ...] = (
    ("add", {"date": "2023-01-31", "months": 1, "month_end": "reject"}),
    ("add", {"date": "2023-02-29"}),
    ("add", {"date": "2024-01-31"}),
    ("add", {"date": "2024-01-31", "months": 1}),
    ("add", {"date": "2024-01-31", "months": 1, "month_end": "roll"}),
    ("add", {"date": "2023-01-31", "months": 1, "month_end": "roll", "days": -3}),
    ("add", {"date": "2023-01-31", "months": 13, "month_end": "clamp", "days": 1}),
    ("add", {"date": "2024-02-29", "years": 1}),
    ("add", {"date": "2024-02-29", "years": -124, "month_end": "roll"}),
    ("add", {"date": "2024-02-29", "years": 376, "month_end": "reject"}),
    ("add", {"date": "2024-02-29", "years": 1, "days": -1, "month_end": "reject"}),
    ("add", {"date": "2024-05-31", "years": 1, "months": -11, "days": 0}),
    ("add", {"date": "2023-03-31", "months": -1, "days": 31}),
    ("add", {"date": "2023-08-31", "months": 1, "month_end": "roll"}),
    ("add", {"date": "2023-08-31", "months": 3, "month_end": "roll"}),
    ("add", {"date": "2023-05-31", "months": -1}),
    ("add", {"date": "2023-05-31", "months": 1, "month_end": "reject"}),
    ("add", {"date": "9999-12-31", "days": 1}),
    ("add", {"date": "0001-01-01", "days": -1}),
    ("add", {"date": "9999-12-31", "months": 1, "days": -31}),
    ("add", {"date": "0001-01-31", "months": -1}),
    ("add", {"date": "0001-01-01", "days": 3652058}),
    ("add", {"date": "9999-12-31", "days": -3652058, "years": 0}),
    ("add", {"date": "0001-01-01", "days": 3652059}),
    ("add", {"date": "9999-12-31", "years": -9998, "months": -11}),
    ("add", {"date": "0001-01-01", "years": 10000, "months": -12000, "days": 4000000}),
    ("add", {"date": "0002-01-01", "years": -10000, "months": 120000}),
    ("add", {"date": "2000-01-31", "years": 10000, "months": -119999, "month_end": "clamp"}),
    ("add", {"date": "9999-05-31", "months": 1, "days": 4000000, "month_end": "reject"}),
    ("add", {"date": "0001-12-31", "months": 2, "days": -4000000, "month_end": "clamp"}),
    ("add", {"date": "2000-06-15", "months": -120000, "years": 10000}),
    ("between", {"from": "2023-01-31", "to": "2023-02-28"}),
    ("between", {"from": "2023-02-28", "to": "2023-01-31"}),
    ("between", {"from": "2023-01-31", "to": "2023-03-01"}),
    ("between", {"from": "2024-02-29", "to": "2025-02-28"}),
    ("between", {"from": "2025-02-28", "to": "2024-02-29"}),
    ("between", {"from": "2023-03-31", "to": "2024-03-30"}),
    ("between", {"from": "0001-01-01", "to": "9999-12-31"}),
    ("between", {"from": "9999-12-31", "to": "0001-01-01"}),
    ("between", {"from": "2024-06-15", "to": "2024-06-15"}),
    ("between", {"from": "2023-06-10", "to": "2023-06-11"}),
    ("between", {"from": "2023-06-09", "to": "2023-06-10"}),
    ("between", {"from": "2023-06-12", "to": "2023-06-05"}),
    ("between", {"from": "2022-11-30", "to": "2023-02-28"}),
    ("between", {"from": "1900-02-29", "to": "2023-01-01"}),
    ("between", {"from": "2023-01-01", "to": "2023-00-10"}),
    ("describe", {"date": "1900-12-31"}),
    ("describe", {"date": "2000-02-29"}),
    ("describe", {"date": "0001-01-01"}),
    ("describe", {"date": "9999-12-31"}),
    ("describe", {"date": "2024-09-07"}),
    ("describe", {"date": "2024-11-08"}),
    ("describe", {"date": "2023-02-21"}),
    ("describe", {"date": "2023-02-22"}),
    ("describe", {"date": "2024-04-24"}),
    ("describe", {"date": "2023-06-23"}),
    ("describe", {"date": "2023-12-25"}),
    ("describe", {"date": "0000-01-01"}),
    ("describe", {"date": "2023-04-31"}),
    ("describe", {"date": "2023-13-01"}),
    ("describe", {"date": "2023-01-00"}),
)

MALFORMED: tuple[Input, ...] = (
    ("add", {}),
    ("add", {"years": 1}),
    ("add", {"date": None}),
    ("add", {"date": 20230101}),
    ("add", {"date": "2023-1-01"}),
    ("add", {"date": "20230101"}),
    ("add", {"date": "2023-W01-1"}),
    ("add", {"date": "2023-01-01", "years": 1.0}),
    ("add", {"date": "2023-01-01", "years": 10001}),
    ("add", {"date": "2023-01-01", "years": -10001}),
    ("add", {"date": "2023-01-01", "months": True}),
    ("add", {"date": "2023-01-01", "months": 120001}),
    ("add", {"date": "2023-01-01", "months": -120001}),
    ("add", {"date": "2023-01-01", "days": "1"}),
    ("add", {"date": "2023-01-01", "days": None}),
    ("add", {"date": "2023-01-01", "days": 4000001}),
    ("add", {"date": "2023-01-01", "days": -4000001}),
    ("add", {"date": "2023-02-30", "month_end": "last"}),
    ("add", {"date": "2023-01-01", "month_end": True}),
    ("between", {"from": "2023-01-01"}),
    ("between", {"to": "2023-01-01"}),
    ("between", {"from": "2023-01-01", "to": ["2023-01-01"]}),
    ("between", {"from": "2023-02-30", "to": "2023-01-01T00:00:00"}),
    ("describe", {}),
    ("describe", {"date": ""}),
    ("describe", {"date": "2023-01-01\n"}),
    ("describe", {"date": " 2023-01-01"}),
    ("describe", {"date": "-023-01-01"}),
    ("describe", {"date": "12023-01-01"}),
    ("describe", {"date": "2023/01/01"}),
    ("describe", {"date": "\u0662\u0660\u0662\u0663-\u0660\u0661-\u0660\u0661"}),
)

FAMILY = Family(
    number=18,
    slug="date-arithmetic",
    category="calendar",
    title="Date arithmetic",
    purpose="Moves calendar dates by years, months and days, measures the time between two dates, and tells what "
    "kind of day a date is.",
    notes=NOTES,
    operations=(ADD, BETWEEN, DESCRIBE),
    program=program,
    # 2023-10-31 plus 12 - 8 = 4 months is February 2024 with 29 days: two days short of 31, so `roll` gives March 2. Minus 3
    # days: March 1 is 1 day back, February 29 is 2, February 28 is 3. From October 31 to February 28: to November 30 are
    # 30 days, December 31 61, January 31 92, and 28 more: 120. 2023-10-31 was a Tuesday; 120 = 17 x 7 + 1: a Wednesday.
    golden=Case(
        op="add",
        args={"date": "2023-10-31", "years": 1, "months": -8, "days": -3, "month_end": "roll"},
        expected={"date": "2024-02-28", "weekday": "wednesday", "moved": 120},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
