"""S-expressions against a machine that reads character by character, and a layout of nested blocks."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.s_expression import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a pushdown machine with one character a step, and a layout of nested blocks"

ROUGH = st.text(st.sampled_from("()[]'\"\\;ab1-+n \n\té"), max_size=16)
NAMES = st.sampled_from(["a", "bb", "ccc-ddd", "quote", "-", "1+", "λ"])
TREES = st.recursive(
    NAMES
    | st.integers(-99, 9999)
    | st.builds(lambda s: {"string": s}, st.text(st.sampled_from('a "\\\n\t;('), max_size=5)),
    lambda inner: st.lists(inner, max_size=5) | st.builds(lambda x: ["quote", x], inner),
    max_leaves=12,
)
ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


class FaultError(Exception):
    """A code and its position."""


class Machine:
    """Frames are [bracket or quote, items]; the lowest is the text."""

    def __init__(self) -> None:
        self.frames: list[tuple[str, list[Any]]] = [("", [])]
        self.state, self.token = "", ""

    def put(self, value: Any) -> None:
        while self.frames[-1][0] == "'":
            self.frames.pop()
            value = ["quote", value]
        self.frames[-1][1].append(value)

    def end_atom(self) -> None:
        if self.state == "atom":
            digits = self.token[1:] if self.token[0] in "+-" else self.token
            number = digits != "" and all(c in "0123456789" for c in digits)
            self.state = ""
            self.put(int(self.token) if number else self.token)

    def step(self, char: str, position: int) -> None:
        if self.state == "comment":
            self.state = "" if char == "\n" else "comment"
        elif self.state == "string":
            self.in_string(char)
        elif self.state == "escape":
            if char not in '"\\nt':
                raise FaultError("syntax_error", position - 1)
            self.token += {"n": "\n", "t": "\t"}.get(char, char)
            self.state = "string"
        elif char not in " \t\r\n;()[]'\"":
            self.token = self.token + char if self.state == "atom" else char
            self.state = "atom"
        else:
            self.end_atom()
            self.mark(char, position)

    def in_string(self, char: str) -> None:
        if char == '"':
            self.state = ""
            self.put({"string": self.token})
        elif char == "\\":
            self.state = "escape"
        else:
            self.token += char

    def mark(self, char: str, position: int) -> None:
        if char == '"':
            self.state, self.token = "string", ""
        elif char == ";":
            self.state = "comment"
        elif char in "(['":
            if len(self.frames) == 17:
                raise FaultError("too_deep", position)
            self.frames.append((char, []))
        elif char in ")]":
            if self.frames[-1][0] + char not in {"()", "[]"}:
                raise FaultError("syntax_error", position)
            _, items = self.frames.pop()
            self.put(items)

    def read(self, text: str) -> list[Any]:
        for position, char in enumerate(text):
            self.step(char, position)
        self.end_atom()
        if self.state == "escape":
            raise FaultError("syntax_error", len(text) - 1)
        if self.state == "string" or len(self.frames) > 1:
            raise FaultError("syntax_error", len(text))
        return self.frames[0][1]


def flat(tree: Any) -> str:
    match tree:
        case ["quote", x]:
            return f"'{flat(x)}"
        case list():
            return "(" + " ".join([flat(x) for x in tree]) + ")"
        case {"string": text}:
            return '"' + "".join(ESCAPED.get(c, c) for c in text) + '"'
    return f"{tree}"


def block(tree: Any, room: int) -> list[str]:
    """Lines of which the first begins at column 0, with so much room."""
    whole = flat(tree)
    if not isinstance(tree, list) or tree == [] or len(whole) <= room:
        return [whole]
    match tree:
        case ["quote", x]:
            first, *rest = block(x, room - 1)
            return [f"'{first}", *(indented(line, 1) for line in rest)]
    first, *rest = block(tree[0], room - 1)
    lines = [f"({first}", *(indented(line, 1) for line in rest)]
    for item in tree[1:]:
        lines += [indented(line, 2) for line in block(item, room - 2)]
    lines[-1] += ")"
    return lines


def indented(line: str, by: int) -> str:
    return " " * by + line


def check(text: str, width: int | None = None) -> None:
    args: dict[str, Any] = {"text": text, **({"width": width} if width else {})}
    parsed = play(FAMILY, "parse", {"text": text})
    laid = play(FAMILY, "layout", args)
    try:
        values = Machine().read(text)
    except FaultError as fault:
        code, position = fault.args
        assert parsed == laid == {"code": code, "position": position}
        return
    assert parsed == {"values": values}
    lines = [line for value in values for line in block(value, width or 40)]
    assert laid == {"lines": lines}
    if "\r" not in text:
        assert play(FAMILY, "parse", {"text": "\n".join(lines)[:1000]}) == parsed or len("\n".join(lines)) > 1000


@settings(max_examples=100, deadline=None)
@given(ROUGH)
def test_any_text(text: str) -> None:
    check(text, 10)


@settings(max_examples=80, deadline=None)
@given(st.lists(TREES, max_size=3), st.integers(10, 40))
def test_trees(trees: list[Any], width: int) -> None:
    text = " ".join(flat(tree) for tree in trees)
    if len(text) <= 1000:
        check(text, width)
        assert play(FAMILY, "parse", {"text": text}) == {"values": trees}


def test_its_own_inputs() -> None:
    for op in ("parse", "layout"):
        for args in of(FAMILY, op, 300):
            check(args["text"], args.get("width"))
