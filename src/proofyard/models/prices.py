"""What a call costs: a maintained table that comes as a package and is read offline, and the user's own rows over it.

An unknown price is unknown, never 0. The table matches some names by their beginning, so that a newer model could pass
for an older one: a match counts only if the names agree in words and version.
"""

import importlib
import re
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

from proofyard.core import UsageError, decimal_text
from proofyard.models.answer import Cost, PriceRow, Tokens
from proofyard.models.providers import ModelProvider, Target

__all__ = ["Prices", "read_prices"]

_FIELDS: Final = ("input", "output", "cached", "cache_write")
_TABLE: Final = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cached": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
}
_DATE: Final = re.compile(r"[-@](20\d{6}|20\d\d-\d\d-\d\d|\d{4}|0\d\d)(?=$|[-:])")
_PLAIN_WORDS: Final = frozenset({"latest", "preview", "exp", "free"})


class Prices:
    """Prices by model. `own` are the user's rows by `provider/model`; they win."""

    def __init__(self, own: Mapping[str, PriceRow] | None = None) -> None:
        self._own = dict(own or {})

    def known(self, provider: ModelProvider) -> int:
        """Return how many models of a provider have a price."""
        own = sum(name.partition("/")[0] == provider.name for name in self._own)
        return own + (_in_table_count(provider.prices) if provider.prices else 0)

    def row(self, target: Target) -> PriceRow | None:
        """Return the row for a model as of now, None if its price is unknown."""
        if target.name in self._own:
            return self._own[target.name]
        model = _in_table(target.provider.prices, target.model) if target.provider.prices else None
        if model is None:
            return None
        price = model.get_prices(datetime.now(tz=UTC))
        prices = {key: _shown(getattr(price, name, None)) for key, name in _TABLE.items()}
        kept = {key: text for key, text in prices.items() if text}
        return PriceRow(source=_source(), provider=target.provider.prices, model=model.id, prices=kept)

    def cost(self, target: Target, tokens: Tokens | None) -> Cost | None:
        """Return what so many tokens cost, None if the price or the usage is unknown."""
        row = self.row(target) if tokens is not None else None
        if row is None or tokens is None:
            return None
        usd = _own_cost(row, tokens) if target.name in self._own else _table_cost(target, tokens)
        return None if usd is None else Cost(usd=decimal_text(str(usd)), row=row)


def read_prices(path: Path) -> dict[str, PriceRow]:
    """Read a file of prices: one table a model, dollars a million tokens.

        ["openai-compatible/my-model"]
        input = 0.25
        output = "1.00"
        cached = 0.025

    Raises:
        UsageError: the file cannot be read or a row is wrong.

    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    return {name: _own_row(path, name, row) for name, row in data.items()}


def _own_row(path: Path, name: str, row: Any) -> PriceRow:
    if not isinstance(row, dict) or not {"input", "output"} <= set(row) <= set(_FIELDS):
        raise UsageError(f"{path}: {name!r} needs input and output, and may have cached and cache_write")
    prices = {}
    for field, value in row.items():
        try:
            number = Decimal(str(value))
        except ArithmeticError:
            number = Decimal("NaN")
        if isinstance(value, bool) or not number.is_finite() or number < 0:
            raise UsageError(f"{path}: {name!r}: {field} is no price: {value!r}")
        prices[field] = format(number, "f")
    provider, _, model = name.partition("/")
    return PriceRow(source=f"file {path.name}", provider=provider, model=model, prices=prices)


def _own_cost(row: PriceRow, tokens: Tokens) -> Decimal:
    """Work out a row of the user's: where it has no price for cached input or for what is cached, the input's holds."""
    price = {field: Decimal(row.prices.get(field, row.prices["input"])) for field in _FIELDS}
    cached, written = tokens.cached or 0, tokens.cache_write or 0
    plain = max(0, tokens.input - cached - written)
    total = plain * price["input"] + cached * price["cached"] + written * price["cache_write"]
    return (total + tokens.output * price["output"]) / 1_000_000


def _table_cost(target: Target, tokens: Tokens) -> Decimal | None:
    table = importlib.import_module("genai_prices")
    used = {
        "input_tokens": tokens.input,
        "output_tokens": tokens.output,
        "cache_read_tokens": tokens.cached,
        "cache_write_tokens": tokens.cache_write,
    }
    usage = table.Usage(**{key: value for key, value in used.items() if value is not None})
    try:
        found = table.calc_price(usage, target.model, provider_id=target.provider.prices)
    except (LookupError, ValueError):
        return None
    return Decimal(found.total_price)


def _in_table(provider: str, model: str) -> Any:
    try:
        found = _snapshot().find_provider_model(model, None, provider, None)[1]
    except LookupError:
        return None
    names = [found.id, *_listed(found.match)]
    return found if any(_words(model) == _words(name) for name in names) and _same_version(model, found.id) else None


def _in_table_count(provider: str) -> int:
    return next((len(one.models) for one in _snapshot().providers if one.id == provider), 0)


def _snapshot() -> Any:
    return importlib.import_module("genai_prices.data_snapshot").get_snapshot()


def _listed(clause: Any) -> list[str]:
    """The names a table's row gives word for word, and the beginnings it goes by."""
    inner = getattr(clause, "or_", None) or getattr(clause, "and_", None)
    if inner:
        return [name for one in inner for name in _listed(one)]
    name = getattr(clause, "equals", None) or getattr(clause, "starts_with", None)
    return [name] if name else []


def _words(name: str) -> list[str]:
    """The words of a name, without dates and without words that make no other model of it."""
    plain = _DATE.sub("", name.lower())
    return [word for word in re.split(r"[-_.:@/]", plain) if word and word not in _PLAIN_WORDS]


def _same_version(asked: str, found: str) -> bool:
    return _version(asked) == _version(found)


def _version(name: str) -> list[str]:
    numbers = re.findall(r"\d+", _DATE.sub("", name.lower()))
    while numbers and numbers[-1] == "0":
        numbers.pop()
    return numbers


def _shown(price: Any) -> str:
    """A price as text; one in tiers as `2 (above 272000: 4)`."""
    if price is None:
        return ""
    tiers = getattr(price, "tiers", None)
    if tiers is None:
        return format(Decimal(price), "f")
    more = ", ".join(f"above {tier.start}: {tier.price:f}" for tier in tiers)
    return f"{price.base:f} ({more})"


@cache
def _source() -> str:
    from importlib.metadata import version

    return f"genai-prices {version('genai-prices')}"
