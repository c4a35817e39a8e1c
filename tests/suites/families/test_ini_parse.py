"""INI texts against a reader that goes character by character, and values against substitution until nothing changes."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.ini_parse import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a reader by characters, and a depth-first evaluation by generators of pieces"

PIECES = st.sampled_from(
    [
        "a",
        "b",
        "A",
        "=",
        ":",
        " ",
        "\t",
        ";",
        "#",
        '"',
        "\\",
        "[",
        "]",
        "[s]",
        "\n",
        "\n",
        "\n ",
        "\r\n",
        "\r",
        "${",
        "}",
        "$",
    ]
)
TEXTS = st.lists(PIECES, max_size=16).map("".join)
LINES = st.lists(
    st.sampled_from(
        [
            "a=1",
            "b=${a}",
            "A = ${s:b}",
            "[s]",
            "[t]",
            "c=${b}${A}",
            "b=x",
            "a=$$",
            " more",
            "c=${",
            "b=${c}",
            "a=${ t : c }",
        ]
    ),
    max_size=8,
)


class BadError(Exception):
    """What is wrong."""


def cut(text: str) -> str:
    for place in range(1, len(text)):
        if text[place] in ";#" and text[place - 1] in " \t":
            text = text[:place]
            break
    return text.strip(" \t")


def tail(text: str) -> bool:
    """Whether nothing but blanks and a comment is left."""
    rest = text.strip(" \t")
    return not rest or rest[0] in ";#"


def value(text: str) -> str:
    rest = text.lstrip(" \t")
    if not rest.startswith('"'):
        return cut(text)
    found, place = "", 1
    while place < len(rest):
        if rest[place] == '"':
            if not tail(rest[place + 1 :]):
                raise BadError
            return found
        if rest[place] == "\\":
            place += 1
            if place == len(rest):
                raise BadError
        found += rest[place]
        place += 1
    raise BadError


def read(text: str) -> dict[str, dict[str, str]]:
    sections: dict[str, dict[str, str]] = {"": {}}
    name, last = "", None
    lines = text.split("\n")
    lines = [line.removesuffix("\r") for line in lines[:-1]] + lines[-1:]
    for number, line in enumerate(line.rstrip(" \t") for line in lines):
        inner = line.lstrip(" \t")
        try:
            if not inner or inner[0] in ";#":
                continue
            if inner != line:
                if last is None:
                    raise BadError
                sections[name][last] += "\n" + cut(inner)
            elif line[0] == "[":
                before, bracket, after = line[1:].partition("]")
                name = before.strip(" \t")
                if not bracket or not name or "[" in name or not tail(after):
                    raise BadError
                sections.setdefault(name, {})
                last = None
            else:
                spots = [place for place, char in enumerate(line) if char in "=:"]
                if not spots or spots[0] == 0:
                    raise BadError
                new = value(line[spots[0] + 1 :])
                last = line[: spots[0]].strip(" \t").lower()
                sections[name][last] = new
        except BadError:
            raise BadError(number + 1) from None
    return sections


def parse(args: dict[str, Any]) -> Any:
    try:
        found = read(args["text"])
    except BadError as error:
        return {"code": "bad_line", "line": error.args[0]}
    listed = [(name, [[k, v] for k, v in entries.items()]) for name, entries in found.items()]
    return {"sections": [{"name": n, "entries": entries} for n, entries in listed if n != "" or entries != []]}


def pieces(text: str) -> Any:
    """The text taken apart: plain pieces, `[reference]`, or None for one that is not closed."""
    while text:
        if text.startswith("$$"):
            yield "$"
            text = text[2:]
        elif text.startswith("${"):
            end = text.find("}")
            yield None if end < 0 else [text[2:end]]
            text = "" if end < 0 else text[end + 1 :]
        else:
            yield text[0]
            text = text[1:]


def expand(sections: Any, section: str, key: str, above: tuple[Any, ...]) -> str:
    homes = [name for name in (section, "") if key in sections.get(name, {})]
    if not homes:
        raise BadError({"code": "unknown_key", "section": section, "key": key})
    here = {"section": homes[0], "key": key}
    if (homes[0], key) in above:
        raise BadError({"code": "cycle", **here})
    found = ""
    for piece in pieces(sections[homes[0]][key]):
        if piece is None:
            raise BadError({"code": "bad_reference", **here})
        if isinstance(piece, str):
            found += piece
            continue
        parts = piece[0].split(":", 1)
        other = parts[0].strip(" \t") if len(parts) == 2 else homes[0]
        found += expand(sections, other, parts[-1].strip(" \t").lower(), (*above, (homes[0], key)))
    if len(found) > 1000:
        raise BadError({"code": "too_long", **here})
    return found


def resolve(args: dict[str, Any]) -> Any:
    try:
        sections = read(args["text"])
    except BadError as error:
        return {"code": "bad_line", "line": error.args[0]}
    try:
        return {"value": expand(sections, args["section"], args["key"].lower(), ())}
    except BadError as error:
        return error.args[0]


def test_on_its_own_inputs() -> None:
    for args in of(FAMILY, "parse", 300):
        assert play(FAMILY, "parse", args) == parse(args)
    for args in of(FAMILY, "resolve", 300):
        if "a60=" not in args["text"]:  # takes 2 ** 60 steps without a memory
            assert play(FAMILY, "resolve", args) == resolve(args), args


def test_a_value_needed_often_is_resolved_once() -> None:
    lines = [f"a{n}=${{a{n + 1}}}${{a{n + 1}}}" for n in range(60)]
    args = {"text": "\n".join([*lines, "a60="]), "section": "", "key": "a0"}
    assert play(FAMILY, "resolve", args) == {"value": ""}


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_parse(text: str) -> None:
    for one in (text, "a=" + text, 'a="' + text, "[s]\n" + text):
        assert play(FAMILY, "parse", {"text": one}) == parse({"text": one})
        args = {"text": one, "section": "s", "key": "a"}
        assert play(FAMILY, "resolve", args) == resolve(args)


@settings(max_examples=100, deadline=None)
@given(LINES, st.sampled_from(["", "s", "t"]), st.sampled_from(["a", "B", "c"]))
def test_resolve(lines: list[str], section: str, key: str) -> None:
    args = {"text": "\n".join(lines), "section": section, "key": key}
    assert play(FAMILY, "resolve", args) == resolve(args)
