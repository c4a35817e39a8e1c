"""Contract, inputs and the golden case of the family `iso-week`."""

from datetime import date, timedelta
from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import iso_week as program

__all__ = ["FAMILY"]

NOTES = (
    "Dates are of the Gregorian calendar and written `YYYY-MM-DD`. Weeks are those of ISO 8601: a week begins on Monday "
    "and belongs to the year in which its Thursday lies. Week 1 of a year is the one with its first Thursday; a year "
    "has 52 or 53 weeks. The first days of January may belong to a week of the year before, the last days of December "
    "to week 1 of the next: 2021-01-03 is in week 53 of 2020, 2024-12-30 in week 1 of 2025.",
    "A week is written `YYYY-Www` in all results: the year it belongs to, and its number with two digits, as in "
    "`2020-W53`. Weekdays are numbered 1 (Monday) to 7 (Sunday).",
    "A result may hold dates and weeks outside the years 1900 to 2199 where it does not say otherwise.",
)

NO_SUCH_WEEK = "the year is not 1900 to 2199, or has no week of this number"

WEEK_OF = OperationDoc(
    name="week_of",
    summary="The week of a date.",
    parameters=(
        Param(
            name="date",
            type="string of the form `YYYY-MM-DD`",
            text="the date; exactly four, two and two ASCII digits with hyphens between, everything else is "
            "`invalid_args`",
        ),
    ),
    result='`{"week": string, "weekday": integer, "weeks_in_year": integer, "month": string, "week_of_month": '
    "integer}`: the week that holds the date; the weekday of the date; how many weeks the year has that the week "
    "belongs to; and the month that the week belongs to, written `YYYY-MM`, with the number of the week in it.",
    errors=(ErrorDoc(code="no_such_date", when="`date` has the right form but is no date of the years 1900 to 2199"),),
    rules=(
        "As with years, a week belongs to the month in which its Thursday lies, whatever `date` itself is; "
        "`week_of_month` is 1 for the week with the first Thursday of that month. So 2024-03-31, a Sunday, belongs to "
        "month `2024-03` and week 4 of it, and 2024-04-29, a Monday, to week 1 of `2024-05`.",
    ),
)

PARSE = OperationDoc(
    name="parse",
    summary="Reads a week, or a week with a weekday.",
    parameters=(Param(name="text", type="string, 1 to 20 code points", text="the text to read"),),
    result='`{"week": string, "start": string, "end": string}`: the week; and the first and the last date that the text '
    "names: Monday and Sunday of the week, or twice the same date if the text has a weekday.",
    errors=(
        ErrorDoc(code="bad_form", when="the text has none of the four forms"),
        ErrorDoc(code="no_such_week", when=NO_SUCH_WEEK),
        ErrorDoc(code="no_such_day", when="the weekday is 0, 8 or 9"),
    ),
    rules=(
        "The four forms are `YYYY-Www`, `YYYY-Www-D`, `YYYYWww` and `YYYYWwwD`: four digits, `W`, two digits, and "
        "perhaps one digit for the weekday, with hyphens in both places or in none. Digits are ASCII, `W` is upper "
        "case, and nothing stands before or after. `2020-W531` and `2020W53-1` are `bad_form`.",
    ),
)

SHIFT = OperationDoc(
    name="shift",
    summary="Moves a week by years, then by weeks.",
    parameters=(
        Param(
            name="week",
            type="string of the form `YYYY-Www`",
            text="where to start; exactly four ASCII digits, `-W` and two ASCII digits, everything else is "
            "`invalid_args`",
        ),
        Param(name="years", type="integer, -300 to 300", text="years to add; default 0", required=False),
        Param(name="weeks", type="integer, -20000 to 20000", text="weeks to add; default 0", required=False),
        Param(
            name="missing",
            type="string: `last`, `next` or `reject`",
            text="what to do where the year reached has no week 53; default `last`",
            required=False,
        ),
    ),
    result='`{"week": string, "start": string, "moved": integer}`: the week reached, its Monday, and the signed number '
    "of weeks from the given week to it.",
    errors=(
        ErrorDoc(code="no_such_week", when=f"of `week`, {NO_SUCH_WEEK}"),
        ErrorDoc(code="out_of_range", when="the year of `week` plus `years` is not 1900 to 2199"),
        ErrorDoc(
            code="no_such_week", when="`missing` is `reject` and the year reached by the first step has no week 53"
        ),
        ErrorDoc(code="out_of_range", when="the year that the final week belongs to is not 1900 to 2199"),
    ),
    rules=(
        "First step: the week of the same number in the year `years` later. If that is week 53 and the year has none, "
        "`last` takes week 52 of that year, `next` week 1 of the year after it, and `reject` fails. Second step: "
        "`weeks` weeks are added.",
    ),
)


def generate(rng: Random) -> Input:
    """One input of a random operation; ends of years and weeks 53 are frequent."""
    op = rng.choice(("week_of", "parse", "shift", "shift", "shift"))
    year = rng.randint(1901, 2198)
    if op == "week_of":
        day = date(year, 1, 1) + timedelta(days=rng.randint(-5, 5) if rng.random() < 0.3 else rng.randint(0, 364))
        return op, {"date": day.isoformat() if rng.random() < 0.93 else f"{year}-{rng.randint(13, 99)}-{day.day:02}"}
    number = rng.choice((*(rng.randint(1, 52) for _ in range(5)), 1, 52, 53))
    if number == 53 and rng.random() < 0.9:
        year = rng.choice([y for y in range(1901, 2199) if date(y, 12, 28).isocalendar().week == 53])
    if op == "parse":
        hyphen = rng.choice(("", "-"))
        text = f"{year}{hyphen}W{number:02}"
        if rng.random() < 0.8:
            text += f"{hyphen}{rng.randint(1, 7)}"
        return op, {"text": text + rng.choice(("", "", "", "", "", "", "", "", " ", "9"))}
    args: dict[str, Any] = {"week": f"{year}-W{number:02}"}
    if rng.random() < 0.9:
        args["years"] = rng.randint(max(-60, 1901 - year), min(60, 2198 - year))
    if rng.random() < 0.6:
        args["weeks"] = rng.randint(-60, 60)
    if rng.random() < 0.6:
        args["missing"] = rng.choice(("last", "next", "next", "reject"))
    return op, args


def _parse(text: str) -> Input:
    return "parse", {"text": text}


def _shift(week: str, **more: Any) -> Input:
    return "shift", {"week": week, **more}


def _dates(*texts: str) -> tuple[Input, ...]:
    return tuple(("week_of", {"date": text}) for text in texts)


BOUNDARY: tuple[Input, ...] = (
    _shift("2020-W53", years=1, missing="reject"),
    *_dates("2021-01-03", "2021-01-04", "2020-12-31", "2024-12-29", "2024-12-30", "2023-01-01", "2016-01-03"),
    *_dates("2024-03-31", "2024-04-29", "2024-04-28", "2024-02-01", "2024-05-01", "2024-05-04", "2024-02-29"),
    *_dates("2026-01-01", "2027-01-01", "2015-12-28", "2024-09-08", "2024-08-29", "2022-09-30", "2024-10-07"),
    *_dates("1900-01-01", "2199-12-31", "1899-12-31", "2200-01-01", "1900-02-29", "2024-04-31", "2024-00-01"),
    *_dates("2024-01-00", "0000-01-01", "2000-02-29"),
    *(_parse(text) for text in ("2020-W53", "2020W53", "2020-W53-7", "2020W531", "2021-W01-1", "2015-W53-5")),
    *(_parse(text) for text in ("2021-W53", "2021-W00", "2020-W54", "2021W527", "1899-W52", "1900-W01", "2200-W01")),
    *(_parse(text) for text in ("2199-W52-2", "0000-W01", "2021-W10-0", "2021-W10-8", "2021W109", "2021-W53-9")),
    *(_parse(text) for text in ("2020-W531", "2020W53-1", "2020-w53", "2020-W5", "2020-W053", "2020W", "W53", "2020")),
    *(_parse(text) for text in (" 2020-W53", "2020-W53 ", "2020-W53\n", "2020-W53-", "2020-53", "2020-W53-12")),
    *(_parse(text) for text in ("\u0662\u0660\u0662\u0660-W53", "02020-W53", "2020--W53", "W", wide(20), "-2020-W53")),
    _shift("2020-W53"),
    _shift("2020-W53", years=0, weeks=0, missing="reject"),
    _shift("2020-W53", years=1),
    _shift("2020-W53", years=1, missing="last"),
    _shift("2020-W53", years=1, missing="next"),
    _shift("2020-W53", years=-1, missing="next", weeks=-1),
    _shift("2020-W53", years=6, missing="reject"),
    _shift("2020-W53", years=6),
    _shift("2020-W53", years=6, missing="next"),
    _shift("2020-W53", years=1, weeks=1),
    _shift("2021-W52", years=-1, weeks=1),
    _shift("2021-W52", weeks=1),
    _shift("2021-W01", weeks=-1),
    _shift("2021-W52", years=-1, missing="next"),
    _shift("2019-W10", years=1, weeks=-10),
    _shift("1900-W01", weeks=-1),
    _shift("1900-W01", weeks=1),
    _shift("1900-W01", years=-1),
    _shift("1900-W01", years=-1, weeks=60),
    _shift("1900-W01", years=299, weeks=51),
    _shift("1900-W01", years=300),
    _shift("2199-W52", weeks=1),
    _shift("2199-W52", years=-299),
    _shift("2199-W52", years=-300, weeks=100),
    _shift("2192-W53", years=7, missing="next"),
    _shift("2192-W53", years=7),
    _shift("2192-W53", years=8, missing="reject"),
    _shift("1903-W53", years=-3, missing="next", weeks=-1),
    _shift("2020-W53", years=1, missing="reject", weeks=20000),
    _shift("2050-W30", weeks=20000),
    _shift("2050-W30", weeks=-20000),
    _shift("1900-W30", years=-300),
    _shift("2021-W53"),
    _shift("2021-W00", years=300),
    _shift("1899-W10", years=1),
    _shift("2200-W10", years=-1),
    _shift("2020-W54", missing="next"),
)

MALFORMED: tuple[Input, ...] = (
    ("week_of", {}),
    ("week_of", {"date": None}),
    ("week_of", {"date": 20210103}),
    ("week_of", {"date": "2021-1-3"}),
    ("week_of", {"date": "20210103"}),
    ("week_of", {"date": "2021-01-03\n"}),
    ("week_of", {"date": "2020-W53-7"}),
    ("week_of", {"date": "\u0662\u0660\u0662\u0661-01-03"}),
    ("parse", {}),
    ("parse", {"text": ""}),
    ("parse", {"text": None}),
    ("parse", {"text": 2020}),
    ("parse", {"text": ["2020-W53"]}),
    ("parse", {"text": "2020-W53-1" + " " * 11}),
    ("parse", {"text": wide(21)}),
    ("shift", {"years": 1}),
    ("shift", {"week": None}),
    ("shift", {"week": 53}),
    ("shift", {"week": "2020W53"}),
    ("shift", {"week": "2020-w53"}),
    ("shift", {"week": "2020-W53-1"}),
    ("shift", {"week": "2020-W5"}),
    ("shift", {"week": "2020-W53\n"}),
    ("shift", {"week": "2020-W53", "years": 301}),
    ("shift", {"week": "2020-W53", "years": -301}),
    ("shift", {"week": "2020-W53", "years": True}),
    ("shift", {"week": "2020-W53", "years": 1.0}),
    ("shift", {"week": "2020-W53", "weeks": 20001}),
    ("shift", {"week": "2020-W53", "weeks": -20001}),
    ("shift", {"week": "2020-W53", "weeks": "1"}),
    ("shift", {"week": "2020-W53", "weeks": None}),
    ("shift", {"week": "2021-W53", "missing": "clamp"}),
    ("shift", {"week": "2020-W53", "missing": False}),
)

FAMILY = Family(
    number=23,
    slug="iso-week",
    category="calendar",
    title="ISO weeks",
    purpose="Works with the weeks of ISO 8601: finds the week of a date, reads weeks and week dates, and moves weeks by "
    "years and weeks.",
    notes=NOTES,
    operations=(WEEK_OF, PARSE, SHIFT),
    program=program,
    # 2026 begins on a Thursday, so it has 53 weeks; week 53 is Monday 2026-12-28 to Sunday 2027-01-03. 2027 begins on a Friday
    # and has 52, so `next` goes to week 1 of 2028: its first Thursday is January 6, its Monday January 3. Two weeks back
    # from there: December 20, week 51 of 2027. From 2026-W53: one week to 2027-W01, 50 more to W51: 51.
    golden=Case(
        op="shift",
        args={"week": "2026-W53", "years": 1, "weeks": -2, "missing": "next"},
        expected={"week": "2027-W51", "start": "2027-12-20", "moved": 51},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
