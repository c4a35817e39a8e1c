"""Nested transactions: hard and up."""

from proofyard.suites.scratch.scenarios.revisions import create_item, delete_item, state_check, update_item
from proofyard.suites.scratch.script import Script

__all__ = ["nesting", "open_at_end"]

_ALL = ("ta", "tb", "tc", "td")


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
    script.ask("create", {"name": "ta", "document": d[0]})
    script.ask("begin")
    script.ask("update", {"name": "ta", "document": d[1]})
    script.ask("create", {"name": "tb", "document": d[2]})
    script.ask("evaluate", {"name": "tb"})
    state_check(script, ("ta", "tb"))
    script.ask("delete", {"name": "ta", "if_revision": 2})
    script.ask("get", {"name": "ta"})
    script.ask("rollback")
    state_check(script, ("ta", "tb"))
    script.ask("begin", {"unknown": 1})
    script.ask("update", {"name": "ta", "document": d[3], "if_revision": 1})
    script.ask("delete", {"name": "tb"})
    script.ask("commit")
    script.ask("commit")
    script.ask("update", {"name": "ta", "document": d[4], "if_revision": 1})
    state_check(script, ("ta", "tb"))


def _two_levels(script: Script) -> None:
    d = script.stage.documents
    script.ask("begin")
    script.ask("create", {"name": "tc", "document": d[0]})
    script.ask("begin")
    script.ask("update", {"name": "tc", "document": d[1]})
    script.ask("delete", {"name": "ta"})
    script.ask("commit")
    state_check(script, ("ta", "tc"))
    script.ask("begin")
    script.ask("create", {"name": "ta", "document": d[2]})
    script.ask("create", {"name": "td", "document": d[5]})
    script.ask("rollback")
    state_check(script, ("ta", "td"))
    script.ask("create", {"name": "ta", "document": d[3], "if_revision": 1})
    script.ask("rollback")
    script.ask("rollback")
    state_check(script, ("ta", "tc"))


def _batches_inside(script: Script) -> None:
    d = script.stage.documents
    script.ask("begin")
    script.ask("create", {"name": "tc", "document": d[6]})
    script.kind = "atomicity"
    script.ask("batch", {"operations": [update_item("tc", d[7]), delete_item("ta"), create_item("tc", d[0])]})
    state_check(script, ("ta", "tc"))
    script.ask("batch", {"operations": [update_item("tc", d[7]), create_item("td", d[8])]})
    script.kind = "nesting"
    script.ask("begin")
    script.ask("batch", {"operations": [delete_item("tc"), delete_item("td"), update_item("ta", d[0])]})
    script.ask("rollback")
    state_check(script, ("ta", "tc", "td"))
    script.ask("no_such_operation")
    script.ask("create", {"name": "td", "document": d[0]})
    script.ask("update", {"name": "td"})
    script.ask("commit")
    state_check(script, ("tc", "td"))


def _deep(script: Script) -> None:
    d = script.stage.documents
    for depth in range(40):
        script.ask("begin")
        if depth % 3 == 0:
            script.ask("update", {"name": "ta", "document": d[depth % 12]})
    script.ask("get", {"name": "ta"})
    for depth in range(40):
        script.ask("commit" if depth % 4 else "rollback")
        if depth % 2 == 0:
            script.ask("get", {"name": "ta"})
    script.ask("rollback")


def open_at_end(script: Script) -> None:
    """Write sessions that end inside a transaction: it is rolled back, and the program ends in order."""
    d = script.stage.documents
    script.kind = "nesting"
    script.ask("create", {"name": "ta", "document": d[0]})
    script.ask("begin")
    script.ask("create", {"name": "tb", "document": d[1]})
    script.ask("begin")
    script.ask("delete", {"name": "ta"})
    script.ask("commit")
    script.restart()
    script.kind = "restart"
    state_check(script, ("ta", "tb"))
    script.ask("commit")
    script.ask("rollback")
    script.ask("create", {"name": "tb", "document": d[2]})
    script.ask("begin")
