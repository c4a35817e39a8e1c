"""Runs of the toy suite, and what is compared of them."""

from pathlib import Path
from typing import Any

import msgspec

from proofyard.engine import Counts, RunOutcome, RunRequest, run
from proofyard.store import RunData, read_run


def request(path: Path, *agents: str, **more: Any) -> RunRequest:
    return RunRequest(suite="toy", output=str(path), agents=agents or ("oracle",), **more)


def go(path: Path, *agents: str, **more: Any) -> RunOutcome:
    return run(request(path, *agents, **more), lambda counts: None)


def collect(path: Path, *agents: str, **more: Any) -> tuple[RunOutcome, list[Counts]]:
    seen: list[Counts] = []
    return run(request(path, *agents, **more), seen.append), seen


def essence(path: Path) -> tuple[list[Any], list[Any]]:
    """Trials and verdicts of a run without times and order: what must not depend on how often it was killed."""
    data: RunData = read_run(path)
    trials = [msgspec.structs.replace(t, started="", wall_us=0, tries=1) for _, t in sorted(data.trials.items())]
    verdicts = [msgspec.structs.replace(v, started="", wall_us=0) for _, v in sorted(data.verdicts.items())]
    return trials, verdicts
