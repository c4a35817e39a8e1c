"""Providers as rows of data, and the quirks of their models. A new provider is a new row; see `docs/models.md`."""

import re
from typing import Final, Literal, NamedTuple

import msgspec

from proofyard.core import Record, UnknownNameError, UsageError

__all__ = ["PROVIDERS", "ModelProvider", "Quirks", "Target", "WireName", "provider_named", "target_of"]

WireName = Literal["openai-chat", "openai-responses", "anthropic-messages", "gemini"]


class Quirks(Record, frozen=True, kw_only=True):
    """What a provider or model does differently. What a field switches off is dropped from the request, and that is recorded.

    token_field: the name of the limit of tokens. max_tokens: sent if the request names none (None: the provider's own).
    seed_field: the name of the seed, empty if it takes none. one_of: takes temperature or top_p, not both.
    reasoning: how thinking is asked for (see the wire), empty if it cannot be. thinking_fixes_temperature: refuses a
    temperature while thinking. replay: the form in which thoughts are sent back, empty if they must not be.
    system: the role of the system's words, `fold` puts them before the first message of the user. stream_usage: has to be
    asked for usage in a stream. reasoning_outside: usage reports thoughts beside the output, not in it.
    """

    token_field: str = "max_tokens"
    max_tokens: int | None = None
    temperature: bool = True
    top_p: bool = True
    one_of: bool = False
    seed_field: str = "seed"
    stop: bool = True
    tools: bool = True
    reasoning: Literal["", "effort", "effort_object", "toggle", "enable", "budget", "adaptive", "gemini"] = ""
    thinking_fixes_temperature: bool = False
    replay: Literal["", "reasoning_content", "reasoning_details", "blocks"] = ""
    system: Literal["system", "developer", "fold"] = "system"
    stream: bool = True
    stream_usage: bool = True
    reasoning_outside: bool = False


class ModelProvider(Record, frozen=True, kw_only=True):
    """One row: name, wire, address, key variables (the first is documented), quirks, quirks of models by pattern.

    prices: its name in the price table. own_url: the address has to be given. extra: the extra that must be installed.
    """

    name: str
    wire: WireName
    base_url: str
    keys: tuple[str, ...] = ()
    quirks: Quirks = Quirks()
    models: tuple[tuple[str, Quirks], ...] = ()
    prices: str = ""
    own_url: bool = False
    extra: str = ""


_OPENAI: Final = Quirks(token_field="max_completion_tokens")
_OPENAI_THINKS: Final = msgspec.structs.replace(
    _OPENAI, temperature=False, top_p=False, stop=False, reasoning="effort", system="developer"
)
_RESPONSES: Final = Quirks(token_field="max_output_tokens", seed_field="", stop=False)
_RESPONSES_THINKS: Final = msgspec.structs.replace(
    _RESPONSES, temperature=False, top_p=False, reasoning="effort_object", replay="blocks", system="developer"
)
_THINKS: Final = r"(o[134]|gpt-5)(?!.*chat)"
_CLAUDE: Final = Quirks(
    max_tokens=32_000, seed_field="", reasoning="budget", thinking_fixes_temperature=True, replay="blocks", one_of=True
)
_CLAUDE_ADAPTIVE: Final = msgspec.structs.replace(_CLAUDE, reasoning="adaptive", temperature=False, top_p=False)
_KEEPS_THOUGHTS: Final = Quirks(reasoning="toggle", replay="reasoning_content")

PROVIDERS: Final[tuple[ModelProvider, ...]] = (
    ModelProvider(
        name="anthropic",
        wire="anthropic-messages",
        base_url="https://api.anthropic.com",
        keys=("ANTHROPIC_API_KEY",),
        quirks=_CLAUDE,
        models=(
            (
                r"claude-3-(opus|haiku|sonnet)",
                msgspec.structs.replace(_CLAUDE, max_tokens=4096, reasoning="", one_of=False),
            ),
            (r"claude-3-5", msgspec.structs.replace(_CLAUDE, max_tokens=8192, reasoning="", one_of=False)),
            (r"claude-(opus|sonnet)-4-6", msgspec.structs.replace(_CLAUDE, reasoning="adaptive")),
            (r"claude-(opus|sonnet|haiku)-(4-[7-9]|[5-9])", _CLAUDE_ADAPTIVE),
        ),
        prices="anthropic",
    ),
    ModelProvider(
        name="openai",
        wire="openai-chat",
        base_url="https://api.openai.com/v1",
        keys=("OPENAI_API_KEY",),
        quirks=_OPENAI,
        models=((_THINKS, _OPENAI_THINKS),),
        prices="openai",
    ),
    ModelProvider(
        name="openai-responses",
        wire="openai-responses",
        base_url="https://api.openai.com/v1",
        keys=("OPENAI_API_KEY",),
        quirks=_RESPONSES,
        models=((_THINKS + r"|codex", _RESPONSES_THINKS),),
        prices="openai",
    ),
    ModelProvider(
        name="deepseek",
        wire="openai-chat",
        base_url="https://api.deepseek.com",
        keys=("DEEPSEEK_API_KEY",),
        quirks=Quirks(seed_field="", reasoning="toggle", replay="reasoning_content"),
        models=(
            (r"deepseek-reasoner", Quirks(seed_field="", temperature=False, top_p=False, replay="reasoning_content")),
        ),
        prices="deepseek",
    ),
    ModelProvider(
        name="gemini",
        wire="openai-chat",
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        quirks=Quirks(seed_field="", reasoning="effort"),
        prices="google",
    ),
    ModelProvider(
        name="gemini-native",
        wire="gemini",
        base_url="https://generativelanguage.googleapis.com",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        quirks=Quirks(token_field="maxOutputTokens", reasoning="gemini", replay="blocks"),
        prices="google",
        extra="google",
    ),
    ModelProvider(
        name="qwen",
        wire="openai-chat",
        base_url="https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        keys=("DASHSCOPE_API_KEY",),
        quirks=Quirks(reasoning="enable"),
        prices="dashscope",
    ),
    ModelProvider(
        name="moonshot",
        wire="openai-chat",
        base_url="https://api.moonshot.ai/v1",
        keys=("MOONSHOT_API_KEY",),
        quirks=msgspec.structs.replace(_KEEPS_THOUGHTS, seed_field=""),
        prices="moonshotai",
    ),
    ModelProvider(
        name="zhipu",
        wire="openai-chat",
        base_url="https://open.bigmodel.cn/api/paas/v4",
        keys=("ZHIPU_API_KEY", "ZAI_API_KEY"),
        quirks=msgspec.structs.replace(_KEEPS_THOUGHTS, seed_field=""),
        prices="zhipuai",
    ),
    ModelProvider(
        name="zai",
        wire="openai-chat",
        base_url="https://api.z.ai/api/paas/v4",
        keys=("ZAI_API_KEY", "ZHIPU_API_KEY"),
        quirks=msgspec.structs.replace(_KEEPS_THOUGHTS, seed_field=""),
        prices="zai",
    ),
    ModelProvider(
        name="minimax",
        wire="openai-chat",
        base_url="https://api.minimax.io/v1",
        keys=("MINIMAX_API_KEY",),
        quirks=Quirks(seed_field="", stop=False, replay="reasoning_details"),
        prices="minimax",
    ),
    ModelProvider(
        name="openrouter",
        wire="openai-chat",
        base_url="https://openrouter.ai/api/v1",
        keys=("OPENROUTER_API_KEY",),
        quirks=Quirks(reasoning="effort_object", replay="reasoning_details"),
        prices="openrouter",
    ),
    ModelProvider(
        name="mistral",
        wire="openai-chat",
        base_url="https://api.mistral.ai/v1",
        keys=("MISTRAL_API_KEY",),
        quirks=Quirks(seed_field="random_seed", stream_usage=False),
        prices="mistral",
    ),
    ModelProvider(
        name="xai",
        wire="openai-chat",
        base_url="https://api.x.ai/v1",
        keys=("XAI_API_KEY",),
        quirks=Quirks(reasoning_outside=True),
        models=(
            (r"grok-3-mini", Quirks(reasoning="effort", stop=False, reasoning_outside=True)),
            (r"grok-4", Quirks(stop=False, reasoning_outside=True)),
        ),
        prices="x-ai",
    ),
    ModelProvider(
        name="huggingface",
        wire="openai-chat",
        base_url="https://router.huggingface.co/v1",
        keys=("HF_TOKEN", "HF_INFERENCE_API_KEY"),
    ),
    ModelProvider(name="ollama", wire="openai-chat", base_url="http://127.0.0.1:11434/v1"),
    ModelProvider(name="vllm", wire="openai-chat", base_url="http://127.0.0.1:8000/v1"),
    ModelProvider(name="llama.cpp", wire="openai-chat", base_url="http://127.0.0.1:8080/v1"),
    ModelProvider(name="openai-compatible", wire="openai-chat", base_url="", own_url=True),
    ModelProvider(
        name="responses-compatible", wire="openai-responses", base_url="", own_url=True, quirks=_RESPONSES_THINKS
    ),
    ModelProvider(name="anthropic-compatible", wire="anthropic-messages", base_url="", own_url=True, quirks=_CLAUDE),
)
"""Every provider. together, groq, fireworks and the like go by `openai-compatible` with `--base-url` and `--key-env`."""


class Target(NamedTuple):
    """A model at a provider: the row, the model's own name, where it is, and its quirks. Holds no key."""

    provider: ModelProvider
    model: str
    base_url: str
    quirks: Quirks

    @property
    def name(self) -> str:
        """The name as it is written on the command line: `provider/model`."""
        return f"{self.provider.name}/{self.model}"


def provider_named(name: str) -> ModelProvider:
    """Return the row of that name. Raises UnknownNameError, suggesting the nearest."""
    for row in PROVIDERS:
        if row.name == name:
            return row
    raise UnknownNameError("provider", name, [row.name for row in PROVIDERS], "proofyard models lists them")


def target_of(name: str, base_url: str = "", quirks: Quirks | None = None) -> Target:
    """Read `provider/model`; the model's own name may hold slashes.

    quirks: take these instead of the table's.

    Raises:
        UnknownNameError: there is no such provider.
        UsageError: no model is named, or its provider needs a base URL.

    """
    first, slash, model = name.partition("/")
    if not slash or not model:
        known = provider_named(first)
        raise UsageError(f"which model of {known.name}? write {known.name}/MODEL")
    row = provider_named(first)
    url = (base_url or row.base_url).rstrip("/")
    if not url:
        raise UsageError(f"{name} needs --base-url URL, e.g. http://127.0.0.1:8000/v1")
    if not re.match(r"https?://[^/\s]+", url):
        raise UsageError(f"--base-url {url!r} is no http:// or https:// address")
    if re.search(r"[@?#]", url):
        raise UsageError("--base-url takes an address alone: put the key into a variable and name that by --key-env")
    matching = next((q for pattern, q in row.models if re.match(pattern, model, re.IGNORECASE)), row.quirks)
    return Target(row, model, url, quirks or matching)
