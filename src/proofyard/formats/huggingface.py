"""A dataset as the Hugging Face hub and `datasets.load_dataset` take it: a folder with data files and a card, `README.md`,
whose front matter (YAML) names the configs, their splits and their files.

Fields of the front matter: huggingface.co/docs/hub/datasets-cards and /datasets-manual-configuration.
"""

import json
from collections.abc import Sequence

from proofyard.core import Record

__all__ = ["Card", "Config", "card_text"]

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


class Config(Record, frozen=True, kw_only=True):
    """One config: its name and the files of its single split, relative to the folder."""

    name: str
    files: tuple[str, ...]
    default: bool = False


class Card(Record, frozen=True, kw_only=True):
    """What the card says. rows: how many rows there are in all. body: the text below the front matter, Markdown."""

    title: str
    license: str
    rows: int
    configs: tuple[Config, ...]
    body: str
    split: str = "test"
    languages: tuple[str, ...] = ("en",)
    categories: tuple[str, ...] = ("text-generation",)
    tags: tuple[str, ...] = ()


def card_text(card: Card) -> str:
    """The content of `README.md`. A quoted JSON string is a YAML scalar too, so no value can break out of its place."""
    lines = [
        "---",
        f"pretty_name: {_quoted(card.title)}",
        f"license: {_quoted(card.license)}",
        f"language: {_list(card.languages)}",
        f"task_categories: {_list(card.categories)}",
        f"tags: {_list(card.tags)}",
        f"size_categories: {_list([_size(card.rows)])}",
        "configs:",
    ]
    for config in card.configs:
        lines.append(f"- config_name: {_quoted(config.name)}")
        if config.default:
            lines.append("  default: true")
        lines += ["  data_files:", f"  - split: {_quoted(card.split)}", f"    path: {_list(config.files)}"]
    return "\n".join([*lines, "---", "", card.body.strip(), ""])


def _size(rows: int) -> str:
    return next((name for limit, name in _SIZES if rows < limit), "n>1M")


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, values))}]"


def _quoted(value: str) -> str:
    return json.dumps(value)
