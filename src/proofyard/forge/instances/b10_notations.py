"""How amounts are written, and what ways of reading them make of it: from this follows what is an alternative."""

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

__all__ = ["BREAKS", "NOTATIONS", "Break", "Export", "Notation", "Way", "differs", "drop_mark", "keep_digits", "plain"]

Way = Callable[[str], int | None]
"""A written amount -> its cents, None if it cannot be read."""


class Notation(NamedTuple):
    """How new machines write some of their amounts.

    said: about it, for the page on the format. pattern: what is written so. back: the expression, over `amount`, that writes it
    as the old ones do. drops: what the obvious replaces. show: cents -> as it is written. which: cents -> whether it differs
    from how the old ones write it.
    """

    said: str
    pattern: str
    back: str
    drops: tuple[tuple[str, str], ...]
    show: Callable[[int], str]
    which: Callable[[int], bool]


class Break(NamedTuple):
    """A way of being broken. said: for the page on the format. spoil: the written amounts of an export -> as they are then."""

    said: str
    spoil: Callable[[Sequence[str]], Sequence[str]]
    cut: bool = False


class Export(NamedTuple):
    """A file of amounts. cut: its last line is not there."""

    texts: tuple[str, ...]
    cents: tuple[int, ...]
    cut: bool = False


def plain(cents: int) -> str:
    """As the old ones write it."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _grouped(cents: int, mark: str) -> str:
    whole, _, part = plain(cents).partition(".")
    return f"{int(whole):,}".replace(",", mark) + f".{part}"


def _is_large(cents: int) -> bool:
    return abs(cents) >= 100_000


def _is_negative(cents: int) -> bool:
    return cents < 0


def _always(cents: int) -> bool:
    del cents
    return True


def _one_digit_misread(texts: Sequence[str]) -> Sequence[str]:
    at = next(number for number, text in enumerate(texts) if "0" in text.partition(".")[2])
    whole, _, part = texts[at].partition(".")
    return [*texts[:at], f"{whole}.{part.replace('0', 'O')}", *texts[at + 1 :]]


NOTATIONS: Final = {
    "thousands": Notation(
        "the new ones set groups of three digits apart by commas: `1,204.50`, `1,000,000.00`, `-1,150.00`",
        r"-?\d{1,3}(,\d{3})+\.\d\d", 'amount.replace(",", "")', ((",", ""),),
        lambda cents: _grouped(cents, ","), _is_large,
    ),
    "apostrophe": Notation(
        "the new ones set groups of three digits apart by apostrophes: `1'204.50`, `1'000'000.00`, `-1'150.00`",
        r"-?\d{1,3}('\d{3})+\.\d\d", """amount.replace("'", "")""", (("'", ""),),
        lambda cents: _grouped(cents, "'"), _is_large,
    ),
    "comma": Notation(
        "the new ones write a comma in the place of the point: `4,50`, `-12,00`",
        r"-?\d+,\d\d", 'amount.replace(",", ".")', ((",", "."),),
        lambda cents: plain(cents).replace(".", ","), _always,
    ),
    "currency": Notation(
        "the new ones set the currency behind: `4.50 €`, `-12.00 €`",
        r"-?\d+\.\d\d €", 'amount.removesuffix(" €")', ((" €", ""),),
        lambda cents: f"{plain(cents)} €", _always,
    ),
    "minus_behind": Notation(
        "the new ones set the minus behind: `12.00-`",
        r"\d+\.\d\d-", '"-" + amount.removesuffix("-")', (("-", ""),),
        lambda cents: f"{plain(-cents)}-", _is_negative,
    ),
    "parentheses": Notation(
        "the new ones set what has a minus in parentheses in its place: `(12.00)`",
        r"\(\d+\.\d\d\)", '"-" + amount.strip("()")', (("(", "-"), (")", "")),
        lambda cents: f"({plain(-cents)})", _is_negative,
    ),
}  # fmt: skip
"""What a machine may write, and the job cannot read."""

BREAKS: Final = {
    "comma": Break("decimal commas, `12,50`", lambda texts: [text.replace(".", ",") for text in texts]),
    "letter": Break("a letter where a digit belongs, `12.5O`", _one_digit_misread),
    "void": Break("a word in the place of an amount, `void`", lambda texts: [*texts[:3], "void", *texts[4:]]),
    "cut": Break("the last line is not there", list, cut=True),
}
"""What no machine may write. Where a decimal comma may be written it is no break."""


def _as_it_was(text: str) -> int | None:
    try:
        return round(float(text) * 100)
    except ValueError:
        return None


def keep_digits(text: str) -> int | None:
    """What is left if all goes that is no digit, point or minus."""
    return _as_it_was(re.sub(r"[^0-9.\-]", "", text))


def drop_mark(notation: Notation) -> Way:
    """What is left if the mark of a notation goes, wherever it stands."""

    def read(text: str) -> int | None:
        for old, new in notation.drops:
            text = text.replace(old, new)
        return _as_it_was(text)

    return read


def differs(
    way: Way, night: Export, unseen: Export, broken: Sequence[Export]
) -> Literal["", "night", "unseen", "broken"]:
    """How a way of reading first goes against what is required; "" if it is right.

    night, unseen: it does not read this export as it was meant. broken: it reads one that it must not.
    """
    if tuple(way(text) for text in night.texts) != night.cents:
        return "night"
    if tuple(way(text) for text in unseen.texts) != unseen.cents:
        return "unseen"
    read = [export for export in broken if not export.cut and None not in [way(text) for text in export.texts]]
    return "broken" if read else ""
