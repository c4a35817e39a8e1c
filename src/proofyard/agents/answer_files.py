"""Files out of one answer of a model: fenced blocks that name their path, or the arguments of a tool call."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from proofyard.source.extract_fences import without_thinking
from proofyard.source.extract_parse import parsed

__all__ = ["Found", "files_of_call", "files_of_text"]

_OPEN: Final = re.compile(r"[ \t]{0,3}(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`]*?)[ \t]*\Z")
_NAMED: Final = re.compile(r"(?:title|file|filename|path|name)\s*[=:]\s*[\"']?(?P<path>[^\"'\s}]+)")
_PATH: Final = re.compile(
    r"(?:[\w.@+-]+/)*[\w@+.-]*[\w@+-]\.[A-Za-z0-9_]{1,12}\Z|(?:[\w.-]+/)*(?:Makefile|Dockerfile)\Z"
)
_HEAD: Final = re.compile(
    r"^[\s#*>\-\d.)]*(?:(?:file|filename|path)\s*:\s*)?[*`_\"']*(?P<path>[^\s*`\"']+?)[*`_\"':]*\s*:?\s*\Z", re.I
)
_COMMENT: Final = re.compile(
    r"^(?:#|//|--|/\*|<!--)\s*(?:(?:file|filename|path)\s*:\s*)?(?P<path>\S+?)\s*(?:\*/|-->)?\s*\Z", re.I
)
_SAME_LANGUAGE: Final = {".py": {"", "python", "py", "python3"}, ".js": {"", "javascript", "js"}}
_ROOTS: Final = ("/workspace/project/", "./")


class Found(NamedTuple):
    """The files of an answer; where there are none, `why` says so. cut: the last block was not closed."""

    files: dict[str, str]
    why: str = ""
    cut: bool = False


class _Block(NamedTuple):
    info: str
    before: str
    text: str
    closed: bool


def files_of_text(answer: str, entry: str, *, truncated: bool = False) -> Found:
    """Return the files in the fences of an answer; the last of several with one path counts.

    A path stands behind the language (```` ```python main.py ````), in the line before the fence, or in a comment on the
    first line. A single block without a path, in the language of `entry`, is that file; so is an answer which as a whole is
    a Python program. truncated: the answer was cut; then a block that is not closed is half a file and does not count.
    """
    text = without_thinking(answer.replace("\r\n", "\n"))
    blocks = list(_blocks(text))
    cut = bool(blocks) and not blocks[-1].closed
    if cut and truncated:
        blocks.pop()
    files: dict[str, str] = {}
    refused = ""
    for block in blocks:
        path = _path_of(block)
        clean = _clean(path) if path else ""
        if clean:
            files[clean] = block.text
        elif path:
            refused = f"a block names {path!r}, which is no path below the project's folder"
    if files:
        return Found(files, cut=cut)
    if refused:
        return Found({}, refused, cut)
    return _unnamed(text, [block for block in blocks if not _path_of(block)], entry, cut)


def files_of_call(arguments: str) -> Found:
    """Return the files of a tool call `{"files": [{"path": ..., "content": ...}]}`."""
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return Found({}, "the arguments of the tool call are no JSON")
    rows = given.get("files") if isinstance(given, dict) else None
    if not isinstance(rows, list) or not rows:
        return Found({}, "the tool call has no files")
    files: dict[str, str] = {}
    for row in rows:
        if not (isinstance(row, Mapping) and isinstance(row.get("path"), str) and isinstance(row.get("content"), str)):
            return Found({}, "a file of the tool call has no path or no content")
        path = _clean(row["path"])
        if not path:
            return Found({}, f"{row['path']!r} is no path below the project's folder")
        files[path] = row["content"]
    return Found(files)


def _unnamed(text: str, blocks: list[_Block], entry: str, cut: bool) -> Found:
    """The entry file, where just one thing in the answer can be it."""
    suffix = entry[entry.rfind(".") :] if "." in entry else ""
    languages = _SAME_LANGUAGE.get(suffix, {"", suffix.removeprefix(".")})
    fitting = [block for block in blocks if block.info.split(" ")[0].lower() in languages]
    if entry and len(fitting) == 1:
        return Found({entry: fitting[0].text}, cut=cut)
    if len(fitting) > 1:
        return Found({}, f"{len(fitting)} blocks, none of which names its path", cut)
    if entry and suffix == ".py" and not blocks and not cut and _is_program(text):
        return Found({entry: text.strip("\n") + "\n"})
    return Found({}, "no block of code in the answer" if not blocks else "no block names its path", cut)


def _is_program(text: str) -> bool:
    tree = parsed(text)
    return tree is not None and any(not isinstance(node, ast.Expr) for node in tree.body)


def _blocks(text: str) -> Iterator[_Block]:
    lines = text.split("\n")
    at, before = 0, ""
    while at < len(lines):
        opened = _OPEN.match(lines[at])
        if opened is None:
            before = lines[at] if lines[at].strip() else before
            at += 1
            continue
        end = _end(lines, at + 1, opened["marks"])
        content = lines[at + 1 : len(lines) if end is None else end]
        body = "\n".join(content)
        yield _Block(opened["info"], before, body if not body or body.endswith("\n") else body + "\n", end is not None)
        if end is None:
            return
        at, before = end + 1, ""


def _end(lines: list[str], start: int, marks: str) -> int | None:
    """The line that closes a block: the first bare fence that does not stand inside a triple-quoted string, else the first."""
    first: int | None = None
    quotes = 0
    for number in range(start, len(lines)):
        found = _OPEN.match(lines[number])
        if found and not found["info"] and found["marks"][0] == marks[0] and len(found["marks"]) >= len(marks):
            if quotes % 2 == 0:
                return number
            first = number if first is None else first
        quotes += lines[number].count('"""') + lines[number].count("'''")
    return first


def _path_of(block: _Block) -> str:
    named = _NAMED.search(block.info)
    if named:
        return named["path"]
    for word in re.split(r"[\s:{}]+", block.info):
        if _PATH.match(_below(word)):
            return word
    for pattern, line in ((_HEAD, block.before), (_COMMENT, block.text.partition("\n")[0])):
        found = pattern.match(line)
        if found and _PATH.match(_below(found["path"])):
            return found["path"]
    return ""


def _below(path: str) -> str:
    """A path as it would be below the project's folder, to see whether it is one at all."""
    for root in _ROOTS:
        path = path.removeprefix(root)
    return path.lstrip("/")


def _clean(path: str) -> str:
    """The path below the project's folder, empty if it is none."""
    for root in _ROOTS:
        path = path.removeprefix(root)
    parts = path.split("/")
    bad = not path or len(path) > 255 or "\0" in path or any(part in {"", ".", ".."} for part in parts)
    return "" if bad else path
