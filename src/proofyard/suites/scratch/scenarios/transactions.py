"""Nested transactions: hard and up."""

from proofyard.suites.scratch.scenarios.revisions import create_item, delete_item, state_check, update_item
from proofyard.suites.scratch.script import Script

__all__ = ["nesting", "open_at_end"]

_ALL = ("a", "b", "c", "d")


def nesting(script: Script) -> None:
    """Write transactions inside transactions, committed and rolled back at each depth, with batches inside."""
    script.kind = "nesting"
    for op in ("commit", "rollback"):
        script.ask(op)
        script.ask(op, {"depth": 1, "unknown": None})
    _one_level(script)
    _two_levels(script)
    _batches_inside(script)
    _deep(script)
    state_check(script, _ALL)


def _one_level(script: Script) -> None:
    d = script.stage.documents
    script.ask("create", {"name": "a", "document": d[0]})
    script.ask("begin")
    script.ask("update", {"name": "a", "document": d[1]})
    script.ask("create", {"name": "b", "document": d[2]})
    script.ask("evaluate", {"name": "b"})
    state_check(script, ("a", "b"))
    script.ask("delete", {"name": "a", "if_revision": 2})
    script.ask("get", {"name": "a"})
    script.ask("rollback")
    state_check(script, ("a", "b"))
    script.ask("begin", {"unknown": 1})
    script.ask("update", {"name": "a", "document": d[3], "if_revision": 1})
    script.ask("delete", {"name": "b"})
    script.ask("commit")
    script.ask("commit")
    script.ask("update", {"name": "a", "document": d[4], "if_revision": 1})
    state_check(script, ("a", "b"))


def _two_levels(script: Script) -> None:
    d = script.stage.documents
    script.ask("begin")
    script.ask("create", {"name": "c", "document": d[0]})
    script.ask("begin")
    script.ask("update", {"name": "c", "document": d[1]})
    script.ask("delete", {"name": "a"})
    script.ask("commit")
    state_check(script, ("a", "c"))
    script.ask("begin")
    script.ask("create", {"name": "a", "document": d[2]})
    script.ask("create", {"name": "d", "document": d[5]})
    script.ask("rollback")
    state_check(script, ("a", "d"))
    script.ask("create", {"name": "a", "document": d[3], "if_revision": 1})
    script.ask("rollback")
    script.ask("rollback")
    state_check(script, ("a", "c"))


def _batches_inside(script: Script) -> None:
    d = script.stage.documents
    script.ask("begin")
    script.ask("create", {"name": "c", "document": d[6]})
    script.kind = "atomicity"
    script.ask("batch", {"operations": [update_item("c", d[7]), delete_item("a"), create_item("c", d[0])]})
    state_check(script, ("a", "c"))
    script.ask("batch", {"operations": [update_item("c", d[7]), create_item("d", d[8])]})
    script.kind = "nesting"
    script.ask("begin")
    script.ask("batch", {"operations": [delete_item("c"), delete_item("d"), update_item("a", d[0])]})
    script.ask("rollback")
    state_check(script, ("a", "c", "d"))
    script.ask("no_such_operation")
    script.ask("create", {"name": "d", "document": d[0]})
    script.ask("update", {"name": "d"})
    script.ask("commit")
    state_check(script, ("c", "d"))


def _deep(script: Script) -> None:
    d = script.stage.documents
    for depth in range(12):
        script.ask("begin")
        script.ask("update", {"name": "a", "document": d[depth]})
    script.ask("get", {"name": "a"})
    for depth in range(12):
        script.ask("commit" if depth % 3 else "rollback")
        script.ask("get", {"name": "a"})
    script.ask("rollback")


def open_at_end(script: Script) -> None:
    """Write sessions that end inside a transaction: it is rolled back, and the program ends in order."""
    d = script.stage.documents
    script.kind = "nesting"
    script.ask("create", {"name": "a", "document": d[0]})
    script.ask("begin")
    script.ask("create", {"name": "b", "document": d[1]})
    script.ask("begin")
    script.ask("delete", {"name": "a"})
    script.ask("commit")
    script.restart()
    script.kind = "restart"
    state_check(script, ("a", "b"))
    script.ask("commit")
    script.ask("rollback")
    script.ask("create", {"name": "b", "document": d[2]})
    script.ask("begin")
