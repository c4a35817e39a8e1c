"""Models: what is asked and answered, the wires it goes over by the official SDKs (imported when first used), the provider
table, our own retries, usage and prices, budgets, kept answers, and the scripted and replayed models for offline work.
"""

from proofyard.models.answer import (
    Answer,
    Attempt,
    BudgetSpent,
    Cost,
    Dropped,
    ModelError,
    PriceRow,
    Stop,
    Tokens,
    total_cost,
)
from proofyard.models.budget import Account, Spent
from proofyard.models.cache import Exchange, ResponseCache, cache_key
from proofyard.models.client import Client, Model, Note, Options, no_note
from proofyard.models.gateway import Gateway
from proofyard.models.keys import Key, find_key, read_env_file
from proofyard.models.messages import (
    Message,
    Part,
    Request,
    Text,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    system,
    user,
)
from proofyard.models.offline import ReplayedModel, ScriptedModel
from proofyard.models.opening import open_model
from proofyard.models.prices import Prices, read_prices
from proofyard.models.providers import PROVIDERS, ModelProvider, Quirks, Target, target_of
from proofyard.models.retry import RetryPolicy
from proofyard.models.session import ModelSession, spend_of
from proofyard.models.wires.sdk import Timing

__all__ = [
    "PROVIDERS",
    "Account",
    "Answer",
    "Attempt",
    "BudgetSpent",
    "Client",
    "Cost",
    "Dropped",
    "Exchange",
    "Gateway",
    "Key",
    "Message",
    "Model",
    "ModelError",
    "ModelProvider",
    "ModelSession",
    "Note",
    "Options",
    "Part",
    "PriceRow",
    "Prices",
    "Quirks",
    "ReplayedModel",
    "Request",
    "ResponseCache",
    "RetryPolicy",
    "ScriptedModel",
    "Spent",
    "Stop",
    "Target",
    "Text",
    "Thinking",
    "Timing",
    "Tokens",
    "Tool",
    "ToolCall",
    "ToolResult",
    "cache_key",
    "find_key",
    "no_note",
    "open_model",
    "read_env_file",
    "read_prices",
    "spend_of",
    "system",
    "target_of",
    "total_cost",
    "user",
]
