"""From a name on the command line to a model that answers."""

import os
from collections.abc import Mapping
from pathlib import Path

from proofyard.core import UsageError
from proofyard.models.client import Client, Model, Options
from proofyard.models.keys import find_key
from proofyard.models.offline import ReplayedModel, ScriptedModel
from proofyard.models.providers import Quirks, target_of

__all__ = ["open_model"]


def open_model(
    name: str,
    *,
    base_url: str = "",
    key_env: str = "",
    environment: Mapping[str, str] | None = None,
    quirks: Quirks | None = None,
    options: Options | None = None,
) -> Model:
    """Open `provider/model`, `scripted/FILE` or `replay/FILE`.

    base_url: instead of the provider's. key_env: the variable that holds the key. environment: where keys are looked up,
    os.environ by default. Nothing is called yet, no SDK imported.

    Raises:
        UnknownNameError: there is no such provider.
        UsageError: the key is not set, no base URL is known, or a file cannot be read.

    """
    kind, _, rest = name.partition("/")
    if kind in {"scripted", "replay"}:
        if not rest:
            raise UsageError(f"which file? write {kind}/FILE")
        return ScriptedModel(Path(rest)) if kind == "scripted" else ReplayedModel(Path(rest))
    target = target_of(name, base_url, quirks)
    key = find_key(target.provider, os.environ if environment is None else environment, key_env)
    return Client(target, key, options)
