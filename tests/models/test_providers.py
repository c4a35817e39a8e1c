"""The table of providers, and names of models."""

import re

import pytest

from proofyard.core import UnknownNameError, UsageError
from proofyard.models import PROVIDERS, Quirks, target_of


def test_rows_are_in_order() -> None:
    names = [row.name for row in PROVIDERS]
    assert len(set(names)) == len(names)
    for row in PROVIDERS:
        assert row.own_url == (row.base_url == "")
        assert row.base_url == "" or re.match(r"(https://|http://127\.0\.0\.1:)[^/ ]+(/\S*[^/])?\Z", row.base_url)
        assert all(re.fullmatch(r"[A-Z_]+", name) for name in row.keys)
        for pattern, _ in row.models:
            re.compile(pattern)


def test_names() -> None:
    target = target_of("openrouter/qwen/qwen3.5-9b")
    assert (target.provider.name, target.model, target.name) == (
        "openrouter",
        "qwen/qwen3.5-9b",
        "openrouter/qwen/qwen3.5-9b",
    )
    assert target_of("ollama/qwen3:8b").base_url == "http://127.0.0.1:11434/v1"
    assert target_of("ollama/x", "http://10.0.0.1:5/v1/").base_url == "http://10.0.0.1:5/v1"
    assert target_of("vllm/x", quirks=Quirks(seed_field="")).quirks.seed_field == ""


@pytest.mark.parametrize(
    ("name", "url", "match"),
    [
        ("openai", "", "which model of openai"),
        ("openai/", "", "which model of openai"),
        ("openai-compatible/m", "", "needs --base-url"),
        ("vllm/m", "localhost:8000", "is no http"),
        ("vllm/m", "file:///etc/passwd", "is no http"),
    ],
)
def test_what_is_missing_is_said(name: str, url: str, match: str) -> None:
    with pytest.raises(UsageError, match=match):
        target_of(name, url)


@pytest.mark.parametrize(
    "url", ["http://me:sk-canary@host/v1", "https://host/v1?key=sk-canary", "http://host/#sk-canary"]
)
def test_no_key_in_an_address(url: str) -> None:
    with pytest.raises(UsageError, match="takes an address alone") as caught:
        target_of("vllm/m", url)
    assert "sk-canary" not in str(caught.value)


def test_unknown_providers_suggest_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean deepseek"):
        target_of("deepsek/x")
    with pytest.raises(UnknownNameError, match="unknown provider 'gpt-5'"):
        target_of("gpt-5")


@pytest.mark.parametrize(
    ("name", "temperature", "reasoning"),
    [
        ("openai/gpt-4o", True, ""),
        ("openai/o1", False, "effort"),
        ("openai/o4-mini", False, "effort"),
        ("openai/gpt-5", False, "effort"),
        ("openai/GPT-5-mini", False, "effort"),
        ("openai/gpt-5-chat-latest", True, ""),
        ("anthropic/claude-3-5-sonnet-20241022", True, ""),
        ("anthropic/claude-sonnet-4-5", True, "budget"),
        ("anthropic/claude-opus-4-6", True, "adaptive"),
        ("anthropic/claude-opus-4-8", False, "adaptive"),
        ("anthropic/claude-sonnet-5", False, "adaptive"),
    ],
)
def test_quirks_of_models(name: str, temperature: bool, reasoning: str) -> None:
    quirks = target_of(name).quirks
    assert (quirks.temperature, quirks.reasoning) == (temperature, reasoning)
