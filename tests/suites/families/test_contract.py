"""What every family must keep, whatever it is about."""

import json
import re
from functools import cache, lru_cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families import FAMILIES
from proofyard.suites.scratch.family import Family
from tests.suites.families.harness import codes, generated, of, play, refused, valid_inputs

ALL = [pytest.param(FAMILIES[slug], id=slug) for slug in FAMILIES]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


def key(case: Any) -> str:
    return json.dumps(case, sort_keys=True)


def numbers(value: Any) -> Any:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [n for item in value for n in numbers(item)]
    return [value] if isinstance(value, int | float) else []


@pytest.mark.parametrize("family", ALL)
def test_contract_and_program_name_the_same(family: Family) -> None:
    program = family.program.OPERATIONS
    assert [doc.name for doc in family.operations] == list(program)
    for doc in family.operations:
        assert tuple(p.name for p in doc.parameters) == program[doc.name].parameters
        assert len({(error.code, error.when) for error in doc.errors}) == len(doc.errors)
        assert len({(error.code, error.extra) for error in doc.errors}) == len(codes(family, doc.name))
    assert len(family.operations) <= 4


@pytest.mark.parametrize("family", ALL)
def test_contract_fits_a_table(family: Family) -> None:
    for doc in family.operations:
        for param in doc.parameters:
            assert not re.search(r"[|\n]", param.type + param.text)
            assert param.required != ("default" in param.text)


@pytest.mark.parametrize("family", ALL)
def test_golden(family: Family) -> None:
    result = play(family, family.golden.op, dict(family.golden.args))
    assert json.dumps(result, sort_keys=True) == json.dumps(family.golden.expected, sort_keys=True)


@pytest.mark.parametrize("family", ALL)
def test_every_documented_code_comes_from_a_boundary_case_and_no_other(family: Family) -> None:
    seen: dict[str, set[str]] = {doc.name: set() for doc in family.operations}
    for op, _, result in played(family.slug):
        if isinstance(result, dict) and "code" in result:
            seen[op].add(result["code"])
            documented = {e.code: [n for n, _ in e.extra] for d in family.operations if d.name == op for e in d.errors}
            assert sorted(result) == sorted(["code", *documented[result["code"]]])
    by_boundary = {
        (op, result["code"])
        for op, args in family.boundary
        if isinstance(result := play(family, op, args), dict) and "code" in result
    }
    assert by_boundary == {(op, code) for op in seen for code in codes(family, op)}
    assert all(seen[op] == codes(family, op) for op in seen)


@pytest.mark.parametrize("family", ALL)
def test_enough_distinct_cases(family: Family) -> None:
    assert len(family.boundary) >= 12
    assert len(family.malformed) >= 12
    cases = [*family.boundary, *family.malformed, *generated(family, 24), (family.golden.op, dict(family.golden.args))]
    assert len({key(case) for case in cases}) == len(cases)
    for doc in family.operations:
        assert {doc.name} <= {op for op, _ in family.boundary} & {op for op, _ in family.malformed}
        assert doc.name in {op for op, _ in generated(family, 24)}


@pytest.mark.parametrize("family", ALL)
def test_malformed_arguments_are_refused(family: Family) -> None:
    assert [case for case in family.malformed if not refused(family, *case)] == []


@pytest.mark.parametrize("family", ALL)
def test_null_is_refused_for_every_argument(family: Family) -> None:
    """The scenarios spoil one argument so wherever the domain fails."""
    for op, args in family.boundary:
        for name in family.program.OPERATIONS[op].parameters:
            assert refused(family, op, {**args, name: None})


@pytest.mark.parametrize("family", ALL)
def test_no_integer_may_be_a_boolean_or_have_a_fraction(family: Family) -> None:
    for op, args in valid_inputs(family, 30):
        for change in (bool, float):
            for spoilt, null in zip(spoilt_integers(args, change), spoilt_integers(args, nothing), strict=True):
                assert refused(family, op, spoilt) or not refused(family, op, null)  # an ignored field takes anything


@lru_cache(maxsize=1)  # the tests of a family follow each other
def played(slug: str) -> list[tuple[str, dict[str, Any], Any]]:
    """Valid inputs with what they come to."""
    family = FAMILIES[slug]
    return [(op, args, play(family, op, args)) for op, args in valid_inputs(family, 1000)]


def nothing(_: int) -> None:
    """What is neither a boolean nor a number."""


def spoilt_integers(value: Any, change: Any) -> Any:
    """The value with one integer in it changed, for each integer."""
    if type(value) is int:
        yield change(value)
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        for spoilt in spoilt_integers(item, change):
            yield {**value, key: spoilt} if isinstance(value, dict) else [*value[:key], spoilt, *value[key + 1 :]]


@pytest.mark.parametrize("family", ALL)
def test_wrong_arguments_deep_inside_come_before_the_domain(family: Family) -> None:
    """Where the domain fails at one item of a list, a wrong item after it must have been tried."""
    for doc in family.operations:
        for op, args in family.boundary:
            if op != doc.name or "code" not in play(family, op, args):
                continue
            for name, value in args.items():
                if isinstance(value, list):
                    assert refused(family, op, {**args, name: [*value, None]})


def strings(value: Any, path: str = "") -> Any:
    """Each string in a value with its path; places in lists and the choices a family makes do not matter."""
    if isinstance(value, str):
        yield path, value
    if isinstance(value, list):
        for item in value:
            yield from strings(item, f"{path}[]")
    if isinstance(value, dict):
        for name, item in value.items():
            yield from strings(item, f"{path}.{name}")


def with_string(value: Any, wanted: str, new: str, path: str = "") -> Any:
    """The value with all strings at a path replaced."""
    if isinstance(value, list):
        return [with_string(item, wanted, new, f"{path}[]") for item in value]
    if isinstance(value, dict):
        return {name: with_string(item, wanted, new, f"{path}.{name}") for name, item in value.items()}
    return new if isinstance(value, str) and path == wanted else value


def limit_of(family: Family, op: str, args: dict[str, Any], path: str) -> int | None:
    """How long the string at a path may be at most; None if it is none of free choice."""
    if refused(family, op, with_string(args, path, "q")) or not refused(
        family, op, with_string(args, path, "q" * 9999)
    ):
        return None
    low, high = 1, 9999
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if refused(family, op, with_string(args, path, "q" * middle)) else (middle, high)
    return low


@pytest.mark.parametrize("family", ALL)
def test_lengths_of_strings_are_tried_in_code_points(family: Family) -> None:
    """For each string with a limit: a boundary case at the limit that is too long in UTF-16 units and in bytes."""
    limits: dict[tuple[str, str], int] = {}
    reached = set()
    for op, args in family.boundary:
        for path, text in strings(args):
            if (op, path) not in limits:
                limits[op, path] = limit_of(family, op, args, path) or 0
            if len(text) == limits[op, path] < len(text.encode("utf-16-le")) // 2:
                reached.add((op, path))
    assert {place for place, limit in limits.items() if limit} == reached
    assert bool(reached) == any("code points" in p.type + p.text for d in family.operations for p in d.parameters)


@pytest.mark.parametrize("family", ALL)
def test_generation_depends_on_the_seed_alone(family: Family) -> None:
    assert generated(family, 50) == generated(family, 50)
    assert generated(family, 50) != generated(family, 50, seed=1730)


@pytest.mark.parametrize("family", ALL)
def test_results_are_exact(family: Family) -> None:
    for op, args, result in played(family.slug)[: len(valid_inputs(family, 300))]:
        assert not any(isinstance(n, float) for n in numbers(result))
        assert play(family, op, {**args, "unknown extra": [1.5]}) == result
        assert "$" not in {k[:1] for k in re.findall(r'"([^"]*)":', key(args))}


@pytest.mark.parametrize("family", ALL)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_json_is_accepted_or_refused(family: Family, data: st.DataObject) -> None:
    doc = data.draw(st.sampled_from(family.operations))
    args = dict(data.draw(st.sampled_from(samples(family.slug, doc.name))))
    for name in data.draw(st.sets(st.sampled_from(program_names(family, doc.name)))):
        args[name] = data.draw(JSON | bent(args.get(name)))
    if not refused(family, doc.name, args):
        result = play(family, doc.name, args)
        assert not (isinstance(result, dict) and "code" in result) or result["code"] in codes(family, doc.name)


@cache
def samples(slug: str, op: str) -> list[dict[str, Any]]:
    return of(FAMILIES[slug], op, 40)


def program_names(family: Family, op: str) -> list[str]:
    return sorted(family.program.OPERATIONS[op].parameters)


def bent(value: Any) -> st.SearchStrategy[Any]:
    """The value with one spot in it replaced by any JSON."""
    if isinstance(value, list) and value:
        return st.integers(0, len(value) - 1).flatmap(
            lambda i: (JSON | bent(value[i])).map(lambda new: [*value[:i], new, *value[i + 1 :]])
        )
    if isinstance(value, dict) and value:
        return st.sampled_from(sorted(value)).flatmap(
            lambda k: (JSON | bent(value[k])).map(lambda new: {**value, k: new})
        )
    return JSON
