"""The sums in a job's `result.json`, by Harbor's rules of version 0.26: what has no valid reward is left out, never 0."""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from proofyard.formats.harbor.job_documents import TrialDocument
from proofyard.stats import pass_at_k

__all__ = ["stats_of"]


def stats_of(documents: Sequence[TrialDocument], total: int) -> dict[str, Any]:
    """The `stats` of a job of so many trials, of those that were made."""
    groups: dict[str, list[TrialDocument]] = defaultdict(list)
    for document in documents:
        groups[_key(document)].append(document)
    contexts = [document.agent_result for document in documents if document.agent_result is not None]
    return {
        "n_completed_trials": len(documents),
        "n_errored_trials": sum(document.exception_info is not None for document in documents),
        "n_running_trials": 0,
        "n_pending_trials": max(0, total - len(documents)),
        "n_cancelled_trials": 0,
        "n_retries": 0,
        "evals": {key: _evals(group) for key, group in groups.items()},
        "n_input_tokens": _sum([context.n_input_tokens for context in contexts]),
        "n_cache_tokens": _sum([context.n_cache_tokens for context in contexts]),
        "n_output_tokens": _sum([context.n_output_tokens for context in contexts]),
        "cost_usd": _sum([context.cost_usd for context in contexts]),
    }


def _key(document: TrialDocument) -> str:
    info = document.agent_info
    names = [info.name, *([info.model_info.name] if info.model_info else []), document.source or "adhoc"]
    return "__".join(names)


def _evals(group: Sequence[TrialDocument]) -> dict[str, Any]:
    rewarded = [(document, rewards) for document in group if (rewards := _rewards(document))]
    values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    exceptions: dict[str, list[str]] = defaultdict(list)
    for document, rewards in rewarded:
        for key, value in rewards.items():
            values[key][repr(value)].append(document.trial_name)
    for document in group:
        if document.exception_info is not None:
            exceptions[document.exception_info.exception_type].append(document.trial_name)
    return {
        "n_trials": len(rewarded),
        "n_errors": sum(document.exception_info is not None for document in group),
        "metrics": _metrics([rewards for _, rewards in rewarded]),
        "pass_at_k": _passes(rewarded),
        "reward_stats": {key: dict(by_value) for key, by_value in values.items()},
        "exception_stats": dict(exceptions),
    }


def _rewards(document: TrialDocument) -> dict[str, float]:
    found = document.verifier_result.rewards if document.verifier_result is not None else None
    return {key: value for key, value in (found or {}).items() if value is not None}


def _metrics(rewards: Sequence[dict[str, float]]) -> list[dict[str, float]]:
    """The mean over all attempts: of a single key as `mean`, of several each by its name, where a missing one is 0."""
    keys = list(dict.fromkeys(key for one in rewards for key in one))
    means = {key: math.fsum(one.get(key, 0.0) for one in rewards) / len(rewards) for key in keys}
    return [{"mean": means[keys[0]]} if len(keys) == 1 else means] if keys else []


def _passes(rewarded: Sequence[tuple[TrialDocument, dict[str, float]]]) -> dict[str, float]:
    """pass@k for k of 2, 4, 8, ... and 5, 10, 15, ... up to the fewest attempts; only where rewards are one key of 0 and 1."""
    tasks: dict[str, list[float]] = defaultdict(list)
    for document, rewards in rewarded:
        if len(rewards) != 1 or next(iter(rewards.values())) not in {0, 1}:
            return {}
        tasks[document.task_name].extend(rewards.values())
    fewest = min((len(found) for found in tasks.values()), default=0)
    wanted = {2**n for n in range(1, fewest.bit_length()) if 2**n <= fewest} | set(range(5, fewest + 1, 5))
    return {
        str(k): math.fsum(pass_at_k(len(found), int(sum(found)), k) or 0.0 for found in tasks.values()) / len(tasks)
        for k in sorted(wanted)
    }


def _sum(values: Sequence[float | None]) -> float | None:
    """The sum of what is known, as Harbor adds it up; None if nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None
