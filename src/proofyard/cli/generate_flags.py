"""The options of `generate`: ours, and those of bigcodebench.generate and evalplus.codegen by their names."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from proofyard.cli.flags import as_dollars, switch
from proofyard.core import UsageError
from proofyard.suites.functions.prompts import INSTRUCTION_PREFIX, RESPONSE_PREFIX

__all__ = ["IGNORED", "REFUSED", "GenerateFlags", "flags_of", "generate_options", "ignored", "model_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_SERVER: Final = "how a model is run is for its server to say"
_OWN: Final = "start the server of the model with it"

IGNORED: Final = {
    "bs": "each sample is a request of its own; --concurrency says how many at once",
    "device_map": _SERVER,
    "enable_chunked_prefill": _SERVER,
    "enable_prefix_caching": _SERVER,
    "max_model_len": _SERVER,
    "reasoning_beta": "no header of a provider's trial features is sent",
    "tp": _SERVER,
    "trust_remote_code": _SERVER,
}
"""Options of other tools that are taken and change nothing here -> why."""

REFUSED: Final = {
    "attn_implementation": ("eager", _OWN),
    "dtype": ("bfloat16", _OWN),
    "evalperf_type": ("None", "EvalPerf is not among the benchmarks"),
    "gguf_file": ("None", _OWN),
    "gptqmodel_backend": ("auto", _OWN),
    "jsonl_fmt": ("True", "samples are written as .jsonl"),
    "lora_path": ("None", _OWN),
    "num_ctx": ("None", _OWN),
    "revision": ("main", _OWN),
    "tokenizer_legacy": ("False", _OWN),
    "tokenizer_name": ("None", _OWN),
    "verify_certificate": ("True", "certificates are always checked"),
    "version": ("default", "the data are those of --data"),
}
"""Options of other tools that would change the answers -> their default there, which is let pass, and what to do."""


@dataclass(frozen=True, kw_only=True)
class GenerateFlags:
    """What was asked on the command line."""

    model: str
    backend: str
    base_url: str
    key_env: str
    env_file: Path | None
    prices: Path | None
    data: str
    split: str
    subset: str
    id_range: str
    n_samples: int
    temperature: float | None
    top_p: float | None
    greedy: bool
    max_tokens: int
    reasoning_effort: str
    reasoning_budget: int
    instruction_prefix: str
    response_prefix: str
    skip_prefill: bool
    direct: bool
    strip_newlines: bool
    stop_texts: str
    sanitize: bool
    concurrency: int
    max_cost: Decimal | None
    output: Path | None
    root: Path | None
    resume: bool
    overwrite: bool


def _of_model(*, required: bool) -> list[Callable[[_Command], _Command]]:
    path = click.Path(path_type=Path)
    what = "PROVIDER/MODEL, scripted/FILE or replay/FILE (see models)."
    return [
        click.option("--model", required=required, default=None if required else "", help=what),
        click.option("--backend", default="", help="The provider, if --model does not name it."),
        click.option("--base-url", default="", help="Address to use instead of the provider's."),
        click.option("--key-env", default="", metavar="NAME", help="The variable that holds the key."),
        click.option("--env-file", type=path, help="Also look keys up in this file of NAME=value lines."),
        click.option("--prices", type=path, help="TOML file of prices that win over the table."),
        click.option("--max-cost", metavar="USD", callback=as_dollars, help="Ask nothing more once so much is spent."),
    ]


def _of_sampling() -> list[Callable[[_Command], _Command]]:
    return [
        click.option("--n-samples", type=click.IntRange(1), default=1, show_default=True, help="Of each task."),
        click.option("--temperature", type=click.FloatRange(0), default=None, help="Default: 0."),
        click.option(
            "--top-p",
            type=click.FloatRange(0, 1, min_open=True),
            default=None,
            help="Default: 0.95, at temperature 0 none.",
        ),
        switch("--greedy", default=False, text="One sample a task at temperature 0."),
        click.option(
            *("--max-tokens", "--max-new-tokens", "max_tokens"), type=click.IntRange(1), default=1280, show_default=True
        ),
        click.option("--reasoning-effort", default="", help="low, medium, high, ... (default: the provider's)."),
        click.option("--reasoning-budget", type=click.IntRange(0), default=0, help="Tokens to think; 0: not said."),
        click.option(
            "--stop-texts",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            help="Cut answers where nothing of use comes; auto: by vllm, whose answers begin inside the program.",
        ),
    ]


def _of_tasks() -> list[Callable[[_Command], _Command]]:
    return [
        click.option("--data", default="", metavar="FILE", help="The benchmark's file, or hub to fetch it."),
        click.option("--split", type=click.Choice(["complete", "instruct"]), default="complete", show_default=True),
        click.option("--subset", default="", help="full, hard, ids, or a file of ids."),
    ]


def _of_prompts() -> list[Callable[[_Command], _Command]]:
    return [
        click.option(
            "--id-range",
            default="",
            metavar="LO-HI",
            help="LO up to, not with HI: places in BigCodeBench's data, else numbers of tasks.",
        ),
        click.option("--instruction-prefix", default=INSTRUCTION_PREFIX, help="What stands before a task."),
        click.option("--response-prefix", default=RESPONSE_PREFIX, help="What an answer begins with (vllm only)."),
        switch("--skip-prefill", default=False, text="No response prefix."),
        switch(
            *("--direct-completion", "--force-base-prompt", "direct"), default=False, text="The bare prompt, no chat."
        ),
        switch("--strip-newlines", default=False, text="No newlines at the ends of a bare prompt."),
    ]


def _of_answers() -> list[Callable[[_Command], _Command]]:
    return [
        click.option(
            "--root", type=click.Path(path_type=Path), default=None, help="The folder of the default --output."
        ),
        click.option("--sanitize/--no-sanitize", default=True, help="solution: the program, or the answer as it is."),
    ]


def _of_output() -> list[Callable[[_Command], _Command]]:
    path = click.Path(path_type=Path)
    return [
        click.option("--output", type=path, default=None, help="A .jsonl file (default: named as upstream names it)."),
        switch("--resume", default=True, text="Ask for what is missing in the output only."),
        click.option("--overwrite", is_flag=True, help="Drop what is there."),
        click.option("--concurrency", type=click.IntRange(1), default=8, show_default=True, help="Requests at once."),
    ]


def _foreign(taken: Iterable[str] = ()) -> list[Callable[[_Command], _Command]]:
    names = [name for name in (*IGNORED, *REFUSED) if name not in taken]
    return [
        click.option(f"--{name.replace('_', '-')}", name, is_flag=False, flag_value="True", default=None, hidden=True)
        for name in names
    ]


def generate_options(command: _Command) -> _Command:
    """Add the options of `generate`."""
    own = [*_of_model(required=True), *_of_sampling(), *_of_tasks(), *_of_prompts(), *_of_output(), *_of_answers()]
    for option in reversed([*own, *_foreign()]):
        command = option(command)
    return command


def model_options(command: _Command) -> _Command:
    """Add what says whom to ask and how, to a verb that has its own options for tasks and output (see `flags_of`).

    `--version` is such a verb's own too.
    """
    own = [*_of_model(required=False), *_of_sampling(), *_of_prompts(), *_of_answers()]
    own.append(click.option("--requests", type=click.IntRange(1), default=8, help="Requests to the model at once."))
    for option in reversed([*own, *_foreign(["version"])]):
        command = option(command)
    return command


def flags_of(given: dict[str, Any], *, data: str, split: str, subset: str) -> GenerateFlags:
    """Take what `model_options` adds out of what a verb was given. What is there is always kept and gone on with."""
    own = {"concurrency", "data", "output", "overwrite", "resume", "split", "subset"}
    taken = {field.name: given.pop(field.name) for field in fields(GenerateFlags) if field.name not in own}
    return GenerateFlags(
        **taken,
        concurrency=given.pop("requests"),
        data=data,
        split=split,
        subset=subset,
        output=None,
        resume=True,
        overwrite=False,
    )


def ignored(flags: dict[str, Any]) -> list[str]:
    """Take the options out that change nothing; a line for each that was given.

    Raises:
        UsageError: one was given that would change the answers, and is not taken.

    """
    for name, (usual, why) in REFUSED.items():
        value = flags.pop(name, None)
        if value is not None and value.lower() not in {usual.lower(), ""}:
            raise UsageError(f"--{name.replace('_', '-')} {value} is not taken: {why}")
    given = [name for name in IGNORED if flags.pop(name, None) is not None]
    return [f"--{name.replace('_', '-')} changes nothing here: {IGNORED[name]}" for name in given]
