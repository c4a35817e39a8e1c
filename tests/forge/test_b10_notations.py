"""What ways of reading make of amounts, worked out by hand; and from that, which of them are right."""

import re

import pytest

from proofyard.forge.instances.b10_notations import BREAKS, NOTATIONS, Export, differs, drop_mark, keep_digits, plain

SHOWN = {
    "thousands": ["4.50", "1,204.50", "1,000,000.00", "-12.00", "-1,150.05"],
    "apostrophe": ["4.50", "1'204.50", "1'000'000.00", "-12.00", "-1'150.05"],
    "comma": ["4,50", "1204,50", "1000000,00", "-12,00", "-1150,05"],
    "currency": ["4.50 €", "1204.50 €", "1000000.00 €", "-12.00 €", "-1150.05 €"],
    "minus_behind": ["4.50", "1204.50", "1000000.00", "12.00-", "1150.05-"],
    "parentheses": ["4.50", "1204.50", "1000000.00", "(12.00)", "(1150.05)"],
}
CENTS = (450, 120450, 100000000, -1200, -115005)


def written(name: str) -> list[str]:
    how = NOTATIONS[name]
    return [how.show(one) if how.which(one) else plain(one) for one in CENTS]


def test_how_amounts_are_written() -> None:
    assert {name: written(name) for name in NOTATIONS} == SHOWN


@pytest.mark.parametrize("name", NOTATIONS)
def test_a_notation_is_taken_back(name: str) -> None:
    """By the expression that the reference of an instance uses; what is written as before is not one of its kind."""
    how = NOTATIONS[name]
    for cents, amount in zip(CENTS, written(name), strict=True):
        assert bool(re.fullmatch(how.pattern, amount)) == how.which(cents)
        if how.which(cents):
            assert eval(how.back, {"amount": amount}) == plain(cents)


def test_what_the_lax_ways_read() -> None:
    assert [keep_digits(text) for text in ("1,204.50", "12,50", "12.5O", "(12.00)", "4.50 €", "12.00-", "void")] == [
        120450, 125000, 1250, 1200, 450, None, None,
    ]  # fmt: skip
    assert [drop_mark(NOTATIONS["thousands"])(text) for text in ("1,204.50", "12,50", "12.5O")] == [
        120450,
        125000,
        None,
    ]
    assert drop_mark(NOTATIONS["comma"])("12,50") == 1250
    assert drop_mark(NOTATIONS["parentheses"])("(12.00)") == -1200
    assert drop_mark(NOTATIONS["minus_behind"])("12.00-") == 1200


def test_how_exports_are_broken() -> None:
    texts = ["3.33", "4.50", "-1204.50", "5.00", "6.00"]
    assert {name: list(one.spoil(texts)) for name, one in BREAKS.items()} == {
        "comma": ["3,33", "4,50", "-1204,50", "5,00", "6,00"],
        "letter": ["3.33", "4.5O", "-1204.50", "5.00", "6.00"],
        "void": ["3.33", "4.50", "-1204.50", "void", "6.00"],
        "cut": texts,
    }
    assert [name for name, one in BREAKS.items() if one.cut] == ["cut"]


def test_sides_follow_from_the_broken_exports() -> None:
    def sides(name: str) -> dict[str, tuple[str, str]]:
        good = Export(tuple(written(name)), CENTS)
        found = {}
        for kind, one in BREAKS.items():
            broken = [Export(tuple(one.spoil([plain(cents) for cents in CENTS])), CENTS, one.cut)]
            ways = (drop_mark(NOTATIONS[name]), keep_digits)
            found[kind] = (differs(ways[0], good, good, broken), differs(ways[1], good, good, broken))
        return found

    assert sides("thousands") == {
        "comma": ("broken", "broken"), "letter": ("", "broken"), "void": ("", ""), "cut": ("", ""),
    }  # fmt: skip
    assert sides("apostrophe") == sides("currency")
    assert sides("currency") == {
        "comma": ("", "broken"), "letter": ("", "broken"), "void": ("", ""), "cut": ("", ""),
    }  # fmt: skip
    assert set(sides("minus_behind").values()) == {("night", "night")}
    assert set(sides("parentheses").values()) == {("", "night")}
    assert sides("comma")["void"] == ("", "night")


def test_the_first_difference_is_told() -> None:
    good = Export(("1.00",), (100,))
    other = Export(("1,000.00",), (100000,))
    assert differs(lambda text: 100, good, other, []) == "unseen"
    assert differs(lambda text: 100, other, good, []) == "night"
    assert differs(lambda text: 100, good, good, [other._replace(cut=True)]) == ""
