"""The sanitisers of BigCodeBench and EvalPlus, with what they lose: for scores that are to compare with theirs.

Both take the longest run of lines that parses, keep of its top level the imports and what the entry point reaches by name,
and drop the rest without asking what it did. `proofyard.source.sanitize` does better; see `docs/sanitizer.md`.
"""

import ast
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from proofyard.source.extract_lines import is_blank, is_nothing
from proofyard.source.extract_parse import parsed
from proofyard.source.extract_runs import Runs
from proofyard.source.spans import Spans

__all__ = ["Flavour", "calibrated", "longest_run", "sanitize_as"]

Flavour = Literal["bcb-compat", "evalplus-compat"]

_FENCE: Final = "```python\n"
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


def sanitize_as(flavour: Flavour, text: str, entry_point: str) -> str:
    """Return what upstream's sanitiser leaves of an answer."""
    if flavour == "evalplus-compat":
        run = longest_run(text)
        return _kept(run.strip(), entry_point, must_return=True) or run
    kept = _kept(longest_run(text.strip()), entry_point, must_return=False)
    return _without_calls(kept, entry_point) or longest_run(text)


def calibrated(text: str, prompt: str) -> str:
    """Put the prompt before the content of Python fences that start indented: the bodies of functions."""
    return text.replace(f"{_FENCE}    ", f"{_FENCE}{prompt}    ")


def longest_run(text: str) -> str:
    """Return the run of two lines or more that parses and has most lines that are not blank; the first line, if there is none.

    Of runs alike the first and shortest. The same answer as of trying every pair of lines, found without trying them.
    """
    runs = Runs(text, limited=False)
    ends = runs.ends()
    filled = [0]
    for line in runs.lines.texts:
        filled.append(filled[-1] + bool(line.strip()))
    best, start, end = 0, 0, 1
    for at in range(len(runs.lines)):
        weight = filled[ends[at]] - filled[at]
        if ends[at] - at > 1 and weight > best:
            best, start, end = weight, at, ends[at]
    while end - start > 2 and not runs.lines.texts[end - 1].strip():
        end -= 1
    return runs.text(start, end)


def _kept(run: str, entry_point: str, must_return: bool) -> str:
    spans, lines = Spans(run), run.split("\n")
    imports, definitions = [], {}
    tree = parsed(run)
    for node in tree.body if tree else ():
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "__future__"):
            imports.append(spans.text(node))
        elif isinstance(node, _Definition) and not getattr(node, "decorator_list", None):
            name = _name(node)
            if name and name not in definitions and not (must_return and _returns_nothing(node)):
                definitions[name] = node
    reached = _reached(definitions, entry_point)
    texts = [_text(spans, lines, node) for name, node in definitions.items() if name in reached]
    return "\n".join([*imports, *texts]).rstrip()


def _text(spans: Spans, lines: Sequence[str], node: _Definition) -> str:
    """The text of a definition; comments at its end that stand as deep as its body, or on its last line, belong to it."""
    text = spans.text(node)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return text
    end = node.end_lineno or node.lineno
    after = lines[end - 1].encode()[node.end_col_offset :].decode()
    text += after if after.lstrip(" \t;").startswith("#") else ""
    if node.body[0].lineno == node.lineno:
        return text
    deep = node.body[0].col_offset
    last = end
    while end < len(lines) and is_nothing(lines[end]):
        end += 1
        if not is_blank(lines[end - 1]):
            if len(lines[end - 1]) - len(lines[end - 1].lstrip()) < deep:
                break
            last = end
    return "\n".join([text, *lines[node.end_lineno : last]])


def _name(node: _Definition) -> str:
    """The name a statement defines; of an assignment to something else, the plain name that is its value."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if isinstance(target, ast.Name):
        return target.id
    return node.value.id if isinstance(node.value, ast.Name) else ""


def _returns_nothing(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return not any(isinstance(inner, ast.Return) for inner in ast.walk(node))


def _reached(definitions: dict[str, _Definition], entry_point: str) -> set[str]:
    reached, waiting = {entry_point}, [entry_point]
    while waiting:
        node = definitions.get(waiting.pop())
        new = set(_identifiers(node)) - reached if node else set()
        reached |= new
        waiting.extend(new)
    return reached


def _identifiers(node: ast.AST) -> Iterable[str]:
    """Every identifier in a statement, of whatever kind: variables, attributes, parameters, keywords."""
    for inner in ast.walk(node):
        for field in ("id", "attr", "arg", "name", "asname", "rest", "kwd_attrs", "names"):
            value = getattr(inner, field, None)
            for text in value if isinstance(value, list) else (value,):
                if isinstance(text, str):
                    yield from text.split(".")


def _without_calls(program: str, entry_point: str) -> str:
    """Cut from the first of the last unindented lines that names the entry point."""
    lines = program.splitlines()
    cut = None
    for number in range(len(lines) - 1, -1, -1):
        if lines[number].startswith(" "):
            break
        if entry_point in lines[number]:
            cut = number
    return program if cut is None else "\n".join(lines[:cut])
