"""Runs inside the sandbox: what the changed-value twin of a test needs. `other` gives another value of the same kind, and
`Sites` makes each assertion several times, as it is and changed, and takes down how often it ended as it must.
"""

import datetime
import decimal
import enum
import fractions
import random
import string
import sys
from collections.abc import Callable
from typing import Any

from proofyard.graders.unittest_hidden import Hidden

__all__ = ["Sites", "other"]

Dice = Callable[[], float]
"""Numbers from 0 to 1, 1 left out."""
FEWEST, MOST, BITS, OFTEN = 3, 10, 14, 20
"""How often an assertion is made: so often that all of a test module are guessed once in 2 ** BITS, within limits; once only
after it was made OFTEN times."""
LETTERS = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
MEASURE = (1, 0, -1, 0)
COLLECTIONS, LONG = (list, tuple, dict, set, frozenset), 50
Args = tuple[Any, ...]
SYSTEM = random.SystemRandom()


def other(value: Any, dice: Dice = SYSTEM.random, *, least: int = 0) -> Any:
    """Another value of the same kind, which no sound comparison takes for the given one, and which looks as likely.

    Of what is not known here, a plain text or number. least: 1 or -1 for numbers that are only a fifth away, up or down. What
    a comparison with some tolerance tells from a value then, it tells all the more from those given otherwise.
    """
    try:
        return Other(dice, least)(value)
    except Exception:
        return stranger(dice)


def stranger(dice: Dice) -> str:
    """A text that nobody knows."""
    return "".join([string.ascii_lowercase[int(dice() * 26)] for _ in range(8)])


class Other(Hidden):
    """Gives other values; see `other`."""

    def __init__(self, dice: Dice, least: int) -> None:
        self._dice = dice
        self._least = least

    def __call__(self, value: Any) -> Any:
        """Another value."""
        kind = type(value)
        if kind is bool:
            return not value
        if issubclass(kind, enum.Enum):
            return next((member for member in kind if member is not value), str(value))
        if kind in (int, float, complex, decimal.Decimal, fractions.Fraction):
            return self._number(value)
        if kind is str:
            return self._text(value)
        if kind in (bytes, bytearray):
            return kind(self._text(value.decode("latin-1")).encode("latin-1", "replace"))
        if issubclass(kind, datetime.date):
            return value + self._days() if value.year < 9000 else value - self._days()
        if kind is datetime.timedelta:
            return value + self._days()
        if isinstance(value, dict):
            return self._mapping(value)
        if isinstance(value, list | tuple | set | frozenset):
            return self._items(value)
        return self._foreign(value)

    def _below(self, number: int) -> int:
        return int(self._dice() * number)

    def _days(self) -> datetime.timedelta:
        return datetime.timedelta(days=1 if self._least else 3 + self._below(400))

    def _number(self, value: Any) -> Any:
        kind = type(value)
        if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124 (not a number)
            return kind(1 + self._below(100))
        size = abs(value)
        if kind in (int, fractions.Fraction):
            away: Any = self._whole(int(size))
        elif kind is decimal.Decimal:
            away = decimal.Decimal(str(self._away(float(size))))
        else:
            away = self._away(float(size) if kind is float else abs(value))
        if self._least:
            return value + self._least * away
        if kind is complex:
            return value + away
        nearer = self._dice() < 0.5 and size >= away
        moved = value - away if nearer == (value >= 0) else value + away
        return round(moved, 9) if kind is float else moved

    def _whole(self, size: int) -> int:
        if self._least:
            return max(1, size // 5)
        low = max(3, -(-size // 2))
        return low + int(self._dice() * (1 << 30)) * max(4, size) // (1 << 30)

    def _away(self, size: float) -> float:
        """How far a number is moved that is so large: half of it at least, but a fifth where the least is wanted."""
        size = max(size, 0.01) if size else 1.0
        if self._least:
            return 0.2 * size
        away = size * (0.5 + 1.5 * self._dice())
        for digits in (1, 2, 3, 4, 6):  # as few digits as the number itself, mostly
            if abs(round(away, digits) - away) < 0.1 * size:
                return round(away, digits)
        return away

    def _text(self, text: str) -> str:
        """One letter or digit is another of its kind; where there is none, a word more."""
        places = [place for place, letter in enumerate(text) if any(letter in kind for kind in LETTERS)]
        if not places:
            return text + stranger(self._dice)
        place = places[self._below(len(places))]
        kind = next(kind for kind in LETTERS if text[place] in kind)
        letter = kind[(kind.index(text[place]) + 1 + self._below(len(kind) - 1)) % len(kind)]
        return text[:place] + letter + text[place + 1 :]

    def _mapping(self, value: Any) -> Any:
        changed = value.copy()
        if not changed:
            changed[stranger(self._dice)] = 1
        for key in self._chosen([(key, changed[key]) for key in changed]):
            changed[key] = self(changed[key])
        return changed

    def _items(self, value: Any) -> Any:
        items = list(value)
        if isinstance(value, set | frozenset):
            rest = items[1:] if items else []
            return type(value)([*rest, self(items[0]) if items else 1, stranger(self._dice)])
        for place in self._chosen(list(enumerate(items))):
            items[place] = self(items[place])
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            make: Any = type(value)
            return make(*items)
        return type(value)(items or [1])

    def _chosen(self, items: list[tuple[Any, Any]]) -> list[Any]:
        """Which items are changed: all with numbers that may be compared with a tolerance, else any one."""
        rough = [key for key, item in items if _is_rough(item)]
        return rough or [items[self._below(len(items))][0]] if items else []

    def _foreign(self, value: Any) -> Any:
        """Values of numpy and pandas, where these are loaded."""
        numpy = sys.modules.get("numpy")
        pandas = sys.modules.get("pandas")
        if pandas is not None and isinstance(value, pandas.DataFrame | pandas.Series | pandas.Index):
            few = [1 + self._below(100) for _ in range(3)]
            return value.iloc[:0] if len(value) and hasattr(value, "iloc") else type(value)(few)
        if numpy is not None and isinstance(value, numpy.ndarray):
            return self._array(numpy, value)
        if numpy is not None and isinstance(value, numpy.generic):
            return type(value)(self(value.item()))
        return stranger(self._dice) if self._dice() < 0.5 else 1 + self._below(100)

    def _array(self, numpy: Any, value: Any) -> Any:
        if value.dtype.kind == "b":
            return ~value
        if value.dtype.kind not in "iufc" or not value.size:
            return numpy.array([stranger(self._dice), "other"])
        size = numpy.maximum(numpy.abs(numpy.nan_to_num(value)), 1)
        away = size * 0.2 if self._least else size * (0.5 + 1.5 * self._dice())
        if value.dtype.kind in "iu":
            away = numpy.maximum(away, 1 if self._least else 3).astype(value.dtype)
        return value - away if self._least < 0 and value.dtype.kind != "u" else value + away


def _is_rough(value: Any) -> bool:
    if type(value) in (list, tuple):
        return any(map(_is_rough, value))
    if type(value) is dict:
        return any(map(_is_rough, value.values()))
    return type(value) not in (str, int, bool, type(None), bytes)


class Sites(Hidden):
    """What became of each assertion: label -> [times it ended as it must, times it did not].

    sites: how many assertions the text hands over. measure: whether a known solution is measured, in a fixed order and with
    values that are as near as ever, instead of a candidate tried.
    """

    def __init__(self, sites: int = 1, *, measure: bool = False) -> None:
        self.seen: dict[str, list[int]] = {}
        self._times = min(MOST, max(FEWEST, 1 + BITS // max(1, sites)))
        self._others = max(2, 2 * BITS // max(1, sites))
        self._measure = measure

    def __call__(
        self, told: str, owner: Any, name: str, opposite: str | None, place: Any, /, *args: Any, **kw: Any
    ) -> None:
        """Make an assertion: `proofyard.source.assertions.Changer` says what the arguments are.

        One that fails as it must lets the test go on. An error counts too: another value may not be comparable.
        """
        counts = self.seen.setdefault(told, [0, 0])
        if opposite is None and (owner is not None or len(args) == 2):
            turns = self._values(args, place, sum(counts))
        else:
            turns = [(how, args) for how in self._order(sum(counts))]
        for how, given in turns:
            try:
                if owner is None:
                    _asserted(given, not how or len(args) == 2)
                else:
                    getattr(owner, opposite if how and opposite is not None else name)(*given, **kw)
            except Exception:
                counts[not how] += 1
            else:
                counts[how != 0] += 1

    def _order(self, made: int) -> tuple[int, ...]:
        """When an assertion is made as it is (0), and when changed."""
        if self._measure:
            return MEASURE
        if made >= OFTEN:
            return (SYSTEM.getrandbits(1),)
        while True:
            drawn = SYSTEM.getrandbits(self._times)
            order = tuple([drawn >> place & 1 for place in range(self._times)])
            if len({*order}) == 2:
                return order

    def _values(self, args: Args, place: Any, made: int) -> list[tuple[int, Args]]:
        """The same where the value itself stands among others: it is met no more or less often than each, nor before it."""
        if self._measure:
            return [(how, self._changed(args, place, how) if how else args) for how in MEASURE]
        if made >= OFTEN:
            how = SYSTEM.getrandbits(1)
            return [(how, self._changed(args, place, 0) if how else args)]
        others = [self._changed(args, place, 0) for _ in range(self._others)]
        at = place if type(place) is int else -1
        turns = [(0, args), *[(1, given) for given in {_look(given[at]): given for given in others}.values()]]
        turns += [turn for turn in turns if SYSTEM.getrandbits(1)]
        SYSTEM.shuffle(turns)
        return turns

    def _changed(self, args: Args, place: Any, least: int) -> Args:
        if type(place) is not int:
            return (*args, SYSTEM.randrange(2, 1000))
        another = other(args[place], SYSTEM.random, least=least)
        return (*args[:place], another, *args[place + 1 :])


def _look(value: Any) -> Any:
    """What tells values of our own making apart, as far as that is cheap."""
    kind = type(value)
    if kind.__module__.partition(".")[0] == "pandas":
        return kind
    return id(value) if isinstance(value, COLLECTIONS) and len(value) > LONG else repr(value)


def _asserted(args: tuple[Any, ...], holds: bool) -> None:
    """An `assert` of two equal sides, or of one thing that is true (or not)."""
    good = args[0] == args[1] if len(args) == 2 else bool(args[0]) is holds
    if not good:
        raise AssertionError
