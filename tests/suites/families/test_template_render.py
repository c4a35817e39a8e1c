"""Templates against a reader that goes character by character and puts out while it reads."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.template_render import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a one-pass interpreter without regular expressions"

NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
Tag = tuple[str, str, list[str], int]


class FaultError(Exception):
    """A fault with its error as the suite shows it."""

    def __init__(self, **error: Any) -> None:
        super().__init__(error)
        self.error = error


def pieces(template: str) -> list[str | Tag]:
    """Plain text and tags (sign, name, filters, position) in turn."""
    found: list[str | Tag] = []
    at = 0
    plain = ""
    while at < len(template):
        if template[at : at + 2] != "{{":
            plain += template[at]
            at += 1
            continue
        end = template.find("}}", at)
        if end < 0:
            raise FaultError(code="bad_tag", at=at)
        content = template[at + 2 : end]
        start, at = at, end + 2
        if content[:1] in set("#^/!"):
            before = template[template.rfind("\n", 0, start) + 1 : start]
            after, feed, _ = template[at:].partition("\n")
            if feed and not before.strip(" \t") and not after.strip(" \t"):
                plain = plain[: len(plain) - len(before)]
                at += len(after) + 1
        found += [plain, tag(content, start)]
        plain = ""
    return [*found, plain]


def tag(content: str, at: int) -> Tag:
    if content[:1] == "!":
        return "!", "", [], at
    sign = content[:1] if content[:1] in {"#", "^", "/"} else ""
    name, *filters = (part.strip(" ") for part in content[len(sign) :].split("|"))
    if not name or set(name) - NAME or set(filters) - {"upper", "lower", "trim", "html"} or (sign and filters):
        raise FaultError(code="bad_tag", at=at)
    return sign, name, filters, at


def balanced(template: str) -> list[str | Tag]:
    """The pieces, if sections are nested well. A tag fault counts only if no section fault is before it."""
    cut = template
    fault: FaultError | None = None
    try:
        found = pieces(template)
    except FaultError as error:
        fault = error
        cut = template[: error.error["at"]]
        found = pieces(cut)
    opened: list[Tag] = []
    for piece in found:
        if isinstance(piece, str):
            continue
        if piece[0] == "/" and (not opened or opened.pop()[1] != piece[1]):
            raise FaultError(code="bad_section", at=piece[3])
        if piece[0] in {"#", "^"}:
            opened.append(piece)
            if len(opened) == 4:
                raise FaultError(code="bad_section", at=piece[3])
    if fault:
        raise fault
    if opened:
        raise FaultError(code="bad_section", at=opened[-1][3])
    return found


def put(todo: list[str | Tag], scopes: list[dict[str, Any]], quiet: bool) -> tuple[str, list[str | Tag]]:
    """The text up to the end of the section, and the pieces after it."""
    made = ""
    while todo:
        piece, *todo = todo
        if isinstance(piece, str):
            made += piece
            continue
        sign, name, filters, _ = piece
        if sign == "/":
            break
        value = next((scope[name] for scope in reversed(scopes) if name in scope), None)
        if sign in {"#", "^"}:
            repeats: list[dict[str, Any]] = [{}]
            if sign == "^" and value not in (None, 0, "", []):
                repeats = []
            if sign == "#":
                repeats = value if isinstance(value, list) else [{}] * (value not in (None, 0, ""))
            _, rest = put(todo, scopes, True)
            for row in [] if quiet else repeats:
                made += put(todo, [*scopes, row], False)[0]
            todo = rest
        elif sign == "" and not quiet:
            made += text(name, value, filters)
    return made, todo


def text(name: str, value: Any, filters: list[str]) -> str:
    if value is None:
        raise FaultError(code="unknown_name", name=name)
    shown = value if isinstance(value, str) else f"{len(value) if isinstance(value, list) else value}"
    for word in filters:
        if word == "html":
            shown = "".join(ENTITIES.get(char, char) for char in shown)
        else:
            shown = {"upper": shown.upper(), "lower": shown.lower(), "trim": shown.strip()}[word]
    return shown


def expected(args: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"text": put(balanced(args["template"]), [args["values"]], False)[0]}
    except FaultError as fault:
        return fault.error


def expected_names(template: str) -> dict[str, Any]:
    try:
        tags = [piece for piece in balanced(template) if not isinstance(piece, str)]
    except FaultError as fault:
        return fault.error
    texts, sections = [], []
    depths = [0]
    for sign, name, _, _ in tags:
        texts += [name] if sign == "" and name not in texts else []
        sections += [name] if sign and sign in "#^" and name not in sections else []
        depths.append(depths[-1] + {"#": 1, "^": 1, "/": -1}.get(sign, 0))
    return {"texts": texts, "sections": sections, "depth": max(depths)}


PIECES = st.sampled_from(
    [
        *"a \n}",
        "{{a}}",
        "{{b|html}}",
        "{{#a}}",
        "{{^a}}",
        "{{/a}}",
        "{{#r}}",
        "{{/r}}",
        "{{!x}}",
        "\n{{/a}}\n",
        "{{#r}}{{a}}",
        " {{r}}",
        "{{",
        "}}",
        "\t{{#a}} \n",
        "{{^b}}\n",
        "{{/b}}\n",
        "{{c|upper|trim }}",
    ]
)
SECTIONS = st.recursive(
    st.lists(PIECES.filter(lambda p: not p.strip().startswith(("{{#", "{{^", "{{/"))), max_size=3).map("".join),
    lambda inner: st.tuples(
        st.sampled_from(["#a", "^a", "#r", "^r", "#b"]), st.sampled_from(["", "\n", " \n"]), inner, inner
    ).map(lambda t: f"{{{{{t[0]}}}}}{t[1]}{t[2]}{t[1]}{{{{/{t[0][1:]}}}}}{t[1]}{t[3]}"),
    max_leaves=6,
)
TEMPLATES = SECTIONS | st.lists(PIECES, max_size=8).map("".join)
SCALARS = st.sampled_from(["", "x", "<&>", " Ü ", 0, 5])
VALUES = st.fixed_dictionaries(
    {"a": SCALARS, "r": st.lists(st.dictionaries(st.sampled_from("abc"), SCALARS), max_size=3) | SCALARS},
    optional={"b": SCALARS, "c": SCALARS},
)


@settings(max_examples=60)
@given(TEMPLATES.filter(lambda t: len(t) <= 400), VALUES)
def test_render_in_one_pass(template: str, values: dict[str, Any]) -> None:
    args = {"template": template, "values": values}
    assert play(FAMILY, "render", args) == expected(args)
    assert play(FAMILY, "names", {"template": template}) == expected_names(template)


def test_own_inputs() -> None:
    for args in of(FAMILY, "render", 300):
        assert play(FAMILY, "render", args) == expected(args)
    for args in of(FAMILY, "names", 300):
        assert play(FAMILY, "names", args) == expected_names(args["template"])
