"""How much a task still tells models apart: one rule, in code and in the words that are printed."""

from collections.abc import Sequence
from typing import Final, Literal

__all__ = ["BAND_RULE", "Band", "band"]

Band = Literal["saturated", "headroom", "floor", "mixed", "unmeasured"]

_HIGH: Final = 0.8
_LOW: Final = 0.2

BAND_RULE: Final = (
    f"saturated: every model passes at least {_HIGH:g} of its attempts; floor: every model passes less than {_LOW:g}; "
    f"headroom: a model passes at least {_LOW:g} and less than {_HIGH:g}; mixed: anything else; unmeasured: no model was tried"
)
"""The rule in words."""


def band(rates: Sequence[float]) -> Band:
    """The band of a task of which each model passes so much. Of the bands that fit, the first as listed in `BAND_RULE`.

    Raises:
        ValueError: a rate lies outside [0, 1].

    """
    if any(not 0 <= rate <= 1 for rate in rates):
        raise ValueError("rates must lie in [0, 1]")
    if not rates:
        return "unmeasured"
    if min(rates) >= _HIGH:
        return "saturated"
    if max(rates) < _LOW:
        return "floor"
    return "headroom" if any(_LOW <= rate < _HIGH for rate in rates) else "mixed"
