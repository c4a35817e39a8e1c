"""`proofyard models`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from proofyard.cli.models import command

CANARY = "sk-canary-0123456789"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    from proofyard.models import PROVIDERS

    for name in {key for row in PROVIDERS for key in row.keys}:
        monkeypatch.delenv(name, raising=False)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    if result.exception:
        raise result.exception
    return result.exit_code, result.output


def test_providers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", CANARY)
    env = tmp_path / ".env"
    env.write_text(f"MISTRAL_API_KEY={CANARY}\n")
    rows = {row["provider"]: row for row in json.loads(run("--json", "--env-file", str(env))[1])}
    assert rows["gemini"]["key_set"] == "GOOGLE_API_KEY"
    assert rows["gemini"]["key_variables"] == ["GEMINI_API_KEY", "GOOGLE_API_KEY"]
    assert rows["mistral"]["key_set"] == "MISTRAL_API_KEY"
    assert rows["openai"]["key_set"] is None
    assert rows["openai"]["prices_known"] > 50
    assert rows["qwen"]["prices_known"] == 0
    assert rows["openai-compatible"]["base_url"] is None
    for shown in (run("--json", "--env-file", str(env))[1], run("--env-file", str(env))[1]):
        assert CANARY not in shown
    table = run()[1]
    line = next(line for line in table.splitlines() if line.strip().startswith("gemini "))
    assert line.split()[-3:] == ["yes", str(rows["gemini"]["prices_known"]), "models"]
    assert "unknown" in next(line for line in table.splitlines() if line.strip().startswith("qwen"))


def test_one_model(tmp_path: Path) -> None:
    (row,) = json.loads(run("openai/gpt-5", "--json")[1])
    assert row["price_usd_per_million"] == {"input": "1.25", "output": "10", "cached": "0.125"}
    assert row["quirks"]["temperature"] is False
    (unknown,) = json.loads(run("ollama/qwen3:8b", "--json")[1])
    assert unknown["price_usd_per_million"] is None
    assert "price_usd_per_million: unknown" in run("ollama/qwen3:8b")[1]
    prices = tmp_path / "p.toml"
    prices.write_text('["ollama/qwen3:8b"]\ninput = 0\noutput = 0\n')
    (own,) = json.loads(run("ollama/qwen3:8b", "--prices", str(prices), "--json")[1])
    assert own["price_usd_per_million"] == {"input": "0", "output": "0"}
    assert own["price_source"] == "file p.toml: ollama/qwen3:8b"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["opnai/gpt-5"], "did you mean openai"),
        (["openai-compatible/m"], "needs --base-url"),
        (["--env-file", "/nonexistent/.env"], "cannot read /nonexistent/.env"),
    ],
)
def test_mistakes(arguments: list[str], message: str) -> None:
    from proofyard.core import UsageError

    with pytest.raises(UsageError, match=message):
        run(*arguments)
