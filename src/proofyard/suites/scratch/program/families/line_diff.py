"""Tells how one list of lines becomes another, and applies such a script."""

from collections import defaultdict
from typing import Any

from ..arguments import array, boolean, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

LINE = string(high=100)
LINES = array(LINE, high=40)
HUNK = structure({"at": integer(1, 1000), "delete": LINES, "insert": LINES})


def check_diff(args: dict[str, Any]) -> None:
    """Check the arguments of `diff`."""
    required(args, "old", LINES)
    required(args, "new", LINES)
    optional(args, "ignore_space", boolean)


def check_patch(args: dict[str, Any]) -> None:
    """Check the arguments of `patch`."""
    required(args, "lines", LINES)
    required(args, "hunks", array(HUNK, high=20))


def diff(args: dict[str, Any]) -> object:
    """The script that keeps most lines; deletions come as early as they can."""
    old, new = args["old"], args["new"]
    left, right = old, new
    if args.get("ignore_space", False):
        left, right = [squeezed(line) for line in old], [squeezed(line) for line in new]
    kept = common(left, right)
    hunks = []
    i = j = 0
    while (i, j) != (len(old), len(new)):
        if left[i:][:1] == right[j:][:1]:
            i, j = i + 1, j + 1
            continue
        at, first = i, j
        while left[i:][:1] != right[j:][:1]:
            if i < len(old) and kept[i + 1, j] == kept[i, j]:
                i += 1
            else:
                j += 1
        hunks.append({"at": at + 1, "delete": old[at:i], "insert": new[first:j]})
    return {"kept": kept[0, 0], "hunks": hunks}


def patch(args: dict[str, Any]) -> object:
    """The lines after all hunks."""
    lines = args["lines"]
    made: list[str] = []
    done = 0
    for number, hunk in enumerate(args["hunks"], 1):
        start = hunk["at"] - 1
        if not done <= start <= len(lines):
            raise DomainError("misplaced", "a hunk is out of place", hunk=number)
        made += lines[done:start] + hunk["insert"]
        done = start
        for line in hunk["delete"]:
            if lines[done : done + 1] != [line]:
                raise DomainError("mismatch", "a line to delete is not there", hunk=number, line=done + 1)
            done += 1
    return {"lines": made + lines[done:]}


def squeezed(line: str) -> str:
    """The line without spaces and tabs."""
    return line.replace(" ", "").replace("\t", "")


def common(left: list[str], right: list[str]) -> dict[tuple[int, int], int]:
    """For each pair of places, how many lines the rests from there have in common, in order."""
    table: dict[tuple[int, int], int] = defaultdict(int)
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            if left[i] == right[j]:
                table[i, j] = table[i + 1, j + 1] + 1
            else:
                table[i, j] = max(table[i + 1, j], table[i, j + 1])
    return table


OPERATIONS = {
    "diff": Operation(("old", "new", "ignore_space"), check_diff, diff),
    "patch": Operation(("lines", "hunks"), check_patch, patch),
}
