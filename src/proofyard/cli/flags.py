"""Kinds of options that several verbs take: sums of dollars, switches."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

import click

__all__ = ["as_dollars", "dollars", "micro_usd", "switch"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def dollars(text: str) -> Decimal:
    """A sum above 0. Raises ValueError."""
    try:
        found = Decimal(text)
    except ArithmeticError:
        found = Decimal("NaN")
    if not found.is_finite() or found <= 0:
        raise ValueError(f"{text!r} is no sum of dollars such as 2.50")
    return found


def as_dollars(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Decimal | None:
    """Read an option's value as `dollars` does; an option not given is None."""
    try:
        return None if value is None else dollars(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def micro_usd(sum_of_dollars: Decimal | None) -> int | None:
    """Return millionths of a dollar, rounded down: a limit is never more than what was said."""
    return None if sum_of_dollars is None else int(sum_of_dollars * 1_000_000)


def switch(*names: str, default: bool, text: str) -> Callable[[_Command], _Command]:
    """An option that stands alone or takes True or False, as python-fire has them."""
    return click.option(
        *names, type=bool, is_flag=False, flag_value="true", default=default, help=text, metavar="[BOOL]"
    )
