"""What a family must keep clear of so that the tiers can take it."""

import pytest

from proofyard.suites.scratch.families import CATEGORIES, FAMILIES, NUMBERS, present
from proofyard.suites.scratch.prompts.service import service_operations

from .inprocess import SUITE


@pytest.mark.parametrize("slug", list(FAMILIES))
def test_no_operation_has_a_name_of_the_document_service(slug: str) -> None:
    service = {operation.name for operation in service_operations(3)}
    assert service.isdisjoint(FAMILIES[slug].program.OPERATIONS)


@pytest.mark.parametrize("slug", list(FAMILIES))
def test_numbers_and_categories(slug: str) -> None:
    family = FAMILIES[slug]
    assert (family.slug, family.number) == (slug, NUMBERS[slug])
    assert slug in CATEGORIES[family.category]


def test_families_are_found_by_module() -> None:
    assert set(present()) == set(FAMILIES) <= set(NUMBERS)
    assert [NUMBERS[slug] for slug in present()] == sorted(NUMBERS[slug] for slug in present())
    assert list(CATEGORIES) == [
        "text",
        "data",
        "calendar",
        "numbers",
        "graphs",
        "scheduling",
        "ledgers",
        "geometry",
        "parsing",
        "simulation",
    ]
    with pytest.raises(KeyError):
        FAMILIES["rate-limiter-2"]


@pytest.mark.parametrize("task_id", SUITE.ids())
def test_golden_case_is_expected_as_it_was_worked_out(task_id: str) -> None:
    first = SUITE.scenarios(task_id)[0].sessions[0].rows[0]
    family = SUITE.family(task_id)
    assert (first.send["op"], first.send["args"]) == (family.golden.op, family.golden.args)
    assert first.expect[0] == {"id": "g-1", "ok": True, "result": family.golden.expected}
