"""Which scenarios a tier has, in order: each is one script, written by one or more functions."""

from collections.abc import Callable

from proofyard.core import Scenario
from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.scenarios import (
    direct,
    documents,
    durable,
    envelope,
    keys,
    kills,
    revisions,
    transactions,
)
from proofyard.suites.scratch.script import Script, Stage
from proofyard.suites.scratch.tiers import Tier

__all__ = ["PUBLIC", "examples_for", "scenarios_of"]

PUBLIC = ("example-1", "example-2")
"""The names of the public examples."""

_Parts = dict[str, tuple[Callable[[Script], None], ...]]

_FAMILY: _Parts = {
    "inputs": (direct.all_inputs,),
    "lines": (envelope.broken_lines, envelope.requests, envelope.last_lines),
}
_DOCUMENTS: _Parts = {
    "documents": (documents.life_cycle,),
    "names-and-arguments": (documents.names, documents.wrong_arguments),
}
_CHANGES: _Parts = {"transactions-and-batches": (transactions.nesting, revisions.batches)}
_END: _Parts = {"open-at-end": (transactions.open_at_end,)}

_PLAN: dict[str, _Parts] = {
    "easy": {
        "example-1": (direct.golden_example,),
        "example-2": (direct.errors_example,),
        **_FAMILY,
        "silence": (direct.silence,),
    },
    "intermediate": {
        "example-1": (direct.golden_example, direct.errors_example),
        "example-2": (documents.documents_example,),
        **_FAMILY,
        **_DOCUMENTS,
    },
    "hard": {
        "example-1": (direct.golden_example, direct.errors_example),
        "example-2": (revisions.hard_example,),
        **_FAMILY,
        **_DOCUMENTS,
        "revisions": (revisions.conflicts,),
        **_CHANGES,
        **_END,
    },
    "max": {
        "example-1": (direct.golden_example, direct.errors_example),
        "example-2": (keys.max_example,),
        "inputs-and-lines": (direct.all_inputs, envelope.broken_lines, envelope.requests, envelope.last_lines),
        **_DOCUMENTS,
        "revisions-and-pages": (revisions.conflicts, durable.histories, durable.pages, durable.pages_of_history),
        **_CHANGES,
        **_END,
        "keys": (keys.retries, keys.keys_in_transactions, keys.keys_over_restarts),
        "killed-at-response": (kills.at_response, kills.keyed_at_response),
        "killed-in-the-middle": (kills.in_the_middle,),
        "killed-while-growing": (kills.torn_growth,),
    },
}


def scenarios_of(tier: Tier, family: Family, seed: int) -> tuple[Scenario, ...]:
    """All scenarios of a task: public examples first. Deterministic; the program runs in this process."""
    return _written(tier, family, seed, tuple(_PLAN[tier.name]))


def examples_for(tier: Tier, family: Family, seed: int) -> tuple[Scenario, ...]:
    """The public ones alone, the same as in `scenarios_of`."""
    return _written(tier, family, seed, PUBLIC)


def _written(tier: Tier, family: Family, seed: int, names: tuple[str, ...]) -> tuple[Scenario, ...]:
    stage = Stage(tier, family, seed)
    for name in names:
        script = stage.script(name, public=name in PUBLIC)
        for write in _PLAN[tier.name][name]:
            write(script)
    return stage.scenarios()
