"""Parsing text of any origin: no warning, one answer for whatever the parser makes of it."""

import ast
import warnings

__all__ = ["error_line", "parsed", "parses"]


def parsed(text: str) -> ast.Module | None:
    """Return the syntax tree of a program; None if it is not Python, or nested more deeply than the parser goes."""
    try:
        return _parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parses(text: str) -> bool:
    """Whether a text is a Python program."""
    return parsed(text) is not None


def error_line(text: str) -> int | None:
    """Return None if a text parses; else the line, from 1, where the parser says it failed, 0 if it does not say."""
    try:
        _parse(text)
    except SyntaxError as error:
        return error.lineno or 0
    except (ValueError, RecursionError, MemoryError):
        return 0
    return None


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes in strings: not ours to mend
        return ast.parse(text)
