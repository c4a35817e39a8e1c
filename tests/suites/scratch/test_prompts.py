"""Prompts say all that the tests touch, and nothing of the reference."""

import re

import pytest

from proofyard.core import Example, Limits
from proofyard.suites.scratch.families import FAMILIES
from proofyard.suites.scratch.prompts import render, wording
from proofyard.suites.scratch.prompts.service import service_operations
from proofyard.suites.scratch.tiers import TIERS

from .inprocess import SUITE, loaded

SERVICE = {
    "easy": set(),
    "intermediate": {"create", "get", "update", "delete", "list", "evaluate"},
    "hard": {"create", "get", "update", "delete", "list", "evaluate", "batch", "begin", "commit", "rollback"},
}
SERVICE["max"] = SERVICE["hard"] | {"history"}
CODES = {
    "easy": {"bad_json", "bad_request", "unknown_op", "invalid_args"},
    "intermediate": {"not_found", "exists"},
    "hard": {"conflict", "batch_failed", "no_transaction"},
    "max": {"key_reuse"},
}


def prompt_of(task_id: str) -> str:
    text: str = loaded(SUITE, task_id).steps[0].brief.prompt
    return text


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_all_operations_arguments_and_codes(task_id: str) -> None:
    text = prompt_of(task_id)
    family = SUITE.family(task_id)
    tier = TIERS[task_id.split("-")[1]]
    service = service_operations(tier.level) if tier.level else ()
    assert {operation.name for operation in service} == SERVICE[tier.name]
    glance = text.partition("## All results at a glance")[2].partition("## Examples")[0]
    for operation in (*family.operations, *service):
        level = "###" if operation in family.operations else "####"
        assert f"\n{level} `{operation.name}`\n" in text
        assert f"\n| `{operation.name}` | " in glance
        for parameter in operation.parameters:
            needed = "yes" if parameter.required else "no"
            assert f"| `{parameter.name}` | {parameter.type} | {needed} | {parameter.text} |" in text
        for error in operation.errors:
            assert error.when in text
    assert {operation.name for operation in family.operations} == set(family.program.OPERATIONS)
    known = {code for name, codes in CODES.items() if TIERS[name].level <= tier.level for code in codes}
    assert all(f"`{code}`" in text for code in known)


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_codes_and_operations_expected_are_named(task_id: str) -> None:
    text = prompt_of(task_id)
    expected = loaded(SUITE, task_id).steps[0].hidden.expected
    for code in set(re.findall(r'"error":\{"code":"(\w+)"', expected)) | set(
        re.findall(r'"item_code":"(\w+)"', expected)
    ):
        assert f"`{code}`" in text


@pytest.mark.parametrize("tier", list(TIERS))
def test_well_formed(tier: str) -> None:
    text = prompt_of(SUITE.ids(tier)[0])
    assert not re.search(r"\{[a-z_]+\}|\{\{|\}\}\}\}", text.partition("## Examples")[0])
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    assert text.count("```") % 2 == 0
    assert ("--state-dir" in text) is (tier == "max")
    assert ("idempotency_key" in text) is (tier == "max")
    assert ("if_revision" in text) is (tier in {"hard", "max"})
    assert ("/workspace/project" in text) and ("C.UTF-8" in text) and ("standard library only" in text)
    for word in ("proofyard", "reference", "StateFile", "SKIP", "None"):
        assert word not in text.partition("## Examples")[0]


def test_shared_text_is_in_even_lines() -> None:
    for name in wording.__all__:
        for line in str(getattr(wording, name)).splitlines():
            assert len(line) <= 118 or line.startswith("|"), line


def test_limits_and_examples_are_those_given() -> None:
    family = FAMILIES["word-frequency"]
    limits = Limits(cpu_ms=7000, wall_ms=11_000, memory=3 << 20, tree_memory=4 << 20, pids=9, files=17)
    text = render(TIERS["easy"], family, limits, (Example(name="e", input="IN\n", output="OUT\n"),))
    for part in ("7 s of CPU", "11 s of wall", "3 MiB of address", "4 MiB of memory", "9 processes", "17 open files"):
        assert part in text
    assert "```\nIN\n```\n\n```\nOUT\n```" in text
    assert "### Example 2" not in text
