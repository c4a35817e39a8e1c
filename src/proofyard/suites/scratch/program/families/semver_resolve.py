"""Semantic versions: which match a range, and which versions of packages fit together."""

import operator
import re
from typing import Any, NamedTuple

from ..arguments import array, mapping, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 20)
VERSION = string(1, 40)
RANGE = string(1, 60)
NEEDS = mapping(RANGE, high=6)
PACKAGE = structure({"name": NAME, "version": VERSION, "needs": NEEDS})
IDENTIFIER = r"(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
PATTERN = re.compile(rf"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-({IDENTIFIER}(?:\.{IDENTIFIER})*))?")
COMPARE = {"": operator.eq, "=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
SIGNS = {*COMPARE, "^", "~"}


class Version(NamedTuple):
    """A version, by whose order it is compared.

    identifiers: of the pre-release: whether it is no number, its length if it is one, and the text. Numbers without
    leading zeros are ordered by length and then by text.
    """

    numbers: tuple[int, ...]
    release: bool
    identifiers: tuple[tuple[bool, int, str], ...]


Range = list[list[tuple[str, Version]]]


def check_match(args: dict[str, Any]) -> None:
    """Check the arguments of `match`."""
    required(args, "range", RANGE)
    required(args, "versions", array(VERSION, high=40))


def check_resolve(args: dict[str, Any]) -> None:
    """Check the arguments of `resolve`."""
    required(args, "packages", array(PACKAGE, high=12))
    required(args, "needs", NEEDS)


def match(args: dict[str, Any]) -> object:
    """The versions that match a range, the greatest first."""
    versions = [(read_version(text, "bad_version"), text) for text in args["versions"]]
    wanted = read_range(args["range"])
    found = [text for version, text in sorted(versions, reverse=True) if matches(version, wanted)]
    return {"best": found[0] if found else None, "matching": found}


def resolve(args: dict[str, Any]) -> object:
    """One version of each package that is needed, the greatest that fit together."""
    offers: dict[str, list[tuple[Version, str]]] = {}
    needs: dict[tuple[str, str], dict[str, Range]] = {}
    for package in args["packages"]:
        version = read_version(package["version"], "bad_version")
        offers.setdefault(package["name"], []).append((version, package["version"]))
    for package in args["packages"]:
        needs[package["name"], package["version"]] = read_needs(package["needs"])
    root = read_needs(args["needs"])
    if len(needs) < len(args["packages"]):
        raise DomainError("duplicate", "a version of a package is there twice")

    def search(chosen: dict[str, tuple[Version, str]]) -> dict[str, Any] | None:
        active = [root, *(needs[name, text] for name, (_, text) in chosen.items())]
        wanted = [(name, span) for group in active for name, span in group.items()]
        if any(name in chosen and not matches(chosen[name][0], span) for name, span in wanted):
            return None
        missing = sorted({name for name, _ in wanted} - chosen.keys())
        if not missing:
            return {name: text for name, (_, text) in chosen.items()}
        for offer in sorted(offers.get(missing[0], []), reverse=True):
            found = search({**chosen, missing[0]: offer})
            if found is not None:
                return found
        return None

    selected = search({})
    if selected is None:
        raise DomainError("no_solution", "no versions fit together")
    return {"selected": selected}


def read_version(text: str, code: str) -> Version:
    """A version; any other text fails with the code."""
    found = PATTERN.fullmatch(text)
    if found is None:
        raise DomainError(code, f"{text!r} is not a version")
    *numbers, labels = found.groups()
    parts = labels.split(".") if labels else []
    identifiers = tuple((not part.isdigit(), len(part) * part.isdigit(), part) for part in parts)
    return Version(tuple(map(int, numbers)), not parts, identifiers)


def read_needs(needs: dict[str, str]) -> dict[str, Range]:
    """The ranges of the packages that are needed."""
    return {name: read_range(text) for name, text in needs.items()}


def read_range(text: str) -> Range:
    """The alternatives of a range, each a list of comparators; that of `*` is empty."""
    alternatives = []
    for part in text.split("||"):
        words = re.findall("[^ ]+", part)
        if not words:
            raise DomainError("bad_range", f"{text!r} has an empty alternative")
        alternatives.append([] if words == ["*"] else [read_comparator(word) for word in words])
    return alternatives


def read_comparator(word: str) -> tuple[str, Version]:
    """A sign, which may be empty, and a version."""
    version = word.lstrip("<>=^~")
    sign = word.removesuffix(version)
    if sign not in SIGNS:
        raise DomainError("bad_range", f"{word!r} is not a comparator")
    return sign, read_version(version, "bad_range")


def matches(version: Version, wanted: Range) -> bool:
    """Whether a version matches one of the alternatives."""
    return any(
        all(fits(version, sign, base) for sign, base in alternative)
        and (version.release or any(not base.release and base.numbers == version.numbers for _, base in alternative))
        for alternative in wanted
    )


def fits(version: Version, sign: str, base: Version) -> bool:
    """Whether a version fulfils one comparator."""
    if sign in COMPARE:
        return bool(COMPARE[sign](version, base))
    same = 2 if sign == "~" else next((place for place, number in enumerate(base.numbers, start=1) if number), None)
    return version >= base and version.numbers[:same] == base.numbers[:same]


OPERATIONS = {
    "match": Operation(("range", "versions"), check_match, match),
    "resolve": Operation(("packages", "needs"), check_resolve, resolve),
}
