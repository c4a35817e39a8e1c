"""Semantic versions: versions are tuples that compare as they should, and a stack holds the selections yet to try."""

import re
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"match": ("range", "versions"), "resolve": ("packages", "needs")}

Version = tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]  # numbers, without pre-release, identifiers
Range = list[list[tuple[str, Version]]]  # alternatives of signs and bases; `*` has none

_NUMBER = "(?:0|[1-9][0-9]*)"
_IDENTIFIER = f"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = re.compile(rf"({_NUMBER}(?:\.{_NUMBER}){{2}})(?:-({_IDENTIFIER}(?:\.{_IDENTIFIER})*))?")
_SIGN = re.compile("[<>]=?|[=^~]?")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "match":
        versions = args.get("versions")
        if not isinstance(versions, list) or len(versions) > 40:
            return False
        return _is_text(args.get("range"), 60) and all(_is_text(version, 40) for version in versions)
    packages = args.get("packages")
    if not isinstance(packages, list) or len(packages) > 12:
        return False
    return _are_needs(args.get("needs")) and all(map(_is_package, packages))


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    if op == "match":
        versions = sorted(((_version(text), text) for text in args["versions"]), reverse=True)
        wanted = _range(args["range"])
        matching = [text for version, text in versions if _matches(version, wanted)]
        return {"best": matching[0] if matching else None, "matching": matching}
    return {"selected": _resolve(args["packages"], args["needs"])}


def _is_text(value: Any, most: int) -> bool:
    """Whether a value is a string of 1 to `most` code points."""
    return isinstance(value, str) and 1 <= len(value) <= most


def _are_needs(value: Any) -> bool:
    """Whether a value is an object of at most 6 texts of ranges."""
    return isinstance(value, dict) and len(value) <= 6 and all(_is_text(text, 60) for text in value.values())


def _is_package(value: Any) -> bool:
    """Whether a value is one version of a package."""
    if not isinstance(value, dict):
        return False
    return _is_text(value.get("name"), 20) and _is_text(value.get("version"), 40) and _are_needs(value.get("needs"))


def _version(text: str, code: str = "bad_version") -> Version:
    """The version a text stands for; the code is the one of the error if it stands for none."""
    match = _VERSION.fullmatch(text)
    if match is None:
        raise Refused(code)
    parts = match[2].split(".") if match[2] else []
    identifiers = tuple((False, int(part), "") if part.isdigit() else (True, 0, part) for part in parts)
    return tuple(map(int, match[1].split("."))), not parts, identifiers


def _range(text: str) -> Range:
    """The range a text stands for."""
    alternatives: Range = []
    for alternative in text.split("||"):
        words = [word for word in alternative.split(" ") if word]
        if not words:
            raise Refused("bad_range")
        comparators: list[tuple[str, Version]] = []
        for word in words if words != ["*"] else []:
            sign = _SIGN.match(word)
            assert sign is not None
            comparators.append((sign[0], _version(word[sign.end() :], "bad_range")))
        alternatives.append(comparators)
    return alternatives


def _holds(version: Version, sign: str, base: Version) -> bool:
    """Whether a comparator holds for a version."""
    if sign in ("^", "~"):
        first = next((at for at, number in enumerate(base[0]) if number), 2)
        same = 2 if sign == "~" else first + 1
        return version >= base and version[0][:same] == base[0][:same]
    if version == base:
        return sign in ("", "=", "<=", ">=")
    return sign[:1] == ("<" if version < base else ">")


def _matches(version: Version, wanted: Range) -> bool:
    """Whether a version matches a range."""
    return any(
        all(_holds(version, sign, base) for sign, base in alternative)
        and (version[1] or any(not base[1] and base[0] == version[0] for _, base in alternative))
        for alternative in wanted
    )


def _resolve(packages: list[dict[str, Any]], needs: dict[str, str]) -> dict[str, str]:
    """The first selection that meets all needs; of the selections begun, the latest and greatest is tried first."""
    versions = [_version(package["version"]) for package in packages]
    all_needs = [
        {name: _range(text) for name, text in each.items()} for each in (needs, *(p["needs"] for p in packages))
    ]
    if len({(package["name"], package["version"]) for package in packages}) < len(packages):
        raise Refused("duplicate")
    ascending = sorted(range(len(packages)), key=lambda index: versions[index])
    stack: list[dict[str, int]] = [{}]
    while stack:
        selected = stack.pop()
        needed = [need for at in (0, *(index + 1 for index in selected.values())) for need in all_needs[at].items()]
        if not all(_matches(versions[selected[name]], wanted) for name, wanted in needed if name in selected):
            continue
        left = {name for name, _ in needed} - selected.keys()
        if not left:
            return {name: packages[index]["version"] for name, index in selected.items()}
        name = min(left)
        stack += [{**selected, name: index} for index in ascending if packages[index]["name"] == name]
    raise Refused("no_solution")
