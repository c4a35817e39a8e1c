"""Keys are found, and never shown."""

import copy
import pickle
from pathlib import Path

import pytest

from proofyard.core import UsageError
from proofyard.models import PROVIDERS, Key, find_key, open_model, read_env_file
from proofyard.models.providers import provider_named
from tests.models.fixtures import CANARY


def test_a_key_is_not_printed_compared_or_carried_off() -> None:
    key = Key(CANARY)
    assert key.reveal() == CANARY
    for shown in (repr(key), str(key), f"{key}", repr([key]), repr({"k": key})):
        assert CANARY not in shown
    assert not hasattr(key, "__dict__")
    with pytest.raises(TypeError, match="does not leave its process"):
        pickle.dumps(key)
    with pytest.raises(TypeError):
        copy.copy(key)
    assert key.scrub(f"Incorrect API key: {CANARY}!") == "Incorrect API key: [key]!"
    assert Key("").scrub("all of it") == "all of it"


def test_any_variable_of_a_provider_will_do_the_first_comes_first() -> None:
    gemini = provider_named("gemini")
    assert find_key(gemini, {"GOOGLE_API_KEY": "b"}).reveal() == "b"
    assert find_key(gemini, {"GOOGLE_API_KEY": "b", "GEMINI_API_KEY": " a "}).reveal() == "a"
    assert find_key(gemini, {"MINE": "c", "GEMINI_API_KEY": "a"}, "MINE").reveal() == "c"
    assert find_key(provider_named("ollama"), {}).reveal() == ""
    assert find_key(provider_named("openai-compatible"), {"TOGETHER_API_KEY": "t"}, "TOGETHER_API_KEY").reveal() == "t"
    with pytest.raises(UsageError, match="no key for gemini: set GEMINI_API_KEY or GOOGLE_API_KEY"):
        find_key(gemini, {"GEMINI_API_KEY": " "})
    with pytest.raises(UsageError, match="no key for ollama: set MINE"):
        find_key(provider_named("ollama"), {}, "MINE")
    with pytest.raises(UsageError) as caught:
        find_key(gemini, {"GEMINI_API_KEY": f"{CANARY}\u2026"})
    assert CANARY not in str(caught.value)


def test_each_provider_of_the_table_of_keys() -> None:
    first = {row.name: row.keys[0] if row.keys else "" for row in PROVIDERS}
    assert first == {
        "anthropic": "ANTHROPIC_API_KEY",
        "openai": "OPENAI_API_KEY",
        "openai-responses": "OPENAI_API_KEY",
        "deepseek": "DEEPSEEK_API_KEY",
        "gemini": "GEMINI_API_KEY",
        "gemini-native": "GEMINI_API_KEY",
        "qwen": "DASHSCOPE_API_KEY",
        "moonshot": "MOONSHOT_API_KEY",
        "zhipu": "ZHIPU_API_KEY",
        "zai": "ZAI_API_KEY",
        "minimax": "MINIMAX_API_KEY",
        "openrouter": "OPENROUTER_API_KEY",
        "mistral": "MISTRAL_API_KEY",
        "xai": "XAI_API_KEY",
        "huggingface": "HF_TOKEN",
        "ollama": "",
        "vllm": "",
        "llama.cpp": "",
        "openai-compatible": "",
        "responses-compatible": "",
        "anthropic-compatible": "",
    }


def test_env_files(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(f"# keys\n\nOPENAI_API_KEY={CANARY}\nexport A = 'b c'\nB=\"d#e\"\nC=\nD='x\n")
    assert read_env_file(file) == {"OPENAI_API_KEY": CANARY, "A": "b c", "B": "d#e", "C": "", "D": "'x"}
    file.write_text(f"OK=1\n{CANARY}\n")
    with pytest.raises(UsageError, match="line 2: write NAME=value") as caught:
        read_env_file(file)
    assert CANARY not in str(caught.value)
    with pytest.raises(UsageError, match="cannot read"):
        read_env_file(tmp_path / "none")
    file.write_bytes(b"\xff=1")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_env_file(file)


def test_opening_a_model_without_a_key() -> None:
    with pytest.raises(UsageError, match="no key for openai: set OPENAI_API_KEY"):
        open_model("openai/gpt-5", environment={})
