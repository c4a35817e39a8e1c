"""The checks that a test script lists beside its reward: `ctrf.json` or `junit.xml`. They explain a reward, never make one."""

from typing import Any, Final, NamedTuple
from xml.etree import ElementTree

from proofyard.core import BadJSON, Blobs, Group, Tree, file_bytes, loads

__all__ = ["CUT", "Checks", "listed", "read_checks"]

_MOST: Final = 4 << 20
_NAMES_MOST: Final = 10_000
_LISTED_MOST: Final = 20_000
CUT: Final = ", ..."
"""How a list of names ends that was too long."""


class Checks(NamedTuple):
    """names, failed: of all that were run, and of those that failed, in the order of the list. groups: the counts."""

    names: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    groups: dict[str, Group] = {}  # noqa: RUF012 - never changed


def listed(names: tuple[str, ...]) -> str:
    """Names with commas between, cut after 20,000 characters."""
    text = ", ".join(names)
    return text if len(text) <= _LISTED_MOST else text[:_LISTED_MOST] + CUT


def read_checks(logs: Tree, blobs: Blobs) -> Checks:
    """The checks, none where there is no list that can be read."""
    for name, read in (("ctrf.json", _ctrf), ("junit.xml", _junit)):
        entry = logs.entries.get(name)
        if entry is None or entry.kind != "file" or entry.size > _MOST:
            continue
        try:
            rows = read(file_bytes(entry, blobs))[:_NAMES_MOST]
        except (BadJSON, ElementTree.ParseError, TypeError, KeyError, AttributeError, ValueError):
            continue
        counted = [(name, status) for name, status in rows if status != "skipped"]
        failed = tuple(name for name, status in counted if status != "passed")
        group = Group(passed=len(counted) - len(failed), total=len(counted))
        return Checks(tuple(name for name, _ in counted), failed, {"checks": group} if counted else {})
    return Checks()


def _ctrf(data: bytes) -> list[tuple[str, str]]:
    document: Any = loads(data)
    found = []
    for test in document["results"]["tests"]:
        status = {"passed": "passed", "skipped": "skipped", "pending": "skipped"}.get(str(test["status"]), "failed")
        found.append((_short(str(test["name"])), status))
    return found


def _junit(data: bytes) -> list[tuple[str, str]]:
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise ValueError("a document with entities of its own")
    found = []
    for case in ElementTree.fromstring(data).iter("testcase"):
        tags = {child.tag for child in case}
        status = "failed" if tags & {"failure", "error"} else "skipped" if "skipped" in tags else "passed"
        found.append((_short(case.get("name", "")), status))
    return found


def _short(name: str) -> str:
    """A check's own name: without the file that pytest's node ids begin with."""
    return " ".join(name.rpartition("::")[2].split())[:200]
