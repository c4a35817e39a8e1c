"""Line diff: the best script of each pair of rests is the least pair of score and letters, from the end on."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "diff": ("old", "new", "ignore_space"),
    "patch": ("lines", "hunks"),
}

_NO_SPACE = str.maketrans("", "", " \t")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "diff":
        spaces = args.get("ignore_space", False)
        return _is_lines(args.get("old")) and _is_lines(args.get("new")) and isinstance(spaces, bool)
    hunks = args.get("hunks")
    if not _is_lines(args.get("lines")) or not isinstance(hunks, list) or len(hunks) > 20:
        return False
    return all(_is_hunk(hunk) for hunk in hunks)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "patch":
        return {"lines": _patched(args["lines"], args["hunks"])}
    return _diff(args["old"], args["new"], args.get("ignore_space", False))


def _diff(old: list[str], new: list[str], spaces: bool) -> dict[str, Any]:
    """The result of `diff`."""
    script = _script(*([line.translate(_NO_SPACE) if spaces else line for line in lines] for lines in (old, new)))
    hunks: list[dict[str, Any]] = []
    i = j = 0
    for number, step in enumerate(script):
        if step == "a":
            i, j = i + 1, j + 1
            continue
        if number == 0 or script[number - 1] == "a":
            hunks.append({"at": i + 1, "delete": [], "insert": []})
        if step == "b":
            hunks[-1]["delete"].append(old[i])
            i += 1
        else:
            hunks[-1]["insert"].append(new[j])
            j += 1
    return {"kept": script.count("a"), "hunks": hunks}


def _script(old: list[str], new: list[str]) -> str:
    """The steps of the script that is taken: `a` keep, `b` delete, `c` insert."""
    best: dict[tuple[int, int], tuple[int, str]] = {(len(old), len(new)): (0, "")}
    for i in range(len(old), -1, -1):
        for j in range(len(new), -1, -1):
            ways = []
            if i < len(old) and j < len(new) and old[i] == new[j]:
                score, letters = best[i + 1, j + 1]
                ways.append((score - 1, "a" + letters))
            if i < len(old):
                score, letters = best[i + 1, j]
                ways.append((score, "b" + letters))
            if j < len(new):
                score, letters = best[i, j + 1]
                ways.append((score, "c" + letters))
            if ways:
                best[i, j] = min(ways)
    return best[0, 0][1]


def _patched(lines: list[str], hunks: list[dict[str, Any]]) -> list[str]:
    """The lines with all hunks applied."""
    result: list[str] = []
    done = 0
    for number, hunk in enumerate(hunks, 1):
        start = hunk["at"] - 1
        if not done <= start <= len(lines):
            raise Refused("misplaced", {"hunk": number})
        for place, line in enumerate(hunk["delete"], start):
            if lines[place : place + 1] != [line]:
                raise Refused("mismatch", {"hunk": number, "line": place + 1})
        result += lines[done:start] + hunk["insert"]
        done = start + len(hunk["delete"])
    return result + lines[done:]


def _is_lines(value: Any) -> bool:
    """Whether a value is a list of lines."""
    return isinstance(value, list) and len(value) <= 40 and all(isinstance(x, str) and len(x) <= 100 for x in value)


def _is_hunk(value: Any) -> bool:
    """Whether a value is a hunk."""
    if not isinstance(value, dict) or not _is_lines(value.get("delete")) or not _is_lines(value.get("insert")):
        return False
    at = value.get("at")
    return isinstance(at, int) and not isinstance(at, bool) and 1 <= at <= 1000
