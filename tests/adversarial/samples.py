"""Samples that do not do what is asked and try to pass all the same (`attacks.txt`)."""

import re
from pathlib import Path

__all__ = ["ATTACKS", "MADE_FOR", "sections"]


def sections(file: str) -> dict[str, str]:
    """The sections of a file beside this one by their titles."""
    parts = re.split(r"^==== (.+)$", Path(__file__).with_name(file).read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _read() -> tuple[dict[str, str], dict[str, str]]:
    found = sections("attacks.txt")
    includes = {name.removeprefix("include "): text for name, text in found.items() if name.startswith("include ")}
    programs, tasks = {}, {}
    for title, text in found.items():
        name, _, task = title.partition(" | ")
        if not name.startswith("include "):
            filled = re.sub(r"^#include (\w+)$", lambda match: includes[match[1]], text, flags=re.MULTILINE)
            programs[name] = filled.strip() + "\n"
            tasks[name] = task or ("draw" if name.startswith("A14") else "")
    return programs, {name: task for name, task in tasks.items() if task}


ATTACKS, MADE_FOR = _read()
"""Program by name; a name begins with the number of the attack, A1 to A16. And the task that one was made for, where it is not
any task at all.
"""
