"""`--models FILE.toml`: models with parameters of their own, each with the agents it is paired with."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from proofyard.cli.flags import dollars, micro_usd
from proofyard.core import Budget, Sampling, UsageError, decimal_text

if TYPE_CHECKING:
    from proofyard.engine import Entrant

__all__ = ["read_models"]

_SAMPLING: Final = ("temperature", "top_p", "max_tokens", "seed", "stop", "reasoning", "extra")
_BUDGET: Final = {"trial_wall": "wall_s", "max_steps": "steps", "trial_tokens": "tokens"}
_OTHER: Final = ("model", "agents", "base_url", "key_env", "conditions", "trial_cost")


def read_models(
    path: Path, budget: Budget, conditions: Sequence[str] = (), agents: Sequence[str] = ()
) -> list["Entrant"]:
    """Return the pairs of agent and model in a file. budget, conditions, agents: for rows that name none of their own.

    Raises:
        UsageError: the file cannot be read, a row is wrong, or no row is for the agents given; the message says which.

    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
    rows = data.get("models")
    if not isinstance(rows, list) or not rows or set(data) != {"models"}:
        raise UsageError(f"{path}: write one [[models]] table a model, and nothing else")
    if agents and all("agents" in row for row in rows):
        raise UsageError(f"{path}: each model names its agents: leave out --agent {agents[0]}, or give it a --model")
    return [
        entrant
        for n, row in enumerate(rows, 1)
        for entrant in _row(f"{path}: model {n}", {"agents": list(agents), **row}, budget, conditions)
    ]


def _row(where: str, row: Mapping[str, Any], budget: Budget, conditions: Sequence[str]) -> list["Entrant"]:
    from proofyard.engine import Entrant

    unknown = next((name for name in row if name not in {*_SAMPLING, *_BUDGET, *_OTHER}), None)
    if unknown is not None:
        raise UsageError(f"{where}: unknown field {unknown!r}")
    if not isinstance(row.get("model"), str):
        raise UsageError(f'{where}: give model = "PROVIDER/MODEL"')
    for name in ("agents", "conditions"):
        if name in row and not (isinstance(row[name], list) and all(isinstance(one, str) for one in row[name])):
            raise UsageError(f'{where} ({row["model"]}): {name} is a list of names, ["NAME", ...]')
    if not row["agents"]:
        raise UsageError(f'{where} ({row["model"]}): give agents = ["NAME", ...], or --agent NAME')
    try:
        sampling = msgspec.convert(_sampling(row), type=Sampling)
        own = {field: row[name] for name, field in _BUDGET.items() if name in row}
        if "trial_cost" in row:
            own["cost_micro_usd"] = micro_usd(dollars(str(row["trial_cost"])))
        limits = msgspec.structs.replace(budget, **msgspec.to_builtins(msgspec.convert(own, type=Budget)))
        return [
            msgspec.convert(
                {
                    "agent": agent,
                    "model": row["model"],
                    "base_url": row.get("base_url", ""),
                    "key_env": row.get("key_env", ""),
                    "sampling": sampling,
                    "budget": limits,
                    "conditions": tuple(str(condition).split(",")),
                },
                type=Entrant,
            )
            for agent in row["agents"]
            for condition in row.get("conditions") or conditions or ("bare",)
        ]
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise UsageError(f"{where} ({row['model']}): {error}") from None


def _sampling(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row's sampling, numbers as decimal strings, and what is the provider's own as JSON texts."""
    found: dict[str, Any] = {name: row[name] for name in _SAMPLING if name in row}
    for name in ("temperature", "top_p"):
        if name in found:
            found[name] = decimal_text(found[name])
    if "reasoning" in found:
        found["reasoning"] = str(found["reasoning"])
    if "extra" in found:
        found["extra"] = {
            key: value if isinstance(value, str) else msgspec.json.encode(value).decode()
            for key, value in found["extra"].items()
        }
    return found
