"""Kills: at the response, after which the change must be there; in the middle, after which it is there wholly or not at all."""

from typing import Any

from proofyard.suites.scratch.scenarios.revisions import create_item, delete_item, state_check, update_item
from proofyard.suites.scratch.script import Cut, Script

__all__ = ["at_response", "in_the_middle", "keyed_at_response", "torn_growth"]

_NAMES = ("a", "b", "c", "d")
_POINTS = 6
"""Over how many points kills in the middle are spread, from the first to the last call of a request."""


def at_response(script: Script) -> None:
    """Write a kill at the response of each kind of change; a change inside an open transaction is lost."""
    d = script.stage.documents
    script.kind = "restart"
    script.ask("create", {"name": "a", "document": d[0]}, kill="response")
    state_check(script, _NAMES)
    script.ask("update", {"name": "a", "document": d[1], "if_revision": 1}, kill="response")
    state_check(script, _NAMES)
    items = [create_item("b", d[2]), create_item("c", d[3]), update_item("a", d[4])]
    script.ask("batch", {"operations": items}, kill="response")
    state_check(script, _NAMES)
    script.ask("delete", {"name": "b"}, kill="response")
    state_check(script, _NAMES)
    script.ask("begin")
    script.ask("create", {"name": "b", "document": d[5]})
    script.ask("begin")
    script.ask("update", {"name": "c", "document": d[6]})
    script.ask("commit")
    script.ask("commit", kill="response")
    state_check(script, _NAMES)
    script.ask("begin")
    script.ask("delete", {"name": "a"})
    script.ask("begin")
    script.ask("create", {"name": "d", "document": d[7]})
    script.ask("commit", kill="response")
    state_check(script, _NAMES)
    script.ask("begin")
    script.ask("delete", {"name": "c", "idempotency_key": "lost"}, kill="response")
    state_check(script, _NAMES)
    script.ask("rollback")
    script.ask("delete", {"name": "a", "idempotency_key": "lost"})
    script.ask("history", {"name": "a"})


def keyed_at_response(script: Script) -> None:
    """Write a kill at the response of each kind of change with a key: change and key are both there, or both lost."""
    d = script.stage.documents
    script.kind = "retry"
    names = ("e", "f", "g")
    items = [create_item("f", d[2]), update_item("e", d[3])]
    changes: tuple[tuple[str, dict[str, Any]], ...] = (
        ("create", {"name": "e", "document": d[0]}),
        ("update", {"name": "e", "document": d[1], "if_revision": 1}),
        ("batch", {"operations": items}),
        ("delete", {"name": "f"}),
    )
    for number, (op, args) in enumerate(changes):
        keyed = {**args, "idempotency_key": f"killed-{number}"}
        script.ask(op, keyed, kill="response")
        state_check(script, names)
        script.ask(op, keyed)
        script.ask("list", {"prefix": "e"})
    inside = {"name": "g", "document": d[4], "idempotency_key": "killed-inside"}
    for last in ("create", "commit"):
        script.ask("begin")
        script.ask("create", inside, kill="response" if last == "create" else None)
        if last == "commit":
            script.ask("commit", kill="response")
        state_check(script, names)
    script.ask("create", inside)
    script.ask("create", {**inside, "name": "h"})
    state_check(script, names)


def in_the_middle(script: Script) -> None:
    """Write kills from the first to the last state-changing call, first before it, then with half of what it writes. Each
    change is then sent again under its key, as a client would: whether it had happened or not, the outcome is the same.
    """
    d = script.stage.documents
    script.kind = "mid-write"
    script.ask("batch", {"operations": [create_item("a", d[0]), create_item("b", d[1])]})
    _cut(script, 1, "create", {"name": "c", "document": d[2]})
    _cut(script, 2, "update", {"name": "a", "document": d[3], "if_revision": 1})
    _cut(script, 3, "batch", {"operations": [delete_item("b"), update_item("a", d[4]), create_item("d", d[5])]})
    _cut_commit(script, 4)
    _cut(script, 5, "delete", {"name": "d"})
    _cut(script, 6, "batch", {"operations": [create_item("b", d[8]), delete_item("c"), update_item("a", d[9])]})
    script.ask("history", {"name": "a"})
    script.restart()
    state_check(script, _NAMES)
    for call in range(1, 7):
        changes = [update_item("a", d[call + 9]), update_item("b", d[call + 3])]
        op, args = ("batch", {"operations": changes}) if call % 2 else ("update", {"name": "b", "document": d[call]})
        _cut(script, call, op, args, torn=True)
    script.restart()
    state_check(script, _NAMES)
    script.ask("history", {"name": "b"})


def torn_growth(script: Script) -> None:
    """Write changes larger than all that is stored, cut short while they are written: what is half there is mostly new."""
    d = script.stage.documents
    script.kind = "mid-write"
    script.ask("create", {"name": "0", "document": d[0]})
    for call, size in ((1, 4), (2, 12), (3, 30), (1, 60)):
        names = [f"{size}-{number}" for number in range(size)]
        items = [create_item(name, d[number % 24]) for number, name in enumerate(names)]
        batch = {"operations": items, "idempotency_key": f"grown-{size}"}
        script.ask("batch", batch, kill=Cut(call, 3, torn=True))
        state_check(script, ("0", names[0], names[-1]))
        script.ask("batch", batch)
        state_check(script, ("0", names[-1]))
    script.restart()
    state_check(script, ("0", names[-1]))


def _cut(script: Script, call: int, op: str, args: dict[str, Any], *, torn: bool = False) -> None:
    keyed = {**args, "idempotency_key": f"torn-{call}" if torn else f"cut-{call}"}
    script.ask(op, keyed, kill=Cut(call, _POINTS, torn))
    state_check(script, _NAMES)
    script.ask(op, keyed)
    state_check(script, _NAMES)


def _cut_commit(script: Script, call: int) -> None:
    d = script.stage.documents
    update = {"name": "a", "document": d[6], "idempotency_key": f"cut-{call}-a"}
    create = {"name": "b", "document": d[7], "idempotency_key": f"cut-{call}-b"}
    script.ask("begin")
    script.ask("update", update)
    script.ask("create", create)
    script.ask("commit", kill=Cut(call, _POINTS))
    state_check(script, _NAMES)
    script.ask("begin")
    script.ask("update", update)
    script.ask("create", create)
    script.ask("commit")
    state_check(script, _NAMES)
