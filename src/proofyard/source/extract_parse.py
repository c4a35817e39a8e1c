"""Parsing text of any origin: no warning, one answer for whatever the parser makes of it."""

import ast
import warnings

__all__ = ["parsed", "parses"]


def parsed(text: str) -> ast.Module | None:
    """Return the syntax tree of a program; None if it is not Python, or nested more deeply than the parser goes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in strings: not ours to mend
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parses(text: str) -> bool:
    """Whether a text is a Python program."""
    return parsed(text) is not None
