"""What `run` takes besides agents and tasks: models, how they are asked, budgets, conditions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from proofyard.cli.flags import as_dollars, micro_usd
from proofyard.core import Budget, Sampling, UsageError, decimal_text

if TYPE_CHECKING:
    from proofyard.engine import Entrant

__all__ = ["ModelFlags", "entrants", "model_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class ModelFlags:
    """What was asked on the command line."""

    models: tuple[str, ...]
    models_file: Path | None
    base_url: str
    key_env: str
    env_file: Path | None
    prices: Path | None
    conditions: tuple[str, ...]
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    sampling_seed: int | None
    reasoning: str
    model_attempts: int
    answers: Path | None
    max_cost: Decimal | None
    max_total_tokens: int | None
    max_wall: int | None
    trial_cost: Decimal | None
    trial_tokens: int | None
    trial_wall: int | None
    max_steps: int | None

    @property
    def sampling(self) -> Sampling:
        """How models are asked."""
        return Sampling(
            temperature=None if self.temperature is None else decimal_text(self.temperature),
            top_p=None if self.top_p is None else decimal_text(self.top_p),
            max_tokens=self.max_tokens,
            seed=self.sampling_seed,
            reasoning=self.reasoning or None,
        )

    @property
    def trial_budget(self) -> Budget:
        """Of one attempt."""
        return Budget(
            wall_s=self.trial_wall,
            steps=self.max_steps,
            tokens=self.trial_tokens,
            cost_micro_usd=micro_usd(self.trial_cost),
        )

    @property
    def run_budget(self) -> Budget:
        """Of the whole run."""
        return Budget(wall_s=self.max_wall, tokens=self.max_total_tokens, cost_micro_usd=micro_usd(self.max_cost))


def entrants(agents: Sequence[str], flags: ModelFlags) -> tuple["Entrant", ...]:
    """Return every agent with every model under every condition, then the pairs of a file of models.

    Raises:
        UsageError: there is neither agent nor pair, or the file is no good.

    """
    from proofyard.engine import Entrant
    from proofyard.engine.plugins import load
    from proofyard.engine.resolve import model_side

    providers = sorted({model.partition("/")[0] for model in flags.models})
    if len(providers) > 1 and (flags.base_url or flags.key_env):
        raise UsageError(
            f"--base-url and --key-env are of one provider, not of {' and '.join(providers)}: write a file for --models"
        )
    found: list[Entrant] = []
    of_file: list[str] = []
    for agent in agents:
        name, _, argument = agent.partition(":")
        side = model_side(load("agents", name))
        if not side.takes_model:
            found.append(Entrant(agent=agent))
            continue
        if flags.models_file and not flags.models and not side.model(argument):
            of_file.append(agent)
            continue
        models = ("",) if side.model(argument) else flags.models or ("",)
        found.extend(
            Entrant(
                agent=agent,
                model=model,
                base_url=flags.base_url,
                key_env=flags.key_env,
                sampling=flags.sampling,
                budget=flags.trial_budget,
                conditions=tuple(condition.split(",")),
            )
            for model in models
            for condition in flags.conditions or ("bare",)
        )
    if flags.models_file is not None:
        from proofyard.cli.run_models import read_models

        found.extend(read_models(flags.models_file, flags.trial_budget, flags.conditions, of_file))
    if not found:
        raise UsageError("a run needs an agent: --agent NAME, or pairs in a file named by --models")
    return tuple(found)


def _of_models() -> list[Callable[[_Command], _Command]]:
    path = click.Path(path_type=Path)
    return [
        click.option(
            "--model", "models", multiple=True, help="PROVIDER/MODEL, scripted/FILE or replay/FILE; repeatable."
        ),
        click.option("--models", "models_file", type=path, help="TOML file of models, their parameters and agents."),
        click.option("--base-url", default="", help="Address to use instead of the provider's."),
        click.option("--key-env", default="", metavar="NAME", help="The variable that holds the key."),
        click.option("--env-file", type=path, help="Also look keys up in this file of NAME=value lines."),
        click.option("--prices", type=path, help="TOML file of prices that win over the table."),
        click.option(
            "--condition",
            "conditions",
            multiple=True,
            help="bare, skill:DIR, mcp:FILE or several with commas; repeatable.",
        ),
        click.option("--temperature", type=click.FloatRange(0), default=None, help="Default: the provider's."),
        click.option("--top-p", type=click.FloatRange(0, 1, min_open=True), default=None),
        click.option("--max-tokens", type=click.IntRange(1), default=None, help="Of one answer."),
        click.option("--sampling-seed", type=click.IntRange(0), default=None, help="Attempt k is asked with seed + k."),
        click.option("--reasoning", default="", help="low, medium, high, off, ... or a number of tokens."),
        click.option(
            "--answers", type=path, help="Keep answers at temperature 0 in this folder, and look them up there."
        ),
        click.option(
            "--model-attempts", type=click.IntRange(0, 100), default=0, help="Calls for one answer (default: 6)."
        ),
    ]


def _of_budgets() -> list[Callable[[_Command], _Command]]:
    count = click.IntRange(1)
    return [
        click.option("--max-cost", metavar="USD", callback=as_dollars, help="Of the whole run; then no call goes out."),
        click.option("--max-total-tokens", type=count, default=None, help="Of the whole run."),
        click.option("--max-wall", type=count, default=None, metavar="SECONDS", help="Of the whole run."),
        click.option("--trial-cost", metavar="USD", callback=as_dollars, help="Of one attempt."),
        click.option("--trial-tokens", type=count, default=None, help="Of one attempt."),
        click.option("--trial-wall", type=count, default=None, metavar="SECONDS", help="Of one attempt."),
        click.option("--max-steps", type=count, default=None, help="Questions to the model in one attempt."),
    ]


def model_options(command: _Command) -> _Command:
    """Add the options."""
    for option in reversed([*_of_models(), *_of_budgets()]):
        command = option(command)
    return command
