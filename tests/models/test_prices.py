"""What calls cost: the table, its traps, the user's own rows."""

from pathlib import Path

import pytest

from proofyard.core import UsageError
from proofyard.models import PriceRow, Prices, Tokens, read_prices, target_of
from proofyard.models.answer import micro_usd

MILLION = Tokens(input=100_000, output=10_000, cached=40_000)


def usd(name: str, tokens: Tokens | None = MILLION, prices: Prices | None = None) -> str | None:
    cost = (prices or Prices()).cost(target_of(name, "http://127.0.0.1:1"), tokens)
    return cost.usd if cost else None


def test_cached_input_is_part_of_the_input_and_cheaper() -> None:
    # 60,000 at 1.25, 40,000 at 0.125, 10,000 at 10 dollars a million.
    assert usd("openai/gpt-5") == "0.18"
    assert usd("openai/gpt-5", Tokens(input=100_000, output=10_000)) == "0.225"


def test_the_row_is_kept() -> None:
    cost = Prices().cost(target_of("openai/gpt-5"), MILLION)
    assert cost is not None
    assert cost.row.provider == "openai"
    assert cost.row.model == "gpt-5"
    assert cost.row.source.startswith("genai-prices ")
    assert cost.row.prices == {"input": "1.25", "output": "10", "cached": "0.125"}
    assert cost.micro_usd == 180_000


def test_tiers_and_cache_writes() -> None:
    tokens = Tokens(input=300_000, output=1_000, cached=0, cache_write=100_000)
    # Above 200,000: 200,000 at 6, 100,000 written at 7.50, 1,000 at 22.50.
    assert usd("anthropic/claude-sonnet-4-5", tokens) == "1.9725"
    row = Prices().row(target_of("anthropic/claude-sonnet-4-5"))
    assert row is not None
    assert row.prices["input"] == "3 (above 200000: 6)"


@pytest.mark.parametrize(
    "name",
    [
        "openai/gpt-4o-2024-08-06",
        "openai/gpt-5-2025-08-07",
        "anthropic/claude-opus-4-20250514",
        "anthropic/claude-sonnet-4-5-20250929",
        "anthropic/claude-3-5-haiku-latest",
        "mistral/mistral-large-latest",
        "xai/grok-4-0709",
        "moonshot/kimi-k2-0905-preview",
        "openrouter/qwen/qwen3.5-9b",
        "gemini/gemini-2.5-pro",
        "zai/glm-4.6",
    ],
)
def test_known(name: str) -> None:
    assert Prices().row(target_of(name)) is not None


@pytest.mark.parametrize(
    "name",
    [
        "minimax/MiniMax-M2.5",  # the table takes it for MiniMax-M2
        "anthropic/claude-sonnet-4-57",
        "deepseek/deepseek-chat-v9",
        "openai/nonesuch",
        "qwen/qwen-plus",
        "ollama/qwen3:8b",
        "huggingface/meta-llama/Llama-3.1-8B-Instruct",
    ],
)
def test_unknown_is_unknown_and_never_nothing(name: str) -> None:
    assert usd(name) is None
    assert Prices().row(target_of(name)) is None


def test_no_usage_no_cost() -> None:
    assert usd("openai/gpt-5", None) is None


def test_own_rows_win(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('["openai/gpt-5"]\ninput = 2\noutput = "4.0"\n\n["ollama/q"]\ninput = 0\noutput = 0\n')
    prices = Prices(read_prices(file))
    assert usd("openai/gpt-5", MILLION, prices) == "0.24"
    assert usd("ollama/q", MILLION, prices) == "0"
    assert prices.row(target_of("ollama/q")) == PriceRow(
        source="file prices.toml", provider="ollama", model="q", prices={"input": "0", "output": "0"}
    )
    written = Tokens(input=100, output=0, cached=10, cache_write=20)
    own = Prices(
        {
            "vllm/m": PriceRow(
                source="x", provider="vllm", model="m", prices={"input": "10", "output": "1", "cached": "1"}
            )
        }
    )
    assert usd("vllm/m", written, own) == "0.00091"


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ('["a/b"]\ninput = 1\n', "needs input and output"),
        ('["a/b"]\ninput = 1\noutput = 1\nother = 2\n', "needs input and output"),
        ('["a/b"]\ninput = -1\noutput = 1\n', "input is no price"),
        ('["a/b"]\ninput = nan\noutput = 1\n', "input is no price"),
        ('["a/b"]\ninput = true\noutput = 1\n', "input is no price"),
        ("a = 1\n", "'a' needs"),
        ("a = \n", "prices.toml"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, match: str) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=match):
        read_prices(file)
    with pytest.raises(UsageError, match="cannot read"):
        read_prices(tmp_path / "none.toml")


def test_fractions_of_a_millionth_are_rounded_up() -> None:
    from decimal import Decimal

    assert [micro_usd(Decimal(text)) for text in ("0", "0.0000001", "0.000001", "0.0000011")] == [0, 1, 1, 2]
