"""The public examples as text: what the public scenarios send, and what the program answers."""

import base64
import json
from collections.abc import Iterable

from proofyard.core import Example, Row, Scenario
from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.machine import Machine
from proofyard.suites.scratch.tiers import Tier

__all__ = ["examples_of"]


def examples_of(tier: Tier, family: Family, scenarios: Iterable[Scenario]) -> tuple[Example, ...]:
    """One example for each public scenario; these have one session and no placeholders in what they send."""
    return tuple(_example(tier, family, scenario) for scenario in scenarios if scenario.public)


def _example(tier: Tier, family: Family, scenario: Scenario) -> Example:
    (session,) = scenario.sessions
    machine = Machine(tier, family)
    lines = [_line(row) for row in session.rows]
    answers = [json.dumps(machine.respond(line.encode()), ensure_ascii=False) for line in lines]
    return Example(name=scenario.name, input=_text(lines), output=_text(answers))


def _line(row: Row) -> str:
    return base64.b64decode(row.raw).decode() if row.raw else json.dumps(row.send, ensure_ascii=False)


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
