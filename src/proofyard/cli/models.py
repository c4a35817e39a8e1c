"""`proofyard models`: providers, their key variables, what is set, which prices are known."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from proofyard.cli.common import echo_json, json_option, print_rich

if TYPE_CHECKING:
    from proofyard.models import Prices

__all__ = ["command"]


@click.command(name="models")
@click.argument("model", nargs=-1)
@click.option("--base-url", default="", help="Address to use instead of the provider's.")
@click.option("--env-file", type=click.Path(path_type=Path), help="Also look keys up in this file of NAME=value lines.")
@click.option(
    "--prices", "price_file", type=click.Path(path_type=Path), help="TOML file of prices that win over the table."
)
@json_option
def command(
    model: tuple[str, ...], base_url: str, env_file: Path | None, price_file: Path | None, as_json: bool
) -> None:
    """Show the providers, or with MODEL... (provider/model) how each of these would be called and what it costs.

    Whether a key is set is shown, its value never. Nothing is called.
    """
    from proofyard.models import Prices, read_env_file, read_prices

    environment = {**os.environ, **(read_env_file(env_file) if env_file else {})}
    prices = Prices(read_prices(price_file) if price_file else None)
    rows = [_model(name, base_url, environment, prices) for name in model] if model else _providers(environment, prices)
    if as_json:
        echo_json(rows)
    elif model:
        for row in rows:
            row["key_set"] = row["key_set"] or "none"
            print_rich(["\n".join(f"{key}: {_words(value)}" for key, value in row.items()), ""])
    else:
        _table(rows)


def _providers(environment: Mapping[str, str], prices: "Prices") -> list[dict[str, Any]]:
    from proofyard.models import PROVIDERS

    return [
        {
            "provider": row.name,
            "wire": row.wire,
            "base_url": row.base_url or None,
            "key_variables": list(row.keys),
            "key_set": _set(row.keys, environment),
            "prices_known": prices.known(row),
        }
        for row in PROVIDERS
    ]


def _model(name: str, base_url: str, environment: Mapping[str, str], prices: "Prices") -> dict[str, Any]:
    from proofyard.models import target_of

    target = target_of(name, base_url)
    price = prices.row(target)
    return {
        "model": target.name,
        "wire": target.provider.wire,
        "base_url": target.base_url,
        "key_variables": list(target.provider.keys),
        "key_set": _set(target.provider.keys, environment),
        "quirks": {field: getattr(target.quirks, field) for field in target.quirks.__struct_fields__},
        "price_usd_per_million": price.prices if price else None,
        "price_source": f"{price.source}: {price.provider}/{price.model}" if price else None,
    }


def _set(variables: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    """The variable that holds the key, None if none does."""
    return next((name for name in variables if environment.get(name, "").strip()), None)


def _table(rows: list[dict[str, Any]]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("provider", "wire", "base URL", "key variable", "set", "prices known"):
        table.add_column(title, no_wrap=title != "base URL")
    for row in rows:
        known = row["prices_known"]
        table.add_row(
            row["provider"],
            row["wire"],
            row["base_url"] or "--base-url URL",
            " or ".join(row["key_variables"]) or "none needed",
            "" if not row["key_variables"] else "yes" if row["key_set"] else "no",
            f"{known} models" if known else "unknown",
        )
    print_rich(
        [
            table,
            "Models are written provider/model. proofyard models provider/model shows its parameters and price.",
            "Others (together, groq, fireworks, your own server): openai-compatible/MODEL --base-url URL --key-env VARIABLE.",
            "Offline: scripted/FILE answers from a script, replay/FILE from a recording.",
        ]
    )


def _words(value: Any) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)
