"""Idempotency keys: max."""

from typing import Any

from proofyard.suites.scratch.scenarios.revisions import create_item, delete_item, rolled_back, update_item
from proofyard.suites.scratch.script import Script

__all__ = ["keys_in_transactions", "keys_over_restarts", "max_example", "retries"]


def max_example(script: Script) -> None:
    """Write the second public example of the max tier."""
    first, second = script.stage.documents[0], script.stage.documents[-1]
    script.kind = "retry"
    create = {"name": "plan", "document": first, "idempotency_key": "k-1"}
    script.ask("create", create, id=1)
    script.ask("create", create, id=2)
    script.ask("create", {**create, "name": "other"}, id=3)
    script.kind = "conflicts"
    script.ask("update", {"name": "plan", "document": second, "if_revision": 1}, id=4)
    script.ask("delete", {"name": "plan", "if_revision": 1}, id=5)
    script.ask("get", {"name": "plan", "revision": 1}, id=6)
    script.ask("history", {"name": "plan"}, id=7)
    rolled_back(script, 8)
    script.kind = "atomicity"
    script.ask("batch", {"operations": [create_item("other", first), delete_item("gone")]}, id=12)
    script.ask("list", {"limit": 5}, id=13)
    script.ask("batch", {"operations": [create_item("other", first), delete_item("plan")]}, id=14)


def retries(script: Script) -> None:
    """Write requests sent again under their key, keys used for something else, and errors, which take no key."""
    d = script.stage.documents
    script.kind = "retry"
    create = {"name": "a", "document": d[0], "idempotency_key": "k1"}
    script.ask("create", create)
    script.ask("create", create)
    script.ask("create", dict(reversed(create.items())), id="again")
    script.ask("create", {**create, "document": {"args": dict(reversed(d[0]["args"].items())), "op": d[0]["op"]}})
    script.ask("create", {**create, "unknown": 5, "if_revision": 9})
    for other in ({"name": "b"}, {"document": d[1]}, {"name": "b", "document": d[1]}):
        script.ask("create", {**create, **other})
    for name in ("a", "missing"):
        script.ask("update", {"name": name, "document": d[0], "idempotency_key": "k1"})
        script.ask("delete", {"name": name, "idempotency_key": "k1"})
    script.ask("delete", {"name": "a", "if_revision": 5, "idempotency_key": "k1"})
    script.ask("batch", {"operations": [create_item("a", d[0])], "idempotency_key": "k1"})
    script.ask("list")
    _wrong_keys(script, create)
    script.kind = "retry"
    script.ask("create", {**create, "idempotency_key": "k2"})
    script.ask("update", {"name": "missing", "document": d[0], "idempotency_key": "k2"})
    script.ask("delete", {"name": "a", "if_revision": 2, "idempotency_key": "k2"})
    script.ask("delete", {"name": "a", "idempotency_key": "k2"})
    script.ask("delete", {"name": "a", "idempotency_key": "k2"})
    script.ask("create", create)
    script.ask("get", {"name": "a"})
    script.ask("create", {**create, "idempotency_key": "K1"})
    _with_revisions(script)
    _batches(script)
    _compared_as_sent(script)
    for op in ("get", "history", "evaluate"):
        script.ask(op, {"name": "a", "idempotency_key": "k1"})
    script.ask("list", {"idempotency_key": 5})


def _wrong_keys(script: Script, create: dict[str, Any]) -> None:
    """Wrong arguments, the key's own included, come before the key is looked up."""
    script.kind = "malformed"
    for key in ("", "k" * 129, "\U0001f511" * 129, "e\u0301" * 65, None, 5, True, ["k1"]):
        script.ask("create", {**create, "idempotency_key": key})
        script.ask("delete", {"name": "missing", "idempotency_key": key})
    script.ask("create", {**create, "name": ""})
    script.ask("create", {**create, "document": {"op": "nope", "args": {}}})
    script.ask("delete", {"name": "a", "if_revision": 0, "idempotency_key": "k1"})
    script.ask("batch", {"operations": [], "idempotency_key": "k1"})
    script.kind = "boundary"
    for key in ("\U0001f511" * 128, "\u00e9" * 128, " ", "k1 ", "\u00e9", "e\u0301"):
        script.ask("create", {**create, "name": f"key {len(key)} {key[:2]}", "idempotency_key": key})
        script.ask("create", {**create, "name": f"key {len(key)} {key[:2]}", "idempotency_key": key})


def _with_revisions(script: Script) -> None:
    """`if_revision` is part of what a key stands for; a replay checks nothing again."""
    d = script.stage.documents
    update = {"name": "a", "document": d[2], "if_revision": 3, "idempotency_key": "k3"}
    script.ask("update", {**update, "if_revision": 1})
    script.ask("update", update)
    script.ask("update", update)
    for other in ({"if_revision": 4}, {"name": "b"}, {"document": d[3]}):
        script.ask("update", {**update, **other})
    script.ask("update", {"name": "a", "document": d[2], "idempotency_key": "k3"})
    script.ask("update", {"name": "a", "document": d[3]})
    script.ask("update", update)
    script.ask("history", {"name": "a"})
    script.ask("create", {"name": "z", "document": d[0]})
    delete = {"name": "z", "if_revision": 1, "idempotency_key": "k5"}
    script.ask("delete", delete)
    script.ask("delete", delete)
    for other in ({"name": "a"}, {"if_revision": 2}):
        script.ask("delete", {**delete, **other})


def _batches(script: Script) -> None:
    """A batch is stored as a whole; a key inside an item is an unknown argument."""
    d = script.stage.documents
    items = [create_item("c", d[4]), update_item("a", d[5], idempotency_key="inner")]
    script.ask("batch", {"operations": [*items, delete_item("missing")], "idempotency_key": "k4"})
    script.ask("batch", {"operations": items, "idempotency_key": "k4"})
    script.ask("batch", {"operations": items, "idempotency_key": "k4"})
    script.ask("batch", {"operations": [*reversed(items)], "idempotency_key": "k4"})
    script.ask("batch", {"operations": items[:1], "idempotency_key": "k4"})
    script.ask("create", {"name": "d", "document": d[6], "idempotency_key": "inner"})
    script.ask("batch", {"operations": [delete_item("d", idempotency_key=5)]})
    script.ask("list")


def _compared_as_sent(script: Script) -> None:
    """What a document or an item has beside what counts belongs to the payload; `true` is not `1`."""
    d = script.stage.documents
    args = {**d[0]["args"], "flag": 1}
    document = {"op": d[0]["op"], "args": args}
    create = {"name": "e", "document": document, "idempotency_key": "k6"}
    script.ask("create", create)
    for other in (
        {**d[0], "args": {**args, "flag": True}},
        {**d[0], "args": {**args, "flag": [1]}},
        {**d[0], "args": {**args, "flag": "1"}},
        {**document, "note": 1},
        d[0],
    ):
        script.ask("create", {**create, "document": other})
    script.ask("create", create)
    script.ask("get", {"name": "e"})
    noted = {"name": "e", "document": {**d[1], "note": None}, "idempotency_key": "k7"}
    script.ask("update", noted)
    script.ask("update", {**noted, "document": d[1]})
    script.ask("update", {**noted, "document": {**d[1], "note": False}})
    script.ask("update", noted)
    item = update_item("e", d[2], unknown=0)
    script.ask("batch", {"operations": [item], "idempotency_key": "k8"})
    for changed in (
        update_item("e", d[2]),
        update_item("e", d[2], unknown=False),
        {**item, "id": 5},
        update_item("e", {**d[2], "note": 1}, unknown=0),
    ):
        script.ask("batch", {"operations": [changed], "idempotency_key": "k8"})
    script.ask("batch", {"operations": [item], "idempotency_key": "k8"})
    script.ask("history", {"name": "e"})


def keys_in_transactions(script: Script) -> None:
    """Write keys that are rolled back with their transaction, or kept with it."""
    d = script.stage.documents
    script.kind = "retry"
    create = {"name": "t", "document": d[7], "idempotency_key": "t1"}
    script.ask("begin")
    script.ask("create", create)
    script.ask("create", create)
    script.ask("create", {**create, "name": "u"})
    script.ask("create", {"name": "a", "document": d[0], "idempotency_key": "k1"})
    script.ask("list", {"prefix": "t"})
    script.ask("rollback")
    script.ask("get", {"name": "t"})
    script.ask("create", {**create, "document": d[8]})
    script.ask("delete", {"name": "t"})
    script.ask("begin")
    script.ask("begin")
    script.ask("create", {**create, "name": "v", "idempotency_key": "t2"})
    script.ask("commit")
    script.ask("create", {**create, "name": "v", "idempotency_key": "t2"})
    script.ask("begin")
    script.ask("update", {"name": "v", "document": d[9], "idempotency_key": "t3"})
    script.ask("rollback")
    script.ask("update", {"name": "v", "document": d[9], "idempotency_key": "t3"})
    script.ask("rollback")
    script.ask("delete", {"name": "v", "idempotency_key": "t2"})
    script.ask("create", {"name": "v", "document": d[9], "idempotency_key": "t2"})
    script.ask("begin")
    script.ask("create", {**create, "name": "w", "idempotency_key": "t4"})
    script.ask("commit")
    script.ask("create", {**create, "name": "w", "idempotency_key": "t4"})
    script.ask("list", {"prefix": "w"})


def keys_over_restarts(script: Script) -> None:
    """Write keys after a restart and after a kill; those of a transaction left open are free again."""
    d = script.stage.documents
    script.ask("begin")
    script.ask("create", {"name": "lost", "document": d[0], "idempotency_key": "r1"})
    script.restart()
    script.kind = "restart"
    script.ask("create", {"name": "a", "document": d[0], "idempotency_key": "k1"})
    script.ask("delete", {"name": "a", "idempotency_key": "k2"})
    script.ask("update", {"name": "a", "document": d[0], "idempotency_key": "k3"})
    script.ask("batch", {"operations": [delete_item("c")], "idempotency_key": "t4"})
    script.ask("create", {"name": "w", "document": d[7], "idempotency_key": "t4"})
    script.ask("get", {"name": "lost"})
    script.ask("delete", {"name": "w", "idempotency_key": "r1"}, kill="response")
    script.ask("delete", {"name": "w", "idempotency_key": "r1"})
    script.ask("delete", {"name": "w", "idempotency_key": "r2"})
    script.ask("create", {"name": "lost", "document": d[0], "idempotency_key": "r1"})
    script.ask("history", {"name": "w"})
    script.ask("list")
