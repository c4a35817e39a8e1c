"""What a family must keep clear of so that the tiers can take it."""

import ast
import io
import tokenize
from pathlib import Path

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


def test_no_program_for_one_family_knows_all_operations_of_another() -> None:
    """So no one answer passes two families: what it does not know it must call an unknown operation."""
    known = {slug: set(FAMILIES[slug].program.OPERATIONS) for slug in FAMILIES}
    assert [(one, other) for one in known for other in known if one != other and known[one] <= known[other]] == []


@pytest.mark.parametrize("slug", list(FAMILIES))
def test_no_family_is_too_long_for_the_smallest_models(slug: str) -> None:
    """Lines of code of the reference beside the checks of arguments, imports and tables, which all families have alike."""
    source = Path(FAMILIES[slug].program.__file__ or "").read_text()
    assert _lines_of_work(source) <= 88


def _lines_of_work(source: str) -> int:
    tree = ast.parse(source)
    left_out = {line for node in tree.body if _is_frame(node) for line in _span(node)}
    left_out |= {line for node in ast.walk(tree) if _is_text(node) for line in _span(node)}
    none = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    used = {line for token in tokens if token.type not in none for line in range(token.start[0], token.end[0] + 1)}
    return len(used - left_out)


def _span(node: ast.AST) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)  # type: ignore[attr-defined]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_frame(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name.startswith("check")
    names = (
        {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.Assign)
        else set()
    )
    return isinstance(node, ast.Import | ast.ImportFrom) or bool(names & {"OPERATIONS", "__all__"})
