"""Parses INI texts and resolves references between their values."""

import re
from typing import Any

from ..arguments import required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

BLANKS = " \t"
LONGEST = 1000
HEADER = re.compile(r"\[[ \t]*([^\[\] \t][^\[\]]*)\][ \t]*(?:[;#].*)?")
ENTRY = re.compile(r'([^=:\[ \t][^=:]*)[=:](?:[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*(?:[;#].*)?|(?![ \t]*")(.*))')
REFERENCE = re.compile(r"\$\$|\$\{([^}]*)\}|\$\{")

Sections = dict[str, dict[str, str]]
Place = tuple[str, str]


def check_parse(args: dict[str, Any]) -> None:
    """Check the arguments of `parse`."""
    required(args, "text", string(high=1500))


def check_resolve(args: dict[str, Any]) -> None:
    """Check the arguments of `resolve`."""
    check_parse(args)
    required(args, "section", string(high=50))
    required(args, "key", string(high=50))


def parse(args: dict[str, Any]) -> object:
    """All sections with their entries."""
    sections = read(args["text"]).items()
    return {
        "sections": [
            {"name": name, "entries": [[key, value] for key, value in entries.items()]}
            for name, entries in sections
            if name or entries
        ]
    }


def resolve(args: dict[str, Any]) -> object:
    """The value of an entry with all references in it resolved."""
    return {"value": resolved(read(args["text"]), (args["section"], args["key"].lower()), [], {})}


def read(text: str) -> Sections:
    """The entries of each section; those before the first header belong to the section without a name."""
    sections: Sections = {"": {}}
    entries, key = sections[""], ""
    for number, untrimmed in enumerate(re.split("\r?\n", text), start=1):
        line = untrimmed.rstrip(BLANKS)
        if line.lstrip(BLANKS)[:1] in ("", ";", "#"):
            continue
        header, entry = HEADER.fullmatch(line), ENTRY.fullmatch(line)
        if line[0] in BLANKS and key:
            entries[key] += "\n" + uncommented(line)
        elif header:
            entries, key = sections.setdefault(header[1].rstrip(BLANKS), {}), ""
        elif entry:
            key = entry[1].rstrip(BLANKS).lower()
            entries[key] = uncommented(entry[3]) if entry[2] is None else re.sub(r"\\(.)", r"\1", entry[2])
        else:
            raise DomainError("bad_line", f"line {number} is of no kind", line=number)
    return sections


def uncommented(text: str) -> str:
    """A text without comment and without blanks around it."""
    return re.sub(r"[ \t][;#].*", "", text).strip(BLANKS)


def resolved(sections: Sections, wanted: Place, path: list[Place], known: dict[Place, str]) -> str:
    """The value at a place, reached through the values at the places of `path`; `known` are those resolved before."""
    section, key = wanted
    home = section if key in sections.get(section, {}) else ""
    place = (home, key)
    if key not in sections[home]:
        raise DomainError("unknown_key", f"there is no {key!r} in {section!r}", section=section, key=key)
    if place in path:
        raise DomainError("cycle", f"{key!r} in {home!r} refers to itself", section=home, key=key)

    def replace(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        if match[1] is None:
            raise DomainError("bad_reference", f"a reference in {key!r} is not closed", section=home, key=key)
        before, colon, after = match[1].partition(":")
        other = (before.strip(BLANKS), after) if colon else (home, before)
        return resolved(sections, (other[0], other[1].strip(BLANKS).lower()), [*path, place], known)

    if place not in known:
        known[place] = REFERENCE.sub(replace, sections[home][key])
    if len(known[place]) > LONGEST:
        raise DomainError("too_long", f"the value of {key!r} is too long", section=home, key=key)
    return known[place]


OPERATIONS = {
    "parse": Operation(("text",), check_parse, parse),
    "resolve": Operation(("text", "section", "key"), check_resolve, resolve),
}
