from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofyard.core import Mismatch
from proofyard.graders.envelope import error_code, match

OK = {"id": "a", "ok": True, "result": {"n": 1}}
ERROR = {"id": None, "ok": False, "error": {"code": "conflict", "message": {"$any": "message"}, "revision": 3}}


def nothing(expected: Any, got: Any) -> bool | None:
    return None


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (OK, {"result": {"n": 1}, "ok": True, "id": "a"}),
        (OK, {**OK, "time": 5, "error": None}),
        (ERROR, {"id": None, "ok": False, "error": {"code": "conflict", "message": "", "revision": 3}}),
        (
            ERROR,
            {
                "id": None,
                "ok": False,
                "result": 1,
                "error": {"code": "conflict", "message": "m", "revision": 3, "x": []},
            },
        ),
    ],
)
def test_agrees(expected: dict[str, Any], got: dict[str, Any]) -> None:
    assert match(expected, got, nothing) is None


@pytest.mark.parametrize(
    ("expected", "got", "path", "why"),
    [
        (OK, [], "$", "the response is not an object"),
        (OK, {"ok": True, "result": {"n": 1}}, "$.id", "missing"),
        (OK, {**OK, "id": "b"}, "$.id", "another value"),
        (OK, {**OK, "ok": 1}, "$.ok", "an integer, not a boolean"),
        (OK, {"id": "a", "ok": True}, "$.result", "missing"),
        (OK, {**OK, "result": {"n": 1, "m": 2}}, "$.result.m", "an extra key"),
        (OK, {**OK, "result": {}}, "$.result.n", "missing"),
        (ERROR, {"id": None, "ok": False}, "$.error", "missing"),
        (ERROR, {"id": None, "ok": False, "error": "conflict"}, "$.error", "not an object"),
        (
            ERROR,
            {"id": None, "ok": False, "error": {"code": "x", "message": "m", "revision": 3}},
            "$.error.code",
            "another value",
        ),
        (
            ERROR,
            {"id": None, "ok": False, "error": {"code": "conflict", "message": "m"}},
            "$.error.revision",
            "missing",
        ),
        (
            ERROR,
            {"id": None, "ok": False, "error": {"code": "conflict", "message": "m", "revision": "3"}},
            "$.error.revision",
            "a string, not an integer",
        ),
        (
            ERROR,
            {"id": None, "ok": False, "error": {"code": "conflict", "revision": 3}},
            "$.error.message",
            "not a string",
        ),
        (
            ERROR,
            {"id": None, "ok": False, "error": {"code": "conflict", "message": None, "revision": 3}},
            "$.error.message",
            "not a string",
        ),
    ],
)
def test_differs(expected: dict[str, Any], got: Any, path: str, why: str) -> None:
    found = match(expected, got, nothing)
    assert isinstance(found, Mismatch)
    assert (found.path, found.why) == (path, why)


@pytest.mark.parametrize(
    ("response", "code"),
    [(ERROR, "conflict"), (OK, None), ({"ok": False}, None), ({"ok": False, "error": {"code": 5}}, None), (7, None)],
)
def test_error_code(response: Any, code: str | None) -> None:
    assert error_code(response) == code


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=10,
)


@given(JSON, st.dictionaries(st.text(min_size=1), JSON, max_size=3))
def test_extra_keys_of_the_envelope_never_matter(result: Any, extra: dict[str, Any]) -> None:
    expected = {"id": "r", "ok": True, "result": result}
    assert match(expected, {**extra, **expected}, nothing) is None


@given(JSON, JSON, st.text(min_size=1))
def test_another_result_never_passes(result: Any, other: Any, key: str) -> None:
    expected = {"id": "r", "ok": True, "result": {key: result}}
    found = match(expected, {**expected, "result": {key: [other, result]}}, nothing)
    assert (found is None) == ([other, result] == result)
    assert match(expected, {**expected, "result": {key: result, key + "x": other}}, nothing) is not None
    assert match(expected, {**expected, "result": {}}, nothing) is not None
