"""Comparison of whole responses: extra keys are allowed in the envelope and in `error` only."""

from collections.abc import Callable
from typing import Any

from proofyard.core import Mismatch, equal

__all__ = ["error_code", "match"]

Special = Callable[[Any, Any], bool | None]


def match(expected: dict[str, Any], got: Any, special: Special) -> Mismatch | None:
    """Return None if the response is what was expected, else the first difference.

    Each key of the expected envelope is compared (`result` with exact key sets). Of an error: the code and the extra
    fields expected; that the message is a string; its words are the program's own.
    """
    if not isinstance(got, dict):
        return Mismatch("$", expected, got, "the response is not an object")
    for key, value in expected.items():
        path = f"$.{key}"
        if key not in got:
            return Mismatch(path, value, None, "missing")
        if key == "error" and isinstance(value, dict):
            found = _error(value, got[key], special)
        else:
            found = equal(value, got[key], special=special, path=path)
        if found is not None:
            return found
    return None


def error_code(response: Any) -> str | None:
    """The error code of a response, None if it has none."""
    error = response.get("error") if isinstance(response, dict) and response.get("ok") is False else None
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, str) else None


def _error(expected: dict[str, Any], got: Any, special: Special) -> Mismatch | None:
    if not isinstance(got, dict):
        return Mismatch("$.error", expected, got, "not an object")
    for key, value in expected.items():
        if key == "message":
            continue
        if key not in got:
            return Mismatch(f"$.error.{key}", value, None, "missing")
        found = equal(value, got[key], special=special, path=f"$.error.{key}")
        if found is not None:
            return found
    if not isinstance(got.get("message"), str):
        return Mismatch("$.error.message", {"$any": "message"}, got.get("message"), "not a string")
    return None
