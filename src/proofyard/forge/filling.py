"""Templates: files of the package with «KEY» where something is to be filled in."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["fill", "template", "templates"]

_TEMPLATES: Final = Path(__file__).with_name("templates")
_MARKER: Final = re.compile(r"«(\w*)»")


@cache
def template(path: str) -> str:
    """The text of a template, by its path below `templates` without the `.in` that they all end with."""
    return (_TEMPLATES / f"{path}.in").read_text("utf-8")


@cache
def templates(below: str) -> tuple[str, ...]:
    """The paths of all templates below a folder, from there and without `.in`, sorted."""
    folder = _TEMPLATES / below
    return tuple(sorted(path.relative_to(folder).as_posix().removesuffix(".in") for path in folder.rglob("*.in")))


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with all markers filled, also those in what they are filled with.

    Raises:
        ValueError: a marker has no value, or is not one.

    """
    for _ in range(4):
        unknown = sorted({key for key in _MARKER.findall(text) if key not in values})
        if unknown:
            raise ValueError(f"nothing to fill in for {', '.join(f'«{key}»' for key in unknown)}")
        text = _MARKER.sub(lambda found: values[found[1]], text)
    if "«" in text or "»" in text:
        raise ValueError("a marker is left")
    return text
