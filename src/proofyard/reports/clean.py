"""Text of a candidate made fit for a terminal: what a model wrote is hostile."""

import re

__all__ = ["clean", "shorten"]

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")


def clean(text: str) -> str:
    r"""Strip terminal escapes; show other control characters (line feed and tab apart) as `\xNN`."""
    text = _ESCAPES.sub("", text)
    return "".join(c if c in "\n\t" or c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def shorten(text: str, limit: int) -> str:
    """Cut the middle out of a long text and say how much is gone."""
    if len(text) <= limit:
        return text
    half = max(1, (limit - 24) // 2)
    return f"{text[:half]} … [{len(text) - 2 * half} characters] … {text[-half:]}"
