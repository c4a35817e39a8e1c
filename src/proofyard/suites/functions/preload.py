"""What a warm process imports before it is forked: the modules that a dataset's tasks use most."""

import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from proofyard.formats.rows import BigCodeRow

__all__ = ["STANDARD", "by_frequency"]

STANDARD: Final = ("bisect", "collections", "copy", "functools", "heapq", "itertools", "math", "re", "string", "typing")
"""For the datasets whose tasks use the standard library alone."""

_FEWEST: Final = 5
"""A module that fewer tasks use is not worth what each fork pays for the memory."""

_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w, \t]+)|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_NEVER: Final = frozenset({"antigravity", "this", "tkinter", "turtle", "__main__"})


def by_frequency(rows: Iterable[BigCodeRow], packages: str) -> tuple[str, ...]:
    """Return modules that tasks or their tests import, most used first, of those that are there.

    packages: the environment's `site-packages`, "" for none. Looked up as files: nothing is imported here.
    """
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(_modules(row.code_prompt) | _modules(row.test))
    used = [name for name, count in counts.most_common() if count >= _FEWEST]
    there = [name for name in used if name.partition(".")[0] not in _NEVER and _present(name, packages)]
    return tuple(sorted(there, key=lambda name: (-counts[name], name)))


def _modules(text: str) -> set[str]:
    """Names that import statements may name modules by; `from a import b` may mean `a.b`."""
    found: set[str] = set()
    for base, names, plain in _IMPORT.findall(text):
        if base:
            found.add(base)
            found.update(f"{base}.{name.split()[0]}" for name in names.split(",") if name.strip())
        else:
            found.update(name.split()[0] for name in plain.split(",") if name.strip())
    return {name for name in found if all(part.isidentifier() for part in name.split("."))}


def _present(name: str, packages: str) -> bool:
    top, _, rest = name.partition(".")
    if top in sys.stdlib_module_names:
        folder = Path(re.__file__).parents[1]
        return not rest or _is_module(folder, name)
    return bool(packages) and _is_module(Path(packages), name)


def _is_module(folder: Path, name: str) -> bool:
    path = folder.joinpath(*name.split("."))
    return (path / "__init__.py").is_file() or path.with_suffix(".py").is_file()
