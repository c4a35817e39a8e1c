"""What `generate` is to ask: the model, the tasks, the prompts, the settings, and where the samples go."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import msgspec

from proofyard.cli.generate_flags import GenerateFlags
from proofyard.core import Record, Sampling, UnknownNameError, UsageError, decimal_text
from proofyard.formats.rows import BigCodeRow, EvalRow
from proofyard.source.extract_names import names_of
from proofyard.source.sanitize import sanitize
from proofyard.suites.functions.datasets import DATASETS, HUB, Found, find
from proofyard.suites.functions.programs import completed
from proofyard.suites.functions.prompts import Prompting, asked, begun, stop_texts
from proofyard.suites.functions.subsets import HARD, chosen

if TYPE_CHECKING:
    from proofyard.models import Model, Request

__all__ = ["Plan", "Settings", "differences", "opened", "planned", "without_login"]

_PREFILLED: Final = "vllm"
"""The provider whose server continues an answer that was begun for the model."""
_CONTINUE: Final = {"continue_final_message": "true", "add_generation_prompt": "false"}
_BACKENDS: Final = {"google": "gemini", "hf-inference": "huggingface"}
_OWN_PROCESS: Final = {"hf", "bedrock", "gptqmodel", "hf_gaudi"}


class Settings(Record, frozen=True, kw_only=True):
    """All that decides what an answer can be; samples of one file share it.

    data: SHA-256 of the benchmark's data. response_prefix: as sent, "" if it was not.
    """

    benchmark: str
    split: str
    data: str
    model: str
    sampling: Sampling
    direct_completion: bool
    strip_newlines: bool
    instruction_prefix: str
    response_prefix: str
    sanitized: bool


class Plan(NamedTuple):
    """rows: of the tasks asked for, in the order of the data. notes: what the user should know."""

    settings: Settings
    prompting: Prompting
    rows: Mapping[str, BigCodeRow | EvalRow]
    every: Mapping[str, BigCodeRow | EvalRow]
    output: Path
    notes: tuple[str, ...]

    def request(self, task_id: str, k: int) -> "Request":
        """The question for one sample."""
        from proofyard.models import Message, Request, Text, user

        messages = [user(asked(self.rows[task_id], self.prompting))]
        beginning = begun(self.prompting)
        if beginning:
            messages.append(Message(role="assistant", parts=(Text(text=beginning),)))
        return Request(messages=tuple(messages), sampling=self.settings.sampling, sample=k)

    def sample(self, task_id: str, answer: str) -> dict[str, str]:
        """The line of one answer."""
        row = self.every.get(task_id)
        if row is None:
            raise UsageError(f"{self.output}: {task_id} is no task of {self.settings.benchmark}")
        return {"task_id": task_id, "solution": self._program(row, answer), "raw_solution": answer}

    def _program(self, row: BigCodeRow | EvalRow, answer: str) -> str:
        prompt = completed(row)
        if self.settings.sanitized:
            whole = f"{begun(self.prompting)}{answer}"  # so that a fence that was opened for the model is seen
            return sanitize(whole, row.entry_point, names_of(prompt).binds, prompt).code
        bare = self.prompting.direct and self.prompting.split == "complete"
        return f"{prompt}{answer}" if bare else answer


def opened(flags: GenerateFlags) -> "Model":
    """Open the model. Raises UsageError: its name, key or address is not known, or a file cannot be read."""
    from proofyard.models import Options, Prices, open_model, read_env_file, read_prices

    environment = {**os.environ, **(read_env_file(flags.env_file) if flags.env_file else {})}
    options = Options(prices=Prices(read_prices(flags.prices)) if flags.prices else None)
    return open_model(
        _model_name(flags), base_url=flags.base_url, key_env=flags.key_env, environment=environment, options=options
    )


def _model_name(flags: GenerateFlags) -> str:
    if not flags.backend:
        return flags.model
    if flags.backend in _OWN_PROCESS:
        raise UsageError(
            f"--backend {flags.backend} is not taken: models are asked at a server; serve it, e.g. with vllm, and "
            f"name vllm/{flags.model}"
        )
    return f"{_BACKENDS.get(flags.backend, flags.backend)}/{flags.model}"


def planned(benchmark: str, flags: GenerateFlags, model: str) -> Plan:
    """Work out what is to be asked.

    Raises:
        UsageError: options that exclude each other, no data, no such subset.

    """
    if benchmark not in DATASETS:
        raise UnknownNameError("benchmark", benchmark, DATASETS, f"function benchmarks: {', '.join(DATASETS)}")
    if flags.split == "instruct" and benchmark != "bigcodebench":
        raise UsageError(f"--split instruct is for bigcodebench: {benchmark} has one prompt a task")
    found = find(DATASETS[benchmark], {"data": flags.data})
    rows = _rows(benchmark, flags, found)
    sampling, prompting = _sampling(benchmark, flags, model)
    settings = Settings(
        benchmark=benchmark,
        split=flags.split,
        data=found.sha,
        model=model,
        sampling=sampling,
        direct_completion=prompting.direct,
        strip_newlines=prompting.strip_newlines,
        instruction_prefix="" if prompting.direct else prompting.instruction_prefix,
        response_prefix=prompting.response_prefix,
        sanitized=flags.sanitize,
    )
    every = {row.task_id: row for row in found.rows}
    return Plan(settings, prompting, rows, every, _output(benchmark, flags, settings), tuple(_notes(flags, prompting)))


def _rows(benchmark: str, flags: GenerateFlags, found: Found) -> dict[str, BigCodeRow | EvalRow]:
    every: dict[str, BigCodeRow | EvalRow] = {row.task_id: row for row in found.rows}
    ids = chosen(flags.subset, tuple(every), benchmark, download=flags.data == HUB)
    if flags.id_range:
        match = re.fullmatch(r"[\[(]?\s*(\d+)\s*[-,]\s*(\d+)\s*[\])]?", flags.id_range)
        if match is None:
            raise UsageError(f"--id-range {flags.id_range}: write LO-HI, e.g. 10-20")
        wanted = range(int(match[1]), int(match[2]))
        by_place = benchmark == "bigcodebench"
        ids = tuple(i for n, i in enumerate(ids) if (n if by_place else int(i.rpartition("/")[2])) in wanted)
        if not ids:
            raise UsageError(f"--id-range {flags.id_range}: no task is in it (LO up to, not with HI)")
    return {task_id: every[task_id] for task_id in ids}


def _sampling(benchmark: str, flags: GenerateFlags, model: str) -> tuple[Sampling, Prompting]:
    temperature = flags.temperature or 0.0
    if flags.greedy and (temperature or flags.n_samples > 1):
        raise UsageError("--greedy is one sample a task at temperature 0: leave out --temperature and --n-samples")
    if flags.reasoning_effort and flags.reasoning_budget:
        raise UsageError("--reasoning-effort and --reasoning-budget exclude each other")
    continues = model.startswith(f"{_PREFILLED}/")
    prefilled = continues and not (flags.skip_prefill or flags.direct)
    prompting = Prompting(
        split=flags.split,
        direct=flags.direct,
        instruction_prefix=flags.instruction_prefix,
        response_prefix=flags.response_prefix if prefilled else "",
        strip_newlines=flags.strip_newlines,
    )
    inside = continues and (flags.direct or bool(prompting.response_prefix))
    cut = inside if flags.stop_texts == "auto" else flags.stop_texts == "always"
    top_p = flags.top_p if flags.top_p is not None else 0.95 if temperature else None
    budget = str(flags.reasoning_budget) if flags.reasoning_budget else None
    sampling = Sampling(
        temperature=decimal_text(temperature),
        top_p=None if top_p is None else decimal_text(top_p),
        max_tokens=flags.max_tokens,
        stop=stop_texts(prompting, benchmark) if cut else (),
        reasoning=flags.reasoning_effort or budget,
        extra=dict(_CONTINUE) if prompting.response_prefix else {},
    )
    return sampling, prompting


def _notes(flags: GenerateFlags, prompting: Prompting) -> list[str]:
    from click import get_current_context
    from click.core import ParameterSource

    context = get_current_context()

    def given(name: str) -> bool:
        return context.get_parameter_source(name) == ParameterSource.COMMANDLINE

    notes = []
    if flags.n_samples > 1 and not flags.temperature:
        notes.append(f"{flags.n_samples} samples at temperature 0 will hardly differ: give --temperature")
    if given("response_prefix") and not prompting.response_prefix:
        notes.append(
            "--response-prefix changes nothing here: it is for chats with vllm, whose server continues answers"
        )
    if given("instruction_prefix") and prompting.direct:
        notes.append("--instruction-prefix changes nothing here: with --direct-completion the bare prompt is sent")
    if given("strip_newlines") and not prompting.direct:
        notes.append("--strip-newlines changes nothing here: in a chat, prompts are always stripped")
    return notes


def _output(benchmark: str, flags: GenerateFlags, settings: Settings) -> Path:
    """The file named, or one named as bigcodebench and evalplus name theirs."""
    if flags.output is not None:
        if flags.root is not None:
            raise UsageError("--output and --root exclude each other")
        if flags.output.suffix != ".jsonl":
            raise UsageError(f"--output {flags.output}: its name has to end in .jsonl")
        return flags.output
    provider, _, rest = settings.model.partition("/")
    model, temperature = rest.replace("/", "--"), str(float(settings.sampling.temperature or 0))
    if benchmark != "bigcodebench":
        folder = (flags.root or Path("evalplus_results")) / benchmark
        return folder / f"{model}_{provider}_temp_{temperature}.jsonl"
    parts = [model]
    if settings.sampling.reasoning:
        parts.append(settings.sampling.reasoning)
    if flags.skip_prefill:
        parts.append("skip_prefill")
    hard = "bigcodebench-hard" if flags.subset == HARD else "bigcodebench"
    end = f"{hard}-{flags.split}--{provider}-{temperature}-{flags.n_samples}-sanitized_calibrated.jsonl"
    return (flags.root or Path("bcb_results")) / "--".join([*parts, "main", end])


def without_login(url: str) -> str:
    """An address without a name and a password in it."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])) if "@" in parts.netloc else url


def differences(before: Any, now: Settings) -> list[str]:
    """The fields in which settings kept as JSON differ from these."""
    kept = before if isinstance(before, dict) else {}
    plain = msgspec.json.decode(msgspec.json.encode(now))
    return [name for name in now.__struct_fields__ if kept.get(name) != plain.get(name)]
