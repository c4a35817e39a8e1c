"""Roman numerals against a table of all standard forms, written digit by digit, and a reader from the right."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.roman_numerals import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a table of all 3999 numerals, written digit by digit"

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
DIGITS = ["", "a", "aa", "aaa", "ab", "b", "ba", "baa", "baaa", "ac"]
ADDITIVE = ["", "a", "aa", "aaa", "aaaa", "b", "ba", "baa", "baaa", "baaaa"]


def small(number: int, digits: list[str]) -> str:
    """The numeral of 1 to 3999 from its decimal digits."""
    made = ""
    for digit, signs in zip(f"{number:04}", ["M  ", "CDM", "XLC", "IVX"], strict=True):
        made += digits[int(digit)].translate(str.maketrans("abc", signs))
    return made


NUMBERS = {small(number, DIGITS): number for number in range(1, 4000)}


def written(number: int, digits: list[str]) -> str:
    thousands, rest = divmod(number, 1000)
    return small(number, digits) if number <= 3999 else "(" + small(thousands, digits) + ")" + small(rest, digits)


def looked_up(text: str) -> int | None:
    """The number of a standard form, from the table alone."""
    inside, bracket, rest = text[1:].partition(")")
    if text.startswith("(") and bracket:
        thousands, units = NUMBERS.get(inside, 0), NUMBERS.get(rest, 0 if rest == "" else 1000)
        return thousands * 1000 + units if thousands >= 4 and units < 1000 else None
    return NUMBERS.get(text)


def summed(letters: str) -> int:
    """From the right: a letter less than the one before it (to its right) is taken away."""
    made = last = 0
    for letter in reversed(letters):
        made += VALUES[letter] * (-1 if VALUES[letter] < last else 1)
        last = VALUES[letter]
    return made


def value_of(text: str) -> int | None:
    """The number of a numeral in whatever form."""
    inside, rest = "", text
    if text.startswith("("):
        inside, bracket, rest = text[1:].partition(")")
        if not bracket or not inside:
            return None
    if not inside + rest or set(inside + rest) - set(VALUES):
        return None
    return 1000 * summed(inside) + summed(rest)


def check_parse(args: dict[str, Any]) -> None:
    text, lenient = args["numeral"], args.get("lenient", False)
    if lenient:
        text = "".join(char.upper() if char in "ivxlcdm" else char for char in text)
    result, value = play(FAMILY, "parse", args), value_of(text)
    if value is None:
        assert result == {"code": "bad_numeral"}
    elif not lenient:
        known = looked_up(text) is not None
        assert result == ({"number": value, "standard": text} if known else {"code": "not_standard", "number": value})
        assert not known or looked_up(text) == value
    elif value > 3999999:
        assert result == {"code": "out_of_range", "number": value}
    else:
        assert result == {"number": value, "standard": written(value, DIGITS)}


def expected_total(terms: list[str]) -> dict[str, Any]:
    made = 0
    for place, term in enumerate(terms, 1):
        sign, text = (-1, term[1:]) if term.startswith("-") else (1, term)
        number = looked_up(text)
        if number is None and value_of(text) is None:
            return {"code": "bad_numeral", "term": place}
        if number is None:
            return {"code": "not_standard", "number": value_of(text), "term": place}
        made += sign * number
    if made not in range(1, 4_000_000):
        return {"code": "out_of_range", "number": made}
    return {"number": made, "numeral": written(made, DIGITS)}


NUMERALS = st.lists(st.sampled_from([*"IVXLCDMivx() ", "(IV)", "CM"]), max_size=8).map("".join)
STANDARD = st.integers(1, 3_999_999).map(lambda n: written(n, DIGITS))


@settings(max_examples=60)
@given(NUMERALS | STANDARD, st.booleans())
def test_parse_by_the_table(text: str, lenient: bool) -> None:
    check_parse({"numeral": text, "lenient": lenient})


@settings(max_examples=60)
@given(st.integers(1, 3_999_999), st.booleans())
def test_format_digit_by_digit(number: int, additive: bool) -> None:
    made = play(FAMILY, "format", {"number": number, "additive": additive})["numeral"]
    assert made == written(number, ADDITIVE if additive else DIGITS)
    assert play(FAMILY, "parse", {"numeral": made, "lenient": True})["number"] == number


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(["", "-"]), NUMERALS | STANDARD).map("".join), min_size=1, max_size=4))
def test_total_by_the_table(terms: list[str]) -> None:
    assert play(FAMILY, "total", {"terms": terms}) == expected_total(terms)


def test_all_small_numbers() -> None:
    for number in range(1, 4100):
        assert play(FAMILY, "format", {"number": number}) == {"numeral": written(number, DIGITS)}
        assert play(FAMILY, "parse", {"numeral": written(number, DIGITS)})["number"] == number


def test_own_inputs() -> None:
    for args in of(FAMILY, "format", 300):
        assert play(FAMILY, "format", args)["numeral"] == written(
            args["number"], ADDITIVE if args.get("additive") else DIGITS
        )
    for args in of(FAMILY, "parse", 300):
        check_parse(args)
    for args in of(FAMILY, "total", 300):
        assert play(FAMILY, "total", args) == expected_total(args["terms"])
