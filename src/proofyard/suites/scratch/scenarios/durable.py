"""Histories, old revisions and pages: max."""

from typing import Any

from proofyard.core import ALTERATIONS
from proofyard.suites.scratch.scenarios.revisions import create_item, delete_item, update_item
from proofyard.suites.scratch.script import Script

__all__ = ["histories", "pages", "pages_of_history"]

_WRONG_CURSORS: tuple[Any, ...] = (
    None,
    5,
    True,
    ["x"],
    {},
    "",
    "x",
    "garbage===",
    "W10=",
    "null",
    "cursor-that-was-never-given",
    "\u00e9",
)
_WRONG_LIMITS: tuple[Any, ...] = (0, 101, -1, 1.0, "5", None, True, [1])


def histories(script: Script) -> None:
    """Write histories with deletions, old revisions, and both inside a transaction that is rolled back."""
    d = script.stage.documents
    script.kind = "conflicts"
    script.ask("batch", {"operations": [create_item("h", d[2]), update_item("h", d[3]), update_item("h", d[4])]})
    script.ask("history", {"name": "h"})
    script.ask("delete", {"name": "h"})
    script.ask("history", {"name": "h"})
    for revision in (1, 2, 3, 4, 5, 10**30):
        script.ask("get", {"name": "h", "revision": revision})
    script.ask("get", {"name": "h"})
    script.ask("create", {"name": "h", "document": d[5]})
    script.ask("history", {"name": "h", "revision": 2})
    for revision in (3, 4, 5, 6):
        script.ask("get", {"name": "h", "revision": revision})
    script.ask("evaluate", {"name": "h", "revision": 1})
    for name in ("never", "H"):
        script.ask("history", {"name": name})
        script.ask("get", {"name": name, "revision": 1})
    script.kind = "nesting"
    script.ask("begin")
    script.ask("batch", {"operations": [update_item("h", d[0]), delete_item("h"), create_item("fresh", d[1])]})
    for name in ("h", "fresh"):
        script.ask("history", {"name": name})
        script.ask("get", {"name": name, "revision": 1})
    script.ask("rollback")
    for name in ("h", "fresh"):
        script.ask("history", {"name": name})
        script.ask("get", {"name": name, "revision": 1})
    script.kind = "malformed"
    for wrong_revision in (0, -1, 1.0, "1", None, True):
        script.ask("get", {"name": "h", "revision": wrong_revision})
    for wrong in (None, 5, "", "n" * 129):
        script.ask("history", {"name": wrong})
    script.ask("history")
    script.ask("get", {"name": "never", "revision": 0})
    script.kind = "restart"
    script.ask("update", {"name": "h", "document": d[6]}, kill="response")
    script.ask("history", {"name": "h"})
    script.ask("get", {"name": "h", "revision": 1})
    script.ask("get", {"name": "h", "revision": 4})
    script.ask("get", {"name": "h"})


def pages(script: Script) -> None:
    """Write pages of a list that changes between them and goes on after a restart; cursors are bound to their prefix."""
    d = script.stage.documents
    script.kind = "boundary"
    script.ask("batch", {"operations": [create_item(f"p{number:02d}", d[number % 4]) for number in range(60)]})
    script.ask("list", {"prefix": "p"}, bind="p-50")
    script.ask("list", {"prefix": "p", "cursor": {"$var": "p-50"}})
    script.ask("list", {"prefix": "p", "limit": 60})
    script.ask("list", {"prefix": "p", "limit": 59}, bind="p-59")
    script.ask("list", {"prefix": "p", "limit": 1, "cursor": {"$var": "p-59"}})
    script.ask("list", {"prefix": "p", "limit": 100})
    script.ask("list", {"limit": 1}, bind="all-1")
    script.ask("list", {"limit": 3, "prefix": "", "cursor": {"$var": "all-1"}}, bind="all-4")
    script.ask("list", {"limit": 2, "cursor": {"$var": "all-4"}}, bind="all-6")
    script.ask("list", {"prefix": "nothing", "limit": 1})
    script.ask("list", {"prefix": "p4", "limit": 10})
    script.ask("list", {"prefix": "p4", "limit": 3}, bind="p4-3")
    script.ask("list", {"prefix": "p4", "limit": 7, "cursor": {"$var": "p4-3"}})
    script.kind = "conflicts"
    script.ask("batch", {"operations": [delete_item("p42"), delete_item("p40")]})
    script.ask("list", {"prefix": "p4", "limit": 2, "cursor": {"$var": "p4-3"}})
    script.ask("delete", {"name": "p43"})
    script.ask("create", {"name": "p420", "document": d[1]})
    script.ask("list", {"prefix": "p4", "limit": 2, "cursor": {"$var": "p4-3"}})
    script.ask("batch", {"operations": [create_item(f"p40{number}", d[0]) for number in range(5)]})
    script.ask("list", {"prefix": "p4", "limit": 2, "cursor": {"$var": "p4-3"}})
    script.ask("list", {"prefix": "p4", "limit": 4})
    _wrong_pages(script)
    script.restart()
    script.kind = "restart"
    script.ask("list", {"prefix": "p", "limit": 4, "cursor": {"$var": "p-50"}}, bind="p-54")
    script.ask("list", {"prefix": "p", "limit": 100, "cursor": {"$var": "p-54"}})
    script.ask("list", {"prefix": "p4", "cursor": {"$var": "p4-3"}})
    script.ask("list", {"limit": 4, "cursor": {"$var": "all-6"}})
    script.ask("list", {"prefix": "p4", "cursor": {"$var": "p-50"}})


def _wrong_pages(script: Script) -> None:
    script.kind = "malformed"
    for cursor in _WRONG_CURSORS:
        script.ask("list", {"cursor": cursor})
        script.ask("history", {"name": "h", "cursor": cursor})
    for way in ALTERATIONS:
        script.ask("list", {"prefix": "p", "cursor": {"$var": "p-50", "altered": way}})
        script.ask("list", {"cursor": {"$var": "all-1", "altered": way}})
    for limit in _WRONG_LIMITS:
        script.ask("list", {"limit": limit})
        script.ask("history", {"name": "h", "limit": limit})
    for prefix in ("", "p4", "q", "pp"):
        script.ask("list", {"prefix": prefix, "cursor": {"$var": "p-50"}})
    script.ask("list", {"cursor": {"$var": "p4-3"}})
    script.ask("list", {"prefix": "p", "cursor": {"$var": "all-1"}})
    script.ask("history", {"name": "p", "cursor": {"$var": "p-50"}})
    script.ask("history", {"name": "never", "cursor": {"$var": "p-50"}})


def pages_of_history(script: Script) -> None:
    """Write pages of a long history that grows between them, and its cursors used for anything else."""
    d = script.stage.documents
    script.kind = "boundary"
    script.ask("batch", {"operations": [update_item("p00", d[number % 4]) for number in range(58)]})
    script.ask("delete", {"name": "p00"})
    script.ask("history", {"name": "p00"}, bind="h-50")
    script.ask("history", {"name": "p00", "cursor": {"$var": "h-50"}})
    script.ask("history", {"name": "p00", "limit": 60})
    script.ask("history", {"name": "p00", "limit": 2}, bind="h-2")
    script.ask("history", {"name": "p00", "limit": 9, "cursor": {"$var": "h-2"}}, bind="h-11")
    script.ask("history", {"name": "p00", "limit": 100, "cursor": {"$var": "h-11"}})
    script.ask("create", {"name": "p00", "document": d[0]})
    script.ask("history", {"name": "p00", "limit": 10, "cursor": {"$var": "h-50"}}, bind="h-60")
    script.ask("history", {"name": "p00", "cursor": {"$var": "h-60"}})
    script.kind = "malformed"
    script.ask("history", {"name": "p01", "cursor": {"$var": "h-2"}})
    script.ask("history", {"name": "never", "cursor": {"$var": "h-2"}})
    script.ask("history", {"name": "p00", "cursor": {"$var": "p-50"}})
    script.ask("list", {"cursor": {"$var": "h-2"}})
    script.ask("list", {"prefix": "p00", "cursor": {"$var": "h-2"}})
    for way in ALTERATIONS:
        script.ask("history", {"name": "p00", "cursor": {"$var": "h-2", "altered": way}})
