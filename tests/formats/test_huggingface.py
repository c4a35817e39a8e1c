"""The front matter is YAML that says what was given, whatever is in the values."""

import pytest
import yaml

from proofyard.formats import Card, Config, card_text

TITLE = 'A: "title" # with [everything]\n--- and é'


def front(text: str) -> dict[str, object]:
    _, head, body = text.split("---\n", 2)
    assert body == "\n# Body\n\nText.\n"
    found: dict[str, object] = yaml.safe_load(head)
    return found


def test_front_matter() -> None:
    configs = (
        Config(name="default", files=("a.jsonl", "b c.jsonl"), default=True),
        Config(name="no", files=("b c.jsonl",)),
    )
    card = Card(title="x", license="mit", rows=260, configs=configs, body="\n# Body\n\nText.\n\n", tags=("code", "1"))
    assert front(card_text(card)) == {
        "pretty_name": "x",
        "license": "mit",
        "language": ["en"],
        "task_categories": ["text-generation"],
        "tags": ["code", "1"],
        "size_categories": ["n<1K"],
        "configs": [
            {
                "config_name": "default",
                "default": True,
                "data_files": [{"split": "test", "path": ["a.jsonl", "b c.jsonl"]}],
            },
            {"config_name": "no", "data_files": [{"split": "test", "path": ["b c.jsonl"]}]},
        ],
    }


def test_no_value_leaves_its_place() -> None:
    text = card_text(Card(title=TITLE, license="mit", rows=1, configs=(), body="x"))
    assert yaml.safe_load(text.split("\n---\n")[0])["pretty_name"] == TITLE


@pytest.mark.parametrize(
    ("rows", "size"),
    [(999, "n<1K"), (1000, "1K<n<10K"), (10_000, "10K<n<100K"), (999_999, "100K<n<1M"), (1_000_000, "n>1M")],
)
def test_sizes(rows: int, size: str) -> None:
    assert f'size_categories: ["{size}"]' in card_text(Card(title="x", license="mit", rows=rows, configs=(), body=""))
