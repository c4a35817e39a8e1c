"""Fills templates with values: tags for text, sections for conditions and rows."""

import html
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..arguments import array, integer, mapping, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

TEMPLATE = string(high=400)
TEXT = string(high=40)
NUMBER = integer(-(10**12), 10**12)
TAG = re.compile(r"(?ms)^[ \t]*{{(?P<alone>[#^/!](?:(?!}}).)*)}}[ \t]*\n|{{(?P<other>.*?)}}|{{(?P<endless>)")
CONTENT = re.compile(r"([#^/]?) *([A-Za-z0-9_]+) *((?:\| *(?:upper|lower|trim|html) *)*)")
FILTERS: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "trim": str.strip,
    "html": html.escape,
}


class Node(NamedTuple):
    """Plain text (sign `=`), a tag for text (no sign) with its filters, or a section with what is inside."""

    sign: str
    name: str
    filters: list[str]
    inside: list["Node"]


def check_render(args: dict[str, Any]) -> None:
    """Check the arguments of `render`."""
    required(args, "template", TEMPLATE)
    required(args, "values", mapping(value, high=12))


def check_names(args: dict[str, Any]) -> None:
    """Check the arguments of `names`."""
    required(args, "template", TEMPLATE)


def value(given: object, where: str) -> object:
    """Read a string, an integer or rows of them."""
    return ROWS(given, where) if isinstance(given, list) else scalar(given, where)


def scalar(given: object, where: str) -> object:
    """Read a string or an integer."""
    return TEXT(given, where) if isinstance(given, str) else NUMBER(given, where)


ROWS = array(mapping(scalar, high=6), high=4)


def render(args: dict[str, Any]) -> object:
    """The filled template."""
    return {"text": filled(parsed(args["template"]), args["values"])}


def names(args: dict[str, Any]) -> object:
    """The names a template uses, in the order of their first use."""
    used = list(walk(parsed(args["template"]), 0))
    return {
        "texts": list(dict.fromkeys(node.name for node, _ in used if node.sign == "")),
        "sections": list(dict.fromkeys(node.name for node, _ in used if node.sign in {"#", "^"})),
        "depth": max(depth for _, depth in used),
    }


def walk(nodes: list[Node], depth: int) -> Iterator[tuple[Node, int]]:
    """All nodes, and in how many sections each stands."""
    for node in nodes:
        yield node, depth
        yield from walk(node.inside, depth + 1)


def parsed(template: str) -> list[Node]:
    """The nodes of a template."""
    top: list[Node] = []
    opened: list[tuple[Node, int]] = []
    end = 0
    for tag in TAG.finditer(template):
        nodes = opened[-1][0].inside if opened else top
        nodes.append(Node("=", template[end : tag.start()], [], []))
        end = tag.end()
        place = str(tag.lastgroup)
        at, content = tag.start(place) - 2, tag[place]
        if content.startswith("!"):
            continue
        token = CONTENT.fullmatch(content)
        if token is None or (token[1] and token[3]):
            raise DomainError("bad_tag", "a tag is malformed or has no end", at=at)
        sign, name, filters = token.groups()
        if sign == "/":
            if not opened or opened.pop()[0].name != name:
                raise DomainError("bad_section", "no section to be closed here has this name", at=at)
            continue
        nodes.append(Node(sign, name, re.findall("[a-z]+", filters), []))
        if sign:
            if len(opened) == 3:
                raise DomainError("bad_section", "the section is too deep", at=at)
            opened.append((nodes[-1], at))
    if opened:
        raise DomainError("bad_section", "a section is not closed", at=opened[-1][1])
    top.append(Node("=", template[end:], [], []))
    return top


def filled(nodes: list[Node], scope: dict[str, Any]) -> str:
    """The text of nodes where `scope` gives the values of names."""
    made = ""
    for node in nodes:
        found = scope.get(node.name)
        if node.sign == "=":
            made += node.name
        elif node.sign:
            rows = found if isinstance(found, list) else [{}] if found else []
            if node.sign == "^":
                rows = [] if rows else [{}]
            for row in rows:
                made += filled(node.inside, {**scope, **row})
        elif found is None:
            raise DomainError("unknown_name", f"{node.name} has no value", name=node.name)
        else:
            text = str(len(found) if isinstance(found, list) else found)
            for name in node.filters:
                text = FILTERS[name](text)
            made += text
    return made


OPERATIONS = {
    "render": Operation(("template", "values"), check_render, render),
    "names": Operation(("template",), check_names, names),
}
